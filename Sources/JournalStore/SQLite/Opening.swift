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
  /// Who is told of work that takes long; `nil` for nobody.
  var attendant: OpeningAttendant?

  /// Opens the connection with the settings that durability rests on.
  func connect() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = Opening.waiting(for: file.path)
    configuration.label = "journal"
    let (place, isReadOnly) = (place, isReadOnly)
    configuration.prepareDatabase { db in
      try Opening.configure(db, place: place, isReadOnly: isReadOnly)
    }
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  /// Waits for another process's lock to go, for as long as ``Patience`` lasts.
  ///
  /// SQLite's own waits soon are longer than a commit, so that a screen would show one late.
  static func waiting(for path: String) -> Database.BusyMode {
    // The callback may run on a queue of its own, which knows no current attendant.
    let attendant = BusyAttendant.current
    let patience = Mutex(Patience(for: path, attendant: attendant))
    return .callback { attempts in
      patience.withLock { patience in
        if attempts == 0 { patience = Patience(for: path, attendant: attendant) }
        return patience.wait()
      }
    }
  }

  /// Sets what must hold for each connection.
  ///
  /// `trusted_schema=OFF` is possible because our triggers call no function that a file could abuse.
  private static func configure(_ db: Database, place: String, isReadOnly: Bool) throws {
    try db.execute(
      sql: """
        PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;
        PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8000; PRAGMA recursive_triggers=OFF; PRAGMA synchronous=FULL;
        """)
    // FTS5 writes to its own tables all the same; other SQL has no business there.
    if let connection = db.sqliteConnection {
      _ = daybook_sqlite_set_defensive(UnsafeMutableRawPointer(connection), 1)
    }
    guard !isReadOnly else { return }
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
    try attended(.upgrade, queue) {
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

  /// Does what takes long, as long as whoever is told of it lets it.
  private func attended(
    _ work: OpeningAttendant.Work, _ queue: DatabaseQueue, _ body: () throws -> Void
  ) throws {
    guard let attendant else { return try body() }
    guard try queue.cancellable(attendant.begins(work), body) != nil else { throw GivenUp() }
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
      for migration in migrations.dropFirst(state.version) {
        for statement in migration.statements { try db.execute(sql: statement) }
      }
      for migration in migrations.dropFirst(state.version) { try migration.finish(db) }
      try db.execute(sql: "PRAGMA application_id=\(Schema.applicationID)")
      try db.execute(sql: "PRAGMA user_version=\(migrations.count)")
      return .commit
    }
    return wasEmpty
  }

  /// Makes the index of words anew when another version of this program folded them differently.
  private func renewIndex(_ queue: DatabaseQueue) throws -> [String] {
    guard !isReadOnly, try !queue.inDatabase({ try SearchIndex(db: $0).isCurrent() }) else {
      return []
    }
    try attended(.searchIndex, queue) {
      try queue.inTransaction(.immediate) { db in
        try Settling.settle(db, at: WallClock.system.moment())
        try SearchIndex(db: db).rebuild()
        return .commit
      }
    }
    return ["\(place): the search index was made anew for this version of daybook"]
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
