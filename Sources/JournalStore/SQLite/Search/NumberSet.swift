/// A set of entry numbers, a bit each: entries are numbered without large gaps.
struct NumberSet: Equatable {
  private var bits: [UInt64] = []

  /// The largest number a set may hold, which keeps it below eight megabytes.
  static let largest: Int64 = 64_000_000

  init() {}

  init(_ numbers: some Sequence<Int64>) {
    for number in numbers { insert(number) }
  }

  /// How many numbers there are.
  ///
  /// - Complexity: linear in the largest number, 64 of them at a time; so are the operations below.
  var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

  var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

  func contains(_ number: Int64) -> Bool {
    let place = Int(truncatingIfNeeded: number >> 6)
    guard place >= 0, place < bits.count else { return false }
    return bits[place] & NumberSet.mask(number) != 0
  }

  /// Adds a number from 0 to ``largest``; any other one is that of no entry and left out.
  mutating func insert(_ number: Int64) {
    guard (0...NumberSet.largest).contains(number) else { return }
    let place = Int(number >> 6)
    if place >= bits.count {
      bits.append(contentsOf: repeatElement(0, count: max(place + 1 - bits.count, bits.count / 2)))
    }
    bits[place] |= NumberSet.mask(number)
  }

  mutating func remove(_ number: Int64) {
    guard contains(number) else { return }
    bits[Int(number >> 6)] &= ~NumberSet.mask(number)
  }

  mutating func formUnion(_ other: NumberSet) {
    if other.bits.count > bits.count {
      bits.append(contentsOf: repeatElement(0, count: other.bits.count - bits.count))
    }
    for place in other.bits.indices { bits[place] |= other.bits[place] }
  }

  mutating func formIntersection(_ other: NumberSet) {
    if bits.count > other.bits.count { bits.removeLast(bits.count - other.bits.count) }
    for place in bits.indices { bits[place] &= other.bits[place] }
  }

  mutating func subtract(_ other: NumberSet) {
    for place in 0..<min(bits.count, other.bits.count) { bits[place] &= ~other.bits[place] }
  }

  /// Calls `body` with each number, ascending.
  func forEachNumber(_ body: (Int64) throws -> Void) rethrows {
    for place in bits.indices {
      var rest = bits[place]
      while rest != 0 {
        try body(Int64(place << 6 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  /// The numbers, ascending.
  var numbers: [Int64] {
    var numbers: [Int64] = []
    forEachNumber { numbers.append($0) }
    return numbers
  }

  /// Sets are equal when their numbers are, however much room they have.
  static func == (lhs: NumberSet, rhs: NumberSet) -> Bool {
    let (short, long) = lhs.bits.count < rhs.bits.count ? (lhs, rhs) : (rhs, lhs)
    return long.bits.starts(with: short.bits)
      && long.bits[short.bits.count...].allSatisfy { $0 == 0 }
  }

  private static func mask(_ number: Int64) -> UInt64 { 1 << UInt64(number & 63) }
}

extension RandomAccessCollection {
  /// The first index whose element, and every later one, passes a test that all after the first such element pass.
  func partitioningIndex(_ isBehind: (Element) throws -> Bool) rethrows -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try isBehind(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
