import GRDB
import GRDBSQLite

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
