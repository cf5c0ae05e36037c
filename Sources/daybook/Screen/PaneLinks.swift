import Journal
import JournalStore
import Screen
import SectionedResults

/// The links of the entry in the reading pane, and the live list of the entries that link to it.
final class PaneLinks {
  private let store: any EntryStore
  /// Receives the links again after a commit that changes the list.
  private let receive: (Result<EntryLinks, any Error>) -> Void
  /// The list for one entry.
  private var sources: (number: Int64, results: EntryResults)?

  /// The most links of a text that are looked up; those after them count as leading somewhere.
  private static let mostLinks = 500

  init(_ store: any EntryStore, receive: @escaping (Result<EntryLinks, any Error>) -> Void) {
    (self.store, self.receive) = (store, receive)
  }

  /// Reads the links of an entry, and follows the entries that link to it from then on, in place of
  /// those of the last one.
  ///
  /// - Throws: the errors of the store.
  func links(of number: Int64) throws -> EntryLinks {
    if sources?.number != number {
      sources?.results.end()
      sources = nil
      let request = ResultsRequest.entries(
        query: .linksTo(number), grouping: .none, pageSize: EntryLinks.mostSources)
      let results = try EntryResults(store, request)
      try results.fetch()
      results.receive = { [weak self] in self?.take($0) }
      sources = (number, results)
    }
    return try found(number)
  }

  private func take(_ news: EntryResultsNews) {
    guard let number = sources?.number else { return }
    switch news {
    case .changed: receive(Result { try found(number) })
    case .reloaded:
      // The next question fetches it.
      sources = nil
      receive(Result { try links(of: number) })
    case .failed(let error): receive(.failure(error))
    }
  }

  private func found(_ number: Int64) throws -> EntryLinks {
    var links = EntryLinks(number: number, broken: try broken(number))
    guard let list = sources?.results.list, list.numberOfSections > 0 else { return links }
    links.count = list.numberOfRows(inSection: 0)
    links.sources = try (0..<min(links.count, EntryLinks.mostSources)).map { row in
      let row = try list.object(at: RowPath(0, row))
      return FoundTitle(number: row.id.number, title: row.title, day: row.day)
    }
    return links
  }

  /// The keys of an entry's links that lead nowhere.
  private func broken(_ number: Int64) throws -> Set<String> {
    guard let text = try store.entries([number]).first?.text, Marks.mayBeIn(text) else { return [] }
    let keys = Set(Link.all(in: text).prefix(Self.mostLinks).map(\.key))
    return try store.inspect { reader in try keys.filter { try reader.isBroken($0) } }
  }
}
