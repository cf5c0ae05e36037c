import GRDB
import Journal

/// Changes that other tools wrote into an SQLite journal.
///
/// The triggers log them, but write no titles, tags, links, fields or search index, and no step of the history.
/// The next read or write by this program adds those.
enum ExternalChanges {
  /// Whether another tool's changes are not adopted yet.
  static func arePending(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM entry WHERE title IS NULL)
            OR EXISTS (SELECT 1 FROM change WHERE change_set IS NULL)
          """)) ?? false
  }

  /// Adopts all of them: derived columns, tags, words, and one step for undo.
  ///
  /// Only inside a writing transaction.
  ///
  /// - Parameter isIndexed: whether the words go into the search index; not before a rebuild of it, since an
  ///   index that lacks the words of a deleted text, or cannot be read, would fail.
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when changes remain after one pass: then an
  ///   index contradicts its table, and further passes would find them again.
  static func adopt(_ db: Database, at moment: Moment, isIndexed: Bool = true) throws {
    guard try arePending(db) else { return }
    try derive(db)
    if isIndexed { try index(db) }
    try addStep(db, at: moment)
    if try arePending(db) {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "the index entry_stale or change_outside disagrees with its table")
    }
  }

  /// Each entry is analysed once: a damaged index may contradict the entry.
  private static func derive(_ db: Database) throws {
    try EntryTexts(db: db, source: .stale).visit { number, text in
      let derived = DerivedColumns(text: text)
      try db.cachedStatement(
        sql: "\(DerivedColumns.update()) WHERE number = ?"
      ).execute(arguments: StatementArguments(derived.arguments + [number]))
      try replaceTags(db, of: number, with: derived)
      try MarkTable.replace(db, of: number, with: derived)
    }
  }

  /// Adds other tools' texts to the full-text index.
  private static func index(_ db: Database) throws {
    let first = try Int64.fetchOne(
      db, sql: "SELECT min(seq) FROM change WHERE change_set IS NULL")
    if let first { try SearchIndex(db: db).follow(after: first - 1) }
  }

  static func replaceTags(_ db: Database, of number: Int64, with derived: DerivedColumns) throws {
    try db.cachedStatement(sql: "DELETE FROM entry_tag WHERE number = ?")
      .execute(arguments: [number])
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO entry_tag (live, tag, day, created, number, typed)
        SELECT deleted IS NULL, ?, day, created, number, ? FROM entry WHERE number = ?
        """)
    for tag in derived.tagRows {
      try insert.execute(arguments: [tag.key, tag.typed, number])
    }
  }

  /// Combines changes without a set into one undoable step.
  private static func addStep(_ db: Database, at moment: Moment) throws {
    let range = try db.first(
      "SELECT count(*), min(seq), max(seq) FROM change WHERE change_set IS NULL", []
    ) { $0.bool(0) ? ($0.integer(1), $0.integer(2)) : nil }
    guard case (let first, let last)?? = range else { return }
    try db.execute(
      sql: """
        INSERT INTO change_set (at, at_offset, actor, kind, first_seq, last_seq, source)
        VALUES (?, ?, '', 'outside', ?, ?, 'program')
        """,
      arguments: [moment.seconds, moment.offset, first, last])
    try db.execute(
      sql: "UPDATE change SET change_set = ? WHERE change_set IS NULL",
      arguments: [db.lastInsertedRowID])
  }
}
