import CStore
import GRDB
import Glibc
import Journal
import Synchronization

/// Connects to a journal's file and makes sure that it is one.
struct Opening {
  let file: JournalFile
  let place: String
  let isReadOnly: Bool
  var migrations = Schema.migrations
  /// Whether a journal is made in an empty file.
  var fillsEmptyFile = false
  /// Called for work that takes long; `nil` for nobody.
  var observer: UpgradeObserver?

  /// Opens the connection with the settings that durability rests on.
  func connect() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = Opening.waiting(for: file.path)
    configuration.label = "journal"
    let (place, isReadOnly) = (place, isReadOnly)
    configuration.prepareDatabase { db in
      try Opening.configure(db)
      if !isReadOnly { try Opening.truncateJournal(db, place: place) }
    }
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  /// Connects to an empty journal in memory.
  ///
  /// - Throws: `DatabaseError` when there is no memory.
  static func memory() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "journal"
    configuration.prepareDatabase(configure)
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.inTransaction(.immediate) { db in
      try run(Schema.migrations[...], db)
      return .commit
    }
    return queue
  }

  /// Waits for another process's lock to go, until the ``BusyTimeout``.
  ///
  /// SQLite's own waits soon are longer than a commit, so that a screen would show one late.
  static func waiting(for path: String) -> Database.BusyMode {
    // The callback may run on a queue of its own, which knows no current attendant.
    let attendant = BusyAttendant.current
    let timeout = Mutex(BusyTimeout(for: path, attendant: attendant))
    return .callback { attempts in
      timeout.withLock { timeout in
        if attempts == 0 { timeout = BusyTimeout(for: path, attendant: attendant) }
        return timeout.wait()
      }
    }
  }

  /// Sets what must hold for each connection.
  ///
  /// `trusted_schema=OFF` is possible because our triggers call no function that a file could abuse.
  private static func configure(_ db: Database) throws {
    try db.execute(
      sql: """
        PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;
        PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8000; PRAGMA recursive_triggers=OFF;
        PRAGMA synchronous=FULL;
        """)
    // FTS5 writes to its own tables all the same; other SQL has no business there.
    if let connection = db.sqliteConnection {
      _ = daybook_sqlite_set_defensive(UnsafeMutableRawPointer(connection), 1)
    }
  }

  /// Has SQLite keep its rollback journal, empty, between commits; a write-ahead log is put back.
  private static func truncateJournal(_ db: Database, place: String) throws {
    let mode: String?
    do {
      mode = try String.fetchOne(db, sql: "PRAGMA journal_mode=TRUNCATE")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw writeAheadLog(place)
    }
    guard mode == "truncate" else { throw writeAheadLog(place) }
  }

  private static func writeAheadLog(_ place: String) -> StoreError {
    StoreError(
      .writeAheadLog, at: place,
      "another program uses it, perhaps with a write-ahead log; close that program and try again")
  }

  /// Makes an empty file a journal, brings an old one up to date, and refuses a strange one.
  ///
  /// - Returns: what should be said about it.
  func prepare(_ queue: DatabaseQueue) throws -> [String] {
    if file.hasRollbackJournal { try checkPages(queue) }
    let state = try queue.read(state)
    if state.isEmpty {
      guard fillsEmptyFile, !isReadOnly else { throw StoreError.empty(at: place) }
      let isMade = try migrate(queue)
      return isMade ? ["\(place): the file was empty; a new journal was made in it"] : []
    }
    guard state.applicationID == Schema.applicationID else {
      throw StoreError(
        .foreignDatabase, at: place, "another program's database; choose another file")
    }
    if state.version > migrations.count {
      guard isReadOnly else { throw StoreError.newer(Int32(clamping: state.version), at: place) }
      return ["\(place): made by a newer daybook; it may hold more than is shown"]
    }
    guard state.version < migrations.count else {
      try queue.read { try checkSchema($0) }
      return try renewIndex(queue)
    }
    try queue.read { try checkOlder($0, state.version) }
    return try upgrade(queue, from: state.version)
  }

  private func upgrade(_ queue: DatabaseQueue, from version: Int) throws -> [String] {
    guard !isReadOnly else {
      throw StoreError(
        .needsRecovery, at: place, "made by an older daybook; open it once for writing")
    }
    let copy = Opening.free("\(file.path).before-\(version + 1)")
    try observed(.upgrade, queue) {
      try FreshFile(copy, replacing: false).make { temporary in
        try SQLiteEntryStore.copy(queue, to: temporary, place: copy)
      }
      do {
        try migrate(queue)
      } catch {
        // The journal is still what the copy is of.
        unlink(copy)
        throw error
      }
    }
    // An older program may have folded words differently; the note below says enough of it.
    _ = try renewIndex(queue)
    return ["\(place): brought up to date; the old journal is kept as \(copy)"]
  }

  /// A path at which nothing stands: a program that was killed meanwhile left its copy there.
  private static func free(_ path: String) -> String {
    var (candidate, count) = (path, 1)
    while access(candidate, F_OK) == 0 {
      count += 1
      candidate = "\(path)-\(count)"
    }
    return candidate
  }

  /// Runs `body`; the observer may cancel it.
  private func observed(
    _ work: UpgradeObserver.Work, _ queue: DatabaseQueue, _ body: () throws -> Void
  ) throws {
    guard let observer else { return try body() }
    guard try queue.cancellable(observer.begins(work), body) != nil else { throw GivenUp() }
  }

  /// Runs what is missing of the migrations in one transaction, the version number last.
  ///
  /// The state is read again inside: another process may have been faster.
  ///
  /// - Returns: whether the file was empty.
  @discardableResult
  private func migrate(_ queue: DatabaseQueue) throws -> Bool {
    var wasEmpty = false
    try queue.inTransaction(.immediate) { db in
      let state = try state(db)
      wasEmpty = state.isEmpty
      guard state.isEmpty || state.applicationID == Schema.applicationID else {
        throw StoreError(.foreignDatabase, at: place, "another program's database")
      }
      guard (0...migrations.count).contains(state.version) else {
        throw StoreError.wrongVersion(Int32(clamping: state.version), at: place)
      }
      try Opening.run(migrations.dropFirst(state.version), db)
      return .commit
    }
    return wasEmpty
  }

  /// Runs migrations up to the last one there is, inside a transaction.
  private static func run(_ migrations: ArraySlice<Migration>, _ db: Database) throws {
    for migration in migrations {
      for statement in migration.statements { try db.execute(sql: statement) }
    }
    for migration in migrations { try migration.finish(db) }
    try db.execute(sql: "PRAGMA application_id=\(Schema.applicationID)")
    try db.execute(sql: "PRAGMA user_version=\(migrations.endIndex)")
  }

  /// Rebuilds the index of words when another version of this program folded them differently.
  private func renewIndex(_ queue: DatabaseQueue) throws -> [String] {
    guard !isReadOnly, try !queue.inDatabase({ try SearchIndex(db: $0).isCurrent() }) else {
      return []
    }
    try observed(.searchIndex, queue) {
      try queue.inTransaction(.immediate) { db in
        try ExternalChanges.adopt(db, at: WallClock.system.moment())
        try SearchIndex(db: db).rebuild()
        return .commit
      }
    }
    return ["\(place): the search index was rebuilt for this version of daybook"]
  }

  /// Looks quickly for pages that make no sense.
  ///
  /// - Throws: ``StoreError/Kind/damaged``.
  func checkPages(_ queue: DatabaseQueue) throws {
    let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    if let answer, answer != "ok" { throw StoreError.damaged(answer, at: place) }
  }

  private struct State {
    var version: Int
    var applicationID: Int32
    var isEmpty: Bool
  }

  private func state(_ db: Database) throws -> State {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let hasObjects = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema)")
    return State(
      version: version, applicationID: applicationID,
      isEmpty: version == 0 && applicationID == 0 && hasObjects == false)
  }
}

// MARK: - Schema

extension Opening {
  /// Compares the file's schema with ours: a trigger or view that somebody slipped in would run with
  /// every write.
  ///
  /// - Throws: ``StoreError`` naming the first object that is not ours, or that is missing.
  func checkSchema(_ db: Database) throws {
    var missing = Schema.objects
    try db.forEach("SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL") { row in
      let name = row.text(0)
      if missing.remove(row.text(1)) == nil, !Schema.isInternal(kind: row.text(2), name: name) {
        throw try refusal(db)
      }
    }
    if !missing.isEmpty { throw try refusal(db) }
  }

  /// The doctor's worst finding about the schema, so that both advise the same.
  private func refusal(_ db: Database) throws -> StoreError {
    let findings = try SchemaExamination(db: db).run().findings
    let worst = findings.first { $0.remedy == .salvage } ?? findings.first
    let text = worst?.text ?? "the schema is not that of this program"
    // `the table entry_tag is missing`
    let name = String(text.split(separator: " ").dropFirst(2).first ?? "")
    let what = worst?.remedy == .person ? "unexpected schema object \(name)" : text
    return StoreError(
      .unexpectedSchema(name), at: place,
      "\(what); \(worst?.cure ?? "daybook doctor says what can be done")")
  }

  /// Refuses a journal whose header says an older version than its tables are of, or one that never
  /// was: what brings old journals up to date would fail in it, after copying the file.
  ///
  /// - Throws: ``StoreError/Kind/damaged``.
  func checkOlder(_ db: Database, _ version: Int) throws {
    guard try version < 1 || Schema.isAhead(of: version, db, migrations) else { return }
    let lacksTables = try SchemaExamination(db: db).run().lacksTables
    let finding = Finding.wrongVersion(Int32(clamping: version), lacksTables: lacksTables)
    throw StoreError.wrongVersion(Int32(clamping: version), at: place, cure: finding.cure)
  }
}

// MARK: - Long work

/// Observes an opening that takes more than opening the file, and may cancel it.
///
/// A journal of an older version is brought up to date when it is opened, which takes minutes for a
/// million entries. Given up, it stays as it was, and opening throws ``GivenUp``.
package struct UpgradeObserver {
  /// The kinds of long work.
  package enum Work: Hashable, Sendable {
    /// The journal of an older version is copied and brought up to date.
    case upgrade
    /// The index of words is rebuilt.
    case searchIndex
  }

  /// Called when work begins; returns a closure that says whether to give up.
  ///
  /// That one is called every few tens of microseconds meanwhile, and must not touch the journal.
  package var begins: (Work) -> () -> Bool

  package init(_ begins: @escaping (Work) -> () -> Bool) {
    self.begins = begins
  }
}

/// Work was cancelled; the journal is as it was.
package struct GivenUp: Error {
  package init() {}
}
