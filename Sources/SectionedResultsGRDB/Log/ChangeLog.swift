// SPDX-License-Identifier: MIT

import GRDB

/// The change log in a database: installing, migrating, reading its position, pruning.
enum ChangeLog {
  /// The number of the last change.
  static func sequence(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT seq FROM main.results_clock")) ?? 0
  }

  /// The number that the schema has in this state.
  static func schemaVersion(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA main.schema_version")) ?? 0
  }

  /// Whether the log of a table is what this version of the library creates.
  static func isInstalled(_ table: TrackedTable, _ db: Database) throws -> Bool {
    let schema = LogSchema(table: table)
    let wanted = [schema.tableSQL] + schema.indexes.map(\.sql) + schema.triggers.map(\.sql)
    let found = Set(
      try String.fetchAll(
        db, sql: "SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name LIKE 'results%'"
      ))
    guard wanted.allSatisfy(found.contains) else { return false }
    let newest = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE
        ORDER BY rowid DESC LIMIT ?
        """, arguments: [table.name, schema.triggers.count])
    guard Set(newest) == Set(schema.triggers.map(\.name)) else { return false }
    return try floor(of: [table], db) != nil
  }

  /// Creates the log of a table, or creates it again after the table was changed.
  ///
  /// A log that exists is emptied, since its lines may have other columns or be incomplete.
  static func install(_ table: TrackedTable, _ db: Database) throws {
    for statement in LogSchema.shared { try db.execute(sql: statement) }
    let schema = LogSchema(table: table)
    for trigger in schema.triggers {
      try db.execute(sql: "DROP TRIGGER IF EXISTS main.\(trigger.name.quotedIdentifier)")
    }
    try db.execute(sql: "DROP TABLE IF EXISTS main.\(table.log)")
    try db.execute(sql: schema.tableSQL)
    for index in schema.indexes { try db.execute(sql: index.sql) }
    for trigger in schema.triggers { try db.execute(sql: trigger.sql) }
    // Changes before this one may be missing: a stamp below the floor is lost.
    try db.execute(sql: "UPDATE results_clock SET seq = seq + 1")
    try db.execute(
      sql: "DELETE FROM results_table WHERE name = ?", arguments: [table.name])
    try db.execute(
      sql: "INSERT INTO results_table (name, floor) SELECT ?, seq FROM results_clock",
      arguments: [table.name])
  }

  /// The oldest stamp whose later changes are all in the logs of some tables; `nil` if one of them has
  /// no log.
  static func floor(of tables: [TrackedTable], _ db: Database) throws -> Int64? {
    guard try db.tableExists("results_table", in: "main") else { return nil }
    let floors = try tables.compactMap { table in
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT floor FROM main.results_table WHERE name = ?"),
        arguments: [table.name])
    }
    return floors.count == tables.count ? floors.max() : nil
  }

  /// Deletes the lines of all logs up to a number.
  static func prune(upTo sequence: Int64, _ db: Database) throws {
    for name in try String.fetchAll(db, sql: "SELECT name FROM results_table") {
      let log = "results_log_\(name)".quotedIdentifier
      try db.execute(sql: "DELETE FROM \(log) WHERE results_seq <= ?", arguments: [sequence])
    }
    try db.execute(
      sql: "UPDATE results_table SET floor = ? WHERE floor < ?", arguments: [sequence, sequence])
  }

  /// Removes all logs and their triggers from a database.
  static func remove(_ db: Database) throws {
    guard try db.tableExists("results_table", in: "main") else { return }
    for name in try String.fetchAll(db, sql: "SELECT name FROM results_table") {
      for event in ["inserting", "inserted", "updating", "replacing", "moved", "deleting"] {
        let trigger = "results_\(name)_\(event)".quotedIdentifier
        try db.execute(sql: "DROP TRIGGER IF EXISTS \(trigger)")
      }
      let log = "results_log_\(name)".quotedIdentifier
      try db.execute(sql: "DROP TABLE IF EXISTS \(log)")
    }
    try db.execute(sql: "DROP TABLE results_table; DROP TABLE IF EXISTS results_clock")
  }
}
