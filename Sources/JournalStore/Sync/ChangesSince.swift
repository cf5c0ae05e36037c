import GRDB
import Journal

/// Reads the entries that changed since a sequence number from an SQLite journal.
///
/// The former state of an entry is the before image of its first change since. A number may have got
/// another entry (`REPLACE` by another tool), and an entry another number (an import after a purge):
/// changes are paired by uuid.
struct ChangesSince {
  let db: Database
  let reader: SQLiteReader
  let cursor: Int64

  /// The former state of a number.
  private enum Base {
    case none
    case entry(Entry)
    case lost
  }

  /// The changes since a cursor, found by their sequence: the index by number has all changes ever made.
  static let recent = "change NOT INDEXED WHERE seq > ?"

  func count() throws -> Int {
    let sql =
      cursor == 0
      ? "SELECT count(*) FROM entry WHERE ? = 0"
      : "SELECT count(DISTINCT number) FROM \(Self.recent)"
    return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [cursor]) ?? 0
  }

  func forEach(_ body: (SyncChange) throws -> Void) throws {
    if cursor == 0 { return try forEachEntry(body) }
    try reader.checkReach(of: cursor)
    var moved = try removed()
    let numbers = try Int64.fetchAll(
      db, sql: "SELECT DISTINCT number FROM \(Self.recent) ORDER BY number", arguments: [cursor])
    for number in numbers {
      let base = try base(of: number)
      let now = try reader.entry(number: number)
      switch base {
      case .entry(let entry) where now?.uuid.isSame(as: entry.uuid) == true:
        guard let now, !now.isSame(as: entry) else { continue }
        try body(SyncChange(uuid: now.uuid, number: number, atCursor: entry, now: now))
      case .lost where now != nil && moved.purged[number] == nil:
        guard let now else { continue }
        try body(SyncChange(uuid: now.uuid, number: number, now: now, isBaseLost: true))
      case .none, .entry, .lost:
        if let change = try removal(number, base, moved) { try body(change) }
        if let now { try body(arrival(now, &moved)) }
      }
    }
  }

  /// Everything is new to a repository that has nothing.
  private func forEachEntry(_ body: (SyncChange) throws -> Void) throws {
    try db.forEach("SELECT \(EntryColumns.entry) FROM entry ORDER BY number") { columns in
      let entry = EntryColumns.decodeEntry(columns)
      try body(SyncChange(uuid: entry.uuid, number: entry.number, now: entry))
    }
  }

  // MARK: - Entries that lost their number

  /// The entries that lost their number since, by removal, purge or replacement.
  private struct Moved {
    /// The numbers of their former states, by uuid.
    var numbers: [String: Int64] = [:]
    /// The uuids of purged entries, by number.
    var purged: [Int64: String] = [:]
  }

  private func removed() throws -> Moved {
    var moved = Moved()
    try db.forEach("SELECT number, uuid FROM sync_purged WHERE seq > ?", [cursor]) { row in
      moved.purged[row.integer(0)] = row.text(1)
      moved.numbers[row.text(1)] = row.integer(0)
    }
    let numbers = try Int64.fetchAll(
      db,
      sql: "SELECT DISTINCT number FROM \(Self.recent) AND kind = 'delete' ORDER BY number",
      arguments: [cursor])
    for number in numbers {
      if case .entry(let entry) = try base(of: number) { moved.numbers[entry.uuid] = number }
    }
    return moved
  }

  /// The removal of a number's former entry, unless the entry exists under another number.
  private func removal(_ number: Int64, _ base: Base, _ moved: Moved) throws -> SyncChange? {
    switch base {
    case .none: return nil
    case .entry(let entry):
      if try reader.contains(uuid: entry.uuid) { return nil }
      return SyncChange(uuid: entry.uuid, number: number, atCursor: entry)
    case .lost:
      guard let uuid = moved.purged[number], try !reader.contains(uuid: uuid) else { return nil }
      return SyncChange(uuid: uuid, number: number, isBaseLost: true)
    }
  }

  /// The change of an entry that got its number since, which may have had another one.
  private func arrival(_ now: Entry, _ moved: inout Moved) throws -> SyncChange {
    var change = SyncChange(uuid: now.uuid, number: now.number, now: now)
    guard let number = moved.numbers.removeValue(forKey: now.uuid) else { return change }
    switch try base(of: number) {
    case .none: break
    case .entry(var entry):
      entry.number = now.number
      change.atCursor = entry
    case .lost: change.isBaseLost = true
    }
    return change
  }

  private func base(of number: Int64) throws -> Base {
    guard let change = try ChangeLog(db: db).firstChange(of: number, after: cursor) else {
      return try reader.entry(number: number).map(Base.entry) ?? .none
    }
    if change.isPurged { return .lost }
    return try ChangeLog(db: db).entry(change).map(Base.entry) ?? .none
  }
}

/// The rows that record synchronisation in an SQLite journal.
struct SyncTables {
  let db: Database

  func state() throws -> SyncState? {
    try db.first(
      """
      SELECT remote, base IS NOT NULL, ifnull(base, ''), cursor, journal, device, at IS NOT NULL,
        ifnull(at, 0), ifnull(at_offset, 0), outcome IS NOT NULL, ifnull(outcome, ''),
        repository_key IS NOT NULL, ifnull(repository_key, '')
      FROM sync_state
      """, []
    ) { row in
      SyncState(
        remote: row.text(0), base: row.bool(1) ? row.text(2) : nil, cursor: row.integer(3),
        journal: row.text(4), device: row.text(5),
        at: row.bool(6) ? EntryColumns.moment(row, 7) : nil,
        outcome: row.bool(9) ? SyncOutcome(row.text(10)) : nil,
        repositoryKey: row.bool(11) ? Hexadecimal.bytes(of: row.text(12).utf8) : nil)
    }
  }

  /// Purged entries up to the cursor need not be known any longer.
  func set(_ state: SyncState?) throws {
    guard let state else {
      try db.execute(sql: "DELETE FROM sync_state; DELETE FROM sync_purged")
      return
    }
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO sync_state
          (id, remote, base, cursor, journal, device, at, at_offset, outcome, repository_key)
        VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        state.remote, state.base, state.cursor, state.journal, state.device, state.at?.seconds,
        state.at?.offset, state.outcome?.text, state.repositoryKey.map { Hexadecimal.text(of: $0) },
      ])
    try db.execute(sql: "DELETE FROM sync_purged WHERE seq <= ?", arguments: [state.cursor])
  }

  func purged() throws -> [PurgedEntry] {
    var purged: [PurgedEntry] = []
    try db.forEach("SELECT number, uuid, seq FROM sync_purged ORDER BY number") { row in
      purged.append(
        PurgedEntry(number: row.integer(0), uuid: row.text(1), sequence: row.integer(2)))
    }
    return purged
  }

  func add(_ purged: PurgedEntry) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO sync_purged (number, uuid, seq) VALUES (?, ?, ?)"
    ).execute(arguments: [purged.number, purged.uuid, purged.sequence])
  }

  /// Notes the removed entries whose log lines are about to be cleared, in a synchronised journal.
  func note(_ numbers: [Int64]) throws {
    guard try state() != nil else { return }
    for number in numbers {
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO sync_purged (number, uuid, seq)
          SELECT number, uuid, seq FROM change
          WHERE number = ? AND kind = 'delete' AND uuid IS NOT NULL ORDER BY seq DESC LIMIT 1
          """
      ).execute(arguments: [number])
    }
  }
}
