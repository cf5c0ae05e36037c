import GRDB
import GRDBSQLite

extension SQLiteEntryStore {
  /// Runs `body`, and gives up its queries as soon as `isCancelled` says so.
  ///
  /// SQLite asks between its steps, so the answer must be quick and must not touch the journal.
  package func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value? {
    try queue.cancellable(isCancelled, body)
  }
}

extension DatabaseQueue {
  /// Runs `body`, and gives up what SQLite does on this connection as soon as `isCancelled` says so.
  ///
  /// - Returns: what `body` made, or `nil` if it was given up; a transaction it had begun is rolled back.
  /// - Throws: what `body` throws.
  func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value? {
    let question = CancelQuestion(isCancelled)
    inDatabase { question.install(in: $0) }
    defer { inDatabase { question.remove(from: $0) } }
    do {
      return try body()
    } catch {
      // What SQLite says of an interruption is no failure of the journal.
      guard question.wasCancelled else { throw error }
      return nil
    }
  }
}

/// The question whether to go on, where SQLite can ask it.
private final class CancelQuestion {
  /// Steps of SQLite's virtual machine between two questions: a few tens of microseconds.
  private static let steps: Int32 = 5_000

  private let isCancelled: () -> Bool
  private(set) var wasCancelled = false

  init(_ isCancelled: @escaping () -> Bool) {
    self.isCancelled = isCancelled
  }

  func install(in db: Database) {
    // The question outlives the handler: its owner removes the handler before it ends.
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      db.sqliteConnection, Self.steps,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<CancelQuestion>.fromOpaque(pointer).takeUnretainedValue().ask()
      }, pointer)
  }

  func remove(from db: Database) {
    sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
  }

  private func ask() -> Int32 {
    if !wasCancelled { wasCancelled = isCancelled() }
    return wasCancelled ? 1 : 0
  }
}
