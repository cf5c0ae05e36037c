// SPDX-License-Identifier: MIT

import GRDB

/// The tables and triggers that log the changes of a table.
///
/// `grdb_results_clock` numbers the changes, and gives each one a random token: two copies of a file that
/// were changed apart agree in numbers, but not in tokens. `grdb_results_log_T` contains rows of a table T
/// as they were *before* a change, each with the number of the change; `results_existed` is 0 for a row
/// that did not exist. A row as it was after change S is its first line after S, or else the row in the
/// table. So the log needs no contents after a change.
///
/// A `REPLACE` deletes rows without a delete trigger, unless `recursive_triggers` is on. Therefore
/// triggers that run *before* an insert or update log every row that conflicts with the new one in
/// a unique index. A line too many, for a statement that then does nothing, is harmless.
///
/// GRDB leaves out objects whose names begin with `grdb_` when it looks for changes of the schema; its
/// `eraseDatabaseOnSchemaChange` would else erase the database at each start.
struct LogSchema {
  let table: TrackedTable

  static let prefix = "grdb_results"
  /// The beginnings of all names in files of earlier versions, whose clocks had no tokens.
  static let formerPrefixes = ["results", prefix]
  private static let clock = "seq INTEGER PRIMARY KEY, token INTEGER NOT NULL"
  private static let formerClock = "id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL"

  /// The tables that all logs of a file share.
  static var shared: [(name: String, sql: String)] { shared(prefix, clock: clock) }

  /// The same tables of an earlier version.
  static func formerShared(_ prefix: String) -> [(name: String, sql: String)] {
    shared(prefix, clock: formerClock)
  }

  private static func shared(_ prefix: String, clock: String) -> [(name: String, sql: String)] {
    [
      ("clock", clock), ("table", "name TEXT PRIMARY KEY NOT NULL, floor INTEGER NOT NULL"),
    ].map { ("\(prefix)_\($0)", "CREATE TABLE \(prefix)_\($0) (\n  \($1))") }
  }

  /// A statement that makes the next number, or several.
  static func tick(_ rows: String = "") -> String {
    "INSERT INTO \(prefix)_clock (token) SELECT random() >> 32\(rows)"
  }

  /// The events of the triggers, in their names.
  static let events = ["inserting", "inserted", "updating", "replacing", "moved", "deleting"]

  /// The name of the table of earlier row contents.
  var log: String { "\(Self.prefix)_log_\(table.name)" }

  /// The log of the table, with the affinities and collations of its columns.
  var tableSQL: String {
    let columns = table.logged.map { "\($0.quoted) \($0.type) COLLATE \($0.collation)" }
    return """
      CREATE TABLE \(log.quotedIdentifier) (results_seq INTEGER PRIMARY KEY, \
      results_existed INTEGER NOT NULL, \(columns.joined(separator: ", ")))
      """
  }

  /// The index on the identity; it ends with the number of the change, which is the row's.
  var indexSQL: String {
    let name = "\(log)_key".quotedIdentifier
    return "CREATE INDEX \(name) ON \(log.quotedIdentifier) (\(keyList()))"
  }

  /// The triggers.
  ///
  /// SQLite runs those created last first. The lines for new rows must come before those of other
  /// triggers that change the new row, so these triggers must be the newest of their table.
  var triggers: [(name: String, sql: String)] {
    [
      trigger("inserting", "BEFORE INSERT", when: conflicting(), logConflicting()),
      trigger("inserted", "AFTER INSERT", logNew()),
      trigger("updating", "BEFORE UPDATE", when: changesLogged, logOld()),
      trigger(
        "replacing", "BEFORE UPDATE", when: changesUnique + conflicting(except: "OLD"),
        logConflicting(except: "OLD")),
      trigger("moved", "AFTER UPDATE", when: changesKey, logNew()),
      trigger("deleting", "BEFORE DELETE", logOld()),
    ]
  }

  // MARK: - Parts of triggers

  private func trigger(
    _ event: String, _ time: String, when condition: String? = nil, _ statements: [String]
  ) -> (name: String, sql: String) {
    let name = "\(Self.prefix)_\(table.name)_\(event)"
    let when = condition.map { " WHEN \($0)" } ?? ""
    return (
      name,
      """
      CREATE TRIGGER \(name.quotedIdentifier) \(time) ON \(table.quoted)\(when)
      BEGIN
        \(statements.joined(separator: ";\n  "));
      END
      """
    )
  }

  private func logOld() -> [String] {
    [
      Self.tick(),
      """
      INSERT INTO \(log.quotedIdentifier) (results_seq, results_existed, \(columnList()))
        VALUES (last_insert_rowid(), 1, \(columnList("OLD.")))
      """,
    ]
  }

  private func logNew() -> [String] {
    [
      Self.tick(),
      """
      INSERT INTO \(log.quotedIdentifier) (results_seq, results_existed, \(keyList()))
        VALUES (last_insert_rowid(), 0, \(keyList("NEW.")))
      """,
    ]
  }

  /// Logs any number of rows, the last of them with the last number.
  private func logConflicting(except row: String? = nil) -> [String] {
    let rows = " FROM \(table.quoted) WHERE \(conflict(except: row))"
    return [
      Self.tick(rows),
      """
      INSERT INTO \(log.quotedIdentifier) (results_seq, results_existed, \(columnList()))
        SELECT (SELECT max(seq) FROM \(Self.prefix)_clock) + 1 - row_number() OVER (), 1, \
      \(columnList())\(rows)
      """,
    ]
  }

  private func conflicting(except row: String? = nil) -> String {
    "EXISTS (SELECT 1 FROM \(table.quoted) WHERE \(conflict(except: row)))"
  }

  /// Whether a row of the table and `NEW` have the same values in a unique index.
  ///
  /// Only the row of the table must fulfil the condition of a partial index; a row too many is
  /// harmless, and there is at most one.
  private func conflict(except row: String?) -> String {
    let sets = table.unique.map { index in
      let columns = index.columns.map {
        "\(table.quoted).\($0.column.quoted) COLLATE \($0.collation) = \(new($0.column))"
      }
      let equal = columns + (index.condition.map { ["(\($0)\n)"] } ?? [])
      return "(" + equal.joined(separator: " AND ") + ")"
    }
    let any = "(" + sets.joined(separator: " OR ") + ")"
    guard let row else { return any }
    let same = table.key.map { "\(table.quoted).\($0.quoted) IS \(row).\($0.quoted)" }
    return "\(any) AND NOT (\(same.joined(separator: " AND ")))"
  }

  /// A test that spares most updates a look into the unique indexes.
  private var changesUnique: String {
    // A row enters a partial index by a change of any column.
    if table.unique.contains(where: { $0.condition != nil }) { return "" }
    var columns: [TrackedTable.Column] = []
    for column in table.unique.flatMap(\.columns).map(\.column)
    where !columns.contains(column) {
      columns.append(column)
    }
    let changes = columns.map { "\(new($0)) IS NOT OLD.\($0.quoted) COLLATE BINARY" }
    return "(" + changes.joined(separator: " OR ") + ") AND "
  }

  /// A test that spares updates of other columns a line; `nil` if all are logged.
  private var changesLogged: String? {
    guard table.logged.count < table.columns.count else { return nil }
    return table.logged.flatMap { column in
      let name = column.quoted
      // 3 and 3.0 are equal, and are different sections.
      return [
        "NEW.\(name) IS NOT OLD.\(name) COLLATE BINARY",
        "typeof(NEW.\(name)) <> typeof(OLD.\(name))",
      ]
    }.joined(separator: " OR ")
  }

  private var changesKey: String {
    table.key.map { "NEW.\($0.quoted) IS NOT OLD.\($0.quoted)" }.joined(separator: " OR ")
  }

  /// The new value, as a `REPLACE` corrects it.
  private func new(_ column: TrackedTable.Column) -> String {
    guard column.isNotNull, let value = column.defaultSQL else { return "NEW.\(column.quoted)" }
    return "ifnull(NEW.\(column.quoted), \(value))"
  }

  private func columnList(_ prefix: String = "") -> String {
    table.logged.map { prefix + $0.quoted }.joined(separator: ", ")
  }

  private func keyList(_ prefix: String = "") -> String {
    table.key.map { prefix + $0.quoted }.joined(separator: ", ")
  }
}
