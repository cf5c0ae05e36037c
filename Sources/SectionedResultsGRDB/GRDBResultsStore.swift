// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import GRDBSQLite
import SectionedResults

/// A store over a table of an SQLite database, or over a `SELECT` that joins several.
///
/// ```swift
/// struct Item: ResultsRow, Codable, FetchableRecord {
///   var id: Int64
///   var feed: String
///   var published: Date
/// }
///
/// let store = try GRDBResultsStore<Item>(queue, table: "item")
/// let controller = try ResultsController(
///   request: ResultsRequest(
///     sortKeys: [SortKey(\.feed), SortKey(\.published, .descending)], sections: \.feed),
///   store: store)
/// ```
///
/// The fields of a request are the columns with their names. An index on the sort columns makes
/// every read a seek.
///
/// Opening a store installs triggers that log each change of the table, by any program. It adds the
/// tables `grdb_results_clock`, `grdb_results_table` and `grdb_results_log_…`, which GRDB's
/// `DatabaseMigrator` does not take for a change of the schema; ``removeLogs(from:)`` removes them.
///
/// A store, its controllers and their callbacks belong to one thread or actor. Writes of other threads
/// and connections do not call it: they call the `wakeUp` closure, on any thread, and the owner then
/// calls ``checkForChanges()``.
public final class GRDBResultsStore<Record>: ResultsStore
where
  Record: ResultsRow & FetchableRecord, Record.ID: DatabaseValueConvertible,
  Record.Filter: SQLFilter, Record.SortField == ResultsField<Record>,
  Record.SectionField == ResultsField<Record>
{
  /// The rows.
  public typealias Row = Record

  /// The database.
  public let writer: any DatabaseWriter
  /// The least number of changes that pruning leaves in the log.
  ///
  /// A controller without a listener, or one that failed, can catch up as long as the log contains the
  /// changes since its state; then it throws `ResultsError.historyLost`. The log grows to twice as
  /// many.
  public var keptChanges: Int64 = 10_000

  /// The listeners to commits, called in ``write(_:)`` and ``checkForChanges()``.
  public let commitObservers = CommitObservers<Record>()

  private let description: ResultsSource.Description
  private(set) var plan: RequestPlans
  private let watch: CommitWatch
  private let file: String
  private var polling: Task<Void, Never>?
  private var announced: StoreStamp
  private var prunedTo: Int64
  private var current: GRDBSnapshot<Record>?
  private var isWriting = false

  /// Opens a store over a table, and installs or migrates its change log.
  ///
  /// - Parameters:
  ///   - writer: a `DatabaseQueue` or `DatabasePool`.
  ///   - table: a table with a primary key; if it has several columns, rows have a ``CompositeID``.
  ///   - select: a `SELECT` that returns each row of the table at most once, with its primary key;
  ///     `nil` for the columns of the table.
  ///   - related: the other tables that `select` and the filters read.
  ///   - periods: columns to add: the days, weeks, months or years of dates.
  ///   - fullText: the FTS5 tables that the filters search.
  ///   - interval: the time between two looks at the database for commits of other processes; `nil`
  ///     if the owner calls ``checkForChanges()`` often enough.
  ///   - wakeUp: called on any thread when ``checkForChanges()`` has something to do.
  /// - Throws: `GRDBResultsError`, or GRDB's `DatabaseError`.
  public init(
    _ writer: any DatabaseWriter, table: String, select: SQLCondition? = nil,
    related: [RelatedTable] = [], periods: [PeriodColumn] = [],
    fullText: [FullTextTable] = [], checkEvery interval: Duration? = nil,
    wakeUp: @escaping @Sendable () -> Void = {}
  ) throws {
    self.writer = writer
    description = ResultsSource.Description(
      table: table, select: Self.selection(of: table, select, periods), related: related,
      fullText: fullText, isComposite: Record.ID.self == CompositeID.self)
    file = OpenStores.file(of: writer)
    watch = CommitWatch(wakeUp: wakeUp)
    plan = try Self.prepare(writer, description)
    let tables = plan.source.tables
    (announced, prunedTo) = try writer.read {
      (try ChangeLog.stamp($0), try ChangeLog.floor(of: tables, $0) ?? 0)
    }
    watch.note(announced)
    writer.add(transactionObserver: watch, extent: .observerLifetime)
    OpenStores.shared.set(announced.sequence, of: ObjectIdentifier(self), in: file)
    if let interval { poll(every: interval) }
    try pruneIfLong()
  }

  /// The `SELECT` with the periods of its rows; `nil` for the table as it is.
  private static func selection(
    of table: String, _ select: SQLCondition?, _ periods: [PeriodColumn]
  ) -> SQLCondition? {
    guard !periods.isEmpty else { return select }
    let name = table.quotedIdentifier
    let columns = ["\(name).*"] + periods.map(\.selection)
    let from = select.map { "(\($0.sql)) AS \(name)" } ?? name
    return SQLCondition(
      "SELECT \(columns.joined(separator: ", ")) FROM \(from)", select?.arguments ?? [])
  }

  deinit {
    polling?.cancel()
    OpenStores.shared.set(nil, of: ObjectIdentifier(self), in: file)
  }

  /// Runs `body` on one state of the database; inside another read of this store, on its state.
  ///
  /// - Throws: GRDB's `DatabaseError`, `GRDBResultsError`, or the error of `body`.
  ///   `GRDBResultsError.databaseReplaced` when another file has the name of the open database.
  ///   `GRDBResultsError.readInsideWrite` inside ``write(_:)`` of a `DatabaseQueue`.
  public func read<Value>(
    _ body: (any ResultsSnapshot<Record>) throws -> Value
  ) throws -> Value {
    if let current { return try body(current) }
    // A queue is not reentrant.
    if isWriting, writer is DatabaseQueue { throw GRDBResultsError.readInsideWrite }
    for _ in 0..<2 {
      let value: Value? = try consistently { db in
        if db.isReplaced { throw GRDBResultsError.databaseReplaced(file) }
        guard try plan.isValid(db) else { return nil }
        let stamp = try ChangeLog.stamp(db)
        watch.note(stamp)
        let snapshot = GRDBSnapshot<Record>(db: db, plan: plan, watch: watch, present: stamp)
        current = snapshot
        defer { current = nil }
        return try body(snapshot)
      }
      if let value { return value }
      // Another connection has changed the schema.
      plan = try Self.prepare(writer, description)
    }
    throw ResultsError.inconsistentStore("the schema of \(file) changes all the time")
  }

  /// Reads inside one transaction.
  ///
  /// `DatabaseQueue.read` would also switch `PRAGMA query_only` on and off, after which SQLite compiles
  /// every cached statement again, including the triggers of the next write. The transaction is not
  /// GRDB's, which would report it to transaction observers like a commit.
  private func consistently<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let queue = writer as? DatabaseQueue else { return try writer.read(body) }
    return try queue.inDatabase { db in
      let begin = "BEGIN"
      let code = sqlite3_exec(db.sqliteConnection, begin, nil, nil, nil)
      guard code == SQLITE_OK else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: begin)
      }
      // Ends the transaction without a change; it can only fail if an error has ended it already.
      defer { sqlite3_exec(db.sqliteConnection, "ROLLBACK", nil, nil, nil) }
      return try body(db)
    }
  }

  /// Writes in one transaction, and calls the observers before it returns.
  ///
  /// Only on the thread of the store; other threads write to the database as they like. `updates` reads
  /// by its `Database`: it cannot read the store of a `DatabaseQueue`, nor a controller's rows.
  ///
  /// - Throws: the error of `updates`, with nothing written, or GRDB's `DatabaseError`.
  @discardableResult
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    let value = try writer.write { db in
      // Commits of others before this one end here.
      watch.note(try ChangeLog.stamp(db))
      isWriting = true
      defer { isWriting = false }
      return try updates(db)
    }
    // The commit succeeded: an error of the check goes to the observers, which meet it themselves.
    do { try checkForChanges() } catch { commitObservers.notify() }
    return value
  }

  /// Calls the observers if there were commits since the last call: by this process, in other
  /// connections, or by other processes, or if the file was restored from a copy; lists then fetch again.
  ///
  /// Only on the thread of the store, outside of its reads and writes. Without a commit it reads one
  /// row.
  ///
  /// - Returns: whether there were commits.
  /// - Throws: GRDB's `DatabaseError`, or `GRDBResultsError.databaseReplaced`.
  @discardableResult
  public func checkForChanges() throws -> Bool {
    let stamp = try read { try $0.stamp() }
    guard stamp != announced else { return false }
    announced = stamp
    prunedTo = min(prunedTo, stamp.sequence)
    commitObservers.notify()
    OpenStores.shared.set(announced.sequence, of: ObjectIdentifier(self), in: file)
    try pruneIfLong()
    return true
  }

  private func poll(every interval: Duration) {
    polling = Task.detached { [watch, writer] in
      var last: (stamp: StoreStamp, isReplaced: Bool)?
      while !Task.isCancelled {
        // A cancelled sleep ends the loop; a busy database is looked at again.
        try? await Task.sleep(for: interval)
        let before = last
        last =
          (try? await writer.read { db in
            (try watch.look(db, after: before?.stamp), db.isReplaced)
          }) ?? before
        if last?.isReplaced == true, before?.isReplaced != true { watch.wake() }
      }
    }
  }
}

// MARK: - The change log

extension GRDBResultsStore {
  /// Deletes log lines that no open store of this process needs, except the newest ``keptChanges``.
  ///
  /// Stores call it when the log is long. A store of another process whose history is pruned throws
  /// `ResultsError.historyLost`, and its controllers fetch again.
  ///
  /// - Throws: GRDB's `DatabaseError`.
  public func prune() throws {
    let needed = OpenStores.shared.oldest(in: file) ?? announced.sequence
    let end = min(needed, announced.sequence - max(0, keptChanges))
    guard end > prunedTo else { return }
    try writer.write { try ChangeLog.prune(upTo: end, $0) }
    prunedTo = end
    watch.forget(before: end)
  }

  /// Removes the logs of all tables and their triggers; open stores must not be used any more.
  ///
  /// - Throws: GRDB's `DatabaseError`.
  public static func removeLogs(from db: Database) throws {
    try ChangeLog.remove(db)
  }

  private func pruneIfLong() throws {
    guard (announced.sequence - prunedTo) / 2 > keptChanges, !writer.configuration.readonly else {
      return
    }
    do {
      try prune()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Another program writes; the next check prunes.
    }
  }

  /// Reads the schema, and installs the logs if they are missing or outdated.
  private static func prepare(
    _ writer: any DatabaseWriter, _ description: ResultsSource.Description
  ) throws -> RequestPlans {
    let ready = try writer.read {
      try RequestPlans(installedFor: description, $0, writer.configuration)
    }
    if let ready { return ready }
    if writer.configuration.readonly { throw GRDBResultsError.logNeedsWriting }
    return try writer.write { db in
      try ChangeLog.removeFormer(db)
      for table in try RequestPlans.tables(of: description, db)
      where try !ChangeLog.isInstalled(table, db) {
        try ChangeLog.install(table, db)
      }
      return RequestPlans(
        source: try ResultsSource(db, description), version: try ChangeLog.schemaVersion(db),
        writer.configuration)
    }
  }
}
