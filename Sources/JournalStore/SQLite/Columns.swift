import GRDB
import GRDBSQLite
import Journal
import SectionedResultsSQL

/// The rows of statements, as the library reads them.
typealias Columns = SectionedResultsSQL.Columns

extension Columns {
  /// Whether a value is an integer, without a function of SQL.
  func isInteger(_ index: Int) -> Bool {
    sqlite3_column_type(statement, CInt(index)) == SQLITE_INTEGER
  }

  /// A count from a table.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for an impossible count: lists are built on
  ///   it.
  func count(_ index: Int, of table: String) throws -> Int {
    let count = integer(index)
    guard isInteger(index), (0...Int64(KeptCounts.most)).contains(count) else {
      throw KeptCounts.damage(table)
    }
    return Int(count)
  }
}

extension Columns {
  /// The day of an entry, by which lists are ordered.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for an invalid day: a range of days would omit
  ///   it.
  func day(_ index: Int) throws -> Day {
    guard sqlite3_column_type(statement, CInt(index)) == SQLITE_TEXT, let day = Day(text(index))
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an entry's day is not a date")
    }
    return day
  }
}

/// The stored counts of entries: per day and per tag.
enum KeptCounts {
  /// More entries than any file can have.
  static let most = 1 << 32

  static func damage(_ table: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the counts in \(table) make no sense")
  }

  /// The number of entries outside the trash.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for impossible counts.
  static func entries(_ db: Database) throws -> Int {
    // Unlike sum(), total() never overflows; typeof() finds values that are not integers.
    let columns = "total(entries), min(typeof(entries) = 'integer' AND entries >= 0)"
    let sum = try db.first("SELECT \(columns) FROM section_count", []) { row in
      row.isNull(1) || row.bool(1) ? row.real(0) : -1
    }
    guard let sum, sum >= 0, sum <= Double(most) else { throw damage("section_count") }
    return Int(sum)
  }
}

/// A statement for very many runs, as in an import.
///
/// GRDB takes a boxed array of values for each run, which costs more than SQLite's own work on a
/// small row. Here values go directly to SQLite, and errors are GRDB's.
final class RepeatedStatement {
  private let db: Database
  private let statement: Statement
  private var place: CInt = 0

  // SQLITE_TRANSIENT: SQLite copies the value.
  private static let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Prepares a statement; it must not outlive the transaction.
  init(_ sql: String, in db: Database) throws {
    self.db = db
    statement = try db.makeStatement(sql: sql)
  }

  /// Binds an integer or null to the next parameter.
  func bind(_ value: Int64?) {
    place += 1
    if let value {
      sqlite3_bind_int64(statement.sqliteStatement, place, value)
    } else {
      sqlite3_bind_null(statement.sqliteStatement, place)
    }
  }

  /// Binds a text without NUL to the next parameter.
  func bind(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        place += 1
        // An empty buffer has no address, which would be null for SQLite.
        guard let base = bytes.baseAddress else {
          sqlite3_bind_text(statement.sqliteStatement, place, "", 0, Self.copying)
          return
        }
        sqlite3_bind_text(
          statement.sqliteStatement, place, base, CInt(bytes.count), Self.copying)
      }
    }
  }

  /// Binds a value of a column to the next parameter.
  func bind(_ value: EntryColumns.Value) {
    switch value {
    case .null: bind(nil)
    case .integer(let number): bind(number)
    case .text(let text): bind(text)
    }
  }

  /// Binds the first columns of a row to the next parameters, as they are stored.
  func bind(_ row: Columns, count: Int) {
    for index in 0..<count {
      place += 1
      sqlite3_bind_value(
        statement.sqliteStatement, place, sqlite3_column_value(row.statement, CInt(index)))
    }
  }

  /// Binds a value, and runs the statement when all of its so many parameters have one.
  func bind(_ value: EntryColumns.Value, runningAfter count: Int) throws {
    bind(value)
    if place == count { try run() }
  }

  /// Runs it with the bound values.
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

/// Inserts very many rows, many with each run of a statement: for small rows the beginning and the
/// end of a run cost as much as the row.
struct RowInsertion {
  private let db: Database
  private let table: String
  private let columns: [String]
  /// The statement for full runs, prepared when it is first needed.
  private var statement: RepeatedStatement?
  private var values: [EntryColumns.Value] = []

  /// The number of rows of a full run.
  private static let rows = 50

  /// Begins an insertion, which must not outlive the transaction.
  init(into table: String, _ columns: [String], in db: Database) {
    self.db = db
    self.table = table
    self.columns = columns
  }

  /// Takes the next value; values come in the order of the columns.
  mutating func add(_ value: EntryColumns.Value) throws {
    values.append(value)
    guard values.count == RowInsertion.rows * columns.count else { return }
    let statement = try statement ?? prepared(rows: RowInsertion.rows)
    self.statement = statement
    try run(statement)
  }

  /// Inserts the remaining rows.
  mutating func finish() throws {
    guard !values.isEmpty else { return }
    try run(prepared(rows: values.count / columns.count))
  }

  private func prepared(rows: Int) throws -> RepeatedStatement {
    try RepeatedStatement(EntryColumns.insertion(into: table, columns, rows: rows), in: db)
  }

  private mutating func run(_ statement: RepeatedStatement) throws {
    for value in values { statement.bind(value) }
    try statement.run()
    values.removeAll(keepingCapacity: true)
  }
}

/// A row of an SQL result; beside results controllers `Row` alone could mean a row of a list.
typealias SQLRow = GRDB.Row
