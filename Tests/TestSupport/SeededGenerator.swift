import Foundation

/// Random numbers that are the same for the same seed, in every run and on every machine, so that a
/// failure can be run again: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// The seed of the random tests: `RESULTS_SEED`, else the day, such as 20261126.
  ///
  /// So each day tries something else, and all runs of a day the same. `make test` tells it, and the
  /// command that repeats a failure.
  package static let runSeed: UInt64 =
    ProcessInfo.processInfo.environment["RESULTS_SEED"].flatMap(UInt64.init) ?? today

  private static var today: UInt64 {
    var now = time(nil)
    var date = tm()
    gmtime_r(&now, &date)
    let (year, month) = (Int(date.tm_year) + 1900, Int(date.tm_mon) + 1)
    return UInt64(year * 10_000 + month * 100 + Int(date.tm_mday))
  }

  /// So many seeds of the run, for the arguments of a test.
  package static func seeds(_ count: UInt64) -> [UInt64] {
    (0..<count).map { runSeed &* 1_000_003 &+ $0 }
  }

  /// Makes a generator; seeds that differ in one bit give numbers that have nothing in common.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Whether an event of this probability, from 0 to 1, happens.
  package mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// Whether an event happens that does so in so many of a hundred cases.
  package mutating func chance(percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  /// A number from 0 to below `limit`; 0 when there is none.
  package mutating func below(_ limit: Int) -> Int {
    Int.random(in: 0..<max(1, limit), using: &self)
  }
}
