import Journal

/// Counts what an export leaves behind, by kind.
struct LossTally {
  private var counts: [(kind: String, count: Int)] = []

  /// Counts an entry for a kind of loss: `the stars of`.
  mutating func add(_ kind: String, if isLost: Bool = true) {
    guard isLost else { return }
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count += 1
    } else {
      counts.append((kind, 1))
    }
  }

  /// Counts what a format of local minutes without identities loses of an entry.
  mutating func add(lostBy entry: Entry, keepsStar: Bool) {
    add("the seconds of", if: entry.created.localTime.second != 0)
    add("the day of", if: entry.day != entry.created.localDay)
    add("the star of", if: entry.starred && !keepsStar)
    add("the trash mark of", if: entry.deleted != nil)
    add("the time of the last change of", if: entry.modified != entry.created)
  }

  /// The kinds with their counts, in the order they were met: `the star of 3 entries`.
  var phrases: [String] {
    counts.map { "\($0.kind) \($0.count) \($0.count == 1 ? "entry" : "entries")" }
  }
}
