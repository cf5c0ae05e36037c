// SPDX-License-Identifier: MIT

import GRDB
import GRDBSQLite

/// The columns of a statement's current row, read by position.
///
/// GRDB's `Row` looks up column names for each statement run, which costs more than SQLite's own
/// work when thousands of rows are read one by one. The columns read as a number or a text must not be
/// null: the SQL uses `ifnull` where they could be.
package struct Columns {
  /// The statement, valid until its cursor takes the next row.
  package let statement: SQLiteStatement

  package func integer(_ index: Int) -> Int64 {
    Int64(sqliteStatement: statement, index: CInt(index))
  }

  package func bool(_ index: Int) -> Bool { integer(index) != 0 }

  package func real(_ index: Int) -> Double { sqlite3_column_double(statement, CInt(index)) }

  /// The value as stored.
  package func value(_ index: Int) -> DatabaseValue {
    DatabaseValue(sqliteStatement: statement, index: CInt(index))
  }

  package func isNull(_ index: Int) -> Bool {
    sqlite3_column_type(statement, CInt(index)) == SQLITE_NULL
  }

  package func text(_ index: Int) -> String {
    // In a damaged record any column may be null, whatever the schema says.
    guard let bytes = sqlite3_column_text(statement, CInt(index)) else { return "" }
    // A text that another tool wrote around the table's check may continue after a NUL.
    let count = Int(sqlite3_column_bytes(statement, CInt(index)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

/// Lets a cursor of values serve as a cursor of rows; a value of it is never stored.
extension Columns: DatabaseValueConvertible, StatementColumnConvertible {
  package init?(sqliteStatement: SQLiteStatement, index: CInt) {
    statement = sqliteStatement
  }

  package var databaseValue: DatabaseValue { .null }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Columns? { nil }
}

extension Database {
  /// Runs a query and calls `body` with each row; its first column must not be null.
  package func forEach(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(),
    _ body: (Columns) throws -> Void
  ) throws {
    let rows = try Columns.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    while let columns = try rows.next() { try body(columns) }
  }

  /// Runs a query, as ``forEach(_:_:_:)`` does, and calls `body` with each row until it returns `false`.
  ///
  /// - Returns: whether all rows were taken.
  @discardableResult
  package func forEachUntil(
    _ sql: String, _ arguments: StatementArguments, _ body: (Columns) throws -> Bool
  ) throws -> Bool {
    let rows = try Columns.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    while let columns = try rows.next() { if try !body(columns) { return false } }
    return true
  }

  /// The first row of a query, decoded; `nil` if there is none.
  package func first<Value>(
    _ sql: String, _ arguments: StatementArguments, _ decode: (Columns) throws -> Value
  ) throws -> Value? {
    let rows = try Columns.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    // The columns belong to the cursor's statement, which the cursor resets at its end.
    return try withExtendedLifetime(rows) { try rows.next().map(decode) }
  }
}
