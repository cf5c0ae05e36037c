// SPDX-License-Identifier: MIT

import GRDB

/// The change log in a database: installing, migrating, reading its position, pruning.
enum ChangeLog {
  private static let prefix = LogSchema.prefix

  /// The number of the last change.
  static func sequence(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT seq FROM main.\(prefix)_clock")) ?? 0
  }

  /// The number that the schema has in this state.
  static func schemaVersion(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA main.schema_version")) ?? 0
  }

  /// Whether the log of a table is what this version of the library creates.
  static func isInstalled(
    _ table: TrackedTable, _ db: Database, prefix: String = LogSchema.prefix
  ) throws -> Bool {
    let schema = LogSchema(table: table, prefix: prefix)
    let wanted = [schema.tableSQL] + schema.indexes.map(\.sql) + schema.triggers.map(\.sql)
    let found = Set(
      try String.fetchAll(
        db,
        sql: "SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name LIKE '\(prefix)%'"
      ))
    guard wanted.allSatisfy(found.contains) else { return false }
    let newest = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE
        ORDER BY rowid DESC LIMIT ?
        """, arguments: [table.name, schema.triggers.count])
    guard Set(newest) == Set(schema.triggers.map(\.name)) else { return false }
    return try floor(of: [table], db, prefix: prefix) != nil
  }

  /// Creates the log of a table, or creates it again after the table was changed.
  ///
  /// A log that exists is emptied, since its lines may have other columns or be incomplete.
  static func install(_ table: TrackedTable, _ db: Database) throws {
    try createShared(db)
    try removeObjects(of: table.name, db, prefix: prefix)
    try create(table, db)
    // Changes before this one may be missing: a stamp below the floor is lost.
    try db.execute(sql: "UPDATE \(prefix)_clock SET seq = seq + 1")
    try db.execute(
      sql: "DELETE FROM \(prefix)_table WHERE name = ?", arguments: [table.name])
    try db.execute(
      sql: "INSERT INTO \(prefix)_table (name, floor) SELECT ?, seq FROM \(prefix)_clock",
      arguments: [table.name])
  }

  private static func createShared(_ db: Database) throws {
    for (name, sql) in LogSchema.shared() where try !db.tableExists(name, in: "main") {
      try db.execute(sql: sql)
    }
    try db.execute(
      sql: """
        INSERT INTO \(prefix)_clock (id, seq)
          SELECT 1, 1 WHERE NOT EXISTS (SELECT 1 FROM \(prefix)_clock)
        """)
  }

  private static func create(_ table: TrackedTable, _ db: Database) throws {
    let schema = LogSchema(table: table)
    try db.execute(sql: schema.tableSQL)
    for index in schema.indexes { try db.execute(sql: index.sql) }
    for trigger in schema.triggers { try db.execute(sql: trigger.sql) }
  }

  /// Gives the logs of an earlier version their present names, with all their lines.
  ///
  /// The lines are copied: `ALTER TABLE … RENAME` fails in a database with an invalid view. Only logs
  /// that are complete are kept; the others are made when a store needs them.
  static func renameFormer(_ db: Database) throws {
    let former = LogSchema.formerPrefix
    guard try hasLogs(db, prefix: former) else { return }
    if try !hasLogs(db, prefix: prefix) {
      let tables = try String.fetchAll(db, sql: "SELECT name FROM \(former)_table").compactMap {
        try complete($0, db, prefix: former)
      }
      try createShared(db)
      try db.execute(
        sql: "UPDATE \(prefix)_clock SET seq = (SELECT ifnull(max(seq), 1) FROM \(former)_clock)")
      for table in tables {
        try create(table, db)
        let old = LogSchema(table: table, prefix: former).log.quotedIdentifier
        try db.execute(
          sql: "INSERT INTO main.\(table.log) SELECT * FROM main.\(old) ORDER BY rowid")
        try db.execute(
          sql: "INSERT INTO \(prefix)_table SELECT * FROM \(former)_table WHERE name = ?",
          arguments: [table.name])
      }
    }
    try remove(db, prefix: former)
  }

  /// Whether a file has logs with a prefix; an app may have tables of its own with such names.
  private static func hasLogs(_ db: Database, prefix: String) throws -> Bool {
    try LogSchema.shared(prefix).allSatisfy { name, sql in
      try String.fetchOne(
        db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?",
        arguments: [name]) == sql
    }
  }

  /// The table with a name, if its log is complete.
  private static func complete(
    _ name: String, _ db: Database, prefix: String
  ) throws -> TrackedTable? {
    do {
      let table = try TrackedTable(db, name: name)
      return try isInstalled(table, db, prefix: prefix) ? table : nil
    } catch is GRDBResultsError {
      return nil
    }
  }

  /// The oldest stamp whose later changes are all in the logs of some tables; `nil` if one of them has
  /// no log.
  static func floor(
    of tables: [TrackedTable], _ db: Database, prefix: String = LogSchema.prefix
  ) throws -> Int64? {
    guard try db.tableExists("\(prefix)_table", in: "main") else { return nil }
    let floors = try tables.compactMap { table in
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT floor FROM main.\(prefix)_table WHERE name = ?"),
        arguments: [table.name])
    }
    return floors.count == tables.count ? floors.max() : nil
  }

  /// Deletes the lines of all logs up to a number.
  static func prune(upTo sequence: Int64, _ db: Database) throws {
    for name in try String.fetchAll(db, sql: "SELECT name FROM \(prefix)_table") {
      let log = "\(prefix)_log_\(name)".quotedIdentifier
      try db.execute(sql: "DELETE FROM \(log) WHERE results_seq <= ?", arguments: [sequence])
    }
    try db.execute(
      sql: "UPDATE \(prefix)_table SET floor = ? WHERE floor < ?", arguments: [sequence, sequence])
  }

  /// Removes all logs and their triggers from a database, those of earlier versions too.
  static func remove(_ db: Database) throws {
    for prefix in [LogSchema.prefix, LogSchema.formerPrefix] { try remove(db, prefix: prefix) }
  }

  private static func remove(_ db: Database, prefix: String) throws {
    guard try hasLogs(db, prefix: prefix) else { return }
    for name in try String.fetchAll(db, sql: "SELECT name FROM main.\(prefix)_table") {
      try removeObjects(of: name, db, prefix: prefix)
    }
    try db.execute(
      sql: "DROP TABLE main.\(prefix)_table; DROP TABLE IF EXISTS main.\(prefix)_clock")
  }

  private static func removeObjects(of table: String, _ db: Database, prefix: String) throws {
    for event in LogSchema.events {
      let trigger = "\(prefix)_\(table)_\(event)".quotedIdentifier
      try db.execute(sql: "DROP TRIGGER IF EXISTS main.\(trigger)")
    }
    let log = "\(prefix)_log_\(table)".quotedIdentifier
    try db.execute(sql: "DROP TABLE IF EXISTS main.\(log)")
  }
}
