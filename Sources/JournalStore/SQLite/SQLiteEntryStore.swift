import Files
import GRDB
import GRDBSQLite
import Glibc
import Journal
import Seal
import SectionedResults

/// A journal in an SQLite database: a file, or memory.
///
/// Commits to a file are durable when a method returns (`journal_mode=TRUNCATE`,
/// `synchronous=FULL`). Writers of several processes wait for each other, see ``BusyTimeout``.
/// Triggers log the writes of every tool, so that they can be shown, undone and sent to the
/// observers.
package final class SQLiteEntryStore: EntryStore {
  /// The path by which the journal was opened, or `:memory:`.
  package let path: String
  /// Whether writes are refused.
  package let isReadOnly: Bool
  /// The clock that dates changes.
  package let clock: WallClock
  /// The store's own part of the journal's history.
  package private(set) var session: HistorySession
  /// Notes for the user about the opening, one per line; usually none.
  package let notes: [String]

  /// Disk space for deleting on a full disk; `nil` for a journal in memory.
  var headRoom: HeadRoom?
  let queue: DatabaseQueue
  /// The author of its changes.
  private(set) var author: ChangeAuthor
  /// The file; `nil` for a journal in memory.
  let file: JournalFile?
  /// The journal whose past this is, which has the bytes of its files.
  private var present: SQLiteEntryStore?
  /// The wrapped key of the sealed journal of which this is a state of the past.
  private let seal: (key: JournalKey, wrapped: WrappedKey)?
  /// The listeners to commits: the store's own at once, another process's in ``refresh()``.
  package let commitObservers = CommitObservers<EntryRow>()
  private var watcher: ChangeWatcher?
  /// Answers queries with words, if there is a full-text index of this program, and with links and fields.
  private let search: TextSearch
  /// SQLite's last counter of other connections' commits.
  private var knownDataVersion = 0
  private var isReading = false
  private var isWriting = false

  /// Takes a connection to a verified journal.
  fileprivate init(
    queue: DatabaseQueue, file: JournalFile, path: String, isReadOnly: Bool, clock: WallClock,
    author: ChangeAuthor, notes: [String]
  ) throws {
    self.queue = queue
    self.file = file
    seal = nil
    self.path = path
    self.isReadOnly = isReadOnly
    self.clock = clock
    self.author = author
    self.notes = notes
    // Entries stay readable if the log is damaged; undo then takes back only changes of this process.
    let start = try? queue.inDatabase { try ChangeLog(db: $0).lastSequence() }
    session = HistorySession(id: author.session, start: start ?? 0)
    headRoom = HeadRoom(beside: file.path)
    search = TextSearch(isIndexed: try queue.inDatabase { try SearchIndex(db: $0).isCurrent() })
    knownDataVersion = try dataVersion()
  }

  /// Makes an empty journal in memory for this process only.
  package convenience init(
    clock: WallClock = .system, author: ChangeAuthor = ChangeAuthor()
  ) throws {
    try self.init(inMemory: ":memory:", clock: clock, author: author)
  }

  /// Makes an empty journal in memory that represents another one.
  ///
  /// - Parameters:
  ///   - path: the journal's path for messages.
  ///   - isIndexed: whether to index its words. Without an index a query for words reads all texts,
  ///     and filling the journal is faster.
  ///   - isReadOnly: whether it refuses changes.
  ///   - seal: the key of a sealed journal that it represents.
  init(
    inMemory path: String, clock: WallClock, author: ChangeAuthor, isIndexed: Bool = true,
    isReadOnly: Bool = false, seal: (key: JournalKey, wrapped: WrappedKey)? = nil
  ) throws {
    self.path = path
    self.clock = clock
    self.author = author
    session = HistorySession(id: author.session, start: 0)
    self.isReadOnly = isReadOnly
    self.seal = seal
    notes = []
    file = nil
    headRoom = nil
    search = TextSearch(isIndexed: isIndexed)
    do {
      queue = try DatabaseOpener.memory()
    } catch let error as DatabaseError {
      throw StoreError(error, at: path)
    }
  }

  package var key: JournalKey? { file?.seal?.key ?? seal?.key }

  package func wrappedKey() throws -> WrappedKey? {
    if let seal { return seal.wrapped }
    guard key != nil else { return nil }
    return try SealedCopy(of: queue, shownPath: path).map {
      WrappedKey(id: $0.key.id, slots: $0.slots)
    }
  }

  /// Closes the connection; the store is not used afterwards.
  func close() { try? queue.close() }
}

// MARK: - Opening

/// The modes of opening a journal.
package enum OpenMode: Hashable, Sendable {
  /// Reading and writing; a missing file is an error.
  case readWrite
  /// Reading and writing; a missing file is created.
  case create
  /// Without any write to the file or its directory.
  case readOnly
}

extension SQLiteEntryStore {
  /// Opens a journal.
  ///
  /// A file that is not writable is opened for reading, with a note in ``notes``. Only
  /// ``OpenMode/create`` creates a journal in an empty file; for readers the file is
  /// ``StoreError/Kind/missing``.
  ///
  /// - Parameters:
  ///   - path: the file; a symbolic link is resolved once, here.
  ///   - mode: whether to write and to create a missing file.
  ///   - clock: the clock that dates changes.
  ///   - author: the author of the store's changes in the log.
  ///   - observer: called when the journal must be upgraded.
  /// - Throws: ``GivenUp`` when the observer cancels; ``StoreError``; a foreign file is unchanged.
  package static func open(
    _ path: String, mode: OpenMode, clock: WallClock = .system,
    author: ChangeAuthor = ChangeAuthor(), observer: UpgradeObserver? = nil
  ) throws -> SQLiteEntryStore {
    let file = try mode == .create ? JournalFile(creating: path) : JournalFile(existing: path)
    try file.checkHeader(shownPath: path, forReading: mode == .readOnly)
    if mode != .create, file.isEmpty { throw StoreError.empty(at: path) }
    let isReadOnly = mode == .readOnly || !file.isWritable
    // A readable copy may be beside it.
    if file.seal != nil, !isReadOnly { Sealing.removeLeftovers(beside: file.path) }
    let opening = DatabaseOpener(
      file: file, shownPath: path, isReadOnly: isReadOnly, fillsEmptyFile: mode == .create,
      observer: observer)
    do {
      let queue = try opening.connect()
      var notes = try opening.prepare(queue)
      if let key = file.seal?.key { notes += try queue.sealNotes(key, shownPath: path) }
      if isReadOnly, mode != .readOnly {
        notes.append("\(path): not writable; opened read-only")
      }
      return try SQLiteEntryStore(
        queue: queue, file: file, path: path, isReadOnly: isReadOnly, clock: clock, author: author,
        notes: file.isNew ? [] : notes)
    } catch let error as DatabaseError {
      throw StoreError(error, at: path)
    }
  }
}

// MARK: - Reading

extension SQLiteEntryStore {
  /// Runs `body` on one consistent state.
  ///
  /// - Throws: ``StoreError``, and the errors of `body`.
  package func read<Value>(
    _ body: (any ResultsSnapshot<EntryRow>) throws -> Value
  ) throws -> Value {
    try reading { try body(SQLiteSnapshot(db: $0, search: usableSearch($0))) }
  }

  /// Runs `body` on one consistent state with whole entries and history.
  package func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value {
    try reading {
      try body(SQLiteReader(db: $0, path: path, search: usableSearch($0), present: present))
    }
  }

  /// Reads the day, or the tags, of each entry, as ``EntryStore/prepareSearch(for:)`` promises.
  package func prepareSearch(for grouping: Grouping) throws {
    try reading { try usableSearch($0)?.prepare($0, for: grouping) }
  }

  /// The journal as it was at a moment, from the change log.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Kind/beforeHistory`` when the log begins later; the errors of
  ///   `options`.
  package func past(
    at moment: Moment, _ options: BulkOptions = BulkOptions()
  ) throws -> PastJournal {
    let seal = try key.flatMap { key in try wrappedKey().map { (key, $0) } }
    let past = try SQLiteEntryStore(
      inMemory: path, clock: clock, author: author, isIndexed: false, isReadOnly: true, seal: seal)
    return try reading { db in
      let entries = try PastEntries(db, at: moment, of: path)
      var loss = PastEntries.Loss()
      var done = 0
      let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
      let step: () throws -> Void = {
        try options.progress?(min(done, total), total)
        done += 1
      }
      let isCopied = try entries.canCopyUnchanged()
      try past.writing { copy in
        try NewEntries.fill(
          copy,
          copy: { if isCopied { try entries.copyUnchanged(into: copy, step) } },
          each: { add in
            loss = try entries.eachEntry(ofChanged: isCopied) { entry in
              try step()
              try add(entry)
            }
          },
          log: {
            try entries.copyLog(into: copy)
            try FileTables(db: db).copyRows(into: copy)
          })
        return .commit
      }
      try past.beginSession()
      past.present = self
      return PastJournal(store: past, moment: moment, purged: loss.purged, unknown: loss.unknown)
    }
  }

  package var isPast: Bool { file == nil && isReadOnly }

  /// Begins the session after the changes so far, which were loaded from a file.
  func beginSession() throws {
    session.start = try mapped { try queue.inDatabase { try ChangeLog(db: $0).lastSequence() } }
  }

  package func resume(_ session: HistorySession) {
    author.session = session.id
    self.session = HistorySession(id: session.id, start: min(session.start, self.session.start))
  }

  /// Whether a read or a write is in progress.
  var isBusy: Bool { isReading || isWriting }

  /// The full-text index lags inside a transaction, and while other tools' texts cannot be adopted.
  private func usableSearch(_ db: Database) throws -> TextSearch? {
    guard !isWriting else { return nil }
    return try isReadOnly && ExternalChanges.arePending(db) ? nil : search
  }

  /// A nested read shares its state; other tools' changes are adopted before the outermost one.
  private func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if isBusy { return try mapped { try queue.unsafeReentrantRead(body) } }
    let value: Value? = try mapped {
      try consistent { try hasExternalChanges($0) ? nil : readingOnce($0, body) }
    }
    if let value { return value }
    try adoptExternalChanges()
    return try mapped { try consistent { try readingOnce($0, body) } }
  }

  private func hasExternalChanges(_ db: Database) throws -> Bool {
    try !isReadOnly && file != nil && ExternalChanges.arePending(db)
  }

  /// Reads inside one transaction.
  ///
  /// `DatabaseQueue.read` would also switch `PRAGMA query_only` on and off, after which SQLite
  /// compiles every cached statement again, including the triggers of the next write.
  private func consistent<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try queue.inDatabase { db in
      var result: Result<Value, any Error>?
      try db.inTransaction(.deferred) {
        result = Result { try body(db) }
        return .commit
      }
      guard let result else { throw StoreError.insideRead(at: path) }
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

  /// Runs `body`, and cancels its queries as soon as `isCancelled` returns true.
  ///
  /// SQLite calls it between its steps, so it must be fast and must not use the journal.
  package func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value? {
    try queue.cancellable(isCancelled, body)
  }

  /// Runs `body` and converts SQLite's errors into errors of the journal.
  ///
  /// A file that was replaced is no longer the journal, and may be overwritten: sealing does that.
  func mapped<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      let error = StoreError(error, at: path)
      if [.damaged, .io].contains(error.kind), isReplaced { throw StoreError.replaced(at: path) }
      throw error
    } catch is RowDecodingError {
      if isReplaced { throw StoreError.replaced(at: path) }
      throw StoreError.damaged("a row has a value of the wrong type", at: path)
    }
  }
}

// MARK: - Writing

extension SQLiteEntryStore {
  /// Runs `body` in one transaction that is one change set.
  ///
  /// On a full disk a change that makes room runs a second time, with the space of ``HeadRoom``.
  package func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value {
    let result: (value: Value, isChanged: Bool)
    do {
      result = try transaction(kind, body)
    } catch let error as StoreError where error.kind == .diskFull {
      guard let headRoom else { throw error }
      guard kind.makesRoom else { throw headRoom.explained(error) }
      guard headRoom.release() else { throw error }
      do {
        result = try transaction(kind, body)
      } catch let error as StoreError where error.kind == .diskFull {
        throw headRoom.exhausted(error)
      }
    }
    if result.isChanged {
      headRoom?.renew()
      didCommit()
    }
    return result.value
  }

  /// Runs `body` in one transaction that is one change set, without calling the observers.
  ///
  /// - Parameter willCommit: called if anything changed, with whether older lines of the log did; if
  ///   it throws, nothing is kept.
  /// - Returns: the result of `body`, and whether entries changed.
  func transaction<Value>(
    _ kind: ChangeKind, willCommit: (Database, _ hasForgotten: Bool) throws -> Void = { _, _ in },
    _ body: (any EntryWriting) throws -> Value
  ) throws -> (value: Value, isChanged: Bool) {
    try checkWritable()
    isWriting = true
    defer { isWriting = false }
    var result: (value: Value, isChanged: Bool)?
    try writing { db in
      try ExternalChanges.adopt(db, at: clock.moment())
      let writer = try SQLiteWriter(
        db: db, path: path, kind: kind, author: author, clock: clock,
        isIndexed: search.isIndexed || file != nil)
      defer { writer.leave() }
      let value = try body(writer)
      let outcome = try writer.finish()
      result = (value, outcome == .changed)
      if outcome == .unchanged { return .rollback }
      try willCommit(db, writer.hasForgotten)
      return .commit
    }
    guard let result else { throw StoreError.insideRead(at: path) }
    return result
  }

  /// Runs `body` in a writing transaction on the current file at the path.
  ///
  /// The file cannot be exchanged while the write lock is held, so the check inside counts: a file
  /// that was exchanged during the wait for the lock would lose the change silently.
  func writing(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    try mapped {
      try queue.inTransaction(.immediate) { db in
        if isReplaced { throw StoreError.replaced(at: path) }
        return try body(db)
      }
    }
  }

  private var isReplaced: Bool {
    guard let file else { return false }
    return FileIdentity(path: file.path) != file.identity
  }

  /// Derives the data of texts that other tools wrote, and makes their changes undoable.
  private func adoptExternalChanges() throws {
    try writing { db in
      try ExternalChanges.adopt(db, at: clock.moment())
      return .commit
    }
  }

  private func checkWritable() throws {
    if isReadOnly { throw readOnlyError }
    if isBusy { throw StoreError.insideRead(at: path) }
    if isReplaced { throw StoreError.replaced(at: path) }
  }

  /// Another process's earlier commit is reported with this one: observers read the log.
  private func didCommit() {
    watcher?.forgetOwnEvents()
    if file != nil, let version = try? dataVersion() { knownDataVersion = version }
    commitObservers.notify()
  }
}

// MARK: - Other processes

extension SQLiteEntryStore {
  package func beginWatching() {
    if watcher == nil, let file { watcher = ChangeWatcher(watching: file.path) }
  }

  /// Readable when another process may have committed.
  package var changeDescriptor: Int32? { watcher?.descriptor }

  /// Checks whether another process committed, and calls the observers if so.
  ///
  /// Without a watch every call reads the file.
  package func refresh() throws -> Refresh {
    guard let file, watcher?.takeEvents() ?? true else { return Refresh() }
    let now = FileIdentity(path: file.path)
    guard now == file.identity else { return Refresh(place: now == nil ? .removed : .replaced) }
    let found = try takeDataVersion()
    let retry = watcher?.looked(found: found)
    if found {
      if try mapped({ try consistent(hasExternalChanges) }) { try adoptExternalChanges() }
      commitObservers.notify()
    }
    return Refresh(changed: found, retryAfter: retry)
  }

  /// SQLite's counter, which changes when another connection has committed, and only then.
  private func dataVersion() throws -> Int {
    try mapped {
      try queue.inDatabase { try Int.fetchOne($0.cachedStatement(sql: "PRAGMA data_version")) ?? 0 }
    }
  }

  private func takeDataVersion() throws -> Bool {
    let version = try dataVersion()
    guard version != knownDataVersion else { return false }
    knownDataVersion = version
    return true
  }
}

// MARK: - Upkeep

extension SQLiteEntryStore {
  /// Writes a consistent copy of the journal into a new file that only its owner can read, and
  /// verifies it.
  ///
  /// The copy is made by one statement, so that writers wait for the copying only.
  ///
  /// - Returns: what is damaged in the journal, and so in the copy.
  /// - Throws: ``StoreError``, ``GivenUp``; then the path is unchanged, and no other file is left.
  @discardableResult
  package func backup(
    to path: String, replacing: Bool, attendance: WorkAttendance
  ) throws -> [String] {
    // It has neither an index of words nor, if it is sealed, sealed pages.
    if isPast {
      throw StoreError(
        .readOnly, at: self.path,
        "a journal of the past cannot be copied; export it, or return to the present first")
    }
    var damage: [String] = []
    let isThere = access(path, F_OK) == 0
    try FreshFile(path, replacing: replacing).make { temporary in
      try SQLiteEntryStore.copy(
        queue, to: temporary, sealed: SealedCopy(of: queue, shownPath: self.path),
        shownPath: path, attendance)
      let queue = try SQLiteEntryStore.checkPages(of: temporary, shownPath: path, attendance)
      damage = try attendance.run(on: queue) {
        try queue.read { try SQLiteExamination.damagedContents(in: $0, attendance) }
      }
      if isThere, let first = damage.first { throw StoreError.damagedSource(first, at: self.path) }
    }
    return damage
  }

  /// `VACUUM INTO` accepts an empty file as its target, and would create one that others can read.
  ///
  /// - Parameters:
  ///   - seal: the slots and the key of a sealed copy; `nil` for a readable one.
  ///   - attendance: `nil` if the caller cancels the connection's work itself.
  static func copy(
    _ queue: DatabaseQueue, to path: String, sealed seal: SealedCopy?, shownPath: String,
    _ attendance: WorkAttendance? = nil
  ) throws {
    guard try JournalFile.create(path, shownPath: shownPath) else {
      throw StoreError(.cannotCreate, at: shownPath, "the file exists; choose another name")
    }
    try copy(queue, into: path, sealed: seal, shownPath: shownPath, attendance)
  }

  /// The same into an existing empty file, which is removed after an error.
  static func copy(
    _ queue: DatabaseQueue, into path: String, sealed seal: SealedCopy?, shownPath: String,
    _ attendance: WorkAttendance? = nil
  ) throws {
    do {
      try seal?.prepare(path, shownPath: shownPath)
      let size = try queue.inDatabase(usedBytes)
      let copy = {
        try queue.inDatabase { db in
          if seal != nil { SealedFiles.reserve(in: db) }
          try db.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
      }
      try attendance.map { try $0.run(on: queue, writing: path, size: size, copy) } ?? copy()
      try AtomicFile.sync(path)
      try Directory.sync(of: path)
    } catch {
      unlink(path)
      switch error {
      case let error as DatabaseError: throw StoreError(error, at: shownPath)
      case let error as FileError: throw WholeFile.failure(error, shownPath)
      default: throw error
      }
    }
  }

  /// The size of a copy of the pages in use.
  private static func usedBytes(_ db: Database) throws -> Int {
    func value(_ pragma: String) throws -> Int {
      try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
    }
    return try (value("page_count") - value("freelist_count")) * value("page_size")
  }

  /// Copies an unopened journal if its pages are sound.
  ///
  /// - Throws: ``StoreError`` with the reason why the file is not a journal, or with the damage;
  ///   ``GivenUp``, and then no copy is left.
  static func copyChecked(
    _ file: String, to copy: String, _ attendance: WorkAttendance
  ) throws {
    let found = try JournalFile(existing: file)
    try found.checkHeader(shownPath: file, forReading: false)
    let opening = DatabaseOpener(file: found, shownPath: file, isReadOnly: true)
    do {
      let queue = try opening.connect()
      try opening.checkPages(queue, attendance)
      try self.copy(
        queue, to: copy, sealed: SealedCopy(of: queue, shownPath: file), shownPath: copy,
        attendance)
    } catch let error as DatabaseError {
      throw StoreError(error, at: file)
    }
  }

  /// Verifies a copy before anyone relies on it.
  /// - Returns: the connection to the file.
  @discardableResult
  private static func checkPages(
    of path: String, shownPath: String, _ attendance: WorkAttendance
  ) throws -> DatabaseQueue {
    let file = try JournalFile(existing: path)
    let opening = DatabaseOpener(file: file, shownPath: shownPath, isReadOnly: true)
    let queue = try opening.connect()
    try opening.checkPages(queue, attendance)
    return queue
  }

  /// Checks for damage: pages, schema, change log, texts against checksums and derived data, stored
  /// counts against actual ones, and the search index against all texts.
  ///
  /// While another program's texts are not adopted, the index is not checked.
  package func check(_ attendance: WorkAttendance) throws -> [String] {
    try mapped {
      try attendance.run(on: queue) {
        try consistent {
          try SQLiteExamination.findings(in: $0, shownPath: path, attendance).map(\.text)
        }
      }
    }
  }

  /// Rebuilds the search index from the texts.
  ///
  /// - Throws: ``StoreError``; then the index is unchanged.
  package func rebuildSearch() throws {
    try checkWritable()
    try writing { db in
      try ExternalChanges.adopt(db, at: clock.moment())
      try SearchIndex(db: db).rebuild()
      return .commit
    }
    search.forget()
  }
}

// MARK: - Cancelling

extension DatabaseQueue {
  /// Runs `body`, and cancels SQLite's work on this connection as soon as `isCancelled` returns
  /// true.
  ///
  /// - Returns: the result of `body`, or `nil` if it was cancelled; its transaction is rolled back.
  /// - Throws: the errors of `body`.
  func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value? {
    let question = CancelQuestion(isCancelled)
    inDatabase { question.install(in: $0) }
    defer { inDatabase { question.remove(from: $0) } }
    do {
      return try body()
    } catch {
      // SQLite's interruption error is not a failure of the journal.
      guard question.wasCancelled else { throw error }
      return nil
    }
  }
}

/// The cancellation callback in SQLite's form.
private final class CancelQuestion {
  /// The number of virtual machine steps between two calls: a few tens of microseconds.
  private static let steps: Int32 = 5_000

  private let isCancelled: () -> Bool
  private(set) var wasCancelled = false

  init(_ isCancelled: @escaping () -> Bool) {
    self.isCancelled = isCancelled
  }

  func install(in db: Database) {
    // This object outlives the handler: its owner removes the handler first.
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
