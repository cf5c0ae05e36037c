// SPDX-License-Identifier: MIT

import GRDB

/// A database in memory with rows as they were, and full-text tables of their documents.
///
/// An FTS5 table knows no earlier state. Whether a document matches depends on it alone, so a table
/// of the same definition over the earlier documents of the changed rows gives the answer that the
/// table itself gave.
final class PastDatabase {
  private let source: ResultsSource
  private let queue: DatabaseQueue
  private var filled: Position?

  /// The state that the rows are of, and the range of changes that selects them.
  struct Position: Equatable {
    let start: Int64
    let end: Int64
    let state: Int64
    /// The present state, on which the selected rows depend as well.
    let present: Int64
  }

  /// - Parameter configuration: that of the store's database, with its tokenizers, functions and collations.
  /// - Throws: GRDB's `DatabaseError`.
  init(_ source: ResultsSource, _ configuration: Configuration) throws {
    self.source = source
    var configuration = configuration
    configuration.readonly = false
    // A database in memory has no WAL.
    configuration.journalMode = .default
    queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in
      for table in source.tables {
        let columns = table.logged.map { "\($0.quoted) \($0.type) COLLATE \($0.collation)" }
        let name = copy(of: table.name)
        try db.execute(sql: "CREATE TABLE main.\(name) (\(columns.joined(separator: ", ")))")
      }
      for index in source.fullText {
        let arguments = index.arguments.joined(separator: ", ")
        try db.execute(sql: "CREATE VIRTUAL TABLE main.\(index.quoted) USING fts5(\(arguments))")
      }
    }
  }

  /// The quoted name of a table's copy: the texts inside a full-text table have a place of their own.
  private func copy(of table: String) -> String {
    let isInside = source.fullText.contains {
      table.lowercased() == "\($0.name)_content".lowercased()
    }
    return (isInside ? "results_texts_\(table)" : table).quotedIdentifier
  }

  /// Runs `body` on the rows of a state.
  ///
  /// - Parameters:
  ///   - position: the state.
  ///   - past: the statements that read its rows.
  ///   - db: the database with the log.
  func read<Value>(
    _ position: Position, _ past: PastRows, _ db: Database, _ body: (Database) throws -> Value
  ) throws -> Value {
    if filled != position {
      filled = nil
      let rows = try source.tables.indices.map { place in
        try GRDB.Row.fetchAll(
          db.cachedStatement(sql: past.contents(of: place)),
          arguments: [position.start, position.end, position.state]
        ).map { StatementArguments($0.databaseValues) }
      }
      try queue.write { copy in try fill(copy, rows) }
      filled = position
    }
    return try queue.inDatabase(body)
  }

  private func fill(_ db: Database, _ rows: [[StatementArguments]]) throws {
    for (table, rows) in zip(source.tables, rows) {
      let name = copy(of: table.name)
      try db.execute(sql: "DELETE FROM main.\(name)")
      let marks = Array(repeating: "?", count: table.logged.count).joined(separator: ", ")
      let insert = try db.cachedStatement(sql: "INSERT INTO main.\(name) VALUES (\(marks))")
      for values in rows { try insert.execute(arguments: values) }
    }
    for index in source.fullText {
      let columns = ["rowid"] + index.columns.map(\.quotedIdentifier)
      let values = [index.content.rowid.quotedIdentifier] + index.content.texts
      let table = copy(of: index.content.table ?? source.main.name)
      try db.execute(
        sql: """
          DELETE FROM main.\(index.quoted);
          INSERT INTO main.\(index.quoted) (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM main.\(table)
            WHERE \(index.content.rowid.quotedIdentifier) IS NOT NULL
          """)
    }
  }
}
