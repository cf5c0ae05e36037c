import Journal
import JournalStore
import Screen
import SectionedResults
import TextLayout

/// The links of the entry in the reading pane, and the live list of the entries that link to it.
final class PaneLinks: EntryResultsReceiver {
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
      results.receiver = self
      sources = (number, results)
    }
    return try found(number)
  }

  func take(_ news: EntryResultsNews) {
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

  /// The journal's files that an entry names.
  private func attachments(_ number: Int64) throws -> [Attachment] {
    try store.inspect { reader in
      guard let entry = try reader.entry(number: number) else { return [] }
      return try reader.attachments(of: entry.text)
    }
  }

  private func found(_ number: Int64) throws -> EntryLinks {
    var links = EntryLinks(number: number, broken: try broken(number))
    let attachments = try attachments(number)
    let absent = attachments.contains { $0.file == nil } ? store.wordsForAbsentFile : ""
    links.files = Dictionary(
      attachments.map { ($0.link.target, $0.file?.details ?? absent) },
      uniquingKeysWith: { first, _ in first })
    links.pictures = Dictionary(
      attachments.compactMap { attachment in
        attachment.drawn.map { (attachment.link.target, $0) }
      }, uniquingKeysWith: { first, _ in first })
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

extension Attachment {
  /// The picture to draw.
  fileprivate var drawn: ShownPicture? { link.isPicture ? file?.drawn : nil }
}

extension StoredFile {
  /// The picture to draw: one whose size and type are known, and that is not too large to be decoded.
  fileprivate var drawn: ShownPicture? {
    guard let pixels, PictureProcess.takes(self) else { return nil }
    return ShownPicture(hash: hash, width: pixels.width, height: pixels.height)
  }
}

extension Gallery.Picture {
  init(_ found: FoundPicture) {
    self.init(
      entry: found.entry, place: found.place, hash: found.file.hash, shown: found.file.drawn,
      details: found.file.details, fileName: found.file.name.asFileName)
  }
}
