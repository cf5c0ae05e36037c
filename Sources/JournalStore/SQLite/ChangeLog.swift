import GRDB
import Journal
import SectionedResults

/// Reads the change log, which triggers write.
struct ChangeLog {
  let db: Database

  /// The number of the last change, 0 before the first.
  func lastSequence() throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT ifnull(max(seq), 0) FROM change")) ?? 0
  }

  /// One line of the log: the change of an entry, and its state before.
  struct Change: LogLine {
    let sequence: Int64
    let set: Int64?
    let number: Int64
    /// The entry before the change, without its text; `nil` if it did not exist.
    let before: Image?
    /// Whether the before image was removed with the trash.
    let isPurged: Bool
    let isInTrash: Bool
  }

  /// An earlier state of an entry.
  struct Image {
    var row: EntryRow
    /// The text, if it was read.
    var text: String?
    /// Whether the line itself contains the text, since the change replaced it.
    var isTextLogged: Bool
  }

  private static let columns =
    EntryColumns.logged
    + ", text IS NOT NULL, ifnull(text, ''), seq, change_set IS NOT NULL, ifnull(change_set, 0), kind, deleted IS NOT NULL"

  /// The changes after a sequence number, in order.
  func changes(after sequence: Int64) throws -> [Change] {
    try fetch(
      "SELECT \(ChangeLog.columns) FROM change WHERE seq > ? ORDER BY seq", [sequence])
  }

  /// The number of changes after a sequence number, at most `limit`.
  func count(after sequence: Int64, limit: Int) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(
        sql: "SELECT count(*) FROM (SELECT 1 FROM change WHERE seq > ? LIMIT ?)"),
      arguments: [sequence, limit]) ?? 0
  }

  /// Calls `body` with the changes of a condition.
  func forEach(
    _ condition: String, _ arguments: StatementArguments, _ body: (Change) throws -> Void
  ) throws {
    try db.forEach("SELECT \(ChangeLog.columns) FROM change \(condition)", arguments) {
      try body(decode($0))
    }
  }

  private func fetch(_ sql: String, _ arguments: StatementArguments) throws -> [Change] {
    var changes: [Change] = []
    try db.forEach(sql, arguments) { changes.append(try decode($0)) }
    return changes
  }

  private func decode(_ columns: Columns) throws -> Change {
    let next = EntryColumns.rowCount
    let kind = columns.text(next + 5)
    // If a line of another kind counted as an insertion, its undo would remove an entry.
    guard ["insert", "update", "delete", "purged"].contains(kind) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a line of the change log is of no known kind")
    }
    let isImage = kind == "update" || kind == "delete"
    return Change(
      sequence: columns.integer(next + 2),
      set: columns.bool(next + 3) ? columns.integer(next + 4) : nil, number: columns.integer(0),
      before: isImage ? try image(columns) : nil, isPurged: kind == "purged",
      isInTrash: columns.bool(next + 6))
  }

  private func image(_ columns: Columns) throws -> Image {
    let next = EntryColumns.rowCount
    let logged = columns.bool(next) ? columns.text(next + 1) : nil
    guard EntryColumns.isUnread(columns) else {
      return Image(
        row: EntryColumns.decodeRow(columns), text: logged, isTextLogged: logged != nil)
    }
    // The entry changed again before its text was analysed.
    let text =
      try logged ?? text(of: columns.integer(0), before: columns.integer(next + 2)) ?? ""
    return Image(
      row: EntryColumns.decodeBase(columns, text: text).row(), text: text,
      isTextLogged: logged != nil)
  }

  /// All change sets, oldest first.
  func steps() throws -> [JSONDocument.Step] {
    var steps: [JSONDocument.Step] = []
    try db.forEach(
      """
      SELECT id, kind, at, at_offset, actor, ifnull(first_seq, 0), ifnull(last_seq, 0), state,
        reverses IS NOT NULL, ifnull(reverses, 0), session IS NOT NULL, ifnull(session, 0),
        ifnull(source, '')
      FROM change_set ORDER BY id
      """
    ) { row in
      steps.append(
        JSONDocument.Step(
          id: row.integer(0), kind: ChangeKind(rawValue: row.text(1)) ?? .outside,
          at: EntryColumns.moment(row, 2), actor: row.text(4), first: row.integer(5),
          last: row.integer(6), state: row.integer(7),
          reverses: row.bool(8) ? row.integer(9) : nil,
          session: row.bool(10) ? row.integer(11) : nil,
          source: ChangeSource(rawValue: row.text(12)) ?? .unknown))
    }
    return steps
  }

  /// An entry's text before a change: log lines contain it only if the change replaced it.
  func text(of number: Int64, before sequence: Int64) throws -> String? {
    try db.first(
      """
      SELECT text FROM change WHERE number = ? AND seq >= ? AND text IS NOT NULL
      ORDER BY seq LIMIT 1
      """, [number, sequence]
    ) { $0.text(0) }
      ?? db.first("SELECT text FROM entry WHERE number = ?", [number]) { $0.text(0) }
  }

  /// The before image of an entry's first change after a sequence number.
  func firstChange(of number: Int64, after sequence: Int64) throws -> Change? {
    try fetch(
      "SELECT \(ChangeLog.columns) FROM change WHERE number = ? AND seq > ? ORDER BY seq LIMIT 1",
      [number, sequence]
    ).first
  }

  /// Calls `body` with the whole entries of a change set, before and after it, in the order of
  /// their changes.
  func forEachImage(
    of set: ChangeSet.ID, among numbers: Set<Int64>?, _ reader: SQLiteReader,
    _ body: (EntryImages) throws -> Void
  ) throws {
    var touched: [(number: Int64, first: Int64, last: Int64)] = []
    try db.forEach(
      """
      SELECT number, min(seq), max(seq) FROM change WHERE change_set = ?1 AND seq BETWEEN
        (SELECT first_seq FROM change_set WHERE id = ?1) AND
        (SELECT last_seq FROM change_set WHERE id = ?1)
      GROUP BY number ORDER BY min(seq)
      """, [set]
    ) { line in
      guard numbers?.contains(line.integer(0)) != false else { return }
      touched.append((line.integer(0), line.integer(1), line.integer(2)))
    }
    for (number, first, last) in touched {
      guard let begin = try change(first),
        let end = first == last ? begin : try change(last)
      else { continue }
      try body(try images(number, begin, end, reader))
    }
  }

  private func change(_ sequence: Int64) throws -> Change? {
    try fetch("SELECT \(ChangeLog.columns) FROM change WHERE seq = ?", [sequence]).first
  }

  private func images(
    _ number: Int64, _ first: Change, _ last: Change, _ reader: SQLiteReader
  ) throws -> EntryImages {
    let next = try firstChange(of: number, after: last.sequence)
    let isLost = first.isPurged || last.isPurged || next?.isPurged ?? false
    let present = try reader.entry(number: number)
    // An entry that exists although its image is lost was edited by another program: that is a
    // conflict.
    return EntryImages(
      number: number, before: isLost ? nil : try entry(first),
      after: isLost ? nil : try next.map(entry) ?? present,
      isPurged: first.isPurged || (isLost && present == nil))
  }

  /// The whole entry before a change.
  func entry(_ change: Change) throws -> Entry? {
    guard let image = change.before else { return nil }
    let text = try image.text ?? text(of: change.number, before: change.sequence) ?? ""
    return image.row.entry(text: text)
  }

  /// Sets an image to null, except whether the entry was in the trash.
  private static let emptied = EntryColumns.image.filter { !$0.hasPrefix("deleted") }
    .map { "\($0) = NULL" }.joined(separator: ", ")

  /// Clears the log lines of removed entries, and closes the steps without other lines.
  ///
  /// - Parameter step: called for each entry.
  func forget(_ numbers: [Int64], _ step: () throws -> Void) throws {
    try SyncTables(db: db).note(numbers)
    let chosen = try ChosenEntries(db)
    var sets: Set<Int64> = []
    for chunk in ChosenEntries.chunks(of: numbers) {
      try chosen.choose(chunk)
      try db.cachedStatement(
        sql: """
          UPDATE change SET kind = 'purged', \(ChangeLog.emptied)
          WHERE number IN \(ChosenEntries.numbers) AND kind <> 'insert'
          """
      ).execute()
      try db.cachedStatement(
        sql: "DELETE FROM import_base WHERE number IN \(ChosenEntries.numbers)"
      ).execute()
      try db.forEach(
        """
        SELECT DISTINCT change_set FROM change
        WHERE number IN \(ChosenEntries.numbers) AND change_set IS NOT NULL
        """
      ) { sets.insert($0.integer(0)) }
      for _ in chunk { try step() }
    }
    for set in sets.sorted() {
      try db.cachedStatement(
        sql: """
          UPDATE change_set SET state = 3
          WHERE id = ? AND state <> 3 AND NOT EXISTS (
            SELECT 1 FROM change AS c WHERE c.seq BETWEEN first_seq AND last_seq AND NOT EXISTS (
              SELECT 1 FROM change AS p WHERE p.number = c.number AND p.kind = 'purged'))
          """
      ).execute(arguments: [set])
    }
  }
}

/// SQLite's counters for entries, changes and steps in `sqlite_sequence`.
enum Numbering {
  /// A number that regular counting never reaches: a damaged file may contain any, and after the
  /// largest one SQLite reports a full disk.
  static let limit = Int64.max - (1 << 20)

  /// The tables, and the queries for the highest number in each.
  static let highest = [
    (
      table: "entry",
      sql:
        "SELECT max(ifnull((SELECT max(number) FROM entry), 0), ifnull((SELECT max(number) FROM change WHERE typeof(number) = 'integer'), 0))"
    ),
    (table: "change", sql: "SELECT ifnull(max(seq), 0) FROM change"),
    (table: "change_set", sql: "SELECT ifnull(max(id), 0) FROM change_set"),
  ]

  /// The highest number of an entry, for the progress of work in the order of numbers.
  static func lastEntry(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT ifnull(max(number), 0) FROM entry") ?? 0
  }

  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when no number is left for the next write.
  static func check(_ db: Database) throws {
    let next = try db.first("SELECT ifnull(max(CAST(seq AS INTEGER)), 0) FROM sqlite_sequence", [])
    {
      $0.integer(0)
    }
    let change = try ChangeLog(db: db).lastSequence()
    guard max(next ?? 0, change) < limit else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its numbers are used up")
    }
  }

  /// The counter of a table.
  static func next(of table: String, _ db: Database) throws -> Int64? {
    try db.first(
      "SELECT ifnull(max(CAST(seq AS INTEGER)), 0), count(*) FROM sqlite_sequence WHERE name = ?",
      [table]
    ) { $0.bool(1) ? $0.integer(0) : nil } ?? nil
  }
}
