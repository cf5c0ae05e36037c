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

  /// The first row of a query, decoded, if there is one.
  func first<Value>(
    _ sql: String, _ arguments: StatementArguments, _ decode: (Columns) throws -> Value
  ) throws -> Value? {
    let rows = try Columns.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    // The columns are those of the cursor's statement, which it resets at its end.
    return try withExtendedLifetime(rows) { try rows.next().map(decode) }
  }
}

/// A statement that an import runs a million times.
///
/// GRDB takes a boxed array of values for each run, which costs more than SQLite's own work on a small
/// row. Here values go straight to SQLite, and errors come out as GRDB's.
final class RepeatedStatement {
  private let db: Database
  private let statement: Statement
  private var place: CInt = 0

  // SQLite asks for this address, which is none, where it has to copy what it is given.
  private static let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Prepares a statement; it must not outlive the transaction.
  init(_ sql: String, in db: Database) throws {
    self.db = db
    statement = try db.makeStatement(sql: sql)
  }

  /// Gives the next parameter a number, or null.
  func bind(_ value: Int64?) {
    place += 1
    if let value {
      sqlite3_bind_int64(statement.sqliteStatement, place, value)
    } else {
      sqlite3_bind_null(statement.sqliteStatement, place)
    }
  }

  /// Gives the next parameter a text, which has no NUL in it.
  func bind(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        place += 1
        // No bytes have no address, which would be null to SQLite.
        guard let base = bytes.baseAddress else {
          sqlite3_bind_text(statement.sqliteStatement, place, "", 0, Self.copying)
          return
        }
        sqlite3_bind_text(
          statement.sqliteStatement, place, base, CInt(bytes.count), Self.copying)
      }
    }
  }

  /// Runs it with what was bound.
  ///
  /// - Returns: whether there was a row.
  /// - Throws: GRDB's `DatabaseError`.
  @discardableResult
  func run() throws -> Bool {
    place = 0
    let code = sqlite3_step(statement.sqliteStatement)
    let error = code == SQLITE_ROW || code == SQLITE_DONE ? nil : failure()
    sqlite3_reset(statement.sqliteStatement)
    if let error { throw error }
    return code == SQLITE_ROW
  }

  private func failure() -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
      message: sqlite3_errmsg(db.sqliteConnection).map { String(cString: $0) },
      sql: statement.sql)
  }
}

/// A row of an SQL result; beside results controllers `Row` alone could mean a row of a list.
typealias SQLRow = GRDB.Row

/// The plan of SQLite for a statement.
enum QueryPlan {
  /// The plan, a line a step.
  static func of(
    _ sql: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> String {
    try SQLRow.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments)
      .map { $0[3] as String }.joined(separator: "\n")
  }
}
