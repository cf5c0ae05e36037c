import TestSupport
import Testing

@testable import Journal

/// The common elements of two sequences, compared with a slow and simple oracle.
struct SequenceDifferenceTests {
  @Test("what is kept is the same on both sides, whatever the budget", arguments: 0..<60)
  func agrees(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let symbols = Int.random(in: 1...9, using: &random)
    let old = Self.sequence(symbols, &random)
    let new = Self.sequence(symbols, &random)
    for budget in [0, 3, 50, SequenceDifference.usualBudget] {
      let difference = SequenceDifference(from: old, to: new, budget: budget)
      let left = zip(old, difference.keptOld).filter(\.1).map(\.0)
      let right = zip(new, difference.keptNew).filter(\.1).map(\.0)
      #expect(left == right, "seed \(seed), budget \(budget)")
    }
  }

  @Test("without elements that stand once in both the answer is the shortest", arguments: 0..<60)
  func shortest(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Every element twice on both sides, so that nothing divides the sequences.
    let old = Self.sequence(3, &random).flatMap { [$0, $0] }
    let new = Self.sequence(3, &random).flatMap { [$0, $0] }
    let counted = Dictionary(grouping: old + new, by: \.self)
    guard counted.values.allSatisfy({ $0.count > 2 }) else { return }
    let kept = SequenceDifference(from: old, to: new).keptOld.count(where: \.self)
    #expect(kept <= Self.longestCommon(old, new))
    let hasAnchor = counted.keys.contains { key in
      old.count(where: { $0 == key }) == 1 && new.count(where: { $0 == key }) == 1
    }
    if !hasAnchor { #expect(kept == Self.longestCommon(old, new), "seed \(seed)") }
  }

  @Test("two unrelated sequences of a million elements are told apart in bounded steps")
  func bounded() {
    let old = (0..<500_000).map { $0 % 7 }
    let new = (0..<500_000).map { 7 + $0 % 5 }
    let difference = SequenceDifference(from: old, to: new)
    #expect(!difference.keptOld.contains(true))
  }

  private static func sequence(_ symbols: Int, _ random: inout SeededGenerator) -> [Int] {
    (0..<Int.random(in: 0...30, using: &random)).map { _ in
      Int.random(in: 0..<symbols, using: &random)
    }
  }

  /// The length of the longest common subsequence, by the table of all of them.
  private static func longestCommon(_ old: [Int], _ new: [Int]) -> Int {
    var row = Array(repeating: 0, count: new.count + 1)
    for left in old {
      var diagonal = 0
      for (index, right) in new.enumerated() {
        let above = row[index + 1]
        row[index + 1] = left == right ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[new.count]
  }
}
