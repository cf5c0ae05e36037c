// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import GRDBSQLite

/// A table whose changes are logged, as its schema describes it.
struct TrackedTable: Equatable, Sendable {
  struct Column: Equatable, Sendable {
    let name: String
    /// The declared type; it decides the affinity.
    let type: String
    let collation: String
    let isNotNull: Bool
    /// The default value as SQL; `REPLACE` puts it in the place of a forbidden `NULL`.
    let defaultSQL: String?

    var quoted: String { name.quotedIdentifier }
  }

  /// A unique index.
  struct UniqueIndex: Equatable, Sendable {
    let columns: [UniqueColumn]
    /// The condition of a partial index.
    let condition: String?
  }

  /// A column of a unique index, with its collation in the index.
  struct UniqueColumn: Equatable, Sendable {
    let column: Column
    let collation: String
  }

  let name: String
  let columns: [Column]
  /// The columns whose earlier values are logged: the key, and what stores read.
  let logged: [Column]
  /// The columns of the primary key.
  let key: [Column]
  /// The primary key and the unique indexes.
  let unique: [UniqueIndex]

  var quoted: String { name.quotedIdentifier }
  /// The quoted name of the table of earlier row contents.
  var log: String { LogSchema(table: self).log.quotedIdentifier }

  func column(_ name: String) -> Column? {
    columns.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Whether a column may contain `NULL`; the number of a row never is.
  func isNullable(_ column: Column) -> Bool {
    !column.isNotNull && !(key == [column] && column.type.uppercased() == "INTEGER")
  }
}

extension TrackedTable {
  /// Reads the description of a table.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - name: the name of the table.
  ///   - isRead: whether earlier values of a column are needed. A column that is logged already stays so,
  ///     since another store may read it.
  /// - Throws: `GRDBResultsError`, or GRDB's `DatabaseError`.
  init(
    _ db: Database, name: String, logging isRead: (_ column: String) -> Bool = { _ in true }
  ) throws {
    let found = try GRDB.Row.fetchOne(
      db,
      sql: """
        SELECT name, sql FROM main.sqlite_schema
        WHERE type = 'table' AND name = ? COLLATE NOCASE
        """, arguments: [name])
    guard let found, let sql = found["sql"] as String?,
      !sql.uppercased().hasPrefix("CREATE VIRTUAL")
    else { throw GRDBResultsError.noSuchTable(name) }
    self.name = found["name"]
    let rows = try GRDB.Row.fetchAll(
      db, sql: "SELECT * FROM pragma_table_xinfo(?, 'main')", arguments: [self.name])
    let table = self.name
    columns = try rows.map { row in
      Column(
        name: row["name"], type: row["type"],
        collation: try db.collation(ofColumn: row["name"], in: table),
        isNotNull: row["notnull"], defaultSQL: row["dflt_value"])
    }
    let all = columns
    let keyed = zip(rows, columns).filter { ($0.0["pk"] as Int) > 0 }
    key = keyed.sorted { ($0.0["pk"] as Int) < ($1.0["pk"] as Int) }.map(\.1)
    guard !key.isEmpty else {
      throw GRDBResultsError.unsupportedTable(table, "it has no primary key")
    }
    let (keys, log) = (key, "\(LogSchema.prefix)_log_\(table)")
    let known = try String.fetchSet(
      db, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [log])
    logged = columns.filter { column in
      keys.contains(column) || known.contains(column.name) || isRead(column.name)
    }
    if let column = key.first(where: { $0.collation.uppercased() != "BINARY" }) {
      throw GRDBResultsError.unsupportedTable(
        table, "its primary key \(column.name) has the collation \(column.collation)")
    }
    let indexes = try GRDB.Row.fetchAll(
      db,
      sql: """
        SELECT list.name, list.partial, schema.sql FROM pragma_index_list(?, 'main') AS list
        LEFT JOIN main.sqlite_schema AS schema ON schema.name = list.name WHERE list."unique"
        """, arguments: [table])
    let keyIndex = UniqueIndex(
      columns: key.map { UniqueColumn(column: $0, collation: "BINARY") }, condition: nil)
    unique =
      [keyIndex]
      + (try indexes.map { row in
        UniqueIndex(
          columns: try Self.columns(ofIndex: row["name"], of: table, all, db),
          condition: row["partial"] ? Self.condition(ofIndex: row["sql"]) : nil)
      })
  }

  /// The condition in the definition of a partial index: the text after `WHERE`, which follows the
  /// parentheses with the columns.
  static func condition(ofIndex sql: String) -> String? {
    var depth = 0
    var quote: Character?
    for index in sql.indices {
      let character = sql[index]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "'", "\"", "`": quote = character
      case "[": quote = "]"
      case "(": depth += 1
      case ")":
        depth -= 1
        guard depth == 0 else { continue }
        let rest = sql[sql.index(after: index)...]
        return rest.range(of: "WHERE", options: .caseInsensitive).map {
          String(rest[$0.upperBound...])
        }
      default: continue
      }
    }
    return nil
  }

  /// - Throws: `GRDBResultsError.unsupportedTable` for an index on an expression: a trigger cannot
  ///   tell which rows a `REPLACE` would evict.
  private static func columns(
    ofIndex index: String, of table: String, _ columns: [Column], _ db: Database
  ) throws -> [UniqueColumn] {
    try GRDB.Row.fetchAll(
      db, sql: "SELECT name, coll FROM pragma_index_xinfo(?, 'main') WHERE key",
      arguments: [index]
    ).map { row in
      guard let name = row["name"] as String?,
        let column = columns.first(where: { $0.name == name })
      else {
        throw GRDBResultsError.unsupportedTable(
          table, "its unique index \(index) is on an expression")
      }
      return UniqueColumn(column: column, collation: row["coll"])
    }
  }
}

extension String {
  /// The name as an identifier of SQL; GRDB's own does not double quotes inside.
  var quotedIdentifier: String { "\"\(replacing("\"", with: "\"\""))\"" }
}

extension Database {
  /// The collation that a column was declared with.
  fileprivate func collation(ofColumn column: String, in table: String) throws -> String {
    guard let connection = sqliteConnection else { return "BINARY" }
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection, "main", table, column, nil, &collation, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
    }
    return collation.map { String(cString: $0) } ?? "BINARY"
  }
}
