/// One section as a list sees it: an identity, a number of rows and whether they are folded away.
public struct ListSection: Hashable, Sendable {
  /// The identity of the section, for example `2026-11-21`.
  ///
  /// Folds are kept by it.
  public let key: String
  /// How many rows the section has, folded away or not; never negative.
  public let count: Int
  /// Whether only the header is shown.
  public var folded: Bool

  /// Makes a section.
  ///
  /// A count that no list can have is brought into range, so that sums of lines cannot overflow.
  public init(key: String, count: Int, folded: Bool = false) {
    self.key = key
    self.count = min(max(0, count), 1 << 40)
    self.folded = folded
  }

  /// How many lines the section takes: its header, and its rows unless they are folded away.
  var lines: Int { folded ? 1 : 1 + count }

  /// How many of its lines can be selected: its rows, or the header when it stands for them.
  var selectableLines: Int { folded ? 1 : count }
}
