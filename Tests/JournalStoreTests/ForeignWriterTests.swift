import Journal
import SectionedResults
import Testing

@testable import JournalStore

@Suite("What any tool writes into an SQLite journal")
struct ForeignWriterTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.file("journal.sqlite") }

  /// A journal with entries 1 to 3, the third in the trash.
  private func journal() throws -> SQLiteEntryStore {
    let store = try SQLiteEntryStore.open(path, mode: .create, clock: TickingClock().clock)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    let texts = ["one #home", "two #work", "three #gone"]
    for (index, text) in texts.enumerated() {
      try store.add([
        NewEntry(text: text, created: moment, day: moment.localDay, uuid: "u\(index + 1)")
      ])
    }
    try store.delete([3])
    return store
  }

  /// Statements of every kind that changes rows, and what must be left of the entries.
  static let statements: [(sql: String, texts: [Int64: String])] = [
    (
      "INSERT INTO entry (text) VALUES ('new #tag')",
      [1: "one #home", 2: "two #work", 4: "new #tag"]
    ),
    ("UPDATE entry SET text = 'changed @x' WHERE number = 1", [1: "changed @x", 2: "two #work"]),
    ("UPDATE entry SET day = '2020-02-29' WHERE number < 3", [1: "one #home", 2: "two #work"]),
    ("UPDATE entry SET deleted = 5", [:]),
    ("UPDATE entry SET deleted = NULL", [1: "one #home", 2: "two #work", 3: "three #gone"]),
    ("DELETE FROM entry WHERE number = 2", [1: "one #home"]),
    ("DELETE FROM entry", [:]),
    (
      "INSERT OR REPLACE INTO entry (number, uuid, text) VALUES (1, 'u9', 'r')",
      [1: "r", 2: "two #work"]
    ),
    ("REPLACE INTO entry (uuid, text) VALUES ('u1', 'r')", [2: "two #work", 4: "r"]),
    ("REPLACE INTO entry (number, uuid, text) VALUES (1, 'u2', 'both')", [1: "both"]),
    (
      "REPLACE INTO entry (number, uuid, text) VALUES (1, 'u1', 'same')",
      [1: "same", 2: "two #work"]
    ),
    (
      "REPLACE INTO entry (number, uuid, text) VALUES (1, 'u1', 'a'), (2, 'u1', 'b'), (1, 'u8', 'c')",
      [2: "b", 1: "c"]
    ),
    (
      "INSERT OR IGNORE INTO entry (number, uuid, text) VALUES (1, 'u9', 'i'), (5, 'u5', 'j')",
      [1: "one #home", 2: "two #work", 5: "j"]
    ),
    (
      "INSERT OR IGNORE INTO entry (number, text) VALUES (1, 'i'); DELETE FROM entry WHERE number = 1;"
        + " INSERT INTO entry (number, uuid, text) VALUES (1, 'u1', 'again')",
      [1: "again", 2: "two #work"]
    ),
    (
      "INSERT INTO entry (uuid, text) VALUES ('u1', 'up') ON CONFLICT (uuid) DO UPDATE"
        + " SET text = excluded.text", [1: "up", 2: "two #work"]
    ),
    (
      "INSERT INTO entry (uuid, text) VALUES ('u1', 'up') ON CONFLICT DO NOTHING",
      [1: "one #home", 2: "two #work"]
    ),
    ("UPDATE OR REPLACE entry SET text = 'x' WHERE number = 2", [1: "one #home", 2: "x"]),
    ("UPDATE OR IGNORE entry SET starred = 1", [1: "one #home", 2: "two #work"]),
    (
      "BEGIN; DELETE FROM entry; SAVEPOINT a; INSERT INTO entry (text) VALUES ('lost'); ROLLBACK TO a;"
        + " INSERT INTO entry (text) VALUES ('kept'); COMMIT", [4: "kept"]
    ),
    ("BEGIN; DELETE FROM entry; ROLLBACK", [1: "one #home", 2: "two #work"]),
  ]

  @Test(
    "Every statement is logged, counted, listed and undone, with and without recursive triggers",
    arguments: [false, true])
  func statements(recursive: Bool) throws {
    let store = try journal()
    for (index, statement) in ForeignWriterTests.statements.enumerated() {
      let file = directory.file("\(index).sqlite")
      let name = Comment(rawValue: statement.sql)
      try store.backup(to: file)
      let copy = try SQLiteEntryStore.open(file, mode: .readWrite)
      let before = try Oracle(copy)
      let stamp = try copy.read { try $0.stamp() }
      try ForeignTool.run(
        "PRAGMA recursive_triggers=\(recursive ? 1 : 0); \(statement.sql)", on: file)
      let after = try Oracle(copy)
      #expect(after.live == statement.texts, name)
      #expect(try copy.check() == [], name)
      for (place, request) in try Lists.all().enumerated() where place % 20 == index {
        try expect(copy, request, before, after, stamp, name)
      }
      if after.entries != before.entries {
        #expect(try copy.undo().kind == .outside, name)
        #expect(try Oracle(copy).entries == before.entries, name)
        #expect(try copy.check() == [], name)
        try copy.redo()
        #expect(try Oracle(copy).entries == after.entries, name)
      }
    }
  }

  private func expect(
    _ store: SQLiteEntryStore, _ request: EntryRequest, _ before: Oracle, _ after: Oracle,
    _ stamp: StoreStamp, _ name: Comment
  ) throws {
    var rows = Dictionary(uniqueKeysWithValues: before.rows(of: request).map { ($0.id, $0) })
    for commit in try store.read({ try $0.commits(after: stamp, for: request) }) {
      for change in commit.changes {
        #expect(rows[change.id] == change.before, name)
        rows[change.id] = change.after
      }
    }
    let expected = after.rows(of: request)
    #expect(rows == Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) }), name)
    let keys = try store.read {
      try $0.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
    }
    #expect(keys == expected.map { request.key(of: $0) }, name)
    let groups = try store.read { try $0.outline(of: request) }
    #expect(groups.reduce(0) { $0 + $1.count } == expected.count, name)
  }

  @Test("An entry's number and uuid are permanent")
  func identity() throws {
    let store = try journal()
    for column in ["number = 9", "rowid = 9", "uuid = 'x'"] {
      #expect(throws: ForeignTool.Failed.self) {
        try ForeignTool.run("UPDATE OR REPLACE entry SET \(column) WHERE number = 1", on: path)
      }
    }
    #expect(try store.entry(1).uuid == "u1")
  }

  @Test("What no entry can be is refused")
  func constraints() throws {
    _ = try journal()
    for values in [
      "(day, text) VALUES ('2026-02-30', 'x')", "(day, text) VALUES ('21.11.2026', 'x')",
      "(text) VALUES (x'6100')", "(text) VALUES ('a' || char(0) || 'b')", "(text) VALUES (NULL)",
      "(number, text) VALUES (-1, 'x')", "(created, text) VALUES ('now', 'x')",
    ] {
      #expect(throws: ForeignTool.Failed.self, Comment(rawValue: values)) {
        try ForeignTool.run("INSERT INTO entry \(values)", on: path)
      }
    }
  }

  @Test("A text another tool wrote has its title, tags and a later modification time")
  func derived() throws {
    let store = try journal()
    let old = try store.entry(1)
    try ForeignTool.run(
      "UPDATE entry SET text = 'Title\n#new' WHERE number = 1; INSERT INTO entry (text) VALUES ('x')",
      on: path)
    let request = EntryRequest.entries(query: try Lists.query("#new"))
    let row = try #require(
      try store.read { try $0.rows(of: request, ids: [EntryRowID(number: 1)]) }.first)
    #expect(row.title == "Title")
    #expect(row.tags == ["new"])
    #expect(row.modified != old.modified)
    #expect(row.checksum == Entry.checksum(of: "Title\n#new"))
    #expect(try store.numbers(matching: Lists.query("#new")) == [1])
    #expect(try store.entry(4).uuid.utf8.count == 36)
    #expect(EntryUUID.isValid(try store.entry(4).uuid))
  }

  @Test("A reader that may not write shows another tool's text too")
  func readOnly() throws {
    _ = try journal()
    let reader = try SQLiteEntryStore.open(path, mode: .readOnly)
    try ForeignTool.run("INSERT INTO entry (text) VALUES ('fresh #t')", on: path)
    let request = EntryRequest.entries()
    let rows = try reader.read { try $0.rows(of: request, ids: [EntryRowID(number: 4)]) }
    #expect(rows.map(\.title) == ["fresh #t"])
    #expect(rows.map(\.tags) == [["t"]])
    #expect(try reader.count() == 3)
  }

  @Test("Undo takes back another tool's change before ours")
  func order() throws {
    let store = try journal()
    try store.edit(1, text: "ours")
    try ForeignTool.run("UPDATE entry SET text = 'theirs' WHERE number = 1", on: path)
    let undone = try store.undo()
    #expect(undone.kind == .outside)
    #expect(undone.phrase == "another program's change of \"theirs\"")
    #expect(try store.entry(1).text == "ours")
    #expect(try store.undo().kind == .edit)
    #expect(try store.entry(1).text == "one #home")
  }
}

extension Oracle {
  /// The texts outside the trash.
  var live: [Int64: String] {
    entries.filter { $0.value.deleted == nil }.mapValues(\.text)
  }
}
