import Journal

@testable import JournalStore

/// Where links lead, by reading all texts.
struct LinkOracle {
  private let live: [Entry]
  private var links: [Int64: Set<String>] = [:]

  init(_ entries: some Collection<Entry>) {
    live = entries.filter { $0.deleted == nil }.sorted {
      ($0.created.seconds, $0.number) < ($1.created.seconds, $1.number)
    }
    for entry in live { links[entry.number] = Set(Link.all(in: entry.text).map(\.key)) }
  }

  /// The entries of a title, in the order of time.
  func holders(_ key: String) -> [Entry] {
    guard case .title = Link.target(ofKey: key) else { return [] }
    let full = live.filter { Link.keys(ofTitleKey: $0.titleKey).first == key }
    return full.isEmpty ? live.filter { Link.keys(ofTitleKey: $0.titleKey).contains(key) } : full
  }

  func destination(_ key: String, from source: Entry) -> Int64? {
    let holders = holders(key)
    let others = holders.filter { $0.number != source.number }
    let isBefore = { (entry: Entry) in
      (entry.created.seconds, entry.number) < (source.created.seconds, source.number)
    }
    return (others.last(where: isBefore) ?? others.first ?? holders.first)?.number
  }

  private func leads(_ source: Entry, to number: Int64) -> Bool {
    guard source.number != number else { return false }
    return links[source.number]?.contains { destination($0, from: source) == number } ?? false
  }

  func decide(_ query: Query, _ entry: Entry) -> Bool {
    guard entry.deleted == nil else { return false }
    return switch query {
    case .linksTo(let number): leads(entry, to: number)
    case .linked(let key): holders(key).contains { leads($0, to: entry.number) }
    case .flag(.orphan): !live.contains { leads($0, to: entry.number) }
    case .flag(.broken):
      links[entry.number]?.contains { key in
        if case .title = Link.target(ofKey: key) { holders(key).isEmpty } else { false }
      } ?? false
    default: false
    }
  }
}
