import GRDB
import Journal

/// Reads entries and history from one state of an SQLite journal.
struct SQLiteReader: EntryReading {
  let db: Database
  let path: String
  /// Answers queries with words, if the index matches the texts.
  var search: TextSearch?
  /// The journal that has the pieces of the files, if this one is its past.
  var present: SQLiteEntryStore?

  func entry(number: Int64) throws -> Entry? {
    try db.first(
      "SELECT \(EntryColumns.entry) FROM entry WHERE number = ?", [number],
      EntryColumns.decodeEntry)
  }

  /// Texts of other tools have no checksum before they are analysed.
  func isIntact(number: Int64) throws -> Bool {
    let stored = try Int64.fetchOne(
      db, sql: "SELECT checksum FROM entry WHERE number = ? AND title IS NOT NULL",
      arguments: [number])
    guard let stored, let entry = try entry(number: number) else { return true }
    return Entry.checksum(of: entry.text) == stored
  }

  func entry(uuid: String) throws -> Entry? {
    try db.first(
      "SELECT \(EntryColumns.entry) FROM entry WHERE uuid = ?", [uuid], EntryColumns.decodeEntry)
  }

  func contains(uuid: String) throws -> Bool {
    try db.first("SELECT 1 FROM entry WHERE uuid = ?", [uuid]) { _ in true } ?? false
  }

  func uuids(matching part: String, limit: Int) throws -> [String] {
    var uuids: [String] = []
    try db.forEach(
      """
      SELECT uuid FROM entry WHERE substr(uuid, 1, ?1) = ?2 OR substr(uuid, -?1) = ?2
      ORDER BY uuid LIMIT ?3
      """, [part.utf8.count, part, limit]
    ) { uuids.append($0.text(0)) }
    return uuids
  }

  func numbers(matching query: Query?) throws -> [Int64] {
    if let query, let search, search.isIndexed && query.needsWords || query.needsOthers,
      let found = try search.numbers(matching: query, db)
    {
      return found.numbers
    }
    let filter = SQLFilter(query, mode: .whole)
    guard filter.isExact else { return try scanned(filter, query) }
    return try Int64.fetchAll(
      db, sql: "SELECT number FROM entry AS e WHERE \(filter.sql) ORDER BY number",
      arguments: filter.arguments)
  }

  private func scanned(_ filter: SQLFilter, _ query: Query?) throws -> [Int64] {
    var numbers: [Int64] = []
    try db.forEach(
      "SELECT \(EntryColumns.entry) FROM entry AS e WHERE \(filter.sql) ORDER BY number",
      filter.arguments
    ) { columns in
      let entry = EntryColumns.decodeEntry(columns)
      if try query.map({ try matches($0, entry) }) ?? true { numbers.append(entry.number) }
    }
    return numbers
  }

  /// Whether an entry matches a query.
  func matches(_ query: Query, _ entry: Entry) throws -> Bool {
    try query.matches(entry, asking: LinkGraph(db: db).decide)
  }

  func count() throws -> Int {
    try KeptCounts.entries(db)
  }

  func tagCounts() throws -> [TagCount] {
    var counts: [TagCount] = []
    try db.forEach(
      """
      SELECT tag, entries, (SELECT typed FROM entry_tag AS t WHERE live = 1 AND t.tag = c.tag LIMIT 1)
      FROM tag_count AS c WHERE tag <> '' ORDER BY tag
      """
    ) { row in
      let key = row.text(0)
      counts.append(
        TagCount(
          key: key, tag: row.isNull(2) ? key : row.text(2),
          count: try row.count(1, of: "tag_count")))
    }
    return counts
  }

  /// The rows of the tag itself are counted already; of those below it, each entry counts once, unless
  /// it has the tag, too: that is one look-up in the primary key.
  static let countOfTagAndBelow = """
    SELECT count(DISTINCT number) FROM entry_tag AS t
    WHERE live = 1 AND tag > ?2 AND tag < ?3 AND NOT EXISTS (
      SELECT 1 FROM entry_tag AS o WHERE o.live = 1 AND o.tag = ?1
      AND o.day = t.day AND o.created = t.created AND o.number = t.number)
    """

  func count(ofTagAndBelow key: String) throws -> Int {
    let own = try db.first("SELECT entries FROM tag_count WHERE tag = ?", [key]) {
      try $0.count(0, of: "tag_count")
    }
    let below = try db.first(Self.countOfTagAndBelow, [key, key + "/", key + "0"]) {
      Int($0.integer(0))
    }
    return (own ?? 0) + (below ?? 0)
  }

  func entriesByDay() throws -> [(day: Day, entries: Int)] {
    var days: [(day: Day, entries: Int)] = []
    try db.forEach("SELECT day, entries FROM section_count ORDER BY day") { row in
      days.append((try row.day(0), try row.count(1, of: "section_count")))
    }
    return days
  }

  func logMark(at sequence: Int64) throws -> String? {
    guard sequence > 0 else { return "" }
    // The entry's identity, since two histories may add one in the same second; from the log for an
    // entry that was removed by undo.
    return try db.first(
      """
      SELECT c.kind || ' ' || c.number || ' ' || ifnull(s.id || ' ' || s.at || ' ' || s.kind, '')
        || ' ' || coalesce(
          (SELECT uuid FROM entry WHERE number = c.number),
          (SELECT uuid FROM change WHERE number = c.number AND uuid IS NOT NULL LIMIT 1), '')
      FROM change c LEFT JOIN change_set s ON s.id = c.change_set WHERE c.seq = ?
      """, [sequence]
    ) { $0.text(0) }
  }

  func versions(of number: Int64) throws -> [EntryVersion] {
    guard let current = try entry(number: number) else { return [] }
    var first = current.created
    try db.forEach(
      """
      SELECT created, created_offset FROM change
      WHERE number = ? AND created IS NOT NULL ORDER BY seq LIMIT 1
      """, [number]
    ) { first = EntryColumns.moment($0, 0) }
    var history = EntryHistory(created: first)
    try db.forEach(
      """
      SELECT c.text IS NULL, ifnull(c.text, ''), ifnull(s.at, c.modified),
        ifnull(s.at_offset, c.modified_offset), ifnull(s.source, ''), ifnull(s.actor, ''),
        ifnull(s.kind = 'import', 0)
      FROM change AS c LEFT JOIN change_set AS s ON s.id = c.change_set
      WHERE c.number = ? AND (c.text IS NOT NULL OR c.kind = 'insert') ORDER BY c.seq
      """, [number]
    ) { row in
      let source = ChangeSource(rawValue: row.text(4)) ?? .unknown
      if row.bool(0) {
        history.added(by: source, row.text(5), isImport: row.bool(6))
      } else {
        history.replaced(
          row.text(1),
          by: .init(
            moment: EntryColumns.moment(row, 2), source: source, program: row.text(5),
            isImport: row.bool(6)))
      }
    }
    return history.versions(endingWith: current.text)
  }

  func states(of number: Int64) throws -> [KnownState] {
    guard let present = try entry(number: number) else { return [] }
    let log = ChangeLog(db: db)
    var changes: [ChangeLog.Change] = []
    try log.forEach("WHERE number = ? ORDER BY seq", [number]) { changes.append($0) }
    var states: [KnownState] = []
    var maker = (set: ChangeSet.ID?.none, origin: KnownState.Origin.received, isUndone: false)
    var isNewInSet = false
    for change in changes {
      if let state = try log.entry(change), !maker.isUndone {
        states.append(KnownState(state, maker.origin))
      }
      let isInsertion = change.before == nil && !change.isPurged
      isNewInSet = change.set == maker.set && change.set != nil ? isNewInSet : isInsertion
      let isFirstInSet = change.set != maker.set
      maker = try self.maker(change.set, isRecord: isFirstInSet || isNewInSet)
    }
    return states + [KnownState(present, maker.origin)]
  }

  func importBases(of number: Int64) throws -> [ImportBase] {
    try ImportBases(db: db).bases(of: number)
  }

  func hasChanged(_ uuid: String) throws -> Bool {
    try db.first(
      """
      SELECT ifnull(max(seq) > min(seq), 0) FROM change
      WHERE number = (SELECT number FROM entry WHERE uuid = ?)
      """, [uuid]
    ) { $0.bool(0) } ?? false
  }

  /// What wrote a state of an entry in a change set, and whether that is undone.
  ///
  /// An import writes the text of the record first, and then what a merge makes of it.
  private func maker(
    _ set: ChangeSet.ID?, isRecord: Bool
  ) throws -> (set: ChangeSet.ID?, origin: KnownState.Origin, isUndone: Bool) {
    let found = try set.flatMap {
      try db.first("SELECT kind, state IN (1, 2) FROM change_set WHERE id = ?", [$0]) {
        (kind: ChangeKind(rawValue: $0.text(0)), isUndone: $0.bool(1))
      }
    }
    let origin: KnownState.Origin =
      switch found?.kind {
      case .importing: isRecord ? .record : .own
      case .sync: .received
      default: .own
      }
    return (set, origin, found?.isUndone ?? false)
  }

  func present(on day: Day, at created: Moment) throws -> [Entry] {
    var entries: [Entry] = []
    for place in ["IS NULL", "IS NOT NULL"] {
      try db.forEach(
        """
        SELECT \(EntryColumns.entry) FROM entry
        WHERE deleted \(place) AND day = ? AND created = ? ORDER BY number LIMIT 100
        """, [day.description, created.seconds]
      ) { entries.append(EntryColumns.decodeEntry($0)) }
    }
    return entries
  }

  func titles(matching typed: String, limit: Int) throws -> [FoundTitle] {
    try TitleSearch(db: db).titles(matching: typed, limit: limit)
  }

  func versionCount(of number: Int64) throws -> Int {
    var checksums: [Int64] = []
    var isKnown = true
    try db.forEach(
      """
      SELECT checksum IS NOT NULL, ifnull(checksum, 0) FROM change
      WHERE number = ? AND text IS NOT NULL ORDER BY seq
      """, [number]
    ) {
      if !$0.bool(0) { isKnown = false }
      checksums.append($0.integer(1))
    }
    // Another tool wrote a text that has not been analysed.
    guard isKnown, !checksums.isEmpty else {
      return checksums.isEmpty ? 1 : try versions(of: number).count
    }
    let current = try db.first(
      "SELECT ifnull(checksum, 0) FROM entry WHERE number = ? AND checksum IS NOT NULL", [number]
    ) { $0.integer(0) }
    guard let current else { return try versions(of: number).count }
    checksums.append(current)
    return zip(checksums, checksums.dropFirst()).reduce(1) { $0 + ($1.0 == $1.1 ? 0 : 1) }
  }

  /// The condition that a change set belongs to a scope, with the session's number and start as
  /// the parameters 1 and 2.
  private static let isInScope =
    "kind <> 'sync' AND (?1 IS NULL OR session = ?1 OR first_seq <= ?2)"

  private static func arguments(_ scope: HistoryScope) -> StatementArguments {
    [scope.session?.id, scope.session?.start]
  }

  func undoable(in scope: HistoryScope, before limit: ChangeSet.ID?) throws -> ChangeSet? {
    try changeSet(
      """
      WHERE reverses IS NULL AND state = 0 AND \(SQLiteReader.isInScope) AND id < ?3
      ORDER BY id DESC LIMIT 1
      """, SQLiteReader.arguments(scope) + [limit ?? .max])
  }

  func undoneElsewhere(
    in session: HistorySession, after limit: ChangeSet.ID?
  ) throws -> [(set: ChangeSet, undo: ChangeSet.ID)] {
    var undos: [(set: ChangeSet.ID, undo: ChangeSet.ID)] = []
    // An undo is later than what it undid.
    try db.forEach(
      """
      SELECT reverses, max(id) FROM change_set
      WHERE id > ?1 AND reverses > ?1 AND kind = 'undo'
      GROUP BY reverses HAVING session <> ?2 AND first_seq > ?3 ORDER BY reverses DESC
      """, [limit ?? 0, session.id, session.start]
    ) { undos.append(($0.integer(0), $0.integer(1))) }
    let scope = HistoryScope(session: session)
    return try undos.compactMap { found in
      try changeSet(
        "WHERE id = ?3 AND reverses IS NULL AND state = 1 AND \(SQLiteReader.isInScope)",
        SQLiteReader.arguments(scope) + [found.set]
      ).map { ($0, found.undo) }
    }
  }

  /// Redoing follows the order of the undos, newest first: each must be the last undo of its set.
  func redoable(in scope: HistoryScope) throws -> ChangeSet? {
    try changeSet(
      """
      WHERE state = 1 AND id = (
        SELECT reverses FROM change_set AS u
        WHERE kind = 'undo' AND \(SQLiteReader.isInScope) AND id > ifnull((
            SELECT id FROM change_set
            WHERE kind NOT IN ('undo', 'redo') AND \(SQLiteReader.isInScope)
            ORDER BY id DESC LIMIT 1), 0)
          AND EXISTS (SELECT 1 FROM change_set WHERE id = u.reverses AND state = 1)
          AND NOT EXISTS (
            SELECT 1 FROM change_set WHERE reverses = u.reverses AND id > u.id AND kind = 'undo')
        ORDER BY id DESC LIMIT 1)
      """, SQLiteReader.arguments(scope))
  }

  func lastSequence() throws -> Int64 { try ChangeLog(db: db).lastSequence() }

  func syncState() throws -> SyncState? { try SyncTables(db: db).state() }

  func forEachChange(since cursor: Int64, _ body: (SyncChange) throws -> Void) throws {
    try ChangesSince(db: db, reader: self, cursor: cursor).forEach(body)
  }

  func countChanges(since cursor: Int64) throws -> Int {
    try ChangesSince(db: db, reader: self, cursor: cursor).count()
  }

  func changeSets(latest count: Int, before limit: ChangeSet.ID?) throws -> [ChangeSet] {
    try changeSets(
      "WHERE first_seq IS NOT NULL AND id < ? ORDER BY id DESC LIMIT ?", [limit ?? .max, count])
  }

  /// The columns of a change set, with whether it was undone, and whether it can be taken back: an
  /// undo or redo only if it was the last one of its change set.
  private static let changeSetColumns = """
    id, kind, at, at_offset, actor, ifnull(first_seq, 0), ifnull(last_seq, -1), ifnull(source, ''),
    ifnull(reverses, 0),
    CASE WHEN reverses IS NULL THEN state IN (1, 2) ELSE EXISTS (
      SELECT 1 FROM change_set AS l WHERE l.reverses = change_set.reverses AND l.id > change_set.id)
    END,
    CASE WHEN reverses IS NULL THEN state = 0 ELSE EXISTS (
      SELECT 1 FROM change_set AS s WHERE s.id = change_set.reverses AND s.state = (change_set.kind = 'undo'))
      AND NOT EXISTS (
        SELECT 1 FROM change_set AS l WHERE l.reverses = change_set.reverses AND l.id > change_set.id)
    END
    """

  private func changeSet(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> ChangeSet? {
    try changeSets(condition, arguments).first
  }

  private func changeSets(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [ChangeSet] {
    let columns = SQLiteReader.changeSetColumns
    var sets: [ChangeSet] = []
    try db.forEach("SELECT \(columns) FROM change_set \(condition)", arguments) { row in
      let (first, last) = (row.integer(5), row.integer(6))
      let set = ChangeSet(
        id: row.integer(0), kind: ChangeKind(rawValue: row.text(1)) ?? .outside,
        at: EntryColumns.moment(row, 2), actor: row.text(4),
        source: ChangeSource(rawValue: row.text(7)) ?? .unknown, count: try count(first, last),
        title: try number(first).map { try title(of: $0, after: last) } ?? "",
        isUndone: row.bool(9),
        canTakeBack: row.bool(10), reverses: row.bool(8) ? row.integer(8) : nil)
      sets.append(set)
    }
    return sets
  }

  /// The number of entries in lines of the log.
  private func count(_ first: Int64, _ last: Int64) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(DISTINCT number) FROM change WHERE seq BETWEEN ? AND ?",
      arguments: [first, last]) ?? 0
  }

  /// The entry number of a line of the log.
  private func number(_ sequence: Int64) throws -> Int64? {
    try db.first("SELECT number FROM change WHERE seq = ?", [sequence]) { $0.integer(0) }
  }

  /// The title that an entry had after a line of the log, or its last known one.
  ///
  /// A line has the state of the entry before it; of a journal in JSON without a title, which its text has.
  private func title(of number: Int64, after sequence: Int64) throws -> String {
    try db.first(
      """
      SELECT title IS NULL, ifnull(title, text) FROM (
        SELECT title, text FROM change
        WHERE number = ?1 AND seq > ?2 AND ifnull(title, text) IS NOT NULL ORDER BY seq LIMIT 1)
      UNION ALL SELECT 0, title FROM entry WHERE number = ?1 AND title IS NOT NULL
      UNION ALL SELECT 0, title FROM (
        SELECT title FROM change WHERE number = ?1 AND title IS NOT NULL ORDER BY seq DESC LIMIT 1)
      LIMIT 1
      """, [number, sequence]
    ) { $0.bool(0) ? Entry.title(of: $0.text(1)) : $0.text(1) } ?? ""
  }
}
