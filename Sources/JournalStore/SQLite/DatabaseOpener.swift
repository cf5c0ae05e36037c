import CStore
import GRDB
import Glibc
import Journal
import Synchronization

/// Connects to a journal's file and verifies it.
struct DatabaseOpener {
  let file: JournalFile
  let shownPath: String
  let isReadOnly: Bool
  var migrations = Schema.migrations
  /// Whether to create a journal in an empty file.
  var fillsEmptyFile = false
  /// Called for long work; `nil` for no observer.
  var observer: UpgradeObserver?

  /// Opens the connection with the settings for durability.
  func connect() throws -> DatabaseQueue {
    DatabaseOpener.setUp
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = DatabaseOpener.waiting(for: file.path)
    configuration.label = "journal"
    let (shownPath, isReadOnly, isSealed) = (shownPath, isReadOnly, file.seal != nil)
    configuration.prepareDatabase { db in
      try DatabaseOpener.configure(db)
      if isSealed { SealedFiles.reserve(in: db) }
      if !isReadOnly { try DatabaseOpener.truncateJournal(db, shownPath: shownPath) }
    }
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  /// Settings of SQLite itself, once before the first connection.
  private static let setUp: Void = daybook_sqlite_stop_counting_memory()

  /// Connects to an empty journal in memory.
  ///
  /// - Throws: `DatabaseError` when memory is exhausted.
  static func memory() throws -> DatabaseQueue {
    setUp
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

  /// Waits for another process's lock until the ``BusyTimeout``.
  ///
  /// SQLite's own waits become longer than a commit, so that a screen would show one late.
  static func waiting(for path: String) -> Database.BusyMode {
    // The callback may run on a queue of its own, where no task-local attendant is set.
    let attendant = BusyAttendant.current
    let timeout = Mutex(BusyTimeout(for: path, attendant: attendant))
    return .callback { attempts in
      timeout.withLock { timeout in
        if attempts == 0 { timeout = BusyTimeout(for: path, attendant: attendant) }
        return timeout.wait()
      }
    }
  }

  /// Sets the required settings of each connection.
  ///
  /// `trusted_schema=OFF` is possible because our triggers call no function that a file could
  /// abuse.
  private static func configure(_ db: Database) throws {
    try db.execute(
      sql: """
        PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;
        PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8000; PRAGMA recursive_triggers=OFF;
        PRAGMA synchronous=FULL;
        """)
    // FTS5 still writes to its own tables; other SQL must not.
    if let connection = db.sqliteConnection {
      _ = daybook_sqlite_set_defensive(UnsafeMutableRawPointer(connection), 1)
    }
  }

  /// Makes SQLite keep its empty rollback journal between commits; a write-ahead log is converted.
  private static func truncateJournal(_ db: Database, shownPath: String) throws {
    let mode: String?
    do {
      mode = try String.fetchOne(db, sql: "PRAGMA journal_mode=TRUNCATE")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw writeAheadLog(shownPath)
    }
    guard mode == "truncate" else { throw writeAheadLog(shownPath) }
  }

  private static func writeAheadLog(_ shownPath: String) -> StoreError {
    StoreError(
      .writeAheadLog, at: shownPath,
      "another program uses it, perhaps with a write-ahead log; close that program and try again")
  }

  /// Makes a journal in an empty file, upgrades an old one, and rejects a foreign one.
  ///
  /// - Returns: notes for the user.
  func prepare(_ queue: DatabaseQueue) throws -> [String] {
    if file.hasRollbackJournal { try checkPages(queue) }
    let state = try queue.read(state)
    if state.isEmpty {
      guard fillsEmptyFile, !isReadOnly else { throw StoreError.empty(at: shownPath) }
      let isMade = try migrate(queue)
      return isMade ? ["\(shownPath): the file was empty; a new journal was made in it"] : []
    }
    guard state.applicationID == Schema.applicationID else {
      throw StoreError(
        .foreignDatabase, at: shownPath, "another program's database; choose another file")
    }
    if state.version > migrations.count {
      guard isReadOnly else {
        throw StoreError.newer(Int32(clamping: state.version), at: shownPath)
      }
      return ["\(shownPath): made by a newer daybook; it may hold more than is shown"]
    }
    guard state.version < migrations.count else {
      try queue.read { try checkSchema($0) }
      return try renewDerived(queue)
    }
    try queue.read { try checkOlder($0, state.version) }
    return try upgrade(queue, from: state.version)
  }

  private func upgrade(_ queue: DatabaseQueue, from version: Int) throws -> [String] {
    guard !isReadOnly else {
      throw StoreError(
        .needsRecovery, at: shownPath, "made by an older daybook; open it once for writing")
    }
    let copy = DatabaseOpener.free("\(file.path).before-\(version + 1)")
    let attendance = begin(.upgrade)
    try FreshFile(copy, replacing: false).make { temporary in
      try SQLiteEntryStore.copy(
        queue, to: temporary, sealed: SealedCopy(of: queue, shownPath: shownPath), shownPath: copy,
        attendance)
    }
    do {
      attendance.begin("")
      _ = try attendance.run(on: queue) { try migrate(queue, attendance) }
    } catch {
      // The upgrade failed and was rolled back, so the copy is not needed.
      unlink(copy)
      throw error
    }
    // An older program may have found other words and tags; the note below covers that.
    _ = try renewDerived(queue)
    return ["\(shownPath): upgraded; the old journal is kept as \(copy)"]
  }

  /// An unused path: a killed program may have left a copy at this one.
  private static func free(_ path: String) -> String {
    var (candidate, count) = (path, 1)
    while access(candidate, F_OK) == 0 {
      count += 1
      candidate = "\(path)-\(count)"
    }
    return candidate
  }

  private func begin(_ work: UpgradeObserver.Work) -> WorkAttendance {
    observer?.begins(work) ?? WorkAttendance()
  }

  /// Runs the missing migrations in one transaction, the version number last.
  ///
  /// The version is read again inside: another process may have been faster.
  ///
  /// - Returns: whether the file was empty.
  @discardableResult
  private func migrate(
    _ queue: DatabaseQueue, _ attendance: WorkAttendance = WorkAttendance()
  ) throws -> Bool {
    var wasEmpty = false
    try queue.inTransaction(.immediate) { db in
      let state = try state(db)
      wasEmpty = state.isEmpty
      guard state.isEmpty || state.applicationID == Schema.applicationID else {
        throw StoreError(.foreignDatabase, at: shownPath, "another program's database")
      }
      guard (0...migrations.count).contains(state.version) else {
        throw StoreError.wrongVersion(Int32(clamping: state.version), at: shownPath)
      }
      try DatabaseOpener.run(migrations.dropFirst(state.version), db, attendance)
      if !wasEmpty { try DatabaseOpener.retag(db, attendance) }
      // Lists show as many entries as were counted.
      if !wasEmpty, try CountExamination.isPossible(db),
        try !CountExamination(db: db).findings().isEmpty
      {
        try Repair(db: db, moment: WallClock.system.moment(), attendance: attendance).recount()
      }
      return .commit
    }
    return wasEmpty
  }

  /// Runs migrations to the last one, inside a transaction.
  private static func run(
    _ migrations: ArraySlice<Migration>, _ db: Database,
    _ attendance: WorkAttendance = WorkAttendance()
  ) throws {
    for migration in migrations {
      for statement in migration.statements { try db.execute(sql: statement) }
    }
    for migration in migrations { try migration.finish(db, attendance) }
    try db.execute(sql: "PRAGMA application_id=\(Schema.applicationID)")
    try db.execute(sql: "PRAGMA user_version=\(migrations.endIndex)")
  }

  /// Finds the words, the tags, and the links and fields of all texts again, if another version of this
  /// program found them differently.
  private func renewDerived(_ queue: DatabaseQueue) throws -> [String] {
    guard !isReadOnly else { return [] }
    let (hasWords, hasMarks) = try queue.inDatabase { db in
      let version = DerivedVersion(db: db)
      return try (
        Schema.version(of: db) == Schema.version && version.isCurrent(.words),
        !version.isDue(.tags) && !version.isDue(.marks)
      )
    }
    if hasWords, hasMarks { return [] }
    let attendance = begin(hasWords ? .tags : .searchIndex)
    for (part, renew) in [
      (DerivedVersion.Part.tags, DatabaseOpener.retag), (.marks, DatabaseOpener.renewMarks),
    ] {
      do {
        try attendance.run(on: queue) {
          try queue.inTransaction(.immediate) { db in
            try renew(db, attendance)
            return .commit
          }
        }
      } catch let error as DatabaseError where hasWords {
        // A full disk or a writer is no reason not to open a journal that opened before.
        guard DatabaseOpener.isDamage(error) else { return [] }
        try? queue.inTransaction(.immediate) { db in
          try DerivedVersion(db: db).setFailed(part)
          return .commit
        }
      }
    }
    guard !hasWords else { return [] }
    try attendance.run(on: queue) {
      try queue.inTransaction(.immediate) { db in
        try ExternalChanges.adopt(db, at: WallClock.system.moment(), isIndexed: false)
        try SearchIndex(db: db).rebuild(attendance)
        return .commit
      }
    }
    return ["\(shownPath): the search index was rebuilt for this version of daybook"]
  }

  /// Whether pages are inconsistent; where SQLite could not even take back a part of a transaction, it took
  /// back all of it.
  private static func isDamage(_ error: DatabaseError) -> Bool {
    error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_ABORT
  }

  /// Finds the tags of all texts again, if another version of this program found them.
  ///
  /// Damage leaves them as they are, for the doctor: a journal opens as it did before, and later
  /// openings do not try again.
  private static func retag(_ db: Database, _ attendance: WorkAttendance) throws {
    try renew(.tags, db, attendance) { try $0.retag() }
  }

  /// Finds the links and fields of all texts, if another version of this program found them or none did.
  static func renewMarks(_ db: Database, _ attendance: WorkAttendance) throws {
    try renew(.marks, db, attendance) { try $0.remark() }
  }

  /// Finds the files that texts name; damage leaves that to the doctor.
  static func findFiles(_ db: Database, _ attendance: WorkAttendance) throws {
    let repair = Repair(db: db, moment: WallClock.system.moment(), attendance: attendance)
    do {
      try db.inSavepoint {
        try repair.refile()
        return .commit
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {}
  }

  private static func renew(
    _ part: DerivedVersion.Part, _ db: Database, _ attendance: WorkAttendance,
    _ body: (Repair) throws -> Void
  ) throws {
    let version = DerivedVersion(db: db)
    guard try version.isDue(part) else { return }
    let repair = Repair(db: db, moment: WallClock.system.moment(), attendance: attendance)
    do {
      try db.inSavepoint {
        try body(repair)
        return .commit
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      try version.setFailed(part)
    }
  }

  /// Checks quickly for inconsistent pages.
  ///
  /// - Throws: ``StoreError/Kind/damaged``.
  func checkPages(_ queue: DatabaseQueue, _ attendance: WorkAttendance? = nil) throws {
    attendance?.begin("pages")
    let check = { try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } }
    let answer = try attendance.map { try $0.run(on: queue, check) } ?? check()
    if let answer, answer != "ok" { throw StoreError.damaged(answer, at: shownPath) }
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

extension DatabaseOpener {
  /// Compares the file's schema with the expected one: a foreign trigger or view would run with
  /// every write.
  ///
  /// - Throws: ``StoreError`` with the first foreign or missing object.
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

  /// The doctor's worst finding about the schema, so that both give the same advice.
  private func refusal(_ db: Database) throws -> StoreError {
    let findings = try SchemaExamination(db: db).run().findings
    let worst = findings.first { $0.remedy == .salvage } ?? findings.first
    let text = worst?.text ?? "the schema does not belong to this program"
    let name = worst?.object ?? ""
    let what = worst?.remedy == .person ? "unexpected schema object \(name)" : text
    return StoreError(
      .unexpectedSchema(name), at: shownPath,
      Sentence(what), remedy: worst?.cure ?? StoreError.seeDoctor)
  }

  /// Rejects a journal whose header has an older version than its tables, or a version that never
  /// existed: the upgrade would fail after copying the file.
  ///
  /// - Throws: ``StoreError/Kind/damaged``.
  func checkOlder(_ db: Database, _ version: Int) throws {
    guard try version < 1 || Schema.isAhead(of: version, db, migrations) else { return }
    let lacksTables = try SchemaExamination(db: db).run().lacksTables
    let finding = Finding.wrongVersion(Int32(clamping: version), lacksTables: lacksTables)
    throw StoreError.wrongVersion(Int32(clamping: version), at: shownPath, cure: finding.cure)
  }
}

// MARK: - Long work

/// Observes the long work of opening a journal, and may cancel it.
///
/// A journal of an older version is upgraded when it is opened, which takes minutes for a million
/// entries. If it is cancelled, the journal stays unchanged, and opening throws ``GivenUp``.
package struct UpgradeObserver {
  /// The kind of long work.
  package enum Work: Hashable, Sendable {
    /// Copying and upgrading a journal of an older version.
    case upgrade
    /// Rebuilding the full-text index.
    case searchIndex
    /// Finding the tags of all texts again.
    case tags
  }

  /// Called when work begins; returns its attendance.
  package var begins: (Work) -> WorkAttendance

  package init(_ begins: @escaping (Work) -> WorkAttendance) {
    self.begins = begins
  }
}
