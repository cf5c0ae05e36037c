import Journal
import SectionedResults

@testable import JournalStore

/// A host whose blocks are kept and taken by a list, as on the screen.
final class Followed: EntryResultsReceiver {
  let store: any EntryStore
  let host: EntryResults
  private(set) var list = SectionedList(height: 9)
  private(set) var failures: [any Error] = []
  private(set) var reloads = 0
  private var blocks: [ResultsChange<EntryRow>] = []

  init(_ store: any EntryStore, _ request: EntryRequest, head: DayHead? = nil) throws {
    self.store = store
    host = try EntryResults(store, request, head: head)
    host.receiver = self
    try host.fetch()
    list.reload(sections: host.sections, generation: host.generation)
  }

  func take(_ news: EntryResultsNews) {
    switch news {
    case .changed(let updates): take(updates)
    case .reloaded:
      reloads += 1
      list.reload(sections: host.sections, generation: host.generation)
    case .failed(let error): failures.append(error)
    }
  }

  private func take(_ updates: ResultsChange<EntryRow>) {
    blocks.append(updates)
    guard updates.batch.from == list.generation else { return }
    do { try list.apply(updates.batch) } catch { failures.append(error) }
  }

  /// The blocks since the last call.
  func take() -> [ResultsChange<EntryRow>] {
    defer { blocks = [] }
    return blocks
  }

  /// The rows that the host shows.
  func shown() throws -> [[EntryRow]] {
    try (0..<host.list.numberOfSections).map { section in
      try (0..<host.list.numberOfRows(inSection: section)).map {
        try host.list.object(at: RowPath(section, $0))
      }
    }
  }
}
