import TestSupport
import Testing

@testable import SectionedResults

/// Sums that are rounded once.
@Suite("Exact sums")
struct ExactSumTests {
  private func sum(_ values: [SortValue]) -> SortValue {
    var sum = ExactSum()
    for value in values { sum.add(value, times: 1) }
    return sum.value
  }

  private func isSame(_ left: SortValue, _ right: SortValue) -> Bool {
    // 1 and 1.0 are equal, but not the same.
    switch (left, right) {
    case (.integer, .integer), (.real, .real), (.null, .null): left == right
    case _: false
    }
  }

  @Test(
    "sums of numbers are rounded once",
    arguments: [
      ([], .integer(0)),
      ([1, 2, 3], .integer(6)),
      ([1, 2.5], .real(3.5)),
      ([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], .real(1)),
      ([1e16, 1, -1e16], .real(1)),
      ([1e308, 1e308, -1e308], .real(1e308)),
      ([1e308, 1e308], .real(.infinity)),
      ([-1e308, -1e308], .real(-.infinity)),
      ([.real(.infinity), 1], .real(.infinity)),
      ([.real(.infinity), .real(-.infinity)], .null),
      ([.real(.nan), .null, "7", .blob([1]), 2], .integer(2)),
      ([.integer(.max), 1], .real(0x1p63)),
      ([.integer(.max), 1, -1], .integer(.max)),
      ([.integer(.min), .integer(.min)], .real(-0x1p64)),
      ([.integer(.max), 0.5, .integer(-.max)], .real(0.5)),
      // Halfway between two reals: to the even one, unless a bit far below breaks the tie.
      ([0x1p53, 1.0], .real(0x1p53)),
      ([0x1p53, 1.0, 0x1p-1000], .real(0x1p53 + 2)),
      ([-0x1p53, -1.0, -0x1p-1000], .real(-0x1p53 - 2)),
      ([0x1p53, 3.0], .real(0x1p53 + 4)),
    ] as [([SortValue], SortValue)])
  func examples(_ values: [SortValue], _ expected: SortValue) {
    #expect(isSame(sum(values), expected), "\(values): \(sum(values))")
    #expect(isSame(sum(values.reversed()), expected), "reversed")
  }

  @Test("the least reals are summed, too")
  func leastReals() {
    let least = Double.leastNonzeroMagnitude
    #expect(isSame(sum([.real(least), .real(least)]), .real(2 * least)))
    #expect(isSame(sum([.real(-least), 1e300, -1e300]), .real(-least)))
    let normal = Double.leastNormalMagnitude
    #expect(isSame(sum([.real(normal), .real(-least)]), .real(normal.nextDown)))
  }

  @Test("sums of random numbers equal those in integers, in any order, and after taking some out")
  func randomNumbers() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<2_000 {
      // In units of 2⁻⁴⁰, all of them exact.
      let scale = Int.random(in: 0..<52, using: &random)
      let units = (0..<Int.random(in: 1..<40, using: &random)).map { _ in
        Int128(Int64.random(in: -1 << scale...1 << scale, using: &random))
      }
      var sum = ExactSum()
      let others = (0..<20).map { _ in
        Double.random(in: -1e300...1e300, using: &random)
          * Double(
            sign: .plus, exponent: -Int.random(in: 0..<1_900, using: &random), significand: 1)
      }
      for other in others { sum.add(.real(other), times: 3) }
      for unit in units.shuffled(using: &random) {
        sum.add(.real(Double(unit) * 0x1p-40), times: 1)
      }
      for other in others.shuffled(using: &random) { sum.add(.real(other), times: -3) }
      let total = units.reduce(0, +)
      #expect(isSame(sum.value, .real(Double(total) * 0x1p-40)), "\(units)")
    }
  }

  @Test("the sum of two sums is the sum of all numbers")
  func sumOfSums() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ 1)
    for _ in 0..<500 {
      let values = (0..<30).map { _ -> SortValue in
        random.chance(0.3)
          ? .integer(Int64.random(in: .min ... .max, using: &random))
          : .real(Double.random(in: -1e20...1e20, using: &random))
      }
      let place = Int.random(in: 0...30, using: &random)
      var left = ExactSum()
      var right = ExactSum()
      for value in values[..<place] { left.add(value, times: 1) }
      for value in values[place...] { right.add(value, times: 1) }
      left.add(right)
      #expect(isSame(left.value, sum(values)))
    }
  }
}
