import GRDB

/// Looks whether the change log and the numbers fit together.
struct HistoryExamination {
  let db: Database

  func findings() throws -> [Finding] {
    try clock() + sequences() + steps()
  }

  private func clock() throws -> [Finding] {
    let isRight = try Bool.fetchOne(
      db,
      sql: "SELECT count(*) = 1 AND ifnull(max(id), 0) = 1 AND max(change_set) IS NULL FROM clock")
    return isRight == true ? [] : [Finding("a change was left open in the change log", .mending)]
  }

  private func sequences() throws -> [Finding] {
    try Numbering.highest.compactMap { counter in
      let highest = try Int64.fetchOne(db, sql: counter.sql) ?? 0
      let next = try Numbering.next(of: counter.table, db) ?? 0
      if highest >= Numbering.limit {
        return Finding("the numbers of \(counter.table) are used up", .salvage)
      }
      guard next >= Numbering.limit || next < highest else { return nil }
      return Finding(
        next < highest
          ? "the numbers of \(counter.table) would be given twice"
          : "the numbers of \(counter.table) are used up", .mending)
    }
  }

  /// The steps whose lines in the log are not those they name, with what their lines are.
  static let wrongSteps = """
    SELECT s.id, ifnull(c.low, 0), ifnull(c.high, 0) FROM change_set AS s LEFT JOIN (
        SELECT change_set, min(seq) AS low, max(seq) AS high FROM change GROUP BY change_set
      ) AS c ON c.change_set = s.id
    WHERE s.first_seq IS NOT c.low OR s.last_seq IS NOT c.high ORDER BY s.id
    """

  /// The steps that lines in the log name, and that are not there.
  static let missingSteps = """
    SELECT DISTINCT change_set FROM change
    WHERE typeof(change_set) = 'integer' AND change_set NOT IN (SELECT id FROM change_set)
    ORDER BY change_set
    """

  private func steps() throws -> [Finding] {
    let wrong = try Int64.fetchAll(db, sql: "SELECT id FROM (\(HistoryExamination.wrongSteps))")
    let missing = try Int64.fetchAll(db, sql: HistoryExamination.missingSteps)
    return wrong.map {
      Finding("step \($0) of the change log has not the lines it names", .mending)
    }
      + missing.map { Finding("step \($0) of the change log is missing", .mending) }
  }
}
