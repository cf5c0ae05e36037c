import Journal

extension EntryStore {
  /// The number of any entry that a query matches, or of any outside the trash; `nil` if there is none.
  ///
  /// - Parameter other: an entry that is not chosen if there are others.
  /// - Complexity: linear in the matches.
  package func randomEntry(
    matching query: Query? = nil, except other: Int64? = nil,
    using random: inout some RandomNumberGenerator
  ) throws -> Int64? {
    let numbers = try inspect { try $0.numbers(matching: query) }
    return numbers.filter { $0 != other }.randomElement(using: &random) ?? numbers.first
  }

  /// The same entry all day: one of those before the day, which what is written on it does not change; without
  /// them any.
  ///
  /// - Complexity: linear in the matches.
  package func entryOfDay(_ day: Day, matching query: Query? = nil) throws -> Int64? {
    let before = Query.until(day.adding(days: -1))
    for query in [query.map { Query.and([$0, before]) } ?? before, query] {
      let numbers = try inspect { try $0.numbers(matching: query) }
      guard !numbers.isEmpty else { continue }
      // Of each day another place, as far from that of the day before as the golden ratio takes it.
      let hash = UInt64(bitPattern: Int64(day.daysSinceEpoch)) &* RandomSequence.golden
      return numbers[Int(hash.multipliedFullWidth(by: UInt64(numbers.count)).high)]
    }
    return nil
  }
}

/// A sequence of random numbers that is the same for a seed: SplitMix64.
package struct RandomSequence: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// The golden ratio's fraction in 64 bits.
  static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

  package mutating func next() -> UInt64 {
    state &+= Self.golden
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
