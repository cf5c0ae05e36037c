import Journal
import Testing

/// Levels of amounts: quartiles, and what they cover.
struct AmountLevelsTests {
  @Test("levels are quartiles, and their ranges cover every amount once")
  func quartiles() {
    for amounts in [
      [5], [0, 0, 7], Array(1...100), [3, 3, 3, 3, 9], [1, 2], [4, 1, 3, 2, 2, 8],
    ] {
      let levels = AmountLevels(amounts)
      for amount in amounts {
        let level = levels.level(of: amount)
        #expect((1...AmountLevels.highest).contains(level))
        let found = levels.ranges.enumerated().filter { $0.element?.contains(amount) == true }
        #expect(found.map { $0.offset + 1 } == [level], "\(amount) of \(amounts)")
        // A larger amount never has a lower level.
        #expect(amounts.allSatisfy { $0 < amount || levels.level(of: $0) >= level })
      }
    }
    #expect(AmountLevels(1...100).ranges == [1...25, 26...50, 51...75, 76...100])
  }

  @Test("no amounts have no ranges, equal amounts have one")
  func few() {
    #expect(AmountLevels([Int]()).ranges == [nil, nil, nil, nil])
    #expect(AmountLevels([7, 7, 7]).ranges == [nil, nil, nil, 7...7])
  }
}
