import CSeal
import Foundation
import GRDB
import Glibc
import Seal
import TestSupport
import Testing

@testable import JournalStore

/// The pages of a sealed database, through SQLite.
@Suite("Sealed pages")
struct SealedPageTests {
  private let directory = TemporaryDirectory(isInMemory: true)

  private func connect(_ path: String, cache: Int = 2000) throws -> DatabaseQueue {
    _ = try JournalFile(existing: path)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      SealedFiles.reserve(in: db)
      try db.execute(
        sql: """
          PRAGMA temp_store=MEMORY; PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=FULL;
          PRAGMA cache_size=\(cache)
          """)
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// A journal with rows of random text.
  private func filled(_ name: String = "journal", rows: Int = 400) throws -> String {
    let path = try SealedJournal.make(in: directory, name: name)
    let queue = try connect(path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
      for id in 0..<rows {
        try db.execute(
          sql: "INSERT INTO t VALUES (?, ?)",
          arguments: [id, String(repeating: "canary \(id) ", count: 30)])
      }
    }
    try queue.close()
    return path
  }

  private func contents(_ path: String) throws -> [Int: String] {
    let queue = try connect(path)
    defer { try? queue.close() }
    return try queue.read { db in
      try #expect(String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      let rows = try Row.fetchAll(db, sql: "SELECT id, text FROM t")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }

  /// Where a page is in the file; from the manual, not from the code.
  private func offset(_ page: Int) -> Int {
    let index = page - 1
    let group = index / 500
    return (2 + 2 * (group / 500 + 1) + 2 * (group + 1) + index) * 4096
  }

  // MARK: Crashes

  @Test(
    "the files of a process killed at any moment give the state before or after its transaction")
  func killed() throws {
    var random = SeededGenerator(seed: 20)
    let path = try SealedJournal.make(in: directory)
    // A cache of ten pages: transactions write pages long before they commit.
    let queue = try connect(path, cache: 10)
    try queue.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)") }
    var state: [Int: String] = [:]
    for round in 0..<60 {
      var next = state
      var copies: [String] = []
      let isRolledBack = Int.random(in: 0..<4, using: &random) == 0
      do {
        try queue.inTransaction(.immediate) { db in
          for step in 0..<Int.random(in: 1...120, using: &random) {
            try change(&next, db, &random)
            if step % 40 == 20 { copies.append(try snapshot(path, "\(round)-\(step)")) }
          }
          copies.append(try snapshot(path, "\(round)-end"))
          return isRolledBack ? .rollback : .commit
        }
      }
      for copy in copies {
        #expect(try contents(copy) == state, "round \(round) \(copy)")
        #expect(try everyPageIsReadable(copy), "round \(round) \(copy)")
      }
      for copy in copies { unlink(copy) }
      if !isRolledBack { state = next }
      if round % 10 == 9 { try queue.vacuum() }
      let after = try snapshot(path, "\(round)-after")
      #expect(try contents(after) == state, "round \(round)")
      #expect(try everyPageIsReadable(after))
      unlink(after)
    }
    #expect(daybook_seal_refused_temporary_files() == 0)
  }

  private func change(
    _ state: inout [Int: String], _ db: Database, _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 0..<300, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...5:
      let text = String(
        repeating: "\(Int.random(in: 0..<1000, using: &random)) ",
        count: Int.random(in: 1...3000, using: &random))
      try db.execute(sql: "INSERT OR REPLACE INTO t VALUES (?, ?)", arguments: [id, text])
      state[id] = text
    case 6...8:
      try db.execute(sql: "DELETE FROM t WHERE id = ?", arguments: [id])
      state[id] = nil
    default:
      try db.execute(sql: "DELETE FROM t WHERE id BETWEEN ? AND ?", arguments: [id, id + 40])
      for gone in id...(id + 40) { state[gone] = nil }
    }
  }

  /// The files as they are at this moment, under another name.
  private func snapshot(_ path: String, _ name: String) throws -> String {
    let copy = directory.file("copy-\(name).sqlite")
    try write(bytes(path), copy)
    let journal = (try? bytes(path + "-journal")) ?? []
    if !journal.isEmpty { try write(journal, copy + "-journal") }
    return copy
  }

  /// Reads all pages of the map, those in no tree too.
  private func everyPageIsReadable(_ path: String) throws -> Bool {
    let file = try PageFile(path, shownPath: path, allowsOldPages: false)
    return file.count > 0 && (1...file.count).allSatisfy { file.page($0) != nil }
  }

  @Test("a recovery that is killed, too, is repeated")
  func killedTwice() throws {
    let path = try filled()
    let before = try contents(path)
    let queue = try connect(path, cache: 10)
    var copy = ""
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "UPDATE t SET text = 'x' || text WHERE id % 2 = 0")
      try db.execute(sql: "DELETE FROM t WHERE id > 300")
      copy = try snapshot(path, "hot")
      return .commit
    }
    // After each page that a recovery writes, another process begins it again.
    let (hot, journal) = (try bytes(copy), try bytes(copy + "-journal"))
    #expect(try contents(copy) == before)
    let recovered = try bytes(copy)
    // The header copy of the state before is written again after the end of the rollback journal only.
    let generations = [0, 4096].map { hot[($0 + 72)..<($0 + 80)].reduce(0) { $0 << 8 | Int($1) } }
    let last =
      generations[0] == generations[1]
      ? (hot[20] == 0 ? 0 : 4096) : generations[0] < generations[1] ? 0 : 4096
    let changed = stride(from: 0, to: min(hot.count, recovered.count), by: 4096).filter {
      hot[$0..<($0 + 4096)] != recovered[$0..<($0 + 4096)] && $0 != last
    }
    #expect(changed.count > 20)
    for count in stride(from: 1, through: changed.count, by: 7) {
      var half = hot
      for start in changed.shuffled().prefix(count) {
        half.replaceSubrange(start..<(start + 4096), with: recovered[start..<(start + 4096)])
      }
      try write(half, copy)
      try write(journal, copy + "-journal")
      #expect(try contents(copy) == before)
      // The header copy of the state before follows with the next commit.
      try connect(copy).write { try $0.execute(sql: "UPDATE t SET id = id WHERE id = 1") }
      #expect(try bytes(copy)[24..<1120] == bytes(copy)[4120..<5216])
      #expect(try bytes(copy)[20] + bytes(copy)[4116] == 1)
    }
  }

  @Test("a header that a power cut tears leaves the copy from before the transaction")
  func tornHeader() throws {
    let path = try filled()
    let old = try bytes(path)
    try connect(path, cache: 10).write { try $0.execute(sql: "UPDATE t SET text = 'one'") }
    // Nobody syncs the second copy after a commit: an earlier power cut has lost it.
    var lost = try bytes(path)
    let second = lost[20] == 1 ? 0 : 4096
    lost.replaceSubrange(second..<(second + 4096), with: old[second..<(second + 4096)])
    try write(lost, path)
    let before = try contents(path)
    #expect(before.values.allSatisfy { $0 == "one" })
    let queue = try connect(path, cache: 10)
    var hot = ""
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "UPDATE t SET text = replace(hex(zeroblob(500)), '0', 'two')")
      hot = try snapshot(path, "torn")
      return .commit
    }
    #expect(access(hot + "-journal", F_OK) == 0)
    let after = try bytes(path)
    let first = after[20] == 0 ? 0 : 4096
    var torn = try bytes(hot)
    torn.replaceSubrange(
      (first + 512)..<(first + 4096), with: after[(first + 512)..<(first + 4096)])
    try write(torn, hot)
    #expect(try contents(hot) == before)
  }

  @Test("a rollback journal of an older state is refused, and so is a readable one")
  func staleJournal() throws {
    let path = try filled()
    let queue = try connect(path, cache: 10)
    var stale: [UInt8] = []
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "UPDATE t SET text = text || 'x'")
      stale = try bytes(path + "-journal")
      return .commit
    }
    #expect(stale.count > 4096)
    for _ in 0..<2 { try queue.write { try $0.execute(sql: "UPDATE t SET text = 'new'") } }
    try queue.close()
    let state = try contents(path)
    try write(stale, path + "-journal")
    let error = #expect(throws: DatabaseError.self) { try contents(path) }
    #expect(error?.extendedResultCode == .SQLITE_IOERR_DATA)
    var changed = stale
    changed[700] ^= 1
    try write(changed, path + "-journal")
    #expect(throws: DatabaseError.self) { try contents(path) }
    unlink(path + "-journal")
    #expect(try contents(path) == state)
  }

  @Test("every changed bit of a hot journal's records is noticed")
  func damagedJournal() throws {
    let path = try filled()
    let queue = try connect(path, cache: 10)
    var copy = ""
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "UPDATE t SET text = text || 'x'")
      copy = try snapshot(path, "hot")
      return .rollback
    }
    let (hot, journal) = (try bytes(copy), try bytes(copy + "-journal"))
    for byte in stride(from: 516, to: min(journal.count, 516 + 4096), by: 97) {
      var changed = journal
      changed[byte] ^= 16
      try write(hot, copy)
      try write(changed, copy + "-journal")
      #expect(throws: DatabaseError.self, "byte \(byte)") { try contents(copy) }
    }
  }

  // MARK: Changed files

  @Test("each changed bit of a page is noticed, the error names the page, and other pages are read")
  func bits() throws {
    let path = try filled()
    let whole = try bytes(path)
    let count = try PageFile(path, shownPath: path).count
    #expect(count > 30)
    for page in [1, 2, count / 2, count] {
      for bit in stride(from: 0, to: 4096 * 8, by: page == 2 ? 1 : 997) {
        var changed = whole
        changed[offset(page) + bit / 8] ^= 1 << UInt8(bit % 8)
        // Reading all pages for each bit would take minutes.
        let file = try pages(changed, directory.file("changed.sqlite"))
        #expect(file.page(page) == nil)
        #expect(file.page(page == 3 ? 4 : 3) != nil)
      }
    }
    var changed = whole
    changed[offset(7) + 99] ^= 1
    try write(changed, path)
    let error = #expect(throws: StoreError.self) { try mapped(path) }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("page 7 was changed") == true)
  }

  @Test("exchanged, truncated, older and foreign pages are noticed")
  func replayed() throws {
    let path = try filled()
    let old = try bytes(path)
    let queue = try connect(path)
    try queue.write { try $0.execute(sql: "UPDATE t SET text = 'y' || text") }
    try queue.close()
    let new = try bytes(path)
    let other = try bytes(filled("other"))
    let count = try PageFile(path, shownPath: path).count
    let copy = directory.file("changed.sqlite")
    func page(_ number: Int, of file: [UInt8]) -> ArraySlice<UInt8> {
      file[offset(number)..<(offset(number) + 4096)]
    }
    func replaced(_ number: Int, by bytes: ArraySlice<UInt8>) throws -> PageFile {
      var changed = new
      changed.replaceSubrange(offset(number)..<(offset(number) + 4096), with: bytes)
      return try pages(changed, copy)
    }
    for number in 1..<count where page(number, of: old) != page(number, of: new) {
      #expect(try replaced(number, by: page(number, of: old)).page(number) == nil, "older")
      #expect(try replaced(number, by: page(number % count + 1, of: new)).page(number) == nil)
      #expect(try replaced(number, by: page(number, of: other)).page(number) == nil, "foreign")
      // A nonce of another page.
      let stolen = page(number, of: new).dropLast(40) + page(number % count + 1, of: new).suffix(40)
      #expect(try replaced(number, by: stolen).page(number) == nil)
    }
    let short = try pages(Array(new.prefix(offset(count))), copy)
    #expect(short.count == count && short.page(count) == nil && short.page(count - 1) != nil)
    // The older map leads to older versions: with the newer header it does not fit.
    var mixed = new
    mixed.replaceSubrange(8192..<(8192 + 4 * 4096), with: old[8192..<(8192 + 4 * 4096)])
    #expect(try (1...count).contains { try pages(mixed, copy).page($0) == nil })
  }

  private func pages(_ bytes: [UInt8], _ path: String) throws -> PageFile {
    try write(bytes, path)
    return try PageFile(path, shownPath: path, allowsOldPages: false)
  }

  private func mapped(_ path: String) throws {
    let queue = try connect(path)
    defer { try? queue.close() }
    do {
      _ = try queue.read { try String.fetchAll($0, sql: "SELECT text FROM t") }
    } catch let error as DatabaseError {
      throw StoreError(error, at: path)
    }
  }

  @Test("no text, no name of a table and no page number of SQLite is in the files")
  func canary() throws {
    let path = try filled()
    let queue = try connect(path, cache: 10)
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "UPDATE t SET text = text || 'x'")
      for file in [path, path + "-journal"] {
        let text = String(decoding: try bytes(file), as: UTF8.self)
        for word in ["canary", "CREATE", "SQLite format", "INTEGER"] {
          #expect(!text.contains(word), "\(word) in \(file)")
        }
      }
      return .commit
    }
  }

  @Test("two connections see each other's commits")
  func connections() throws {
    let path = try filled(rows: 3)
    let (one, two) = (try connect(path), try connect(path))
    for round in 0..<40 {
      let (writer, reader) = round % 2 == 0 ? (one, two) : (two, one)
      try writer.write {
        try $0.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [round + 10, "x"])
      }
      #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == round + 4)
    }
  }
}
