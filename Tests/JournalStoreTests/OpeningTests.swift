import Foundation
import Journal
import ResultsTestSupport
import TestSupport
import Testing

@testable import JournalStore

@Suite("Opening a journal's file")
struct OpeningTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.file("j.db") }

  private func error(_ mode: OpenMode = .readWrite, _ file: String? = nil) -> StoreError? {
    do {
      _ = try SQLiteEntryStore.open(file ?? path, mode: mode)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func bytes(_ file: String? = nil) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file ?? path)))
  }

  private func makeJournal(entries: Int = 3) throws {
    let store = try SQLiteEntryStore.open(path, mode: .create)
    var generator = SeededGenerator(seed: 3)
    try store.add((0..<entries).map { _ in Samples.entry(&generator) })
  }

  private func mode(_ file: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("A file that is no SQLite file is refused and left as it is")
  func text() throws {
    try write(Array(repeating: UInt8(ascii: "x"), count: 500))
    #expect(error()?.kind == .notAJournal)
    #expect(error()?.category == .unusable)
    #expect(try bytes() == Array(repeating: UInt8(ascii: "x"), count: 500))
    try write(Array("hello\n".utf8))
    #expect(error()?.kind == .notAJournal)
  }

  @Test("An empty file becomes a journal for writers, and the user is told")
  func empty() throws {
    try write([])
    #expect(error(.readOnly)?.kind == .missing)
    let store = try SQLiteEntryStore.open(path, mode: .create)
    #expect(store.notes.count == 1)
    #expect(try store.count() == 0)
  }

  @Test("Another program's database is refused and left as it is, byte for byte")
  func foreign() throws {
    try ForeignTool.run("CREATE TABLE x (a); INSERT INTO x VALUES (1)", on: path)
    let before = try bytes()
    for mode in [OpenMode.readWrite, .create, .readOnly] {
      #expect(error(mode)?.kind == .foreignDatabase)
    }
    #expect(try bytes() == before)
    #expect(FileManager.default.fileExists(atPath: path + "-journal") == false)
  }

  @Test("A newer journal is refused, but can be read")
  func newer() throws {
    try makeJournal()
    try ForeignTool.run("PRAGMA user_version = 9999", on: path)
    #expect(error()?.kind == .newerSchema(9999))
    #expect(error()?.description.contains("9999") == true)
    let reader = try SQLiteEntryStore.open(path, mode: .readOnly)
    #expect(try reader.count() == 3)
    #expect(reader.notes.count == 1)
  }

  @Test("A damaged page is reported as damage when it is met")
  func damaged() throws {
    try makeJournal(entries: 2000)
    var damaged = try bytes()
    let page = 4096 * 2
    damaged.replaceSubrange(page..<page + 4, with: [255, 255, 255, 255])
    try write(damaged)
    do {
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      #expect(try store.check() != [])
    } catch let error as StoreError {
      #expect(error.kind == .damaged)
    }
    #expect(try bytes() == damaged)
  }

  @Test("A file that was cut is reported as damaged", arguments: [4096, 100, 50, -1])
  func truncated(length: Int) throws {
    try makeJournal(entries: 500)
    let whole = try bytes()
    try write(Array(length < 0 ? whole.dropLast(-length) : whole.prefix(length)))
    do {
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      #expect(try store.check() != [])
    } catch let error as StoreError {
      #expect(error.kind == .damaged)
      #expect(error.category == .unusable)
    }
  }

  @Test("A hard link is refused, a symbolic link is followed to the real file")
  func links() throws {
    try makeJournal()
    let link = directory.file("link.db")
    symlink(path, link)
    let store = try SQLiteEntryStore.open(link, mode: .readWrite)
    #expect(try store.count() == 3)
    #expect(store.file?.path == realPath(path))
    Glibc.link(path, directory.file("second.db"))
    #expect(error()?.kind == .unusableFile)
    symlink(directory.file("nowhere"), directory.file("dangling.db"))
    #expect(error(.create, directory.file("dangling.db"))?.kind == .cannotCreate)
  }

  private func realPath(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  @Test("What is no file is refused: a directory, a device, a pipe")
  func notFiles() throws {
    #expect(error(.readWrite, directory.path)?.category == .unusable)
    #expect(error(.create, "/dev/null")?.category == .unusable)
    #expect(error(.create, "/dev/full")?.category == .io)
    mkfifo(directory.file("pipe"), 0o600)
    #expect(error(.readWrite, directory.file("pipe"))?.category == .unusable)
  }

  @Test("A missing file is missing for readers; a writer makes it but not its directory")
  func missing() throws {
    #expect(error(.readOnly)?.category == .missing)
    #expect(error(.readWrite)?.category == .missing)
    #expect(error(.create, directory.file("no/such/j.db"))?.category == .cannotCreate)
    #expect(error(.create) == nil)
  }

  @Test("Files are readable by their owner alone", arguments: [0o000, 0o022, 0o077])
  func modes(mask: Int) throws {
    let old = umask(mode_t(mask))
    defer { umask(old) }
    try makeJournal()
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    try store.setStarred(true, [1])
    try store.backup(to: directory.file("copy.db"))
    #expect(try mode(path) == 0o600)
    #expect(try mode(path + "-journal") == 0o600)
    #expect(try mode(directory.file("copy.db")) == 0o600)
    let json = try JSONEntryStore.open(directory.file("j.json"), mode: .create)
    try json.add([NewEntry(text: "x", created: Moment(seconds: 0, offset: 0), day: Day.earliest)])
    #expect(try mode(directory.file("j.json")) == 0o600)
    #expect(try mode(directory.file("j.json.lock")) == 0o600)
  }

  @Test("A trigger or view that is not ours is refused by name")
  func hostile() throws {
    try makeJournal()
    let trigger = "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END"
    for sql in [trigger, "CREATE VIEW t AS SELECT 1", "CREATE TABLE t (a)"] {
      let copy = directory.file("hostile.db")
      unlink(copy)
      try SQLiteEntryStore.open(path, mode: .readWrite).backup(to: copy)
      try ForeignTool.run(sql, on: copy)
      #expect(error(.readWrite, copy)?.kind == .unexpectedSchema("t"))
      #expect(error(.readOnly, copy)?.category == .unusable)
    }
    try ForeignTool.run("DROP TRIGGER entry_updated", on: path)
    #expect(error()?.kind == .unexpectedSchema("entry_updated"))
  }

  @Test("Statistics that a tool made are no strange objects")
  func analyze() throws {
    try makeJournal()
    try ForeignTool.run("ANALYZE; VACUUM", on: path)
    #expect(error() == nil)
  }

  @Test("A journal that was put into write-ahead logging is put back")
  func writeAheadLog() throws {
    try makeJournal()
    try ForeignTool.run("PRAGMA journal_mode=WAL", on: path)
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(try store.count() == 3)
    #expect(try ForeignTool.run("PRAGMA journal_mode", on: path) == "delete\n")
  }

  @Test("A store opened for reading writes nothing and refuses changes with 77")
  func readOnly() throws {
    try makeJournal()
    let before = try bytes()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    let store = try SQLiteEntryStore.open(path, mode: .readOnly)
    #expect(store.isReadOnly)
    let refused = #expect(throws: StoreError.self) { try store.delete([1]) }
    #expect(refused?.category == .noPermission)
    #expect(try store.count() == 3)
    #expect(try bytes() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == names)
  }

  @Test("Settings that durability rests on are in force")
  func settings() throws {
    try makeJournal()
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let values = try store.queue.inDatabase { db in
      try [
        "journal_mode", "synchronous", "trusted_schema", "cell_size_check", "recursive_triggers",
      ]
      .map { name in
        try Schema.pragma(name, db)
      }
    }
    #expect(values == ["truncate", "2", "0", "1", "0"])
  }

  @Test("A replaced or removed file is noticed before anything is written")
  func replaced() throws {
    try makeJournal()
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    try store.backup(to: directory.file("other.db"))
    rename(directory.file("other.db"), path)
    #expect(try store.refresh().place == .replaced)
    let error = #expect(throws: StoreError.self) { try store.setStarred(true, [1]) }
    #expect(error?.kind == .replaced)
    unlink(path)
    #expect(try store.refresh().place == .removed)
    #expect(throws: StoreError.self) { try store.setStarred(true, [1]) }
    #expect(FileManager.default.fileExists(atPath: path) == false)
  }

  @Test("Migrating from nothing gives exactly the schema that is expected")
  func schema() throws {
    try makeJournal()
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    try store.queue.inDatabase { db in
      try DatabaseOpener(file: try #require(store.file), shownPath: path, isReadOnly: false)
        .checkSchema(db)
    }
    #expect(try ForeignTool.run("PRAGMA user_version", on: path) == "\(Schema.version)\n")
  }

  @Test("A later migration keeps the entries and a copy of the old journal")
  func upgrade() throws {
    try makeJournal()
    let file = try JournalFile(existing: path)
    var opening = DatabaseOpener(file: file, shownPath: path, isReadOnly: false)
    opening.migrations.append(Migration(name: "more", statements: ["CREATE TABLE more (a)"]))
    let notes = try opening.prepare(opening.connect())
    #expect(notes.count == 1)
    #expect(
      try ForeignTool.run("SELECT count(*) FROM entry, pragma_user_version", on: path) == "3\n")
    let version = Schema.version
    let copy = "\(path).before-\(version + 1)"
    #expect(try ForeignTool.run("PRAGMA user_version", on: path) == "\(version + 1)\n")
    #expect(try ForeignTool.run("PRAGMA user_version", on: copy) == "\(version)\n")
    #expect(try mode(copy) == 0o600)
    #expect(error()?.kind == .newerSchema(version + 1))
  }

  @Test("An upgrade that is given up leaves the journal as it was, and no copy")
  func upgradeGivenUp() throws {
    try makeJournal()
    let file = try JournalFile(existing: path)
    var opening = DatabaseOpener(file: file, shownPath: path, isReadOnly: false)
    let work = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
    opening.migrations.append(
      Migration(name: "more", statements: ["CREATE TABLE more AS \(work) SELECT i FROM n"]))
    var begun: [UpgradeObserver.Work] = []
    opening.observer = UpgradeObserver { work in
      begun.append(work)
      var questions = 0
      return WorkAttendance(isGivenUp: {
        questions += 1
        return questions > 3
      })
    }
    let queue = try opening.connect()
    #expect(throws: GivenUp.self) { try opening.prepare(queue) }
    try queue.close()
    #expect(begun == [.upgrade])
    let copy = "\(path).before-\(Schema.version + 1)"
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try SQLiteEntryStore.open(path, mode: .readWrite).check() == [])
    opening.observer = UpgradeObserver { _ in WorkAttendance() }
    #expect(try opening.prepare(opening.connect()).count == 1)
  }

  @Test("A copy that a killed upgrade left behind does not stand in the way of the next")
  func upgradeAfterKill() throws {
    try makeJournal()
    let copy = "\(path).before-\(Schema.version + 1)"
    try Data("half a copy".utf8).write(to: URL(filePath: copy))
    let file = try JournalFile(existing: path)
    var opening = DatabaseOpener(file: file, shownPath: path, isReadOnly: false)
    opening.migrations.append(Migration(name: "more", statements: ["CREATE TABLE more (a)"]))
    let notes = try opening.prepare(opening.connect())
    #expect(notes.first?.hasSuffix("kept as \(copy)-2") == true)
    #expect(try ForeignTool.run("PRAGMA user_version", on: copy + "-2") == "\(Schema.version)\n")
  }

  @Test("A journal of every earlier version becomes one of this version, with its entries")
  func olderVersions() throws {
    for version in 1..<Schema.migrations.count {
      let path = directory.file("old-\(version).sqlite")
      let file = try JournalFile(creating: path)
      var opening = DatabaseOpener(file: file, shownPath: path, isReadOnly: false)
      opening.migrations.removeLast(Schema.migrations.count - version)
      let statements = opening.migrations.flatMap(\.statements)
      let queue = try opening.connect()
      try queue.inTransaction(.immediate) { db in
        for statement in statements { try db.execute(sql: statement) }
        try db.execute(sql: "PRAGMA application_id=\(Schema.applicationID)")
        try db.execute(sql: "PRAGMA user_version=\(version)")
        return .commit
      }
      try queue.close()
      try ForeignTool.run("INSERT INTO entry(text) VALUES ('three more words')", on: path)
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      #expect(store.notes.count == 1)
      #expect(try store.statistics().words == 3)
      #expect(try store.numbers(matching: .word("more")) == [1])
      let findings = try store.check()
      #expect(findings == [], "version \(version)")
      try store.queue.inDatabase { db in
        try DatabaseOpener(file: try #require(store.file), shownPath: path, isReadOnly: false)
          .checkSchema(db)
      }
    }
  }

  @Test("A bit that flips in a text is found")
  func bitRot() throws {
    try makeJournal()
    try ForeignTool.run("DROP TRIGGER entry_rewritten; DROP TRIGGER entry_updated", on: path)
    try ForeignTool.run("UPDATE entry SET text = text || 'x' WHERE number = 2", on: path)
    for part in Schema.parts where ["entry_rewritten", "entry_updated"].contains(part.name) {
      try ForeignTool.run(part.sql, on: path)
    }
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(
      try store.check() == [
        "entry 2: the text does not match its checksum",
        "entry 2: the search index does not have its words",
      ])
  }

  @Test("An error names the place and is one line")
  func messages() throws {
    try write(Array("hello\n".utf8))
    let text = try #require(error()).description
    #expect(text.hasPrefix(path + ": "))
    #expect(!text.contains("\n"))
  }
}
