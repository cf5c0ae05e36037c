import GRDB
import Journal
import SectionedResults

extension SQLiteSnapshot {
  /// Beyond so many changes reading the results anew costs less than following them.
  private static let longestHistory = 100_000

  func commits(
    after stamp: StoreStamp, for request: EntryRequest
  ) throws -> [StoreCommit<EntryRow>] {
    let log = ChangeLog(db: db)
    let count = try log.count(
      after: stamp.sequence, limit: SQLiteSnapshot.longestHistory + 1)
    guard count <= SQLiteSnapshot.longestHistory else { throw ResultsError.historyLost }
    let present = try log.lastSequence()
    guard present >= stamp.sequence else { throw ResultsError.historyLost }
    let changes = try log.changes(after: stamp.sequence)
    var reader = CommitReader(log: log, request: request)
    return try reader.commits(changes)
  }
}

/// Makes commits from lines of the change log, from the newest line to the oldest.
///
/// Going backwards, what stood after a line is what the line visited before it, of the same entry,
/// tells, or the entry's present state: one look-up an entry, however long the history.
private struct CommitReader {
  let log: ChangeLog
  let request: EntryRequest
  /// The rows that each entry visited so far had after the line that is looked at.
  private var later: [Int64: [EntryRow]] = [:]

  init(log: ChangeLog, request: EntryRequest) {
    self.log = log
    self.request = request
  }

  mutating func commits(_ changes: [ChangeLog.Change]) throws -> [StoreCommit<EntryRow>] {
    var commits: [StoreCommit<EntryRow>] = []
    var end = changes.endIndex
    while end > changes.startIndex {
      let set = changes[end - 1].set
      let start = (changes[..<end].lastIndex { $0.set != set } ?? -1) + 1
      let images = try images(changes[start..<end])
      if !images.isEmpty {
        let stamp = StoreStamp(sequence: changes[end - 1].sequence)
        commits.append(StoreCommit(stamp: stamp, changes: images))
      }
      end = start
    }
    return commits.reversed()
  }

  /// The net effect of the lines of one commit (rule 41).
  private mutating func images(
    _ changes: ArraySlice<ChangeLog.Change>
  ) throws -> [RowImages<EntryRow>] {
    var order: [Int64] = []
    var first: [Int64: ChangeLog.Change] = [:]
    for change in changes where first[change.number] == nil {
      first[change.number] = change
      order.append(change.number)
    }
    return try order.flatMap { number -> [RowImages<EntryRow>] in
      guard let change = first[number] else { return [] }
      let after = try later[number] ?? currentRows(of: number)
      let before = try rows(before: change)
      later[number] = before
      return CommitReader.pairs(before, after)
    }
  }

  /// Rows before and after, matched by identity; those that are equal were not changed.
  private static func pairs(
    _ before: [EntryRow], _ after: [EntryRow]
  ) -> [RowImages<EntryRow>] {
    let gone = before.filter { row in !after.contains { $0.id == row.id } }
    let there = after.compactMap { row -> RowImages<EntryRow>? in
      let old = before.first { $0.id == row.id }
      return old == row ? nil : RowImages(id: row.id, before: old, after: row)
    }
    return gone.map { RowImages(id: $0.id, before: $0, after: nil) } + there
  }

  private func currentRows(of number: Int64) throws -> [EntryRow] {
    guard
      let row = try SQLRow.fetchOne(
        log.db.cachedStatement(sql: "SELECT \(EntryColumns.row) FROM entry WHERE number = ?"),
        arguments: [number])
    else { return [] }
    return try rows(EntryColumns.decodeRow(row)) {
      try String.fetchOne(
        log.db.cachedStatement(sql: "SELECT text FROM entry WHERE number = ?"),
        arguments: [number])
    }
  }

  private func rows(before change: ChangeLog.Change) throws -> [EntryRow] {
    if change.isPurged {
      if change.isInTrash, request.filter?.wantsDeleted != true { return [] }
      throw ResultsError.historyLost
    }
    guard let image = change.before else { return [] }
    return try rows(image.row) {
      try image.text ?? log.text(of: change.number, before: change.sequence)
    }
  }

  /// The rows an entry has in the request: none if the filter leaves it out, one a tag by tag.
  private func rows(_ row: EntryRow, _ text: () throws -> String?) throws -> [EntryRow] {
    guard try matches(row, text) else { return [] }
    guard request.sectionField == .tag else { return [row] }
    let keys = row.tags.isEmpty ? [""] : row.tags.map { Tag.key(of: $0) }
    return keys.map { key in
      var tagged = row
      tagged.id.tag = key
      return tagged
    }
  }

  private func matches(_ row: EntryRow, _ text: () throws -> String?) throws -> Bool {
    guard let filter = request.filter, filter != .everything else { return row.deleted == nil }
    if row.deleted != nil, !filter.wantsDeleted { return false }
    let text = filter.needsText ? try text() ?? "" : ""
    return filter.matches(row.entry(text: text))
  }
}
