import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsGRDB
import TestSupport

/// Notes and their documents, written at random by this process or another one.
struct SearchWorld: StressWorld {
  /// Where the documents are.
  enum Shape: CaseIterable {
    /// In the rows of the list.
    case own
    /// In a table of their own that is the content.
    case other
    /// In the full-text table, which is written by itself.
    case plain
    /// In the full-text table, linked by another column than the primary key.
    case linked
    /// Nowhere; they follow from the rows.
    case contentless
    /// In a view over the rows.
    case view
  }

  let request: ResultsRequest<SearchedNote>
  let store: any ResultsStore<SearchedNote>
  let isTold: Bool
  private let shape: Shape
  private let isForeign: Bool
  private let results: GRDBResultsStore<SearchedNote>
  private let database = TemporaryDatabase()
  private let other: DatabaseQueue
  private let condition: String
  private let pattern: String

  private static let notes = """
    CREATE TABLE note (
      id INTEGER PRIMARY KEY, number INTEGER UNIQUE, day TEXT, title TEXT, body TEXT, archived INTEGER);
    CREATE INDEX note_day ON note (day, id);
    """

  /// The triggers that change documents with the rows of a table.
  private static func triggers(_ table: String, _ values: (String) -> String) -> String {
    let delete = "INSERT INTO ft(ft, rowid, title, body) VALUES ('delete', \(values("old")));"
    let insert = "INSERT INTO ft(rowid, title, body) VALUES (\(values("new")));"
    return """
      CREATE TRIGGER ft_ai AFTER INSERT ON \(table) BEGIN \(insert) END;
      CREATE TRIGGER ft_ad AFTER DELETE ON \(table) BEGIN \(delete) END;
      CREATE TRIGGER ft_au AFTER UPDATE ON \(table) BEGIN \(delete) \(insert) END;
      """
  }

  private static func tables(_ shape: Shape) -> String {
    let plain = { (row: String) in "\(row).id, \(row).title, \(row).body" }
    let derived = { (row: String) in
      "\(row).id, upper(\(row).title), \(row).body || ' ' || ifnull(\(row).day, '')"
    }
    switch shape {
    case .own:
      return notes
        + "CREATE VIRTUAL TABLE ft USING fts5(title, body, content='note', content_rowid='id', prefix='1 2');"
        + triggers("note", plain)
    case .other:
      return notes + """
        CREATE TABLE text (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
        CREATE VIRTUAL TABLE ft USING fts5(title, body, content='text', content_rowid='id');
        """ + triggers("text", plain)
    case .plain: return notes + "CREATE VIRTUAL TABLE ft USING fts5(title, body, detail=column);"
    case .linked:
      return notes + "CREATE VIRTUAL TABLE ft USING fts5(title, body, tokenize='porter ascii');"
    case .contentless:
      return notes + "CREATE VIRTUAL TABLE ft USING fts5(title, body, content='');"
        + triggers("note", derived)
    case .view:
      return notes + """
        CREATE VIEW shown AS
          SELECT id, upper(title) AS title, body || ' ' || ifnull(day, '') AS body FROM note;
        CREATE VIRTUAL TABLE ft USING fts5(title, body, content='shown', content_rowid='id');
        """ + triggers("note", derived)
    }
  }

  init(_ shape: Shape, isForeign: Bool, _ random: inout SeededGenerator) throws {
    self.shape = shape
    self.isForeign = isForeign
    // Commits of another process are told apart only if the store looks between them.
    isTold = !isForeign && random.chance(0.5)
    other = try database.queue("PRAGMA recursive_triggers = 1")
    try other.write { try $0.execute(sql: Self.tables(shape)) }
    pattern =
      ["a", "b OR c", "a NOT b", "title : c", "\"a b\"", "a* b", "d1 OR ab"]
      .filter { shape != .plain || !$0.contains("\"") }.randomElement(using: &random) ?? ""
    condition = random.chance(0.4) ? "archived IS NOT 1" : "1"
    let column = shape == .linked ? "number" : "id"
    let isFree = random.chance(0.3)
    let filter =
      isFree
      ? SQLCondition(
        "\(column) IN (SELECT rowid FROM ft WHERE ft MATCH ?) AND \(condition)", [pattern])
      : SQLCondition(condition).matching("ft", pattern)
    let order: SortValue.Order = random.chance(0.5) ? .ascending : .descending
    request = ResultsRequest(
      filter: filter, sortKeys: [SortKey(\.day, order), SortKey(\.title)],
      sectionField: random.chance(0.7) ? ResultsField(\.day) : nil,
      limit: random.chance(0.2) ? Int.random(in: 1..<6, using: &random) : nil, pageSize: 3)
    let writer: any DatabaseWriter = try random.chance(0.5) ? database.pool() : database.queue()
    let documents = ["upper(title)", "body || ' ' || ifnull(day, '')"]
    let isDerived = shape == .contentless || shape == .view
    results = try GRDBResultsStore(
      writer, table: "note",
      fullText: [
        FullTextTable(
          "ft", equals: shape == .linked ? "number" : nil, documents: isDerived ? documents : nil)
      ])
    store = results
    for _ in 0..<12 { try commit(&random) }
  }

  /// A search of everything, with SQL of its own.
  func visibleRows() throws -> [SearchedNote] {
    let column = shape == .linked ? "number" : "id"
    return try other.read { db in
      try SearchedNote.fetchAll(
        db,
        sql: """
          SELECT note.* FROM note JOIN (SELECT rowid AS place FROM ft WHERE ft MATCH ?) ON place = \(column)
          WHERE \(condition)
          """, arguments: [pattern])
    }
  }

  func tellCommits() throws { try results.checkForChanges() }

  mutating func commit(_ random: inout SeededGenerator) throws {
    let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in sql(&random) }
    if isForeign {
      return try database.commitElsewhere(
        statements, after: "PRAGMA recursive_triggers = 1; ", &random)
    }
    let writer: any DatabaseWriter = isTold || random.chance(0.6) ? results.writer : other
    try writer.commit(statements)
  }

  private func sql(_ random: inout SeededGenerator) -> String {
    func id(_ random: inout SeededGenerator) -> Int { Int.random(in: 1...9, using: &random) }
    func text(_ random: inout SeededGenerator) -> String {
      if random.chance(0.1) { return "NULL" }
      let words = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        ["a", "b", "c", "ab", "running"].randomElement(using: &random) ?? ""
      }
      return "'\(words.joined(separator: " "))'"
    }
    let (one, two) = (id(&random), id(&random))
    let day = ["'d1'", "'d2'", "NULL"].randomElement(using: &random) ?? ""
    let row = "(\(one), \(two), \(day), \(text(&random)), \(text(&random)), \(one % 2))"
    let written = [
      "INSERT OR IGNORE INTO note VALUES \(row)",
      "INSERT OR IGNORE INTO note VALUES \(row)",
      "UPDATE note SET day = \(day) WHERE id = \(one)",
      "UPDATE note SET archived = 1 - archived WHERE id = \(one)",
      "UPDATE note SET title = \(text(&random)), body = \(text(&random)) WHERE id = \(one)",
      "UPDATE OR IGNORE note SET id = \(two) WHERE id = \(one)",
      "UPDATE OR IGNORE note SET number = \(two) WHERE id = \(one)",
      "DELETE FROM note WHERE id = \(one)",
    ]
    let documents: [String] =
      switch shape {
      case .own, .contentless, .view: []
      case .other:
        [
          "INSERT OR IGNORE INTO text VALUES (\(one), \(text(&random)), \(text(&random)))",
          "UPDATE text SET body = \(text(&random)) WHERE id = \(one)",
          "DELETE FROM text WHERE id = \(one)",
          "UPDATE OR IGNORE text SET id = \(two) WHERE id = \(one)",
        ]
      case .plain, .linked:
        [
          "INSERT OR REPLACE INTO ft(rowid, title, body) VALUES (\(one), \(text(&random)), \(text(&random)))",
          "UPDATE ft SET body = \(text(&random)) WHERE rowid = \(one)",
          "DELETE FROM ft WHERE rowid = \(one)", "DELETE FROM ft WHERE rowid > \(one)",
        ]
      }
    let isDocument = !documents.isEmpty && random.chance(0.5)
    return (isDocument ? documents : written).randomElement(using: &random) ?? ""
  }
}
