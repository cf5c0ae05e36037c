import GRDB
import Journal

/// Takes back a change set many entries at a time, where nothing needs to be merged.
///
/// An entry is untouched if the change set has one line of it, and the log no later one: its present
/// state is then the state after the change, and the line has the state before. A few statements
/// restore a chunk of such entries; neither their texts nor their images pass through this program.
/// Removals are not restored here, since another entry may have the uuid by now.
struct BulkReversal {
  private let set: ChangeSet.ID
  private let db: Database
  private let chosen: ChosenEntries

  /// Longer replaced texts are restored one by one, so that a chunk of them needs little memory.
  private static let longestText = 65_536

  init(of set: ChangeSet.ID, in db: Database) throws {
    self.set = set
    self.db = db
    chosen = try ChosenEntries(db)
  }

  /// Restores all untouched entries.
  ///
  /// - Parameter step: called for each of them.
  func run(_ step: () throws -> Void) throws -> UntouchedEntries {
    var result = UntouchedEntries()
    let range = try db.first(
      """
      SELECT first_seq, last_seq FROM change_set
      WHERE id = ? AND typeof(first_seq) = 'integer' AND typeof(last_seq) = 'integer'
      """, [set]
    ) { ($0.integer(0), $0.integer(1)) }
    guard case (let first, var last)? = range else { return result }
    // A damaged file may have any number here, and a pass over the numbers would not end.
    last = min(last, try ChangeLog(db: db).lastSequence())
    guard 0 <= first, first <= last else { return result }
    var next = first
    while next <= last {
      let end = min(next + Int64(ChosenEntries.size) - 1, last)
      try choose(in: next...end, of: first, others: &result.others)
      let count = try Int.fetchOne(
        db.cachedStatement(sql: "SELECT count(*) FROM temp.chosen_entry"))
      if let count, count > 0 {
        if try remove() { result.hasEffect = true }
        if try restore() { result.hasEffect = true }
        result.count += count
        for _ in 0..<count { try step() }
      }
      next = end + 1
    }
    return result
  }

  /// Chooses the untouched entries among some lines of the log.
  private func choose(
    in lines: ClosedRange<Int64>, of first: Int64, others: inout Set<Int64>
  ) throws {
    try chosen.clear()
    try db.cachedStatement(
      sql: """
        INSERT INTO temp.chosen_entry (number, seq)
        SELECT c.number, c.seq FROM change AS c JOIN entry AS e ON e.number = c.number
        WHERE c.seq BETWEEN ?1 AND ?2 AND c.change_set = ?3 AND e.title IS NOT NULL
          AND (c.kind = 'insert' OR (c.kind = 'update' AND e.uuid IS c.uuid
            AND (c.text IS NULL OR (c.title IS NOT NULL
              AND length(CAST(c.text AS BLOB)) <= \(Self.longestText)
              AND (e.conflicts IS '' OR ifnull(c.conflicts, '') IS NOT e.conflicts)))))
          AND NOT EXISTS (
            SELECT 1 FROM change AS o WHERE o.number = c.number AND o.seq >= ?4 AND o.seq <> c.seq)
        """
    ).execute(arguments: [lines.lowerBound, lines.upperBound, set, first])
    try db.forEach(
      """
      SELECT number FROM change WHERE seq BETWEEN ? AND ? AND change_set = ?
        AND number NOT IN \(ChosenEntries.numbers)
      """, [lines.lowerBound, lines.upperBound, set]
    ) { others.insert($0.integer(0)) }
  }

  /// Removes the entries that the change set added.
  private func remove() throws -> Bool {
    try db.cachedStatement(
      sql: """
        DELETE FROM entry WHERE number IN (
          SELECT c.number FROM temp.chosen_entry AS t JOIN change AS c ON c.seq = t.seq
          WHERE c.kind = 'insert')
        """
    ).execute()
    return db.changesCount > 0
  }

  // MARK: Restoring

  /// A column and the expression for its former value, over the tables ``former``.
  private typealias Assignment = (column: String, value: String)

  /// The chosen entries `e`, each with its line `c`.
  private static let former = """
    temp.chosen_entry AS t JOIN change AS c ON c.seq = t.seq AND c.kind = 'update'
      JOIN entry AS e ON e.number = t.number
    """

  /// All columns but the number and the uuid, which are permanent.
  ///
  /// A line has a text and the data derived from it only if the change replaced the text.
  private static let assignments: [Assignment] = EntrySchema.fields.flatMap { field in
    let name = field.name
    return switch field.kind {
    case _ where name == "number" || name == "uuid": [Assignment]()
    case _ where name == "text":
      (["text"] + EntryColumns.derived).map {
        ($0, "CASE WHEN c.text IS NULL THEN e.\($0) ELSE c.\($0) END")
      }
    case .integer, .flag: [(name, "ifnull(c.\(name), 0)")]
    case .text, .day: [(name, "ifnull(c.\(name), '')")]
    case .moment: [name, name + "_offset"].map { ($0, "ifnull(c.\($0), 0)") }
    case .optionalMoment: [name, name + "_offset"].map { ($0, "c.\($0)") }
    }
  }

  /// Restores the changed columns only: SQLite rewrites the entries of each index whose columns are
  /// named.
  ///
  /// - Returns: whether any column differed.
  private func restore() throws -> Bool {
    let differences = Self.assignments.map {
      "ifnull(max(e.\($0.column) IS NOT (\($0.value))), 0)"
    }
    let changed = try db.first(
      "SELECT \(differences.joined(separator: ", ")) FROM \(Self.former)", []
    ) { row in Self.assignments.indices.filter { row.bool($0) }.map { Self.assignments[$0] } }
    guard let changed, !changed.isEmpty else { return false }
    var (retagged, relinked): ([Int64], [Int64]) = ([], [])
    if changed.contains(where: { $0.column == "text" }) {
      try db.forEach(
        """
        SELECT t.number, c.tags IS NOT e.tags, \(Self.mayHaveMarks("c")) OR \(Self.mayHaveMarks("e"))
        FROM \(Self.former) WHERE c.text IS NOT NULL
        """
      ) { row in
        if row.bool(1) { retagged.append(row.integer(0)) }
        if row.bool(2) { relinked.append(row.integer(0)) }
      }
    }
    let terms = changed.map { "\($0.column) = \($0.value)" }.joined(separator: ", ")
    try db.cachedStatement(
      sql: "UPDATE entry SET \(terms) FROM \(Self.former) WHERE entry.number = t.number"
    ).execute()
    for number in retagged {
      if let derived = try derived(number) {
        try ExternalChanges.replaceTags(db, of: number, with: derived)
      }
    }
    for number in relinked {
      if let derived = try derived(number) {
        try MarkTable.replace(db, of: number, with: derived)
      }
    }
    return true
  }

  private func derived(_ number: Int64) throws -> DerivedColumns? {
    try db.first("SELECT text FROM entry WHERE number = ?", [number]) {
      DerivedColumns(text: $0.text(0))
    }
  }

  /// The condition that a text may have links, fields or files.
  private static func mayHaveMarks(_ alias: String) -> String {
    MarkTable.all.map { "instr(\(alias).text, '\($0.sign)')" }.joined(separator: " OR ")
  }
}
