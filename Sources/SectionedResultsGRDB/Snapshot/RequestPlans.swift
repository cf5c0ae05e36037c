// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults
import SectionedResultsSQL

/// A store's knowledge of its schema: the source, and the requests that were checked and have an index.
///
/// Valid for one version of the schema.
final class RequestPlans {
  let source: ResultsSource
  private let version: Int64
  private let configuration: Configuration
  /// The filters that were checked, and whether they search.
  private var checked: [SQLCondition?: Bool] = [:]
  /// The numbers of matches that searches had.
  private var matches: [SQLCondition: Int] = [:]
  private var ordered: [String: Bool] = [:]

  private var earlier: PastDatabase?

  init(source: ResultsSource, version: Int64, _ configuration: Configuration) {
    self.source = source
    self.version = version
    self.configuration = configuration
  }

  /// The plans for a description whose logs are installed; `nil` if one is missing or outdated.
  init?(
    installedFor description: ResultsSource.Description, _ db: Database,
    _ configuration: Configuration
  ) throws {
    for table in try Self.tables(of: description, db)
    where try !ChangeLog.isInstalled(table, db) {
      return nil
    }
    source = try ResultsSource(db, description)
    version = try ChangeLog.schemaVersion(db)
    self.configuration = configuration
  }

  /// The tables whose changes are logged.
  static func tables(
    of description: ResultsSource.Description, _ db: Database
  ) throws -> [TrackedTable] {
    [try description.mainTable(db)]
      + (try description.allRelated(db).map { try TrackedTable(db, name: $0.table) })
  }

  /// Whether the schema is still the one that these plans were made for.
  func isValid(_ db: Database) throws -> Bool { try ChangeLog.schemaVersion(db) == version }

  /// The SQL of a request, after a check of the tables that it reads.
  ///
  /// - Throws: `GRDBResultsError`, or GRDB's `DatabaseError`.
  func sql<Record>(
    _ request: ResultsRequest<Record>, _ db: Database
  ) throws -> RequestSQL<Record> {
    var sql = try RequestSQL(request, source)
    guard source.select != nil || sql.filter != nil else { return sql }
    if let searches = checked[sql.filter] {
      sql.searches = searches
      return sql
    }
    sql.searches = try source.check(sql.filter, db)
    if checked.count > 1_000 { checked.removeAll() }
    checked[sql.filter] = sql.searches
    return sql
  }

  /// The number of matches when a search was last made; `nil` if it was not.
  func matches(of filter: SQLCondition?) -> Int? { filter.flatMap { matches[$0] } }

  /// Notes the number of matches of a search.
  func note(_ count: Int, of filter: SQLCondition?) {
    if matches.count > 1_000 { matches.removeAll() }
    if let filter { matches[filter] = count }
  }

  /// The database of earlier rows for requests that search.
  func pastDatabase() throws -> PastDatabase {
    if let earlier { return earlier }
    let made = try PastDatabase(source, configuration)
    earlier = made
    return made
  }

  /// Whether SQLite reads the first keys of a request in order, without sorting.
  func isOrdered<Record>(
    _ sql: RequestSQL<Record>, keys count: Int, _ db: Database
  ) throws -> Bool {
    let rows = sql.rows(RangePart())
    let order = sql.keys.prefix(count).map(\.term).joined(separator: ", ")
    let statement = "SELECT \(sql.keyColumns) \(rows.sql) ORDER BY \(order)"
    if let known = ordered[statement] { return known }
    let plan = try GRDB.Row.fetchAll(
      db, sql: "EXPLAIN QUERY PLAN \(statement)", arguments: rows.arguments)
    let isOrdered = !plan.contains { ($0["detail"] as String).contains("B-TREE") }
    if ordered.count > 1_000 { ordered.removeAll() }
    ordered[statement] = isOrdered
    return isOrdered
  }
}
