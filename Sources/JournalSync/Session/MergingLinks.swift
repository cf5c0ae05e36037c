import Journal
import JournalFormats
import JournalStore

/// The links and titles that the remote has in merged entries.
struct RemoteMarks {
  /// The links, by uuid.
  private(set) var links: [String: Set<LinkText>] = [:]
  /// The titles of entries that are called otherwise now, or that are gone.
  private(set) var titles: [FormerTitle] = []

  /// Adds an entry as the remote has it; `nil` if it has none.
  ///
  /// - Parameter now: the merged entry.
  mutating func add(_ entry: Entry?, _ uuid: String, now: Entry?) {
    links[uuid, default: []].formUnion(entry?.liveLinks ?? [])
    if let title = entry.flatMap({ FormerTitle(of: $0, now: now) }) { titles.append(title) }
  }
}

/// The remote's answers for the repair of links.
extension SyncMerging {
  /// The remote's titles of entries that changed in the journal.
  var remoteSide: RemoteSide {
    let unmerged = local.titles.filter { remoteMarks.links[$0.key] == nil }
    return RemoteSide(titles: remoteMarks.titles + unmerged.values) { try remoteLinks(of: $0) }
  }

  private func remoteLinks(of entry: Entry) throws -> Set<LinkText>? {
    if let links = remoteMarks.links[entry.uuid] { return links }
    let change = local.entries[entry.uuid]
    guard let base = common.base, !common.comparesAll else { return [] }
    guard change != nil || common.pending?.numbers.contains(entry.number) == true else {
      return nil
    }
    let paths = change?.paths ?? [SyncPath(entry)]
    var links: Set<LinkText> = []
    try tree.contents(
      at: paths.map { ($0, base) }, limit: SyncFile.sizeLimit, isCancelled: isCancelled
    ) { index, content in
      links.formUnion(SyncFile.entry(content, at: paths[index], store.clock)?.liveLinks ?? [])
    }
    return links
  }
}
