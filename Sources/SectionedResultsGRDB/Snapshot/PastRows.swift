// SPDX-License-Identifier: MIT

import GRDB

/// The rows that a range of changes affected, as a source has them after a given change.
///
/// Common table expressions with the names of the tables take their places, so that the same
/// `SELECT` and filter read earlier rows. They contain the affected rows and those these depend on.
struct PastRows {
  let source: ResultsSource
  let filter: SQLCondition?

  /// The statement.
  ///
  /// Its first arguments are three change numbers: the range's exclusive start and its end, and the
  /// last change that the rows include.
  var sql: String {
    let expressions = [range] + affected + states
    let condition = filter.map { "(\($0.sql))" } ?? "1"
    return """
      WITH \(expressions.joined(separator: ",\n")) SELECT * FROM \(source.from) WHERE \(condition)
      """
  }

  /// A statement about the affected rows at the present state; its first arguments are the three numbers.
  func affecting(_ statement: String) -> String {
    "WITH \(([range] + affected).joined(separator: ",\n")) \(statement)"
  }

  /// The condition that a row is affected.
  var isAffected: String { "\(source.key) IN results_affected_0" }

  /// The statement that reads the rows of a table at the state; its arguments are the three numbers.
  ///
  /// - Parameter place: the index of the table in the source.
  func contents(of place: Int) -> String {
    let table = source.tables[place]
    let expressions = [range] + affected + states
    return """
      WITH \(expressions.joined(separator: ",\n")) SELECT \(list(table.logged)) FROM \(table.quoted)
      """
  }

  func arguments(after start: Int64, upTo end: Int64, at state: Int64) -> StatementArguments {
    StatementArguments(
      [start.databaseValue, end.databaseValue, state.databaseValue] + source.arguments
        + (filter?.arguments ?? []))
  }

  private var range: String { "results_range(first, last, state) AS (VALUES (?, ?, ?))" }
  private let first = "(SELECT first FROM results_range)"
  private let last = "(SELECT last FROM results_range)"
  private let state = "(SELECT state FROM results_range)"

  init(source: ResultsSource, filter: SQLCondition?) {
    self.source = source
    self.filter = filter
  }

  // MARK: - The affected rows

  /// The identities of the affected rows of each table, tables without dependents first.
  private var affected: [String] {
    source.tables.indices.reversed().map { index in
      let table = source.tables[index]
      let keys = list(table.key)
      var parts = [
        "SELECT \(keys) FROM main.\(table.log) WHERE results_seq > \(first) AND results_seq <= \(last)"
      ]
      for (child, related) in source.related.enumerated() {
        for link in related.links where link.parent == index {
          parts += dependents(of: child, link, table)
        }
        if related.links.isEmpty, index == 0 { parts += everything(ifChanged: related.table) }
      }
      return "results_affected_\(index) AS (\(parts.joined(separator: " UNION ")))"
    }
  }

  /// The rows of a table that had or have the value of an affected row of a related table.
  ///
  /// All versions since the start of the range are taken together: a row too many has equal images.
  private func dependents(
    of child: Int, _ link: ResultsSource.Link, _ table: TrackedTable
  ) -> [String] {
    let related = source.related[child].table
    let isAffected = "(\(list(related.key))) IN results_affected_\(child + 1)"
    let values = """
      SELECT \(link.column.quoted) AS value FROM main.\(related.quoted) WHERE \(isAffected) UNION \
      SELECT \(link.column.quoted) FROM main.\(related.log) \
      WHERE results_seq > \(first) AND \(isAffected)
      """
    return versions(of: table, where: equal(link.parentColumn, values, link))
  }

  /// The condition that a column has one of some values.
  ///
  /// It holds in any way in which the `SELECT` may compare the columns of a link: with the collation of
  /// either one, and by `IS`. A row too many is harmless.
  private func equal(
    _ column: TrackedTable.Column, _ values: String, _ link: ResultsSource.Link
  ) -> String {
    var conditions = link.collations.sorted().map {
      "\(column.quoted) COLLATE \($0) IN (\(values))"
    }
    if conditions.isEmpty { conditions = ["\(column.quoted) IN (\(values))"] }
    if link.mayBeNull {
      conditions.append(
        "\(column.quoted) IS NULL AND EXISTS (SELECT 1 FROM (\(values)) WHERE value IS NULL)")
    }
    return "(" + conditions.joined(separator: " OR ") + ")"
  }

  private func everything(ifChanged related: TrackedTable) -> [String] {
    versions(
      of: source.main,
      where: """
        EXISTS (SELECT 1 FROM main.\(related.log) \
        WHERE results_seq > \(first) AND results_seq <= \(last))
        """)
  }

  private func versions(of table: TrackedTable, where condition: String) -> [String] {
    [
      "SELECT \(list(table.key)) FROM main.\(table.quoted) WHERE \(condition)",
      """
      SELECT \(list(table.key)) FROM main.\(table.log) \
      WHERE results_seq > \(first) AND \(condition)
      """,
    ]
  }

  // MARK: - The tables at the state

  private var states: [String] {
    var result = [
      rows(of: source.main, where: isAffected)
    ]
    for related in source.related {
      let conditions = related.links.map { link in
        let parent = source.tables[link.parent]
        let values = "SELECT \(link.parentColumn.quoted) AS value FROM \(parent.quoted)"
        return equal(link.column, values, link)
      }
      let any = conditions.isEmpty ? "1" : "(" + conditions.joined(separator: " OR ") + ")"
      result.append(rows(of: related.table, where: any))
    }
    return result
  }

  /// The rows of a table at the state: a row is its first line in the log after the state, or the
  /// present row if there is none.
  private func rows(of table: TrackedTable, where condition: String) -> String {
    let columns = list(table.logged)
    func same(_ left: String, _ right: String) -> String {
      table.key.map { "\(left).\($0.quoted) IS \(right).\($0.quoted)" }.joined(separator: " AND ")
    }
    return """
      \(table.quoted) AS (
        SELECT \(columns) FROM main.\(table.quoted) AS present WHERE \(condition) AND NOT EXISTS (
          SELECT 1 FROM main.\(table.log) AS later
          WHERE \(same("later", "present")) AND later.results_seq > \(state))
        UNION ALL
        SELECT \(columns) FROM main.\(table.log) AS line
        WHERE results_existed AND results_seq > \(state) AND \(condition) AND NOT EXISTS (
          SELECT 1 FROM main.\(table.log) AS earlier
          WHERE \(same("earlier", "line")) AND earlier.results_seq > \(state)
            AND earlier.results_seq < line.results_seq))
      """
  }

  private func list(_ columns: [TrackedTable.Column]) -> String {
    columns.map(\.quoted).joined(separator: ", ")
  }
}
