import GRDB
import Journal

/// Reads from the change log which entries a journal had at a moment of the past.
///
/// A line of the log has an entry's state before a change. So the state at a position of the log is the
/// one in the entry's first line after it, and the present one of an entry without such a line.
struct PastEntries {
  let db: Database
  /// The sequence number of the last change until then; `nil` if there is no later one.
  let position: Int64?

  /// - Throws: ``StoreError`` with the earliest known moment, if the log begins after `moment`.
  init(_ db: Database, at moment: Moment, of path: String) throws {
    self.db = db
    let first = try db.first(
      "SELECT at, at_offset FROM change_set WHERE first_seq IS NOT NULL ORDER BY id LIMIT 1", []
    ) { EntryColumns.moment($0, 0) }
    guard let first else {
      throw StoreError(
        .beforeHistory, at: path, "the journal has no changes yet, so it has no past")
    }
    // A clock that was put back may have given a later change an earlier time: the last one counts.
    let last = try db.first(
      """
      SELECT last_seq, id FROM change_set WHERE first_seq IS NOT NULL AND at <= ?
      ORDER BY id DESC LIMIT 1
      """, [moment.seconds]
    ) { ($0.integer(0), $0.integer(1)) }
    guard let (sequence, id) = last else {
      throw StoreError(
        .beforeHistory, at: path,
        "the change log begins \(first.localDay) \(first.clockText); the journal before is not known"
      )
    }
    let hasLater = try db.first(
      "SELECT 1 FROM change_set WHERE first_seq IS NOT NULL AND id > ? LIMIT 1", [id]
    ) { _ in true }
    position = hasLater == true ? sequence : nil
  }

  /// What the log lacks.
  struct Loss {
    var purged = 0
    var unknown = 0
  }

  /// Calls `body` with each entry of then, in the trash or not.
  ///
  /// - Returns: the number of those whose state is not known any more.
  func eachEntry(_ body: (Entry) throws -> Void) throws -> Loss {
    var loss = Loss()
    let columns = EntryColumns.entry
    guard let position else {
      try db.forEach("SELECT \(columns) FROM entry ORDER BY number", []) {
        try body(EntryColumns.decodeEntry($0))
      }
      return loss
    }
    try db.forEach(
      """
      SELECT \(columns) FROM entry
      WHERE number NOT IN (SELECT number FROM change WHERE seq > ?) ORDER BY number
      """, [position]
    ) { try body(EntryColumns.decodeEntry($0)) }
    let log = ChangeLog(db: db)
    try log.forEachFirstChange(after: position) { change in
      // Without a state before, the entry did not exist, or its state was purged.
      guard let image = change.before else {
        guard change.isPurged, !change.isInTrash else { return }
        try note(change.number, in: &loss)
        return
      }
      // A text before a change that nobody logged may be any: a JSON file repeats a text in no line.
      guard try !log.hasLoss(of: change.number, after: change.sequence) else {
        if !change.isInTrash { try note(change.number, in: &loss) }
        return
      }
      let text = try image.text ?? log.text(of: change.number, before: change.sequence) ?? ""
      try body(image.row.entry(text: text))
    }
    return loss
  }

  private func note(_ number: Int64, in loss: inout Loss) throws {
    let exists = try db.first("SELECT 1 FROM entry WHERE number = ?", [number]) { _ in true }
    if exists == true { loss.unknown += 1 } else { loss.purged += 1 }
  }

  /// Copies the lines of the log until then into an empty one, so that versions can be read.
  func copyLog(into past: Database) throws {
    let limit = position ?? .max
    var lines = RowInsertion(into: "change", ["seq", "change_set", "kind", "number"], in: past)
    try db.forEach(
      """
      SELECT seq, change_set, number FROM change
      WHERE seq <= ? AND kind = 'insert' AND change_set IS NOT NULL ORDER BY seq
      """, [limit]
    ) { line in
      try lines.add(.integer(line.integer(0)))
      try lines.add(.integer(line.integer(1)))
      try lines.add(.text("insert"))
      try lines.add(.integer(line.integer(2)))
    }
    try lines.finish()
    try copy(
      "change", ["seq", "change_set", "kind", "number"] + EntryColumns.image,
      where: "seq <= ? AND kind <> 'insert' AND change_set IS NOT NULL", limit, into: past)
    try copy(
      "change_set",
      [
        "id", "at", "at_offset", "actor", "kind", "first_seq", "last_seq", "state", "session",
        "source",
      ],
      where: "first_seq <= ?", limit, into: past)
  }

  private func copy(
    _ table: String, _ columns: [String], where condition: String, _ limit: Int64,
    into past: Database
  ) throws {
    let insert = try past.makeStatement(sql: EntryColumns.insertion(into: table, columns))
    let rows = try SQLRow.fetchCursor(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(condition)",
      arguments: [limit])
    while let row = try rows.next() {
      try insert.execute(arguments: StatementArguments(row.databaseValues))
    }
  }
}

extension ChangeLog {
  /// Calls `body` with the first change of each entry after a sequence number, in the order of numbers.
  func forEachFirstChange(after sequence: Int64, _ body: (Change) throws -> Void) throws {
    try forEach(
      """
      WHERE seq IN (SELECT min(seq) FROM change WHERE seq > ? GROUP BY number) ORDER BY number
      """, [sequence], body)
  }

  /// Whether the state of an entry before a change after a sequence number is lost.
  func hasLoss(of number: Int64, after sequence: Int64) throws -> Bool {
    try db.first(
      "SELECT 1 FROM change WHERE number = ? AND seq > ? AND kind = 'purged' LIMIT 1",
      [number, sequence]
    ) { _ in true } ?? false
  }
}
