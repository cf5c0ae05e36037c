/// The levels of amounts compared with each other: quartiles, so that a quarter of the amounts has
/// the highest level.
package struct AmountLevels: Hashable, Sendable {
  /// The highest level; the lowest is 1, and nothing has 0.
  package static let highest = 4

  /// The amounts from which on levels 2, 3 and 4 begin; empty without amounts.
  private let borders: [Int]
  private let least: Int
  private let most: Int

  /// Makes the levels of some amounts.
  ///
  /// - Complexity: O(n log n).
  package init(_ amounts: some Sequence<Int>) {
    let amounts = amounts.sorted()
    borders =
      amounts.isEmpty
      ? [] : (1..<Self.highest).map { amounts[$0 * amounts.count / Self.highest] }
    least = amounts.first ?? 0
    most = amounts.last ?? 0
  }

  /// The level of an amount, at least 1.
  package func level(of amount: Int) -> Int { 1 + borders.count { amount >= $0 } }

  /// The amounts of each level in ascending order; `nil` for a level that none of them has.
  package var ranges: [ClosedRange<Int>?] {
    guard !borders.isEmpty else { return Array(repeating: nil, count: Self.highest) }
    return (0..<Self.highest).map { index in
      let low = index == 0 ? least : borders[index - 1]
      let high = index < borders.count ? borders[index] - 1 : most
      return low <= high ? low...high : nil
    }
  }
}
