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

  /// The entries missing from the log.
  struct Loss {
    var purged = 0
    var unknown = 0
  }

  /// The entries that did not change since.
  private var isUnchanged: (sql: String, arguments: StatementArguments) {
    position.map { ("number NOT IN (SELECT number FROM change WHERE seq > ?)", [$0]) } ?? ("1", [])
  }

  /// Whether the rows of entries that did not change since can be copied: what is derived from their
  /// texts is what this program would find in them.
  func canCopyUnchanged() throws -> Bool {
    let version = DerivedVersion(db: db)
    guard try version.isCurrent(.tags), try version.isCurrent(.marks) else { return false }
    return try !ExternalChanges.arePending(db)
  }

  /// Copies the entries that did not change since, with what is derived from their texts, into empty tables:
  /// to find that again takes most of the time that a journal of the past takes.
  ///
  /// - Parameter step: called for each entry; what it throws ends the work.
  func copyUnchanged(into past: Database, _ step: () throws -> Void) throws {
    let (condition, arguments) = isUnchanged
    let rows = RowCopy(from: db, into: past)
    let tables =
      [("entry", EntryColumns.table), ("entry_tag", EntryColumns.tag)]
      + MarkTable.all.map { ($0.name, $0.columns) }
    for (table, columns) in tables {
      try rows.copy(
        columns, of: "\(table) NOT INDEXED WHERE \(condition)", arguments, into: table
      ) {
        if table == "entry" { try step() }
      }
    }
  }

  /// Calls `body` with each entry of then, in the trash or not.
  ///
  /// - Parameter ofChanged: whether only those that changed since are wanted.
  /// - Returns: the number of those whose state is not known any more.
  func eachEntry(ofChanged: Bool = false, _ body: (Entry) throws -> Void) throws -> Loss {
    var loss = Loss()
    if !ofChanged {
      let (condition, arguments) = isUnchanged
      try db.forEach(
        "SELECT \(EntryColumns.entry) FROM entry WHERE \(condition) ORDER BY number", arguments
      ) { try body(EntryColumns.decodeEntry($0)) }
    }
    guard let position else { return loss }
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
    let rows = RowCopy(from: db, into: past)
    let line = ["seq", "change_set", "kind", "number"]
    let isLogged = "seq <= ? AND change_set IS NOT NULL"
    // The states before an insertion are none, and there are as many insertions as entries.
    try rows.copy(
      line, of: "change WHERE \(isLogged) AND kind = 'insert'", [limit], into: "change")
    try rows.copy(
      line + EntryColumns.image, of: "change WHERE \(isLogged) AND kind <> 'insert'", [limit],
      into: "change")
    try rows.copy(
      [
        "id", "at", "at_offset", "actor", "kind", "first_seq", "last_seq", "state", "session",
        "source",
      ], of: "change_set WHERE first_seq <= ?", [limit], into: "change_set")
  }
}

/// Copies rows between databases as they are stored, without a value of Swift for each column.
private struct RowCopy {
  private let source: Database
  private let target: Database

  init(from source: Database, into target: Database) {
    self.source = source
    self.target = target
  }

  /// - Parameters:
  ///   - columns: the columns, which both tables have; the first one is never null.
  ///   - rows: the table of the source with a condition, as after `FROM`.
  ///   - step: called before each row; what it throws ends the copy.
  func copy(
    _ columns: [String], of rows: String, _ arguments: StatementArguments, into table: String,
    _ step: () throws -> Void = {}
  ) throws {
    let insertion = try RepeatedStatement(
      EntryColumns.insertion(into: table, columns), in: target)
    try source.forEach("SELECT \(columns.joined(separator: ", ")) FROM \(rows)", arguments) {
      try step()
      insertion.bind($0, count: columns.count)
      try insertion.run()
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
