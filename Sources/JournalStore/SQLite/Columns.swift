import GRDB
import GRDBSQLite
import Journal

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

  func real(_ index: Int) -> Double { sqlite3_column_double(statement, CInt(index)) }

  /// The value as it is stored.
  func value(_ index: Int) -> DatabaseValue {
    DatabaseValue(sqliteStatement: statement, index: CInt(index))
  }

  func isNull(_ index: Int) -> Bool {
    sqlite3_column_type(statement, CInt(index)) == SQLITE_NULL
  }

  func text(_ index: Int) -> String {
    // Where a record is damaged any column may be null, whatever the schema says.
    guard let bytes = sqlite3_column_text(statement, CInt(index)) else { return "" }
    // A text that another tool wrote past the table's check may go on behind a NUL.
    let count = Int(sqlite3_column_bytes(statement, CInt(index)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
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

extension Columns {
  /// A count that a table keeps.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for what no count can be: lists are built on it.
  func count(_ index: Int, of table: String) throws -> Int {
    let isInteger = sqlite3_column_type(statement, CInt(index)) == SQLITE_INTEGER
    let count = integer(index)
    guard isInteger, (0...Int64(KeptCounts.most)).contains(count) else {
      throw KeptCounts.damage(table)
    }
    return Int(count)
  }
}

extension Columns {
  /// The day of an entry, as lists are ordered by it.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for what is none: a range of days leaves it out.
  func day(_ index: Int) throws -> Day {
    guard sqlite3_column_type(statement, CInt(index)) == SQLITE_TEXT, let day = Day(text(index))
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an entry's day is no day")
    }
    return day
  }
}

/// The counts of entries that are kept as data: of days and of tags.
enum KeptCounts {
  /// More entries than any file has.
  static let most = 1 << 32

  static func damage(_ table: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the counts in \(table) make no sense")
  }

  /// How many entries there are outside the trash.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for counts that no journal has.
  static func entries(_ db: Database) throws -> Int {
    // Unlike sum(), total() never overflows; what is no integer is found by its type.
    let columns = "total(entries), min(typeof(entries) = 'integer' AND entries >= 0)"
    let sum = try db.first("SELECT \(columns) FROM section_count", []) { row in
      row.isNull(1) || row.bool(1) ? row.real(0) : -1
    }
    guard let sum, sum >= 0, sum <= Double(most) else { throw damage("section_count") }
    return Int(sum)
  }
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
