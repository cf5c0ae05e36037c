import Foundation
import GRDB
import Journal
import Testing

@testable import JournalStore

/// The schema of SQLite journals: frozen migrations, and files that were made with each of them.
@Suite("The schema")
struct SchemaTests {
  private let directory = TemporaryDirectory(isInMemory: true)

  /// The objects of a file, as `sqlite_schema` has them.
  private static func objects(_ store: SQLiteEntryStore) throws -> [String: String] {
    try store.queue.inDatabase { db in
      let rows = try SQLRow.fetchAll(
        db, sql: "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) })
    }
  }

  private func fresh() throws -> SQLiteEntryStore {
    try SQLiteEntryStore.open(directory.file("fresh.sqlite"), mode: .create)
  }

  /// A copy of the file that was made with a version of the schema.
  private func copy(of version: Int) throws -> String {
    let file = try #require(
      Bundle.module.path(
        forResource: "schema-\(version)", ofType: "sqlite", inDirectory: "Fixtures"))
    let copy = directory.file("schema-\(version).sqlite")
    try Data(contentsOf: URL(filePath: file)).write(to: URL(filePath: copy))
    chmod(copy, 0o600)
    return copy
  }

  @Test("there is a file of every version")
  func files() throws {
    for version in 1...Int(Schema.version) {
      let file = try JournalFile(existing: copy(of: version))
      #expect(file.userVersion == version)
    }
  }

  @Test(
    "a file of any version becomes what a new journal is, with its entries, history and words",
    arguments: 1...Int(Schema.version))
  func upgrade(version: Int) throws {
    let store = try SQLiteEntryStore.open(copy(of: version), mode: .readWrite)
    #expect(store.notes.count == (version < Schema.version ? 1 : 0))
    #expect(try Self.objects(store) == Self.objects(fresh()))
    #expect(try store.check() == [])
    let texts = try store.entries([1, 2, 3, 4]).map(\.text)
    #expect(
      texts == ["Bought bread #home\nand butter", "Käse @anna", "Rain", "By another tool #home"])
    #expect(try store.entries([1, 2, 3]).map(\.starred) == [false, true, false])
    #expect(try store.entry(3).deleted != nil)
    #expect(try store.entry(1).created == Moment(seconds: 1_763_632_860, offset: 3600))
    #expect(try store.numbers(matching: .word("butter")) == [1])
    #expect(try store.tagCounts().map(\.key) == ["@anna", "home"])
    #expect(try store.versions(2).map(\.text) == ["Cheese @anna", "Käse @anna"])
    let kinds: [ChangeKind] = [.outside, .delete, .star, .edit, .add]
    for kind in kinds { #expect(try store.undo().kind == kind) }
    #expect(try store.count() == 0)
    for kind in kinds.reversed() { #expect(try store.redo().kind == kind) }
    #expect(try store.entries([1, 2, 3, 4]).map(\.text) == texts)
    #expect(try store.check() == [])
  }

  @Test(
    "an upgrade reports its work, and leaves the journal as it was wherever it is given up",
    arguments: 1..<Int(Schema.version))
  func givenUp(version: Int) throws {
    let path = try copy(of: version)
    let before = try Data(contentsOf: URL(filePath: path))
    var (patience, isDone) = (0, false)
    var reports: [(part: String, done: Int, total: Int)] = []
    while !isDone {
      var asked = 0
      reports = []
      let observer = UpgradeObserver { work in
        #expect(work == .upgrade)
        return WorkAttendance {
          asked += 1
          return asked > patience
        } report: {
          reports.append(($0, $1, $2))
        }
      }
      do {
        _ = try SQLiteEntryStore.open(path, mode: .readWrite, observer: observer)
        isDone = true
      } catch is GivenUp {
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.contains("before") })
      }
      patience += max(1, patience / 8)
    }
    // Until version 2 the index was missing; later it is as it should be.
    let last = reports.last { $0.part == "search index" }
    #expect(version == 1 ? last.map { $0.done == $0.total } == true : last == nil)
    #expect(try SQLiteEntryStore.open(path, mode: .readWrite).check() == [])
  }

  @Test(
    "a file of any version has exactly the text of its steps", arguments: 1...Int(Schema.version))
  func frozenText(version: Int) throws {
    let queue = try DatabaseQueue(path: copy(of: version))
    let found = try queue.inDatabase { db in
      try String.fetchSet(db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    }
    let parts = Schema.parts(of: Int32(version))
    #expect(Set(parts.map(\.sql)).subtracting(found) == [])
    // SQLite makes the others: those of FTS5, and `sqlite_sequence`.
    #expect(found.count <= parts.count + 4)
  }

  @Test("the migrations leave exactly the objects that are expected of a journal")
  func parts() throws {
    var expected: [String: String] = [:]
    for part in Schema.parts { expected[part.name] = part.sql }
    let found = try Self.objects(fresh()).filter { name, _ in
      !Schema.isInternal(kind: "table", name: name)
    }
    #expect(found == expected)
  }

  @Test("a column that a migration adds is expected where SQLite puts it")
  func addedColumns() throws {
    let tables = ["entry", "change", "evicting", "clock", "change_set"]
    let step = Migration(
      name: "another column",
      statements: tables.map { "ALTER TABLE \($0) ADD COLUMN added TEXT CHECK (added <> '(')" })
    let store = try fresh()
    try store.queue.inDatabase { db in
      for statement in step.statements { try db.execute(sql: statement) }
    }
    let found = try Self.objects(store)
    for part in Schema.parts(after: Schema.migrations + [step]) {
      #expect(found[part.name] == part.sql)
    }
  }

  @Test("the tables have the columns of an entry, in the order that salvage reads them")
  func columns() throws {
    let store = try fresh()
    func columns(_ table: String) throws -> [String] {
      try store.queue.inDatabase { db in
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
      }
    }
    #expect(try columns("entry") == EntryColumns.table)
    #expect(try columns("evicting") == EntryColumns.table)
    #expect(
      try columns("change") == ["seq", "change_set", "kind", "number"] + EntryColumns.image)
    #expect(try columns("change_set") == ["id"] + SalvageTable.step.columns)
  }

  @Test("the triggers log every field of an entry, and every change of one")
  func triggers() throws {
    let stored = EntryColumns.image.filter { !EntryColumns.derived.contains($0) }
    let old = EntryColumns.image.map { $0 == "text" ? "text" : "OLD.\($0)" }
    let triggers = Dictionary(
      uniqueKeysWithValues: Schema.parts.filter { $0.kind == .trigger }.map { ($0.name, $0.sql) })
    for name in ["entry_inserting", "entry_inserted", "entry_updated", "entry_deleted"] {
      let sql = try #require(triggers[name])
      #expect(sql.contains(EntryColumns.image.joined(separator: ", ")), "\(name)")
    }
    for name in ["entry_updated", "entry_deleted"] {
      let sql = try #require(triggers[name])
      for column in old { #expect(sql.contains(column), "\(name): \(column)") }
    }
    let updated = try #require(triggers["entry_updated"])
    for column in stored where column != "uuid" {
      #expect(updated.contains("OLD.\(column) IS NOT NEW.\(column)"), "\(column)")
    }
  }

  @Test("each field of an entry is stored, logged, exported and brought back by undo")
  func fields() throws {
    for kind in StoreKind.allCases {
      let store = try kind.make(in: directory)
      let moment = Moment(seconds: 1_700_000_000, offset: 7200)
      let other = Moment(seconds: 1_700_000_060, offset: -3600)
      let first = Entry(
        uuid: EntryUUID.make(), created: moment, modified: moment, day: moment.localDay, text: "one"
      )
      try store.change(.add) { _ = try $0.insert(first) }
      let old = try store.entry(1)
      var new = old
      for field in EntrySchema.fields where field.name != "number" && field.name != "uuid" {
        switch field.kind {
        case .integer(let access): access.set(&new, access.get(new) + 7)
        case .text(let access) where field.name == "conflicts":
          access.set(&new, EntryConflicts.stored(["a losing text"]))
        case .text(let access): access.set(&new, access.get(new) + " more")
        case .flag(let access): access.set(&new, !access.get(new))
        case .day(let access): access.set(&new, access.get(new).adding(days: 3))
        case .moment(let access): access.set(&new, other)
        case .optionalMoment(let access): access.set(&new, other)
        }
        #expect(!field.isSame(old, new))
      }
      try store.change(.edit) { try $0.update(new, from: old) }
      #expect(try store.entry(1).isSame(as: new), "\(kind)")
      let json = EntryJSON.text(of: new)
      for field in EntrySchema.fields where field.isExported {
        #expect(json.contains("\"\(field.name)\":"))
      }
      try store.undo()
      #expect(try store.entry(1).isSame(as: old), "\(kind)")
      try store.redo()
      #expect(try store.entry(1).isSame(as: new), "\(kind)")
      guard kind == .sqlite || kind == .json else { continue }
      #expect(try kind.make(in: directory).entry(1).isSame(as: new), "\(kind)")
    }
  }
}
