import Foundation

/// Places in a long row, of which each run tries some.
///
/// They are counted from 1. The first is tried, and one in so many of the others: each day another one.
/// A test that stops a program at each of its system calls, say, would else take minutes. With
/// `FAULT_STRIDE=1` all are tried, as `make proof` does.
package struct Sample: Sequence {
  private let interval: Int
  private let rest: Int

  /// - Parameters:
  ///   - interval: one in how many places is tried, without `FAULT_STRIDE`.
  ///   - name: what the row is, so that not all rows have the same places tried.
  ///   - seed: the seed of the run.
  package init(
    oneIn interval: Int, of name: String, seed: UInt64 = SeededGenerator.runSeed
  ) {
    // FNV-1a, since the hashes of Swift differ in each process.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    var generator = SeededGenerator(seed: hash ^ seed)
    let stride = ProcessInfo.processInfo.environment["FAULT_STRIDE"].flatMap(Int.init)
    self.interval = stride ?? interval
    rest = generator.below(self.interval)
  }

  /// Whether the place is tried.
  package func contains(_ place: Int) -> Bool {
    place == 1 || place % interval == rest
  }

  /// The places that are tried, without an end.
  package func makeIterator() -> some IteratorProtocol<Int> {
    (1...).lazy.filter(contains).makeIterator()
  }
}
