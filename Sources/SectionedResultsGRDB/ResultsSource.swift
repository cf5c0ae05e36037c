// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults
import SectionedResultsSQL

/// The rows of a store: a table, or a `SELECT` over it and related tables, checked against the schema.
struct ResultsSource: Sendable {
  struct Related: Sendable {
    let table: TrackedTable
    /// The columns that connect it; none if any row may depend on any row of the table.
    fileprivate(set) var links: [Link]
  }

  /// A column of a related table, and the column of its parent with the same value.
  struct Link: Sendable {
    let column: TrackedTable.Column
    /// The index of the parent in ``tables``.
    let parent: Int
    let parentColumn: TrackedTable.Column
    /// The collations, other than `BINARY`, in which a statement may compare the columns.
    let collations: Set<String>
    /// Whether both may be `NULL`, which `IS` takes for equal.
    let mayBeNull: Bool
  }

  /// The store's own table.
  let main: TrackedTable
  /// The related tables; `parent` is an index in `tables`.
  let related: [Related]
  let select: SQLCondition?
  /// The columns that rows have.
  let columns: [String]
  /// The full-text tables that filters search.
  let fullText: [FullTextIndex]

  /// The store's own table and the related ones.
  var tables: [TrackedTable] { [main] + related.map(\.table) }
  /// The columns of the primary key, as SQL compares them with several of its values.
  var key: String { "(\(main.key.map(\.quoted).joined(separator: ", ")))" }

  /// The rows in a `FROM` clause.
  var from: String {
    select.map { "(\($0.sql)) AS \(main.quoted)" } ?? main.quoted
  }

  /// The arguments of ``from``.
  var arguments: [DatabaseValue] { select?.arguments ?? [] }

  /// - Throws: `GRDBResultsError`, or GRDB's `DatabaseError`.
  init(_ db: Database, _ description: Description) throws {
    main = try description.mainTable(db)
    guard (main.key.count > 1) == description.isComposite else {
      throw GRDBResultsError.unsupportedTable(
        main.name,
        """
        its primary key has \(main.key.count) columns, so the identity of a row is \
        \(description.isComposite ? "no" : "a") CompositeID
        """)
    }
    if description.isComposite, let column = main.key.first(where: { !$0.isNotNull }) {
      throw GRDBResultsError.unsupportedTable(
        main.name, "the column \(column.name) of its primary key may be NULL")
    }
    fullText = try description.fullText.map { [main] in try FullTextIndex(db, $0, main: main) }
    var related: [Related] = []
    for item in try description.allRelated(db) {
      let table = try TrackedTable(db, name: item.table)
      guard table.name != main.name else {
        throw GRDBResultsError.unsupportedTable(
          table.name, "its rows cannot depend on other rows of the same table")
      }
      let place = related.firstIndex { $0.table.name == table.name }
      let known = [main] + related[..<(place ?? related.count)].map(\.table)
      let link = try Self.link(item, table, known)
      if let place {
        // Where any row may depend on any, no link says less.
        let isLinked = link != nil && !related[place].links.isEmpty
        related[place].links = isLinked ? related[place].links + [link].compactMap { $0 } : []
      } else {
        related.append(Related(table: table, links: link.map { [$0] } ?? []))
      }
    }
    self.related = related
    select = description.select
    let from = select.map { "(\($0.sql))" } ?? main.quoted
    let statement = try db.makeStatement(sql: "SELECT * FROM \(from)")
    columns = statement.columnNames
    for column in main.key where !columns.contains(column.name) {
      throw GRDBResultsError.noSuchColumn(column.name)
    }
  }

  private static func link(
    _ item: RelatedTable, _ table: TrackedTable, _ known: [TrackedTable]
  ) throws -> Link? {
    guard let link = item.link else { return nil }
    guard let column = table.column(link.column) else {
      throw GRDBResultsError.noSuchColumn("\(item.table).\(link.column)")
    }
    guard let parent = known.firstIndex(where: { $0.name.lowercased() == link.parent.lowercased() })
    else { throw GRDBResultsError.noSuchTable(link.parent) }
    guard let parentColumn = known[parent].column(link.parentColumn) else {
      throw GRDBResultsError.noSuchColumn("\(link.parent).\(link.parentColumn)")
    }
    let collations = [column, parentColumn].map { $0.collation.uppercased() }
    return Link(
      column: column, parent: parent, parentColumn: parentColumn,
      collations: Set(collations).subtracting(["BINARY"]),
      mayBeNull: table.isNullable(column) && known[parent].isNullable(parentColumn))
  }

  /// A source before it is checked.
  struct Description: Sendable {
    let table: String
    let select: SQLCondition?
    let related: [RelatedTable]
    var fullText: [FullTextTable] = []
    /// Whether the identity of a row has several columns.
    var isComposite = false

    /// The store's own table.
    ///
    /// Earlier values are logged of the columns that the rows are made of: filters and orders name columns
    /// of the rows.
    func mainTable(_ db: Database) throws -> TrackedTable {
      guard let select, fullText.isEmpty else { return try TrackedTable(db, name: table) }
      let region = try db.makeStatement(sql: select.sql).databaseRegion
      let links = related.compactMap(\.link).filter { $0.parent.lowercased() == table.lowercased() }
        .map { $0.parentColumn.lowercased() }
      return try TrackedTable(db, name: table) { column in
        links.contains(column.lowercased())
          || region.isModified(
            byEventsOfKind: .update(tableName: table, columnNames: [column]))
      }
    }

    /// The related tables, and those with the texts of full-text tables.
    func allRelated(_ db: Database) throws -> [RelatedTable] {
      guard !fullText.isEmpty else { return related }
      let main = try TrackedTable(db, name: table)
      return related
        + (try fullText.compactMap { try FullTextIndex(db, $0, main: main).related(of: main.name) })
    }
  }
}

// MARK: - Identities

extension ResultsSource {
  /// The identity of a row as one value: its primary key, or a text of all its columns.
  ///
  /// - Parameter table: the beginning of the names of columns.
  func identity(of table: String = "") -> String {
    let columns = main.key.map { table + $0.quoted }
    return columns.count == 1
      ? columns[0] : columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
  }

  /// The condition that a row has one of some identities.
  func isOneOf(_ ids: some Collection<some DatabaseValueConvertible>) -> RangePart {
    let count = main.key.count
    let marks = Array(repeating: "?", count: count).joined(separator: ", ")
    let rows = Array(repeating: count == 1 ? marks : "(\(marks))", count: ids.count)
      .joined(separator: ", ")
    return RangePart(
      conditions: ["\(key) IN (\(count == 1 ? rows : "VALUES \(rows)"))"],
      arguments: ids.flatMap(\.keyValues))
  }
}

// MARK: - Searches

extension ResultsSource {
  /// A condition with its searches as SQL.
  ///
  /// - Parameters:
  ///   - condition: the condition.
  ///   - byRow: whether each row is looked up in the full-text table, which is faster for few rows; else the
  ///     matches are found once.
  /// - Throws: `GRDBResultsError.undeclaredTable`, or `noSuchColumn` for a `SELECT` without the column of the
  ///   documents.
  func plain(_ condition: SQLCondition, byRow: Bool) throws -> SQLCondition {
    guard !condition.matches.isEmpty else { return condition }
    var parts = ["(\(condition.sql))"]
    for match in condition.matches {
      let index = try index(of: match)
      let column = index.column.quotedIdentifier
      parts.append(
        byRow
          ? """
          EXISTS (SELECT 1 FROM \(index.quoted) WHERE \(index.quoted).rowid = \(main.quoted).\(column) \
          AND \(index.quoted) MATCH ?)
          """
          : "\(column) IN (SELECT rowid FROM \(index.quoted) WHERE \(index.quoted) MATCH ?)")
    }
    return SQLCondition(
      parts.joined(separator: " AND "), condition.arguments + condition.matches.map(\.pattern))
  }

  /// The full-text table of a search.
  ///
  /// - Throws: `GRDBResultsError.undeclaredTable`, `noSuchColumn`.
  func index(of match: FullTextMatch) throws -> FullTextIndex {
    guard let index = fullText.first(where: { $0.name.lowercased() == match.table.lowercased() })
    else { throw GRDBResultsError.undeclaredTable(match.table) }
    guard columns.contains(where: { $0.lowercased() == index.column.lowercased() }) else {
      throw GRDBResultsError.noSuchColumn(index.column)
    }
    return index
  }
}

// MARK: - Checking what a request reads

extension ResultsSource {
  /// Checks that a request reads declared tables alone, and the store's own table once.
  ///
  /// The declared tables are replaced by constants: if the statement still reads a table, the store
  /// could not see it as it was earlier.
  ///
  /// - Returns: whether it searches in full text.
  /// - Throws: `GRDBResultsError.undeclaredTable` or `notLive`, or GRDB's `DatabaseError`.
  func check(_ filter: SQLCondition?, _ db: Database) throws -> Bool {
    let body = "SELECT * FROM \(from) WHERE \(filter.map { "(\($0.sql))" } ?? "1")"
    let constants = tables.map { table in
      "\(table.quoted) AS MATERIALIZED (SELECT "
        + table.logged.map { "NULL AS \($0.quoted)" }.joined(separator: ", ") + ")"
    }
    let sql = "WITH \(constants.joined(separator: ", ")) \(body)"
    let values = StatementArguments(arguments + (filter?.arguments ?? []))
    let opened = try Self.openedTables(sql, values, db).map { $0 ?? "a table outside of main" }
    let read = try virtualTables(readBy: sql, db)
    let declared = fullText.map(\.name)
    let virtual = read.filter { !declared.contains($0) }
    guard opened.isEmpty, virtual.isEmpty else {
      throw GRDBResultsError.undeclaredTable((opened + virtual).joined(separator: ", "))
    }
    // In the place of the store's own table stands one that nothing else reads.
    let columns = main.logged.map { "seq AS \($0.quoted)" }.joined(separator: ", ")
    let shadow =
      "\(main.quoted) AS NOT MATERIALIZED (SELECT \(columns) FROM main.\(LogSchema.prefix)_clock)"
    let shadows = [shadow] + constants.dropFirst()
    let references = try Self.openedTables(
      "WITH \(shadows.joined(separator: ", ")) \(body)", values, db)
    guard references.count <= 1 else {
      throw GRDBResultsError.unsupportedTable(
        main.name, "the SELECT or filter reads it more than once")
    }
    try checkRanks(in: sql, of: read, db)
    return !read.isEmpty
  }

  /// - Throws: `GRDBResultsError.notLive` for a rank, which changes with every document.
  private func checkRanks(in sql: String, of tables: [String], _ db: Database) throws {
    guard !tables.isEmpty else { return }
    let region = try db.makeStatement(sql: sql).databaseRegion
    let ranked = tables.first {
      region.isModified(byEventsOfKind: .update(tableName: $0, columnNames: ["rank"]))
    }
    guard ranked != nil || sql.localizedCaseInsensitiveContains("bm25") else { return }
    throw GRDBResultsError.notLive("the rank of a match changes with every document")
  }

  /// The tables that a statement opens, one for each time; `nil` for one that is not in `main`.
  ///
  /// The bytecode is exact, where SQLite's authorizer also names common table expressions.
  private static func openedTables(
    _ sql: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> [String?] {
    try GRDB.Row.fetchAll(db, sql: "EXPLAIN \(sql)", arguments: arguments)
      .filter { $0["opcode"] == "OpenRead" }
      .map { row in
        guard row["p3"] == 0 else { return nil }
        return try String.fetchOne(
          db, sql: "SELECT tbl_name FROM main.sqlite_schema WHERE rootpage = ?",
          arguments: [row["p2"] as Int])
      }
  }

  /// The virtual tables of the schema, such as full-text indexes, that a statement reads.
  private func virtualTables(readBy sql: String, _ db: Database) throws -> [String] {
    let region = try db.makeStatement(sql: sql).databaseRegion
    return try String.fetchAll(
      db,
      sql: """
        SELECT name FROM main.sqlite_schema
        WHERE type = 'table' AND upper(sql) LIKE 'CREATE VIRTUAL%'
        """
    ).filter { region.isModified(byEventsOfKind: .insert(tableName: $0)) }
  }
}
