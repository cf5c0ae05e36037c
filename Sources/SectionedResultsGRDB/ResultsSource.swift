// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

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

  /// The store's own table and the related ones.
  var tables: [TrackedTable] { [main] + related.map(\.table) }
  /// The column with the identity of a row.
  var key: TrackedTable.Column { main.key[0] }

  /// The rows in a `FROM` clause.
  var from: String {
    select.map { "(\($0.sql)) AS \(main.quoted)" } ?? main.quoted
  }

  /// The arguments of ``from``.
  var arguments: [DatabaseValue] { select?.arguments ?? [] }

  /// - Throws: `GRDBResultsError`, or GRDB's `DatabaseError`.
  init(_ db: Database, _ description: Description) throws {
    main = try TrackedTable(db, name: description.table)
    guard main.key.count == 1 else {
      throw GRDBResultsError.unsupportedTable(
        main.name, "its primary key has \(main.key.count) columns")
    }
    var related: [Related] = []
    for item in description.related {
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
    guard columns.contains(main.key[0].name) else {
      throw GRDBResultsError.noSuchColumn(main.key[0].name)
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
  }
}

// MARK: - Checking what a request reads

extension ResultsSource {
  /// Checks that a request reads declared tables alone, and the store's own table once.
  ///
  /// The declared tables are replaced by constants: if the statement still reads a table, the store
  /// could not see it as it was earlier.
  ///
  /// - Throws: `GRDBResultsError.undeclaredTable`, or GRDB's `DatabaseError`.
  func check(_ filter: SQLCondition?, _ db: Database) throws {
    let body = "SELECT * FROM \(from) WHERE \(filter.map { "(\($0.sql))" } ?? "1")"
    let constants = tables.map { table in
      "\(table.quoted) AS MATERIALIZED (SELECT "
        + table.columns.map { "NULL AS \($0.quoted)" }.joined(separator: ", ") + ")"
    }
    let sql = "WITH \(constants.joined(separator: ", ")) \(body)"
    let values = StatementArguments(arguments + (filter?.arguments ?? []))
    let opened = try Self.openedTables(sql, values, db).map { $0 ?? "a table outside of main" }
    let virtual = try virtualTables(readBy: sql, db)
    guard opened.isEmpty, virtual.isEmpty else {
      throw GRDBResultsError.undeclaredTable((opened + virtual).joined(separator: ", "))
    }
    // In the place of the store's own table stands one that nothing else reads.
    let columns = main.columns.map { "seq AS \($0.quoted)" }.joined(separator: ", ")
    let shadow =
      "\(main.quoted) AS NOT MATERIALIZED (SELECT \(columns) FROM main.\(LogSchema.prefix)_clock)"
    let shadows = [shadow] + constants.dropFirst()
    let references = try Self.openedTables(
      "WITH \(shadows.joined(separator: ", ")) \(body)", values, db)
    guard references.count <= 1 else {
      throw GRDBResultsError.unsupportedTable(
        main.name, "the SELECT or filter reads it more than once")
    }
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
