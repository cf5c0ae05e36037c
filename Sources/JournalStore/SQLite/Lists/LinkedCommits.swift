import GRDB
import Journal
import SectionedResults

/// The commits of a list whose filter other entries decide: a change of a title may change whether the links
/// of entries lead anywhere that are in no line of the log.
///
/// From the newest commit to the oldest it sets the graph of links back, and asks before and after each about
/// its entries and those that they affect.
struct LinkedCommits {
  let db: Database
  let request: EntryRequest
  let filter: Query

  /// The most entries of a commit to ask about; for more, a new fetch is cheaper.
  private static let limit = 4_096

  func commits(_ lines: [ChangeLog.Change]) throws -> [StoreCommit<EntryRow>] {
    guard lines.count <= Self.limit else { throw ResultsError.historyLost }
    var commits: [StoreCommit<EntryRow>] = []
    var graph = LinkGraph(db: db)
    // Entries as they were after the commit at hand, if a later one changed them.
    var later: [Int64: Entry?] = [:]
    var end = lines.endIndex
    while end > lines.startIndex {
      let set = lines[end - 1].set
      let start = (lines[..<end].lastIndex { $0.set != set } ?? -1) + 1
      let after = (graph: graph, entries: later)
      var numbers: [Int64] = []
      for line in lines[start..<end].reversed() {
        let entry = try before(line)
        graph.setBack(line.number, to: entry)
        later[line.number] = .some(entry)
        numbers.append(line.number)
      }
      let images = try images(numbers, (graph, later), after)
      if !images.isEmpty {
        let stamp = StoreStamp(sequence: lines[end - 1].sequence)
        commits.append(StoreCommit(stamp: stamp, changes: images))
      }
      end = start
    }
    return commits.reversed()
  }

  /// An entry before a line.
  ///
  /// - Throws: `ResultsError.historyLost` if it was purged since and may have been in the list.
  private func before(_ line: ChangeLog.Change) throws -> Entry? {
    if line.isPurged, !line.isInTrash || filter.wantsDeleted { throw ResultsError.historyLost }
    return try ChangeLog(db: db).entry(line)
  }

  private typealias World = (graph: LinkGraph, entries: [Int64: Entry?])

  private func images(
    _ changed: [Int64], _ before: World, _ after: World
  ) throws -> [RowImages<EntryRow>] {
    var numbers = Set(changed)
    for world in [before, after] {
      guard let affected = try world.graph.affected(by: changed, limit: Self.limit) else {
        throw ResultsError.historyLost
      }
      numbers.formUnion(affected)
    }
    var images: [RowImages<EntryRow>] = []
    for number in numbers.sorted() {
      try NetChanges<ChangeLog.Change>.pair(
        rows(number, before), rows(number, after), into: &images)
    }
    return images
  }

  private func rows(_ number: Int64, _ world: World) throws -> [EntryRow] {
    let entry = try world.entries[number] ?? SQLiteReader(db: db, path: "").entry(number: number)
    guard let entry, try filter.matches(entry, asking: world.graph.decide) else { return [] }
    return RowProjection(request: request).expanded(entry.row()) { entry.text }
  }
}
