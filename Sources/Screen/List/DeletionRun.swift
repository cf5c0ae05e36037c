import Journal

/// Consecutive deletions, counted so that an unintended second one is noticed.
///
/// `d` acts at once; `dd`, a habit from vim, deletes two entries.
package struct DeletionRun: Equatable, Sendable {
  /// The number of deletions.
  private var steps = 0
  /// The number of deleted entries.
  private var total = 0
  /// The number of entries in the last deletion, which an undo restores.
  private var last = 0
  /// The numbers of the last deleted entries, in order.
  private var numbers: [Int64] = []
  /// The maximum number of listed numbers.
  private static let mostNumbers = 3

  package init() {}

  /// Counts a deletion.
  mutating func add(_ deleted: [Int64]) {
    steps += 1
    total += deleted.count
    last = deleted.count
    numbers = Array((numbers + deleted.suffix(Self.mostNumbers)).suffix(Self.mostNumbers))
  }

  /// The message in the status line; `nil` unless there were several.
  var message: String? {
    guard steps > 1 else { return nil }
    guard total == steps else {
      let what = last == 1 ? "the last one" : "the last \(last)"
      return "deleted \(Numbers.entries(total)) in \(steps) steps; u restores \(what)"
    }
    let earlier = total > numbers.count ? "…, " : ""
    let list = numbers.map(String.init).joined(separator: ", ")
    return "deleted \(Numbers.entries(total)) (\(earlier)\(list)); u restores the last"
  }
}
