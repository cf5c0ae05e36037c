import Journal
import JournalStore

/// The results of changed records whose entries exist, with the titles of the first ones.
struct RenewalReport {
  /// The number of entries that take the changes of their records.
  var updated: Int {
    counts[.updated, default: 0] + counts[.merged, default: 0]
      + counts[.trashed, default: 0]
  }
  /// The number of entries that keep two texts.
  var conflicts: Int { counts[.conflict, default: 0] + counts[.alike, default: 0] }

  private enum Kind: CaseIterable {
    case updated, merged, conflict, alike, trashed, older

    /// The result of entries, before their titles.
    var words: String {
      switch self {
      case .updated: "changed in the file, and updated here"
      case .merged: "changed in the file and here, and merged"
      case .conflict: "changed in the file and here in the same words; is:conflict finds both texts"
      case .alike:
        "like an entry of its day, without some of its lines; is:conflict finds both texts"
      case .trashed: "changed in the file, and in the trash here"
      case .older: "older in the file than here, and left as here"
      }
    }
  }

  private var counts: [Kind: Int] = [:]
  private var titles: [Kind: [String]] = [:]

  private static let titlesShown = 8

  /// Counts what became of a record.
  ///
  /// - Parameter isGuess: whether time and words alone say which entry it is.
  mutating func add(_ renewal: Renewal, of record: Entry, isGuess: Bool = false) {
    switch renewal {
    case .none: break
    case .older: add(.older, record)
    case .update(let entry, let isMerged):
      add(entry.deleted != nil ? .trashed : isMerged ? .merged : .updated, record)
    case .conflict(let entry, _): add(isGuess ? .alike : .conflict, entry)
    }
  }

  private mutating func add(_ kind: Kind, _ entry: Entry) {
    counts[kind, default: 0] += 1
    // One more than is shown says that there are more.
    guard titles[kind, default: []].count <= Self.titlesShown else { return }
    let title = Entry.plainTitle(of: entry.title)
    titles[kind, default: []].append(title.isEmpty ? "\(entry.day)" : String(title.prefix(50)))
  }

  /// A line for each kind: `changed in the file, and updated here: 1 entry ("Potato soup")`.
  var lines: [String] {
    Kind.allCases.compactMap { kind in
      guard let count = counts[kind] else { return nil }
      let names = titles[kind, default: []]
      let shown = names.prefix(Self.titlesShown).map { "\"\($0)\"" }.joined(separator: ", ")
      let more = names.count > Self.titlesShown ? ", …" : ""
      return "\(kind.words): \(Numbers.entries(count)) (\(shown)\(more))"
    }
  }
}
