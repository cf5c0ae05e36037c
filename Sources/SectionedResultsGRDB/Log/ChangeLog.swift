// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

/// The change log in a database: installing, migrating, reading its position, pruning.
enum ChangeLog {
  private static let prefix = LogSchema.prefix

  /// The number of the last change, with its token.
  static func stamp(_ db: Database) throws -> StoreStamp {
    let statement = try db.cachedStatement(
      sql: "SELECT seq, token FROM main.\(prefix)_clock ORDER BY seq DESC LIMIT 1")
    return try GRDB.Row.fetchOne(statement).map {
      StoreStamp(sequence: $0["seq"], token: $0["token"])
    } ?? StoreStamp(sequence: 0)
  }

  /// Whether a file has made a change, as the file of a stamp; not, if it was restored to an earlier state
  /// and changed again.
  static func contains(_ stamp: StoreStamp, _ db: Database) throws -> Bool {
    let token = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT token FROM main.\(prefix)_clock WHERE seq = ?"),
      arguments: [stamp.sequence])
    return token == stamp.token
  }

  /// The number that the schema has in this state.
  static func schemaVersion(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA main.schema_version")) ?? 0
  }

  /// Whether the log of a table is what this version of the library creates.
  static func isInstalled(_ table: TrackedTable, _ db: Database) throws -> Bool {
    let schema = LogSchema(table: table)
    let wanted =
      LogSchema.shared.map(\.sql) + [schema.tableSQL, schema.indexSQL] + schema.triggers.map(\.sql)
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
    return try floor(of: [table], db) != nil
  }

  /// Creates the log of a table, or creates it again after the table was changed.
  ///
  /// A log that exists is emptied, since its lines may have other columns or be incomplete.
  static func install(_ table: TrackedTable, _ db: Database) throws {
    for (name, sql) in LogSchema.shared where try !db.tableExists(name, in: "main") {
      try db.execute(sql: sql)
    }
    try removeObjects(of: table.name, db, prefix: prefix)
    let schema = LogSchema(table: table)
    try db.execute(sql: schema.tableSQL)
    try db.execute(sql: schema.indexSQL)
    for trigger in schema.triggers { try db.execute(sql: trigger.sql) }
    // Changes before this one may be missing: a stamp below the floor is lost.
    try db.execute(sql: LogSchema.tick())
    try db.execute(
      sql: "DELETE FROM \(prefix)_table WHERE name = ?", arguments: [table.name])
    try db.execute(
      sql: "INSERT INTO \(prefix)_table (name, floor) SELECT ?, max(seq) FROM \(prefix)_clock",
      arguments: [table.name])
  }

  /// Removes the logs of earlier versions, whose stamps have no tokens: lists and caches of their time
  /// could not be told apart from those of a copy, and read everything once.
  static func removeFormer(_ db: Database) throws {
    for prefix in LogSchema.formerPrefixes where try has(LogSchema.formerShared(prefix), db) {
      try remove(db, prefix: prefix)
    }
  }

  /// Whether a file has tables of these definitions; an app may have tables of its own with such names.
  private static func has(_ tables: [(name: String, sql: String)], _ db: Database) throws -> Bool {
    try tables.allSatisfy { name, sql in
      try String.fetchOne(
        db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?",
        arguments: [name]) == sql
    }
  }

  /// The oldest stamp whose later changes are all in the logs of some tables; `nil` if one of them has
  /// no log.
  static func floor(of tables: [TrackedTable], _ db: Database) throws -> Int64? {
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
    // The number of the floor itself is still a stamp.
    try db.execute(
      sql: "DELETE FROM \(prefix)_clock WHERE seq < ?", arguments: [sequence])
  }

  /// Removes all logs and their triggers from a database, those of earlier versions too.
  static func remove(_ db: Database) throws {
    try removeFormer(db)
    if try has(LogSchema.shared, db) { try remove(db, prefix: prefix) }
  }

  private static func remove(_ db: Database, prefix: String) throws {
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
