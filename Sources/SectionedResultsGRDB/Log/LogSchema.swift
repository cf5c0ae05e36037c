// SPDX-License-Identifier: MIT

import GRDB

/// The tables and triggers that log the changes of a table.
///
/// `grdb_results_clock` counts changes. `grdb_results_log_T` contains rows of a table T as they were
/// *before* a change, each with the number of the change; `results_existed` is 0 for a row that did not
/// exist. A row as it was after change S is its first line after S, or else the row in the table.
/// So the log needs no contents after a change.
///
/// A `REPLACE` deletes rows without a delete trigger, unless `recursive_triggers` is on. Therefore
/// triggers that run *before* an insert or update log every row that conflicts with the new one in
/// a unique index. A line too many, for a statement that then does nothing, is harmless.
///
/// GRDB leaves out objects whose names begin with `grdb_` when it looks for changes of the schema; its
/// `eraseDatabaseOnSchemaChange` would else erase the database at each start.
struct LogSchema {
  let table: TrackedTable
  /// The beginning of all names.
  var prefix = LogSchema.prefix

  static let prefix = "grdb_results"
  /// The beginning of all names in files of earlier versions.
  static let formerPrefix = "results"

  /// The tables that all logs of a file share.
  static func shared(_ prefix: String = prefix) -> [(name: String, sql: String)] {
    [
      ("clock", "id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL"),
      ("table", "name TEXT PRIMARY KEY NOT NULL, floor INTEGER NOT NULL"),
    ].map { ("\(prefix)_\($0)", "CREATE TABLE \(prefix)_\($0) (\n  \($1))") }
  }

  /// The events of the triggers, in their names.
  static let events = ["inserting", "inserted", "updating", "replacing", "moved", "deleting"]

  /// The name of the table of earlier row contents.
  var log: String { "\(prefix)_log_\(table.name)" }

  /// The log of the table, with the affinities and collations of its columns.
  var tableSQL: String {
    let columns = table.columns.map { "\($0.quoted) \($0.type) COLLATE \($0.collation)" }
    return """
      CREATE TABLE \(log.quotedIdentifier) (results_seq INTEGER NOT NULL, results_existed INTEGER NOT NULL, \
      \(columns.joined(separator: ", ")))
      """
  }

  var indexes: [(name: String, sql: String)] {
    [
      ("\(log)_seq", "results_seq"),
      ("\(log)_key", "\(keyList()), results_seq"),
    ].map { name, columns in
      let quoted = name.quotedIdentifier
      return (name, "CREATE INDEX \(quoted) ON \(log.quotedIdentifier) (\(columns))")
    }
  }

  /// The triggers.
  ///
  /// SQLite runs those created last first. The lines for new rows must come before those of other
  /// triggers that change the new row, so these triggers must be the newest of their table.
  var triggers: [(name: String, sql: String)] {
    [
      trigger("inserting", "BEFORE INSERT", when: conflicting(), [logConflicting()]),
      trigger("inserted", "AFTER INSERT", [logNew()]),
      trigger("updating", "BEFORE UPDATE", [logOld()]),
      trigger(
        "replacing", "BEFORE UPDATE", when: changesUnique + conflicting(except: "OLD"),
        [logConflicting(except: "OLD")]),
      trigger("moved", "AFTER UPDATE", when: changesKey, [logNew()]),
      trigger("deleting", "BEFORE DELETE", [logOld()]),
    ]
  }

  // MARK: - Parts of triggers

  private func trigger(
    _ event: String, _ time: String, when condition: String? = nil, _ statements: [String]
  ) -> (name: String, sql: String) {
    let name = "\(prefix)_\(table.name)_\(event)"
    let when = condition.map { " WHEN \($0)" } ?? ""
    let body = ["UPDATE \(prefix)_clock SET seq = seq + 1"] + statements
    return (
      name,
      """
      CREATE TRIGGER \(name.quotedIdentifier) \(time) ON \(table.quoted)\(when)
      BEGIN
        \(body.joined(separator: ";\n  "));
      END
      """
    )
  }

  private func logOld() -> String {
    """
    INSERT INTO \(log.quotedIdentifier) (results_seq, results_existed, \(columnList()))
      SELECT seq, 1, \(columnList("OLD.")) FROM \(prefix)_clock
    """
  }

  private func logNew() -> String {
    """
    INSERT INTO \(log.quotedIdentifier) (results_seq, results_existed, \(keyList()))
      SELECT seq, 0, \(keyList("NEW.")) FROM \(prefix)_clock
    """
  }

  private func logConflicting(except row: String? = nil) -> String {
    """
    INSERT INTO \(log.quotedIdentifier) (results_seq, results_existed, \(columnList()))
      SELECT (SELECT seq FROM \(prefix)_clock), 1, \(columnList()) FROM \(table.quoted) WHERE \
    \(conflict(except: row))
    """
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

  private var changesKey: String {
    table.key.map { "NEW.\($0.quoted) IS NOT OLD.\($0.quoted)" }.joined(separator: " OR ")
  }

  /// The new value, as a `REPLACE` corrects it.
  private func new(_ column: TrackedTable.Column) -> String {
    guard column.isNotNull, let value = column.defaultSQL else { return "NEW.\(column.quoted)" }
    return "ifnull(NEW.\(column.quoted), \(value))"
  }

  private func columnList(_ prefix: String = "") -> String {
    table.columns.map { prefix + $0.quoted }.joined(separator: ", ")
  }

  private func keyList(_ prefix: String = "") -> String {
    table.key.map { prefix + $0.quoted }.joined(separator: ", ")
  }
}
