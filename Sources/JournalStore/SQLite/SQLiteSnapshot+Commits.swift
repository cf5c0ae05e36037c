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
    let limit = SQLiteSnapshot.longestHistory
    let distance = try log.lastSequence() - stamp.sequence
    // Sequence numbers grow by at least one, so a short distance cannot hide many changes.
    guard distance >= 0,
      try distance <= limit || log.count(after: stamp.sequence, limit: limit + 1) <= limit
    else { throw ResultsError.historyLost }
    let projection = RowProjection(request: request)
    var changes = NetChanges<ChangeLog.Change>(
      rowsBefore: { try rows(before: $0, projection, log) },
      currentRows: { try currentRows(of: $0, projection) })
    return try changes.commits(log.changes(after: stamp.sequence))
  }

  private func currentRows(of number: Int64, _ projection: RowProjection) throws -> [EntryRow] {
    let row = try db.first(
      "SELECT \(EntryColumns.row) FROM entry WHERE number = ?", [number]
    ) { EntryColumns.decodeRow($0) }
    guard let row else { return [] }
    return try projection.rows(row) {
      try db.first("SELECT text FROM entry WHERE number = ?", [number]) { $0.text(0) }
    }
  }

  private func rows(
    before change: ChangeLog.Change, _ projection: RowProjection, _ log: ChangeLog
  ) throws -> [EntryRow] {
    if change.isPurged {
      if change.isInTrash, projection.request.filter?.wantsDeleted != true { return [] }
      throw ResultsError.historyLost
    }
    guard let image = change.before else { return [] }
    return try projection.rows(image.row) {
      try image.text ?? log.text(of: change.number, before: change.sequence)
    }
  }
}
