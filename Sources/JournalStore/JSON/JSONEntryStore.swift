import GRDB
import Glibc
import Journal
import SectionedResults

/// A journal in a JSON file, which is read and replaced as a whole.
///
/// The file is the document of a JSON export with the change log after the entries. While it is
/// open, the journal is an SQLite journal in memory, loaded from the file and saved to it. Writers
/// take turns by ``FileLock``; a reader finds the old file or the new one, never a part. People and
/// other programs may edit the entries: each entry has a checksum, by which their edits are found,
/// logged, and made undoable. Unknown fields are kept.
package final class JSONEntryStore: EntryStore {
  /// The path by which the journal was opened.
  package let path: String
  /// Whether writes are refused.
  package let isReadOnly: Bool
  /// The clock that dates changes.
  package let clock: WallClock
  /// Notes for the user about the opening, one per line; usually none.
  package let notes: [String]

  /// The store's own part of the journal's history.
  package var session: HistorySession { tables.session }
  package func resume(_ session: HistorySession) { tables.resume(session) }

  private let filePath: String
  /// The journal's tables while the file is open.
  private let tables: SQLiteEntryStore
  private var mirror = JSONMirror()
  private var watcher: ChangeWatcher?
  /// The listeners to commits: the store's own at once, another process's in ``refresh()``.
  package let commitObservers = CommitObservers<EntryRow>()
  /// The last log position that observers have been notified of.
  private var toldSequence: Int64 = 0
  /// Whether a missing journal is created.
  private let creates: Bool
  private var seen: FileStamp?

  private init(
    file: JournalFile, path: String, isReadOnly: Bool, creates: Bool, clock: WallClock,
    author: ChangeAuthor, notes: [String]
  ) throws {
    filePath = file.path
    self.creates = creates
    self.path = path
    self.isReadOnly = isReadOnly
    self.clock = clock
    self.notes = notes
    tables = try SQLiteEntryStore(inMemory: path, clock: clock, author: author, isIndexed: false)
  }

  /// Opens a journal.
  ///
  /// A file that is not writable is opened for reading, with a note in ``notes``. A new file
  /// contains an empty journal from the moment it has its name, so an empty file is never one of
  /// ours: another program may be rewriting it in place. After a second it is
  /// ``StoreError/Kind/missing`` for readers, and rejected for writers.
  ///
  /// - Throws: ``StoreError``; a foreign file is unchanged.
  package static func open(
    _ path: String, mode: OpenMode, clock: WallClock = .system,
    author: ChangeAuthor = ChangeAuthor()
  ) throws -> JSONEntryStore {
    let file =
      try mode == .create
      ? JournalFile(creating: path, holding: JSONDocument.empty) : JournalFile(existing: path)
    let isReadOnly = mode == .readOnly || !file.isWritable
    let notes =
      isReadOnly && mode != .readOnly
      ? ["\(path): not writable; opened read-only"] : []
    let store = try JSONEntryStore(
      file: file, path: path, isReadOnly: isReadOnly, creates: mode == .create, clock: clock,
      author: author, notes: notes)
    try store.load(isFirst: true)
    try store.tables.beginSession()
    store.toldSequence = store.mirror.sequence
    return store
  }

  /// A JSON file would hold every file as text, and be written again with each change.
  package var keepsFiles: Bool { false }

  /// Runs `body` on one consistent state.
  package func read<Value>(
    _ body: (any ResultsSnapshot<EntryRow>) throws -> Value
  ) throws -> Value {
    loadIfIdle()
    return try tables.read(body)
  }

  /// Runs `body` on one consistent state with whole entries and history.
  package func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value {
    loadIfIdle()
    return try tables.inspect(body)
  }

  /// The journal as it was at a moment, from the change log in the file.
  package func past(
    at moment: Moment, _ options: BulkOptions = BulkOptions()
  ) throws -> PastJournal {
    loadIfIdle()
    return try tables.past(at: moment, options)
  }

  /// A read loads the current file; while another program's writing is unreadable, the last good
  /// state.
  private func loadIfIdle() {
    if !tables.isBusy { try? load(isFirst: false) }
  }

  /// Runs `body`, which only reads, and cancels it as soon as `isCancelled` returns true.
  package func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value? {
    loadIfIdle()
    return try tables.cancellable(isCancelled, body)
  }

  /// Runs `body` in one transaction that is one change set; replacing the file commits it.
  package func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value {
    if isReadOnly { throw StoreError.readOnly(at: path) }
    if tables.isBusy { throw StoreError.insideRead(at: path) }
    let result = try locked {
      try loadLocked(isFirst: false, waits: true)
      return try tables.transaction(kind, willCommit: { try save($0, hasForgotten: $1) }, body)
    }
    if result.isChanged { didCommit() }
    return result.value
  }

  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try FileLock(beside: filePath, shownPath: path)
    return try withExtendedLifetime(lock, body)
  }

  private func didCommit() {
    watcher?.forgetOwnEvents()
    try? load(isFirst: false)
    tell()
  }

  /// Notifies the observers of changes since the last notification.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  private func tell() -> Bool {
    guard toldSequence != mirror.sequence else { return false }
    toldSequence = mirror.sequence
    commitObservers.notify()
    return true
  }

  /// Reads the file if it has changed.
  ///
  /// - Throws: ``StoreError`` when it is not a journal now; the last good state stays.
  private func load(isFirst: Bool) throws {
    guard isFirst || FileStamp(path: filePath) != seen else { return }
    if isReadOnly { return try loadUnlocked(isFirst: isFirst) }
    try locked {
      if isFirst { Leftovers.remove(beside: filePath) }
      try loadLocked(isFirst: isFirst)
    }
  }

  /// - Parameter waits: whether to wait while another program rewrites the file.
  private func loadLocked(isFirst: Bool, waits: Bool = false) throws {
    var stamp = FileStamp(path: filePath)
    guard stamp != nil else { throw StoreError.replaced(at: path) }
    guard isFirst || stamp != seen else { return }
    let document = try document(&stamp, waits: isFirst || waits)
    var isBehind = false
    try writing { mirror, db in
      isBehind = try mirror.take(document, isFirst: isFirst, db, clock: clock)
    }
    seen = stamp
    if isBehind { try tables.mapped { try tables.queue.inDatabase(save) } }
  }

  private func loadUnlocked(isFirst: Bool) throws {
    var stamp = FileStamp(path: filePath)
    let document = try document(&stamp, waits: isFirst)
    try writing { mirror, db in
      if isFirst {
        _ = try mirror.take(document, isFirst: true, db, clock: clock)
      } else {
        try mirror.takeDifference(document, db, clock: clock)
      }
    }
    seen = stamp
  }

  /// Changes the tables and the mirror together, or neither.
  private func writing(_ body: (inout JSONMirror, Database) throws -> Void) throws {
    var next = mirror
    try tables.writing { db in
      try body(&next, db)
      return .commit
    }
    mirror = next
  }

  /// Reads the file.
  ///
  /// A program that writes in place empties the file first: the old contents are not lost yet, and
  /// the next contents must not be overwritten. So an empty file is not a journal; it is read again
  /// for up to a second if the caller can wait, until it contains a whole document.
  ///
  /// - Parameters:
  ///   - stamp: the state of the file before it is read; after the call, that of the last read.
  ///   - waits: whether to read again.
  /// - Throws: ``StoreError``.
  private func document(_ stamp: inout FileStamp?, waits: Bool) throws -> JSONDocument {
    let bytes = try WholeFile.readJSON(filePath, shownPath: path)
    if !bytes.isEmpty {
      do { return try document(of: bytes) } catch {
        guard waits, isChanging(since: stamp) else { throw error }
      }
    }
    for _ in 0..<(waits ? JSONEntryStore.looks : 0) {
      usleep(JSONEntryStore.pause)
      stamp = FileStamp(path: filePath)
      let bytes = try WholeFile.readJSON(filePath, shownPath: path)
      if !bytes.isEmpty, let document = try? document(of: bytes) { return document }
    }
    let now = try WholeFile.readJSON(filePath, shownPath: path)
    guard now.isEmpty else { return try document(of: now) }
    throw seen == nil && !creates ? StoreError.empty(at: path) : StoreError.emptied(at: path)
  }

  /// Whether another program is writing the file in place, so that a part of it is missing.
  private func isChanging(since stamp: FileStamp?) -> Bool {
    usleep(3 * JSONEntryStore.pause)
    return FileStamp(path: filePath) != stamp
  }

  /// The maximum number of reads of an empty file, and the microseconds between two.
  private static let looks = 100
  private static let pause: UInt32 = 10_000

  private func document(of bytes: [UInt8]) throws -> JSONDocument {
    try JSONDocument(bytes, shownPath: path)
  }

  private func save(_ db: Database, hasForgotten: Bool) throws {
    var next = mirror
    try next.follow(db, hasForgotten: hasForgotten)
    try save(&next, db)
    mirror = next
  }

  private func save(_ db: Database) throws {
    var next = mirror
    try save(&next, db)
    mirror = next
  }

  private func save(_ mirror: inout JSONMirror, _ db: Database) throws {
    let bytes = try mirror.document(db)
    // Programs that do not know the lock may have written meanwhile.
    guard FileStamp(path: filePath) == seen else {
      throw StoreError(
        .changedMeanwhile, at: path, "another program changed the file meanwhile; try again")
    }
    seen = try WholeFile.replace(filePath, with: bytes, shownPath: path)
  }
}

// MARK: - Other processes and upkeep

extension JSONEntryStore {
  package func beginWatching() {
    if watcher == nil { watcher = ChangeWatcher(watching: filePath) }
  }

  /// Readable when another process may have written the file.
  package var changeDescriptor: Int32? { watcher?.descriptor }

  /// Checks whether another process wrote the file, and calls the observers if so.
  ///
  /// - Throws: ``StoreError`` when the file is no longer a journal; the last good state stays.
  package func refresh() throws -> Refresh {
    let isDue = watcher?.takeEvents() ?? true
    guard FileStamp(path: filePath) != nil else { return Refresh(place: .removed) }
    guard isDue || toldSequence != mirror.sequence else { return Refresh() }
    do {
      try load(isFirst: false)
    } catch let error as StoreError {
      // An editor that writes in place may be unfinished; only the last check's failure counts.
      guard let retry = watcher?.looked(found: false) else { throw error }
      return Refresh(retryAfter: retry)
    }
    let changed = tell()
    return Refresh(changed: changed, retryAfter: watcher?.looked(found: changed))
  }

  package func prepareSearch(for grouping: Grouping) throws {
    try tables.prepareSearch(for: grouping)
  }

  /// Writes a copy of the journal into a new file that only its owner can read, and verifies it.
  @discardableResult
  package func backup(
    to copy: String, replacing: Bool, attendance: WorkAttendance
  ) throws -> [String] {
    var damage: [String] = []
    let isThere = access(copy, F_OK) == 0
    let bytes = try WholeFile.readJSON(filePath, shownPath: path)
    try FreshFile(copy, replacing: replacing).make { temporary in
      guard !bytes.isEmpty else { throw StoreError.empty(at: path) }
      try WholeFile.write(bytes, to: temporary, shownPath: copy)
      let document = try JSONDocument(
        WholeFile.read(temporary, shownPath: copy), shownPath: copy, attendance)
      damage = try JSONExamination.findings(document, attendance)
        .filter { $0.remedy == .person }.map(\.text)
      if isThere, let first = damage.first { throw StoreError.damagedSource(first, at: path) }
    }
    return damage
  }

  /// Reads the file again and compares each entry with its checksum.
  package func check(_ attendance: WorkAttendance) throws -> [String] {
    let bytes = try WholeFile.readJSON(filePath, shownPath: path)
    if bytes.isEmpty { throw StoreError.empty(at: path) }
    let document = try JSONDocument(bytes, shownPath: path, attendance)
    return try JSONExamination.findings(document, attendance).map(\.text)
  }
}

extension StoreError {
  /// A JSON journal that another program may be rewriting in place.
  fileprivate static func emptied(at path: String) -> StoreError {
    StoreError(
      .damaged, at: path,
      "the file is empty; if no other program is writing it, restore a backup, or remove it and"
        + " begin a new journal")
  }
}
