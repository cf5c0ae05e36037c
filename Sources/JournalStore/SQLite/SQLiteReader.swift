import GRDB
import Journal

/// Reads entries and history from one state of an SQLite journal.
struct SQLiteReader: EntryReading {
  let db: Database
  let place: String
  /// What answers queries with words in them, where the index fits the texts.
  var search: TextSearch?

  func entry(number: Int64) throws -> Entry? {
    try db.first(
      "SELECT \(EntryColumns.entry) FROM entry WHERE number = ?", [number],
      EntryColumns.decodeEntry)
  }

  /// Texts of other tools have no checksum until they have been looked at.
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
    try String.fetchAll(
      db,
      sql: """
        SELECT uuid FROM entry WHERE substr(uuid, 1, ?1) = ?2 OR substr(uuid, -?1) = ?2
        ORDER BY uuid LIMIT ?3
        """,
      arguments: [part.utf8.count, part, limit])
  }

  func numbers(matching query: Query?) throws -> [Int64] {
    if let query, query.needsWords, let found = try search?.numbers(matching: query, db) {
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
      if query?.matches(entry) ?? true { numbers.append(entry.number) }
    }
    return numbers
  }

  func count() throws -> Int {
    try Int.fetchOne(db, sql: "SELECT ifnull(sum(entries), 0) FROM section_count") ?? 0
  }

  func tagCounts() throws -> [TagCount] {
    let rows = try SQLRow.fetchCursor(
      db,
      sql: """
        SELECT tag, entries, (SELECT typed FROM entry_tag AS t WHERE live = 1 AND t.tag = c.tag LIMIT 1)
        FROM tag_count AS c WHERE tag <> '' ORDER BY tag
        """)
    var counts: [TagCount] = []
    while let row = try rows.next() {
      let key: String = row[0]
      counts.append(TagCount(key: key, tag: row[2] ?? key, count: row[1]))
    }
    return counts
  }

  func versions(of number: Int64) throws -> [EntryVersion] {
    guard let current = try entry(number: number) else { return [] }
    var history = EntryHistory(created: current.created)
    let rows = try SQLRow.fetchCursor(
      db,
      sql: """
        SELECT c.text, ifnull(s.at, c.modified), ifnull(s.at_offset, c.modified_offset)
        FROM change AS c LEFT JOIN change_set AS s ON s.id = c.change_set
        WHERE c.number = ? AND c.text IS NOT NULL ORDER BY c.seq
        """,
      arguments: [number])
    while let row = try rows.next() {
      history.replaced(row[0], at: Moment(seconds: row[1], offset: row[2]))
    }
    return history.versions(endingWith: current.text)
  }

  func undoable() throws -> ChangeSet? {
    try changeSet(
      """
      WHERE reverses IS NULL AND state = 0 ORDER BY id DESC LIMIT 1
      """)
  }

  func redoable() throws -> ChangeSet? {
    try changeSet("WHERE state = 1 ORDER BY id LIMIT 1")
  }

  private func changeSet(_ condition: String) throws -> ChangeSet? {
    guard
      let row = try SQLRow.fetchOne(
        db,
        sql:
          "SELECT id, kind, at, at_offset, actor, first_seq, last_seq FROM change_set \(condition)")
    else { return nil }
    let (first, last): (Int64, Int64) = (row[5] ?? 0, row[6] ?? -1)
    let count = try Int.fetchOne(
      db, sql: "SELECT count(DISTINCT number) FROM change WHERE seq BETWEEN ? AND ?",
      arguments: [first, last])
    let number = try Int64.fetchOne(
      db, sql: "SELECT number FROM change WHERE seq = ?", arguments: [first])
    return ChangeSet(
      id: row[0], kind: ChangeKind(rawValue: row[1]) ?? .outside,
      at: Moment(seconds: row[2], offset: row[3]), actor: row[4], count: count ?? 0,
      title: try number.map(title) ?? "")
  }

  /// The title an entry has, or had when it was last seen.
  private func title(of number: Int64) throws -> String {
    try String.fetchOne(
      db,
      sql: """
        SELECT title FROM entry WHERE number = ?1 AND title IS NOT NULL
        UNION ALL SELECT title FROM (
          SELECT title FROM change WHERE number = ?1 AND title IS NOT NULL ORDER BY seq DESC LIMIT 1)
        LIMIT 1
        """,
      arguments: [number]) ?? ""
  }
}
