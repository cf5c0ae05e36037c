/// Deletions with no other key between them, counted so that one who meant a single one notices.
///
/// `d` acts at once; `dd`, as fingers used to vim type it, deletes two entries.
public struct DeletionRun: Equatable, Sendable {
  /// How many deletions there were.
  private var steps = 0
  /// How many entries they deleted.
  private var total = 0
  /// How many entries the last of them deleted, which is what an undo brings back.
  private var last = 0
  /// The numbers of the entries deleted last, in the order in which they were.
  private var numbers: [Int64] = []
  /// No more numbers are told.
  private static let mostNumbers = 3

  /// Makes a run without a deletion.
  public init() {}

  /// Counts a deletion.
  mutating func add(_ deleted: [Int64]) {
    steps += 1
    total += deleted.count
    last = deleted.count
    numbers = Array((numbers + deleted.suffix(Self.mostNumbers)).suffix(Self.mostNumbers))
  }

  /// What the status line says of them; `nil` unless there were several.
  var message: String? {
    guard steps > 1 else { return nil }
    guard total == steps else {
      let what = last == 1 ? "the last one" : "the last \(last)"
      return "deleted \(total) entries in \(steps) steps; u brings \(what) back"
    }
    let earlier = total > numbers.count ? "…, " : ""
    let list = numbers.map(String.init).joined(separator: ", ")
    return "deleted \(total) entries (\(earlier)\(list)); u brings the last back"
  }
}
