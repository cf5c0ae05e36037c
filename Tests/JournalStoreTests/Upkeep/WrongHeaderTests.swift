import Foundation
import Journal
import TestSupport
import Testing

@testable import JournalStore

/// Headers and indexes that do not fit what stands in the tables.
struct WrongHeaderTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private var path: String { directory.file("j.sqlite") }
  private var location: JournalLocation { JournalLocation(path: path, isExplicit: true) }

  private func journal(_ damage: String) throws {
    let store = try SQLiteEntryStore.open(path, mode: .create)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    try store.add(
      (1...600).map { NewEntry(text: "entry \($0)", created: moment, day: moment.localDay) })
    try ForeignTool.run(damage, on: path)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      .filter { $0 != "j.sqlite-journal" }
  }

  @Test(
    "A schema version that the tables are not of is refused before anything is copied, and repaired",
    arguments: [-5, -2_147_483_648, 0, 1, 2])
  func version(_ version: Int) throws {
    try journal("PRAGMA user_version=\(version)")
    for mode in [OpenMode.readWrite, .create, .readOnly] {
      let error = #expect(throws: StoreError.self) {
        try SQLiteEntryStore.open(path, mode: mode)
      }
      #expect(error?.kind == .damaged)
      #expect(error?.description.contains("schema version \(version)") == true)
    }
    #expect(try names() == ["j.sqlite"])
    let doctor = try JournalDoctor(location)
    let found = try doctor.examine().findings
    #expect(found.map(\.remedy) == [.repair])
    #expect(found.first?.text.contains("schema version \(version)") == true)
    #expect(try doctor.repair().left.findings == [])
    #expect(try SQLiteEntryStore.open(path, mode: .readWrite).count() == 600)
  }

  @Test("A larger version is a newer daybook's, which nothing here writes to")
  func largeVersion() throws {
    try journal("PRAGMA user_version=2147483647")
    let before = try Data(contentsOf: URL(filePath: path))
    for mode in [OpenMode.readWrite, .create] {
      let error = #expect(throws: StoreError.self) { try SQLiteEntryStore.open(path, mode: mode) }
      #expect(error?.kind == .newerSchema(2_147_483_647))
    }
    let newer = #expect(throws: StoreError.self) { try JournalDoctor(location).repair() }
    #expect(newer?.kind == .newerSchema(2_147_483_647))
    #expect(try names() == ["j.sqlite"])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("A version of a file without our tables is salvage's")
  func noTables() throws {
    try journal("PRAGMA user_version=-5; DROP TABLE change; DROP TABLE entry_tag")
    let found = try JournalDoctor(location).examine().findings
    #expect(found.contains { $0.remedy == .salvage })
    #expect(try JournalDoctor(location).salvage(to: directory.file("s.sqlite")).saved == 600)
  }

  /// Fills an index with the rows of another condition than the one it is declared with.
  private static func disagreeing(_ name: String, _ table: String, _ condition: String) -> String {
    let declared = Schema.parts.first { $0.name == name }?.sql ?? ""
    return """
      DROP INDEX \(name); CREATE INDEX \(name) ON \(table) WHERE \(condition);
      PRAGMA writable_schema=ON;
      UPDATE sqlite_schema SET sql='\(declared)' WHERE name='\(name)';
      """
  }

  @Test(
    "An index that disagrees with its table is damage, named, and repaired",
    arguments: [
      ("entry_stale", "entry (number)", "title IS NOT NULL"),
      ("change_outside", "change (seq)", "change_set IS NOT NULL"),
    ])
  func staleIndex(name: String, table: String, condition: String) throws {
    try journal(Self.disagreeing(name, table, condition))
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let reading = #expect(throws: StoreError.self) { try store.count() }
    #expect(reading?.kind == .damaged)
    #expect(reading?.description.contains(name) == true)
    #expect(reading?.description.contains("daybook doctor") == true)
    let writing = #expect(throws: StoreError.self) { try store.setStarred(true, [1]) }
    #expect(writing?.kind == .damaged)
    let doctor = try JournalDoctor(location)
    let report = try doctor.repair()
    #expect(report.found.contains { $0.remedy == .repair })
    #expect(report.left.findings == [])
    #expect(try store.count() == 600)
    try store.setStarred(true, [1])
    #expect(try store.entry(1).starred)
  }

  @Test("A step that claims lines far beyond the log is undone up to the end of the log")
  func endlessStep() throws {
    try journal("UPDATE change_set SET last_seq = 9223372036854775807")
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(try store.undo().kind == .add)
    #expect(try store.count() == 0)
  }

  @Test("Rows of another program's tables are read by their row ids, whatever their columns are")
  func otherTables() throws {
    let path = directory.file("tui.db")
    try ForeignTool.run(
      """
      CREATE TABLE entries (id TEXT, title TEXT, rowid);
      INSERT INTO entries VALUES ('b', 'one', 'z'), ('a', 'two', 'y'), (NULL, x'00FF', 1.5);
      CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id FROM n;
      CREATE TABLE "odd "" name" ("a "" b" INTEGER);
      INSERT INTO "odd "" name" VALUES (7), (8);
      """, on: path)
    let database = try OtherDatabase(path: path)
    #expect(
      database.tables == [
        "entries": ["id", "title", "rowid"], "odd \" name": ["a \" b"],
      ])
    func rows(
      _ table: String, _ columns: [String], _ match: (String, OtherDatabase.Value)? = nil,
      after: Int64 = .min, limit: Int = 10
    ) throws -> [OtherDatabase.Row] {
      try database.rows(
        OtherDatabase.Selection(
          table: table, columns: columns, match: match.map { (column: $0.0, value: $0.1) },
          after: after, limit: limit))
    }
    let all = try rows("entries", ["title", "missing", "rowid"])
    #expect(all.map(\.id) == [1, 2, 3])
    #expect(
      all.map(\.values) == [
        [.text("one"), .null, .text("z")], [.text("two"), .null, .text("y")],
        [.blob([0, 255]), .null, .real(1.5)],
      ])
    #expect(try rows("entries", ["id"], limit: 1).map(\.id) == [1])
    #expect(try rows("entries", ["id"], after: 1, limit: 1).map(\.id) == [2])
    #expect(try rows("entries", ["id"], ("title", .text("two"))).map(\.id) == [2])
    #expect(try rows("entries", ["id"], ("id", .null)).map(\.id) == [3])
    #expect(try rows("odd \" name", ["a \" b"], ("a \" b", .integer(8))).map(\.id) == [2])
    #expect(try rows("endless", ["id"]) == [])
    #expect(try rows("entries; DROP TABLE entries", ["id"]) == [])
  }

  @Test("A change log without a number left is damage, and its sequence is repaired")
  func usedUpNumbers() throws {
    try journal("UPDATE sqlite_sequence SET seq = 9223372036854775807")
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let error = #expect(throws: StoreError.self) { try store.setStarred(true, [1]) }
    #expect(error?.kind == .damaged)
    #expect(try JournalDoctor(location).repair().left.findings == [])
    try store.setStarred(true, [1])
    #expect(try store.entry(1).starred)
  }

  @Test(
    "Rows numbered past the end are damage, and salvage numbers them anew",
    arguments: [("change", "seq"), ("entry", "number")])
  func lastNumber(table: String, key: String) throws {
    try journal(
      """
      DROP TRIGGER entry_identity; DROP TRIGGER entry_updated; DROP TRIGGER entry_moved;
      DROP TRIGGER entry_rewritten;
      UPDATE \(table) SET \(key) = 9223372036854775807 WHERE \(key) = (SELECT max(\(key)) FROM \(table))
      """)
    let doctor = try JournalDoctor(location)
    #expect(try doctor.examine().findings.contains { $0.text.contains("no numbers are left") })
    let saved = directory.file("s.sqlite")
    #expect(try doctor.salvage(to: saved).saved == 600)
    let store = try SQLiteEntryStore.open(saved, mode: .readWrite)
    try store.setStarred(true, [1])
    #expect(try store.numbers(matching: nil).last == 600)
    #expect(try store.check() == [])
  }
}
