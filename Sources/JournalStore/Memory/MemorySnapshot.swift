import Journal
import SectionedResults

/// One state of a memory journal, as results controllers ask about it.
struct MemorySnapshot: ResultsSnapshot {
  let journal: MemoryJournal

  /// How many lists keep their sorted keys.
  private static let keptLists = 4

  func stamp() throws -> StoreStamp { StoreStamp(sequence: journal.lastSequence) }

  func outline(of request: EntryRequest) throws -> [OutlineGroup<EntryRowID>] {
    var grouping = KeyGrouping(request, keepsKeys: false)
    for key in list(request).keys { grouping.add(key) }
    return grouping.groups
  }

  func keys(of request: EntryRequest, in range: KeyRange) throws -> [RowKey<EntryRowID>] {
    Array(list(request).keys(in: range))
  }

  func rows(of request: EntryRequest, ids: [EntryRowID]) throws -> [EntryRow] {
    ids.compactMap { journal.entries[$0.number]?.row(tag: $0.tag) }
  }

  func commits(
    after stamp: StoreStamp, for request: EntryRequest
  ) throws -> [StoreCommit<EntryRow>] {
    guard journal.lastSequence >= stamp.sequence else { throw ResultsError.historyLost }
    let projection = RowProjection(request: request)
    var changes = NetChanges<MemoryJournal.Line>(
      rowsBefore: { line in
        guard line.isLost else { return line.before.map(projection.rows) ?? [] }
        if line.wasInTrash, request.filter?.wantsDeleted != true { return [] }
        throw ResultsError.historyLost
      },
      currentRows: { journal.entries[$0].map(projection.rows) ?? [] })
    return try changes.commits(Array(journal.lines(after: stamp.sequence)))
  }

  private func list(_ request: EntryRequest) -> KeyList {
    var plain = request
    (plain.limit, plain.offset) = (nil, 0)
    if let known = journal.lists.first(where: {
      $0.request == plain && $0.sequence == journal.lastSequence
    }) {
      return known
    }
    let projection = RowProjection(request: plain)
    let keys = journal.entries.values.flatMap(projection.rows).map(plain.key)
      .sorted(by: plain.precedes)
    let list = KeyList(request: plain, sequence: journal.lastSequence, keys: keys)
    journal.lists = [list] + journal.lists.prefix(MemorySnapshot.keptLists - 1)
    return list
  }
}
