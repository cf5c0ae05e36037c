import GRDB
import GRDBSQLite

/// The columns of the row a statement stands at, read by position.
///
/// GRDB's `Row` looks up column names for each statement run, which costs more than SQLite's own work
/// where thousands of rows are read one by one. The columns read here must not be null: the SQL says
/// `ifnull` where they could be.
struct Columns {
  let statement: SQLiteStatement

  func integer(_ index: Int) -> Int64 {
    Int64(sqliteStatement: statement, index: CInt(index))
  }

  func bool(_ index: Int) -> Bool { integer(index) != 0 }

  func text(_ index: Int) -> String {
    // Where a record is damaged any column may be null, whatever the schema says.
    guard let bytes = sqlite3_column_text(statement, CInt(index)) else { return "" }
    return String(cString: bytes)
  }
}

/// Lets a cursor of values stand for a cursor of rows; a value of it is never stored.
extension Columns: DatabaseValueConvertible, StatementColumnConvertible {
  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    statement = sqliteStatement
  }

  var databaseValue: DatabaseValue { .null }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Columns? { nil }
}

extension Database {
  /// Runs a query and gives each row to `body`; its first column must not be null.
  func forEach(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(),
    _ body: (Columns) throws -> Void
  ) throws {
    let rows = try Columns.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    while let columns = try rows.next() { try body(columns) }
  }

  /// What `decode` makes of a query's first row, if there is one.
  func first<Value>(
    _ sql: String, _ arguments: StatementArguments, _ decode: (Columns) throws -> Value
  ) throws -> Value? {
    let rows = try Columns.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    // The columns are those of the cursor's statement, which it resets at its end.
    return try withExtendedLifetime(rows) { try rows.next().map(decode) }
  }
}
