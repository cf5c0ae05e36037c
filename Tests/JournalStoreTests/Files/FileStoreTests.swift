import Foundation
import GRDB
import Journal
import TestSupport
import Testing

@testable import JournalStore

/// Files in a journal: what came in goes out, with the text that names it or not at all.
@Suite("Files in a journal")
struct FileStoreTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private static let kinds = [StoreKind.sqlite, .sealed, .memory]
  private static let piece = FileContent.pieceSize

  private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func content(
    _ bytes: [UInt8], _ name: String = "photo.jpg"
  ) throws -> FileContent {
    try Data(bytes).write(to: URL(filePath: directory.file(name)))
    return try FileContent(directory.file(name))
  }

  private func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_790_000_000, offset: 0)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  private func read(_ store: any EntryStore, _ number: Int64, _ place: Int = 0) throws -> [UInt8] {
    let attachments = try store.attachments(of: store.entry(number))
    let file = try #require(attachments[place].file)
    var bytes: [UInt8] = []
    try store.readFile(file) { bytes += $0 }
    return bytes
  }

  @Test("what came in goes out, byte for byte, at any size", arguments: kinds)
  func roundTrip(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let sizes = [0, 1, Self.piece - 1, Self.piece, Self.piece + 1, 5 << 20]
    for (index, size) in sizes.enumerated() {
      let bytes = bytes(size, seed: UInt64(index))
      let added = try store.add(
        entry("size \(size)"), attaching: [content(bytes, "\(size).bin")])
      #expect(added.text.hasPrefix("size \(size)\n\n[\(size)](file:"))
      #expect(try read(store, added.number) == bytes)
      #expect(try store.attachments(of: added)[0].file?.size == size)
    }
    #expect(try store.files().count == sizes.count)
    #expect(try store.check() == [])
  }

  @Test("the same content is stored once, under its first name", arguments: kinds)
  func once(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let bytes = bytes(600_000)
    try store.add([entry("first")])
    let (one, other) = (try content(bytes, "one.jpg"), try content(bytes, "other.pdf"))
    let first = try store.attach([one, one], to: 1)
    let second = try store.add(entry(""), attaching: [other])
    #expect(try store.files().map(\.name) == ["one.jpg"])
    #expect(try store.inspect { try $0.users(of: one.stored) } == [1, 2])
    let links = FileLink.all(in: first.text) + FileLink.all(in: second.text)
    #expect(links.map(\.name) == ["one.jpg", "one.jpg", "other.pdf"])
    #expect(Set(links.map(\.target)) == [String(one.stored.hash.prefix(16))])
    #expect(second.text.hasPrefix("["))
    #expect(try read(store, 2) == bytes)
    #expect(try store.check() == [])
  }

  @Test("a file whose hash begins like that of an older one is named by more of it")
  func sameBeginning() throws {
    let store = try SQLiteEntryStore()
    let content = try content(bytes(10))
    let hash = content.stored.hash
    let older = hash.prefix(16) + String(repeating: "0", count: 48)
    try store.queue.inDatabase {
      try $0.execute(
        sql: "INSERT INTO file (hash, size, type, name, seq) VALUES (?, 1, 'text/plain', 'a', 0)",
        arguments: [String(older)])
    }
    let added = try store.add(entry("a"), attaching: [content])
    let link = try #require(FileLink.all(in: added.text).first)
    #expect(link.target.count > 16)
    #expect(try store.attachments(of: added).map(\.file?.hash) == [hash])
  }

  @Test("a search for a name takes signs of LIKE as they are")
  func namesWithSigns() throws {
    let store = try SQLiteEntryStore()
    for (index, name) in ["a_b.pdf", "axb.pdf", "5% off.pdf", "50 off.pdf"].enumerated() {
      _ = try store.add(entry("\(index)"), attaching: [content(bytes(10 + index), name)])
    }
    #expect(try store.numbers(matching: Lists.query("file:a_b")) == [1])
    #expect(try store.numbers(matching: Lists.query("file:a*b")) == [1, 2])
    #expect(try store.numbers(matching: Lists.query("file:\"5% off\"")) == [3])
  }

  @Test("one undo takes the link back and one redo brings it, with its bytes", arguments: kinds)
  func undone(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let bytes = bytes(300_000)
    try store.add([entry("text")])
    try store.attach([content(bytes)], to: 1)
    try store.undo()
    #expect(try store.entry(1).text == "text")
    #expect(try store.files().count == 1, "a redo needs it")
    #expect(try store.check() == [])
    try store.redo()
    #expect(try read(store, 1) == bytes)
    try store.edit(1, text: "without")
    try store.delete([1])
    #expect(try store.check() == [])
    try store.undo()
    try store.undo()
    #expect(try read(store, 1) == bytes)
  }

  @Test("a purge takes out what no text names any more, and nothing else", arguments: kinds)
  func purged(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let (both, own, former) = (bytes(300_000, seed: 1), bytes(9, seed: 2), bytes(8, seed: 3))
    _ = try store.add(
      entry("one"), attaching: [content(both, "both.bin"), content(own, "own.bin")])
    let second = try store.add(entry("two"), attaching: [content(both, "both.bin")])
    let third = try store.add(entry("three"), attaching: [content(former, "former.bin")])
    try store.edit(third.number, text: "no more")
    try store.delete([1])
    #expect(try store.files().count == 3)
    #expect(try store.purge() == 1)
    #expect(try store.files().map(\.name) == ["both.bin", "former.bin"])
    #expect(try read(store, second.number) == both)
    #expect(try store.check() == [])
    try store.delete([third.number])
    #expect(try store.purge() == 1)
    #expect(try store.files().map(\.name) == ["both.bin"])
    #expect(try store.check() == [])
  }

  @Test("a name in code keeps its file")
  func inCode() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    let added = try store.add(entry("x"), attaching: [content([1, 2, 3])])
    try store.add([entry("```\n\(added.text)\n```")])
    try store.delete([added.number])
    try store.purge()
    #expect(try store.files().count == 1)
    #expect(try store.check() == [])
  }

  @Test("what fails on the way leaves nothing: an error, a file that changes", arguments: kinds)
  func allOrNothing(kind: StoreKind) throws {
    struct Stopped: Error {}
    let store = try kind.make(in: directory)
    try store.add([entry("text")])
    let content = try content(bytes(900_000))
    var pieces = 0
    #expect(throws: Stopped.self) {
      try store.attach([content], to: 1) { _ in
        pieces += 1
        if pieces == 3 { throw Stopped() }
      }
    }
    let changes: [(FileHandle) throws -> Void] = [
      { handle in
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1]))
      },
      { try $0.write(contentsOf: Data([1, 2, 3, 4, 5, 6, 7, 8])) },
      { try $0.truncate(atOffset: 300_000) },
    ]
    for (index, change) in changes.enumerated() {
      let changed = try self.content(bytes(900_000), "changed-\(index).bin")
      let handle = try FileHandle(forUpdating: URL(filePath: changed.path))
      try change(handle)
      try handle.close()
      #expect { try store.attach([changed], to: 1) } throws: {
        ($0 as? FileContentError)?.kind == .changed
      }
    }
    #expect(try store.entry(1).text == "text")
    #expect(try store.files() == [])
    #expect(try store.changeSets(latest: 9).count == 1)
    #expect(try store.check() == [])
  }

  @Test("what cannot be attached is refused before it is read, with its reason")
  func refused() throws {
    for (path, kind) in [
      (directory.file("none"), FileContentError.Kind.system(ENOENT)), (directory.path, .directory),
      ("/dev/null", .notRegular),
    ] {
      #expect { try FileContent(path) } throws: { ($0 as? FileContentError)?.kind == kind }
      #expect { try FileContent.size(of: path) } throws: { ($0 as? FileContentError)?.kind == kind }
    }
    mkfifo(directory.file("pipe"), 0o600)
    #expect { try FileContent(directory.file("pipe")) } throws: {
      ($0 as? FileContentError)?.kind == .notRegular
    }
    // Sparse, so that it has a size and no bytes.
    let large = directory.file("large")
    try Data().write(to: URL(filePath: large))
    truncate(large, (1 << 30) + 1)
    var steps = 0
    #expect { try FileContent(large) { _ in steps += 1 } } throws: {
      "\($0)" == "\(large): has 1.1 GB; a file may have 1 GiB"
    }
    #expect(steps == 0)
  }

  @Test("a JSON journal refuses files and says the way out")
  func json() throws {
    let store = try StoreKind.json.make(in: directory)
    try store.add([entry("text")])
    let content = try content([1])
    for attempt in [
      { _ = try store.attach([content], to: 1) },
      { _ = try store.add(entry("new"), attaching: [content]) },
    ] {
      #expect { try attempt() } throws: { error in
        (error as? StoreError)?.kind == .keepsNoFiles
          && "\(error)".contains("daybook import \(store.path) --journal ")
      }
    }
    #expect(try store.numbers(matching: nil) == [1])
    #expect(try store.entry(1).text == "text")
  }

  @Test("two connections that attach the same content store it once")
  func twoConnections() throws {
    let (one, other) = (
      try StoreKind.sqlite.make(in: directory), try StoreKind.sqlite.make(in: directory)
    )
    let bytes = bytes(700_000)
    try one.add([entry("one"), entry("two")])
    try one.attach([content(bytes)], to: 1)
    try other.attach([content(bytes)], to: 2)
    #expect(try one.files().count == 1)
    #expect(try read(other, 1) == bytes)
    #expect(try read(one, 2) == bytes)
    #expect(try one.check() == [])
  }

  @Test("the journal of then has the files of now")
  func past() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    let bytes = bytes(300_000)
    let added = try store.add(entry("text"), attaching: [content(bytes)])
    let then = try store.past(at: WallClock.system.moment(), BulkOptions())
    try store.edit(added.number, text: "without")
    #expect(try read(then.store, added.number) == bytes)
    #expect(try then.store.numbers(matching: .file(.size(1_000...Int64.max))) == [added.number])
  }

  @Test(
    "a backup has the files, and so has the restored journal",
    arguments: [StoreKind.sqlite, .sealed])
  func backup(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let bytes = bytes(300_000)
    let added = try store.add(entry("text"), attaching: [content(bytes)])
    try store.backup(to: directory.file("copy.sqlite"))
    let copy = try SQLiteEntryStore.open(directory.file("copy.sqlite"), mode: .readOnly)
    #expect(try read(copy, added.number) == bytes)
    #expect(try copy.check() == [])
  }

  // MARK: Damage

  private func damaged(
    _ bytes: [UInt8], _ sql: String
  ) throws -> (store: any EntryStore, doctor: JournalDoctor) {
    let store = try StoreKind.sqlite.make(in: directory)
    _ = try store.add(entry("text"), attaching: [content(bytes, "own.jpg")])
    try ForeignTool.run(sql, on: directory.file("journal.sqlite"))
    let location = JournalLocation(path: directory.file("journal.sqlite"), isExplicit: true)
    return (store, try JournalDoctor(location))
  }

  @Test(
    "the doctor names a damaged file and its entries, and attaching it again heals it",
    arguments: [
      "UPDATE file_piece SET bytes = zeroblob(262144) WHERE id % 4096 = 1",
      "DELETE FROM file_piece WHERE id % 4096 = 1", "UPDATE file_piece SET bytes = x'00' || bytes",
      "UPDATE file_piece SET id = id + 7 WHERE id % 4096 = 2",
    ])
  func damage(sql: String) throws {
    let bytes = bytes(600_000)
    let (store, doctor) = try damaged(bytes, sql)
    let findings = try doctor.examine().findings
    #expect(findings.count == 1)
    #expect(findings[0].text.hasPrefix("the file own.jpg ("))
    #expect(findings[0].text.hasSuffix(") of entry 1 is damaged"))
    #expect(findings[0].remedy == .person)
    #expect { try read(store, 1) } throws: { ($0 as? StoreError)?.kind == .damaged }
    let report = try doctor.salvage(to: directory.file("saved.sqlite"))
    #expect(report.lostFiles == ["own.jpg"])
    try store.add([entry("other")])
    try store.attach([content(bytes, "again.jpg")], to: 2)
    #expect(try read(store, 1) == bytes)
    #expect(try store.check().isEmpty == !sql.contains("id + 7"))
  }

  @Test("the doctor takes out what is in no text, and pieces without a name")
  func repaired() throws {
    let (store, doctor) = try damaged(
      bytes(300_000),
      """
      INSERT INTO file (hash, size, type, name, seq)
        VALUES ('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0, 'text/plain', 'x', 1);
      INSERT INTO file_piece (id, bytes) VALUES (81920, x'00');
      DELETE FROM entry_file;
      """)
    #expect(
      try Set(doctor.examine().findings.map(\.text)) == [
        "1 file is in no text, version or step any more",
        "there are pieces of 1 file without a name",
        "entry 1: it is listed under wrong files",
      ])
    #expect(try doctor.repair().left.findings == [])
    #expect(try store.files().map(\.name) == ["own.jpg"])
    #expect(try store.numbers(matching: .file(.any)) == [1])
  }

  @Test("salvage brings the files that are whole")
  func salvaged() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    let bytes = bytes(600_000)
    let added = try store.add(entry("text"), attaching: [content(bytes)])
    let location = JournalLocation(path: directory.file("journal.sqlite"), isExplicit: true)
    let report = try JournalDoctor(location).salvage(to: directory.file("saved.sqlite"))
    #expect(report.saved == 1)
    #expect(report.lostFiles == [])
    let saved = try SQLiteEntryStore.open(directory.file("saved.sqlite"), mode: .readWrite)
    #expect(try read(saved, added.number) == bytes)
    #expect(try saved.check() == [])
  }

  @Test(
    "salvage brings files whose pages no other page leads to", arguments: ["file", "file_piece"])
  func orphaned(table: String) throws {
    let store = try StoreKind.sqlite.make(in: directory)
    let large = bytes(8 << 20)
    let first = try store.add(entry("large"), attaching: [content(large, "large.bin")])
    for index in 0..<80 {
      _ = try store.add(
        entry("small"), attaching: [content(bytes(100, seed: UInt64(index) + 5), "\(index).bin")])
    }
    let path = directory.file("journal.sqlite")
    let root = try DatabaseQueue(path: path).read {
      try Int.fetchOne(
        $0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
    }
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(try #require(root) - 1) * 4096)
    // An interior page: else the rows themselves would be gone.
    #expect(try file.read(upToCount: 1) == Data([5]))
    try file.seek(toOffset: UInt64(try #require(root) - 1) * 4096)
    try file.write(contentsOf: Data(count: 4096))
    try file.close()
    let location = JournalLocation(path: path, isExplicit: true)
    let report = try JournalDoctor(location).salvage(to: directory.file("saved.sqlite"))
    #expect(report.saved == 81)
    #expect(report.lostFiles == [])
    let saved = try SQLiteEntryStore.open(directory.file("saved.sqlite"), mode: .readWrite)
    #expect(try read(saved, first.number) == large)
    #expect(try read(saved, 81) == bytes(100, seed: 84))
    #expect(try saved.files().count == 81)
    #expect(try saved.check() == [])
  }

  // MARK: Queries

  @Test(
    "sizes decide in SQL and in lists, and a file that comes later changes them", arguments: kinds)
  func sizes(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let large = try content(bytes(300_000), "large.bin")
    let small = try content(bytes(10), "small.bin")
    let link = large.link(String(large.stored.hash.prefix(16))).markdown
    try store.add([entry("before \(link)")])
    let query = Query.file(.size(1_000...Int64.max))
    let request = EntryRequest.entries(query: query)
    let controller = try store.controller(for: request)
    try controller.performFetch()
    #expect(try store.numbers(matching: query) == [])
    _ = try store.add(entry("after"), attaching: [small])
    #expect(try store.numbers(matching: .not(query)) == [1, 2])
    _ = try store.add(entry("last"), attaching: [large])
    #expect(try store.numbers(matching: query) == [1, 3])
    #expect(try store.numbers(matching: .and([query, .word("last")])) == [3])
    try store.delete([3])
    #expect(try store.numbers(matching: query) == [1])
    #expect(try store.numbers(matching: .and([query, .flag(.deleted)])) == [3])
    #expect(try store.numbers(matching: .file(.name("*.bin"))) == [1, 2])
    #expect(try store.numbers(matching: .file(.picture)) == [])
  }
}
