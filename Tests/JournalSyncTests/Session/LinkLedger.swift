import Journal
import JournalStore

/// Records what links were written for, to prove that they lead there on every device at rest.
///
/// Each link has a word of its own, by which it is known in any text. A link is *left behind* if a change on a
/// device, not a synchronisation, made it lead elsewhere: by a rename that did not carry it along, by an undo.
/// At rest all others lead to the entries that they were written for, as far as these live.
struct LinkLedger {
  /// Where links lead, by their words; `nil` for nowhere.
  typealias Destinations = [String: Entry?]

  /// A title that several entries may have; `nil` if all titles differ.
  let shared: String?
  /// The entry that each link was written for.
  private var meant: [String: String] = [:]
  /// The links that were left behind, and those to a title that several entries have.
  private var excused: Set<String> = []

  init(shared: String? = nil) { self.shared = shared }

  /// Where the links of a journal lead, from all texts.
  static func destinations(in store: any EntryStore) throws -> Destinations {
    let live = try store.entries(store.numbers(matching: nil)).sorted {
      ($0.created.seconds, $0.number) < ($1.created.seconds, $1.number)
    }
    var found: Destinations = [:]
    for source in live {
      for link in Link.all(in: source.text) {
        guard let word = link.words else { continue }
        found[word] = .some(destination(of: link.key, from: source, among: live))
      }
    }
    return found
  }

  private static func destination(
    of key: String, from source: Entry, among live: [Entry]
  ) -> Entry? {
    let keys = live.map { (entry: $0, keys: Link.keys(ofTitleKey: $0.titleKey)) }
    let full = keys.filter { $0.keys.first == key }
    let holders = (full.isEmpty ? keys.filter { $0.keys.contains(key) } : full).map(\.entry)
    let others = holders.filter { $0.number != source.number }
    let earlier = others.last {
      ($0.created.seconds, $0.number) < (source.created.seconds, source.number)
    }
    return earlier ?? others.first ?? holders.first
  }

  /// Records a change of a journal.
  ///
  /// - Parameters:
  ///   - before: where its links led before it.
  ///   - after: where they lead now.
  mutating func record(
    from before: Destinations, to after: Destinations, on store: any EntryStore
  ) throws {
    for (word, now) in after {
      // A new link means what it leads to.
      guard let uuid = meant[word] else {
        if let now { meant[word] = now.uuid } else { excused.insert(word) }
        continue
      }
      if now?.uuid != uuid, before[word].map({ $0?.uuid == uuid }) ?? true { excused.insert(word) }
    }
    try excuse(on: store)
  }

  /// Excuses links that no synchronisation repairs: those in the trash, and those to an entry with a title that
  /// may name another one.
  mutating func excuse(on store: any EntryStore) throws {
    for entry in try store.entries(store.numbers(matching: .flag(.deleted))) {
      excused.formUnion(Link.all(in: entry.text).compactMap(\.words))
    }
    guard let shared else { return }
    for (word, uuid) in meant
    where try store.inspect({ try $0.entry(uuid: uuid) })?.title == shared {
      excused.insert(word)
    }
  }

  /// Excuses all links so far.
  mutating func excuseAll() { excused.formUnion(meant.keys) }

  /// Checks a journal at rest.
  ///
  /// - Returns: the number of links that lead where they were meant to, and the faults of others.
  func check(_ store: any EntryStore) throws -> (kept: Int, faults: [String]) {
    let destinations = try Self.destinations(in: store)
    var (kept, faults) = (0, [String]())
    for (word, uuid) in meant.sorted(by: { $0.key < $1.key }) where !excused.contains(word) {
      guard let lead = destinations[word],
        let target = try store.inspect({ try $0.entry(uuid: uuid) }), target.deleted == nil
      else { continue }
      if lead?.uuid == uuid {
        kept += 1
      } else {
        faults.append("\(word) leads to \(lead?.title ?? "nothing") instead of \(target.title)")
      }
    }
    return (kept, faults)
  }
}
