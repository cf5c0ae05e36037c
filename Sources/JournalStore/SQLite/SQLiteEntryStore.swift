import GRDB
import Glibc
import Journal
import SectionedResults

/// A journal in an SQLite file.
///
/// Commits are durable when a method returns (`journal_mode=TRUNCATE`, `synchronous=FULL`), writers of
/// several processes wait for each other up to five seconds, and whatever any tool writes to the file
/// is logged by triggers, so that it can be shown, undone and told to the observers.
package final class SQLiteEntryStore: EntryStore {
  /// The path the journal was opened by.
  package let place: String
  /// Whether writes are refused.
  package let isReadOnly: Bool
  /// The clock that dates changes.
  package let clock: WallClock
  /// What should be said about the opening, a line each; usually nothing.
  package let notes: [String]

  let queue: DatabaseQueue
  let actor: String
  let file: JournalFile
  let observers = CommitObservers()
  let watcher: ChangeWatcher?
  /// What answers queries with words in them; `nil` where the file's index is not of this program.
  let search: TextSearch?
  /// What SQLite last said about other connections' commits.
  var knownDataVersion = 0
  private var isReading = false
  private var isWriting = false

  init(
    queue: DatabaseQueue, file: JournalFile, place: String, isReadOnly: Bool, clock: WallClock,
    actor: String, notes: [String]
  ) throws {
    self.queue = queue
    self.file = file
    self.place = place
    self.isReadOnly = isReadOnly
    self.clock = clock
    self.actor = actor
    self.notes = notes
    watcher = ChangeWatcher(watching: file.path)
    search = try queue.inDatabase { try SearchIndex(db: $0).isCurrent() } ? TextSearch() : nil
    knownDataVersion = try dataVersion()
  }

  /// Asks to be told after each commit, our own at once, another process's in ``refresh()``.
  package func observeCommits(_ observer: @escaping () -> Void) -> CommitObservation {
    observers.add(observer)
  }

  /// Runs `body` on one consistent state.
  ///
  /// - Throws: ``StoreError``, and what `body` throws.
  package func read<Value>(
    _ body: (any ResultsSnapshot<EntryRow>) throws -> Value
  ) throws -> Value {
    try reading { try body(SQLiteSnapshot(db: $0, search: usableSearch($0))) }
  }

  /// Runs `body` on one consistent state, with whole entries and history at hand.
  package func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value {
    try reading { try body(SQLiteReader(db: $0, place: place, search: usableSearch($0))) }
  }

  /// The index of words is behind inside a transaction, and where other tools' texts cannot be taken in.
  private func usableSearch(_ db: Database) throws -> TextSearch? {
    guard let search, !isWriting else { return nil }
    return try isReadOnly && Settling.isNeeded(db) ? nil : search
  }

  /// A read inside a read shares its state; other tools' texts are looked at before the first one.
  private func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if isReading || isWriting { return try mapped { try queue.unsafeReentrantRead(body) } }
    let value: Value? = try mapped {
      try consistent { try !isReadOnly && Settling.isNeeded($0) ? nil : readingOnce($0, body) }
    }
    if let value { return value }
    try settle()
    return try mapped { try consistent { try readingOnce($0, body) } }
  }

  /// Reads inside one transaction.
  ///
  /// `DatabaseQueue.read` would also switch `PRAGMA query_only` on and off, after which SQLite compiles
  /// every cached statement again, the triggers behind the next write included.
  func consistent<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try queue.inDatabase { db in
      var result: Result<Value, any Error>?
      try db.inTransaction(.deferred) {
        result = Result { try body(db) }
        return .commit
      }
      guard let result else { throw StoreError.insideRead(at: place) }
      return try result.get()
    }
  }

  private func readingOnce<Value>(
    _ db: Database, _ body: (Database) throws -> Value
  ) throws -> Value {
    isReading = true
    defer { isReading = false }
    return try body(db)
  }

  /// Runs `body` in one transaction that is one change set.
  package func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value {
    try checkWritable()
    let result = try transaction(kind, body)
    if result.isChanged { didCommit() }
    return result.value
  }

  private func transaction<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> (value: Value, isChanged: Bool) {
    isWriting = true
    defer { isWriting = false }
    var result: (value: Value, isChanged: Bool)?
    try writing { db in
      try Settling.settle(db, at: clock.moment())
      let writer = try SQLiteWriter(db: db, place: place, kind: kind, actor: actor, clock: clock)
      defer { writer.leave() }
      let value = try body(writer)
      let isChanged = try writer.finish()
      result = (value, isChanged)
      return isChanged ? .commit : .rollback
    }
    guard let result else { throw StoreError.insideRead(at: place) }
    return result
  }

  /// Runs `body` in a writing transaction on the file that stands at the path.
  ///
  /// While the write lock is held nobody can exchange the file, so this look at it is the one that counts:
  /// a file that was exchanged during the wait for the lock would take the change along, unseen.
  func writing(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    try mapped {
      try queue.inTransaction(.immediate) { db in
        if FileIdentity(path: file.path) != file.identity { throw StoreError.replaced(at: place) }
        return try body(db)
      }
    }
  }

  /// Derives what follows from texts that other tools wrote, and makes their changes undoable.
  func settle() throws {
    try writing { db in
      try Settling.settle(db, at: clock.moment())
      return .commit
    }
  }

  func checkWritable() throws {
    if isReadOnly { throw StoreError.readOnly(at: place) }
    if isReading || isWriting { throw StoreError.insideRead(at: place) }
    if FileIdentity(path: file.path) != file.identity { throw StoreError.replaced(at: place) }
  }

  /// Another process's commit that came between is told with ours: observers read the log.
  private func didCommit() {
    watcher?.forgetOwnEvents()
    if let version = try? dataVersion() { knownDataVersion = version }
    observers.notify()
  }

  func mapped<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(error, at: place)
    } catch is RowDecodingError {
      throw StoreError.damaged("a row has a value of a kind that it cannot have", at: place)
    }
  }
}
