// SPDX-License-Identifier: MIT

import GRDB

extension GRDBResultsStore {
  /// Opens a store over a view whose rows are rows of a table, and installs or migrates its change logs.
  ///
  /// The view returns each row of the table at most once, with its primary key, which is the identity. It reads
  /// tables, and no other view. Open the store again after the view was made again.
  ///
  /// - Parameters:
  ///   - writer: a `DatabaseQueue` or `DatabasePool`.
  ///   - view: the name of the view.
  ///   - table: the table whose primary key the rows of the view have.
  ///   - related: the other tables that the view and the filters read.
  ///   - fullText: the FTS5 tables that the filters search.
  ///   - interval: the time between two looks at the database for commits of other processes; `nil`
  ///     if the owner calls ``checkForChanges()`` often enough.
  ///   - wakeUp: called on any thread when ``checkForChanges()`` has something to do.
  /// - Throws: `GRDBResultsError`, or GRDB's `DatabaseError`.
  public convenience init(
    _ writer: any DatabaseWriter, view: String, of table: String, related: [RelatedTable] = [],
    fullText: [FullTextTable] = [], checkEvery interval: Duration? = nil,
    wakeUp: @escaping @Sendable () -> Void = {}
  ) throws {
    let found = try writer.read { db in
      try String.fetchOne(
        db,
        sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE",
        arguments: [view])
    }
    guard let select = found.flatMap(Self.selection(ofView:)) else {
      throw GRDBResultsError.noSuchTable(view)
    }
    try self.init(
      writer, table: table, select: select, related: related, fullText: fullText,
      checkEvery: interval, wakeUp: wakeUp)
  }

  /// The `SELECT` in the definition of a view, with the names that the view gives its columns.
  private static func selection(ofView sql: String) -> SQLCondition? {
    let words = Array(SQLWords(sql))
    guard let place = words.firstIndex(where: { $0.depth == 0 && $0.text.uppercased() == "AS" })
    else { return nil }
    let body = words[(place + 1)...].map(\.text).joined()
    let head = words[..<place]
    guard let open = head.firstIndex(where: { $0.text == "(" }) else {
      return SQLCondition(body + "\n")
    }
    let columns = head[open...].map(\.text).joined()
    return SQLCondition(
      "WITH results_view \(columns) AS (\(body)\n) SELECT * FROM results_view")
  }
}
