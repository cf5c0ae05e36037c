// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

// Writing rows through the store, for a `ResultsDataProvider`.

extension GRDBResultsStore: EditableResultsStore where Record: MutablePersistableRecord {
  /// Makes edits in one transaction; inserts and updates with the record's own methods, so that its
  /// callbacks run.
  ///
  /// A row of an optional identity is inserted without one, and SQLite gives it the next. A row that gets another
  /// identity stays the same row of the table. A record of a `SELECT` that joins tables
  /// must encode the columns of the store's own table alone.
  ///
  /// - Throws: `ResultsError.rowExists` or `rowIsGone`, `GRDBResultsError.otherTable`, or GRDB's
  ///   `DatabaseError`; nothing is then written.
  public func commit(_ edits: [ResultsEdit<Record, Record>]) throws {
    guard !edits.isEmpty else { return }
    let table = plan.source.main
    guard Record.databaseTableName.lowercased() == table.name.lowercased() else {
      throw GRDBResultsError.otherTable(record: Record.databaseTableName, store: table.name)
    }
    try write { db in
      let writer = RecordWriter<Record>(
        db: db, table: "main.\(table.quoted)", key: plan.source.main.key.map(\.quoted))
      for edit in edits { try writer.make(edit) }
    }
  }
}

/// Makes edits of one table inside a transaction.
private struct RecordWriter<Record: ResultsRow & MutablePersistableRecord>
where Record.ID: DatabaseValueConvertible {
  let db: Database
  /// The quoted name of the table.
  let table: String
  /// The quoted columns of the primary key.
  let key: [String]

  func make(_ edit: ResultsEdit<Record, Record>) throws {
    switch edit {
    case .insert(var row):
      // SQLite gives a row without an identity its own.
      let isNew = try row.id.databaseValue.isNull || !exists(row.id)
      guard isNew else { throw ResultsError.rowExists("\(row.id)") }
      try row.insert(db)
    case .update(let id, let row):
      guard try exists(id) else { throw ResultsError.rowIsGone("\(id)") }
      if row.id.exact != id.exact { try rename(id, to: row.id) }
      try row.update(db)
    case .delete(let id):
      try db.execute(
        sql: "DELETE FROM \(table) WHERE \(isRow)", arguments: StatementArguments(id.keyValues))
      guard db.changesCount > 0 else { throw ResultsError.rowIsGone("\(id)") }
    }
  }

  /// The condition that a row has the values of an identity.
  private var isRow: String { key.map { "\($0) = ?" }.joined(separator: " AND ") }

  private func exists(_ id: Record.ID) throws -> Bool {
    try GRDB.Row.fetchOne(
      db, sql: "SELECT 1 FROM \(table) WHERE \(isRow)",
      arguments: StatementArguments(id.keyValues)) != nil
  }

  private func rename(_ id: Record.ID, to new: Record.ID) throws {
    guard try !exists(new) else { throw ResultsError.rowExists("\(new)") }
    try db.execute(
      sql: "UPDATE \(table) SET \(key.map { "\($0) = ?" }.joined(separator: ", ")) WHERE \(isRow)",
      arguments: StatementArguments(new.keyValues + id.keyValues))
  }
}
