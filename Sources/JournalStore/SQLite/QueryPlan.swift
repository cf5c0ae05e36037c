import GRDB

/// Tells how SQLite would run a statement.
enum QueryPlan {
  /// The plan, a line a step.
  static func of(
    _ sql: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> String {
    try SQLRow.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments)
      .map { $0[3] as String }.joined(separator: "\n")
  }
}
