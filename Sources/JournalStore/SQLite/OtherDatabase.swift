import GRDB
import Journal

/// The SQLite file of another program, opened for reading only.
///
/// Rows are read a page at a time, by names of tables and columns that the file was asked for first,
/// so no transaction stays open and no unexpected schema breaks a statement.
package struct OtherDatabase {
  /// A value as SQLite stores it.
  package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// A row with its `rowid`.
  package struct Row: Hashable, Sendable {
    package var id: Int64
    package var values: [Value]
  }

  /// The part of a table to read.
  package struct Selection: Sendable {
    package var table: String
    /// Columns that the table does not have are null.
    package var columns: [String]
    /// The column and value that rows must have; `nil` for all rows.
    package var match: (column: String, value: Value)?
    /// The id after which rows are read.
    package var after: Int64
    package var limit: Int

    package init(
      table: String, columns: [String], match: (column: String, value: Value)?, after: Int64,
      limit: Int
    ) {
      self.table = table
      self.columns = columns
      self.match = match
      self.after = after
      self.limit = limit
    }
  }

  /// The columns of each table with row ids; views and virtual tables are left out, since reading
  /// them may run the file's own SQL without end.
  package let tables: [String: Set<String>]

  private let queue: DatabaseQueue
  private let shownPath: String

  /// Opens a file.
  ///
  /// - Throws: ``StoreError`` when it cannot be read.
  package init(path: String) throws {
    shownPath = path
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      tables = try queue.read { db in
        var tables: [String: Set<String>] = [:]
        let sql = """
          SELECT list.name, info.name
          FROM pragma_table_list AS list, pragma_table_info(list.name) AS info
          WHERE list.schema = 'main' AND list.type = 'table' AND NOT list.wr
            AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          """
        try db.forEach(sql) { tables[$0.text(0), default: []].insert($0.text(1)) }
        return tables
      }
    } catch let error as DatabaseError {
      throw StoreError(error, at: path)
    }
  }

  /// The error for a file whose tables nobody knows.
  package var unknown: StoreError {
    StoreError(
      .foreignDatabase, at: shownPath, "a database, but not a journal; choose another file")
  }

  /// A name in SQL; names come from the file and may have quotation marks.
  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// The rows of a selection in the order of their ids.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read.
  package func rows(_ selection: Selection) throws -> [Row] {
    guard let known = tables[selection.table],
      // A column may have the name that row ids usually have.
      let id = ["rowid", "_rowid_", "oid"].first(where: { name in
        !known.contains { $0.lowercased() == name }
      })
    else { return [] }
    let columns = selection.columns.map {
      known.contains($0) ? Self.quoted($0) : "NULL"
    }
    var arguments: StatementArguments = [selection.after]
    var condition = "\(id) > ?"
    if let match = selection.match {
      guard known.contains(match.column) else { return [] }
      condition += " AND \(Self.quoted(match.column)) IS ?"
      guard let value = match.value.databaseValue else { return [] }
      arguments += [value]
    }
    arguments += [selection.limit]
    let sql = """
      SELECT \(([id] + columns).joined(separator: ", "))
      FROM \(Self.quoted(selection.table))
      WHERE \(condition) ORDER BY \(id) LIMIT ?
      """
    do {
      return try queue.read { db in
        var rows: [Row] = []
        var last = selection.after
        try db.forEach(sql, arguments) { row in
          let id = row.integer(0)
          // A page that is not in order would come again without end.
          guard id > last else {
            throw StoreError(.damaged, at: shownPath, "its rows are not in the order of their ids")
          }
          last = id
          rows.append(Row(id: id, values: columns.indices.map { Value(row.value($0 + 1)) }))
        }
        return rows
      }
    } catch let error as DatabaseError {
      throw StoreError(error, at: shownPath)
    }
  }
}

extension OtherDatabase.Value {
  init(_ value: DatabaseValue) {
    self =
      switch value.storage {
      case .null: .null
      case .int64(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      case .blob(let data): .blob(Array(data))
      }
  }

  /// The value to compare with; `nil` for bytes, which are no key of anything.
  var databaseValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob: nil
    }
  }
}
