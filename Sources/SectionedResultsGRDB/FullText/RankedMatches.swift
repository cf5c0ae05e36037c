// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

extension GRDBResultsStore {
  /// The identities of a search's rows, the best match first: a snapshot of the ranks at this moment.
  ///
  /// A rank by `bm25` depends on the number and the length of all documents, so every write changes that of
  /// every match. A list that followed it would search again after each commit, and move rows that nobody wrote.
  /// Keep this order until the user searches again, and let a controller of the same filter tell which rows have
  /// changed or match no longer.
  ///
  /// - Parameters:
  ///   - request: a request whose filter has a search; the first one ranks. Its sort keys, sections, limit and
  ///     offset do not matter.
  ///   - weights: the weight of each column of the FTS5 table; 1 for columns without one.
  ///   - limit: the largest number of rows; `nil` for all.
  /// - Returns: identities without repetition; rows of equal rank in the order of their identities.
  /// - Throws: `GRDBResultsError.notLive` for a request without a search, or another `GRDBResultsError`, or GRDB's
  ///   `DatabaseError`.
  public func ranked(
    _ request: ResultsRequest<Record>, weights: [Double] = [], limit: Int? = nil
  ) throws -> [Record.ID] {
    try read { snapshot in
      guard let snapshot = snapshot as? GRDBSnapshot<Record> else { return [] }
      return try snapshot.ranked(request, weights: weights, limit: limit)
    }
  }
}

extension GRDBSnapshot {
  fileprivate func ranked(
    _ request: ResultsRequest<Record>, weights: [Double], limit: Int?
  ) throws -> [Record.ID] {
    guard var rest = request.filter?.condition, let match = rest.matches.first else {
      throw GRDBResultsError.notLive("a request without a search has no ranks")
    }
    // The request is checked as it is.
    _ = try plan.sql(request, db)
    let source = plan.source
    let index = try source.index(of: match)
    rest.matches.removeFirst()
    let condition = try source.plain(rest, byRow: true)
    let rank = (["\(index.quoted)"] + weights.map { "\($0)" }).joined(separator: ", ")
    let key = source.identity(of: source.main.quoted + ".")
    let sql = """
      SELECT \(key) FROM (
        SELECT rowid AS results_rowid, bm25(\(rank)) AS results_rank FROM \(index.quoted)
        WHERE \(index.quoted) MATCH ?) AS results_ranked
      JOIN \(source.from) ON \(source.main.quoted).\(index.column.quotedIdentifier) = results_rowid
      WHERE (\(condition.sql)) ORDER BY results_rank, \(key) LIMIT ?
      """
    let arguments =
      [match.pattern.databaseValue] + source.arguments + condition.arguments
      + [Int64(limit ?? -1).databaseValue]
    return try DatabaseValue.fetchAll(db, sql: sql, arguments: StatementArguments(arguments)).map {
      guard let id = Record.ID.fromDatabaseValue($0) else {
        throw GRDBResultsError.fieldDiffersFromColumn(
          field: key, value: "a \(Record.ID.self)",
          column: SortValue(databaseValue: $0).description)
      }
      return id
    }
  }
}
