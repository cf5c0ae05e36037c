import GRDB
import Journal

/// A bit set of entry numbers, which have no large gaps.
struct NumberSet: Equatable {
  private var bits: [UInt64] = []

  /// The largest number in a set, which keeps it below eight megabytes.
  static let largest: Int64 = 64_000_000

  init() {}

  init(_ numbers: some Sequence<Int64>) {
    for number in numbers { insert(number) }
  }

  /// The number of elements.
  ///
  /// - Complexity: linear in the largest number, 64 per step; so are the operations below.
  var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

  var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

  func contains(_ number: Int64) -> Bool {
    let place = Int(truncatingIfNeeded: number >> 6)
    guard place >= 0, place < bits.count else { return false }
    return bits[place] & NumberSet.mask(number) != 0
  }

  /// Adds a number from 0 to ``largest``; no entry has another one, and it is ignored.
  mutating func insert(_ number: Int64) {
    guard (0...NumberSet.largest).contains(number) else { return }
    let place = Int(number >> 6)
    if place >= bits.count {
      bits.append(contentsOf: repeatElement(0, count: max(place + 1 - bits.count, bits.count / 2)))
    }
    bits[place] |= NumberSet.mask(number)
  }

  /// Adds many numbers, in any order.
  ///
  /// A query may find half a million of them within a frame: generic code took 40 ms for that.
  mutating func insert(_ numbers: ArraySlice<UInt32>) {
    var last: UInt32 = 0
    numbers.withUnsafeBufferPointer { for number in $0 where number > last { last = number } }
    guard last <= NumberSet.largest, !numbers.isEmpty else {
      for number in numbers { insert(Int64(number)) }
      return
    }
    insert(Int64(last))
    bits.withUnsafeMutableBufferPointer { bits in
      numbers.withUnsafeBufferPointer { numbers in
        for number in numbers { bits[Int(number >> 6)] |= NumberSet.mask(Int64(number)) }
      }
    }
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

  /// Sets are equal if their numbers are, regardless of their capacity.
  static func == (lhs: NumberSet, rhs: NumberSet) -> Bool {
    let (short, long) = lhs.bits.count < rhs.bits.count ? (lhs, rhs) : (rhs, lhs)
    return long.bits.starts(with: short.bits)
      && long.bits[short.bits.count...].allSatisfy { $0 == 0 }
  }

  private static func mask(_ number: Int64) -> UInt64 { 1 << UInt64(number & 63) }
}

/// The day of each entry outside the trash, by number, in memory: four bytes an entry.
///
/// It counts any set of entries by day without reading the entries, which are spread over the file.
struct DayMap {
  private var days: [Int32] = []
  /// The first and the last day that was ever set.
  private var (first, last) = (Int32.max, Int32.min)
  /// The last day that was read, and whether the days after it were, too.
  private var lastDay = ""
  private(set) var isWhole = false
  private static let none = Int32.min

  /// Whether the numbers of a journal are dense enough for the map's memory.
  static func isWorthwhile(_ db: Database) throws -> Bool {
    let largest = try Int64.fetchOne(db, sql: "SELECT ifnull(max(number), 0) FROM entry") ?? 0
    let count = try KeptCounts.entries(db)
    return largest <= NumberSet.largest && largest <= 1_000_000 + 8 * Int64(count)
  }

  /// Reads the index of days once, about a tenth of a second for a million entries.
  ///
  /// After a cancelled call the next one continues; entries that changed meanwhile are noted.
  mutating func readRest(_ db: Database) throws {
    var value = DayMap.value(of: Day(lastDay))
    try db.forEach(
      """
      SELECT number, day FROM entry INDEXED BY entry_day WHERE deleted IS NULL AND day >= ?
      ORDER BY day
      """, [lastDay]
    ) { columns in
      let day = columns.text(1)
      if day != lastDay { (lastDay, value) = (day, DayMap.value(of: Day(day))) }
      set(columns.integer(0), value)
    }
    isWhole = true
  }

  /// Whether nothing was read yet.
  var isUnread: Bool { !isWhole && days.isEmpty }

  /// Whether a number fits without much more memory.
  func hasRoom(for number: Int64) -> Bool { number < Int64(days.count) + 100_000 }

  /// Sets the day of an entry; `nil` if it is in the trash or removed.
  mutating func note(_ number: Int64, _ day: Day?) {
    set(number, DayMap.value(of: day))
  }

  private mutating func set(_ number: Int64, _ value: Int32) {
    // A damaged index may contain any number.
    guard (0...NumberSet.largest).contains(number) else { return }
    let place = Int(number)
    if place >= days.count {
      let missing = max(place + 1 - days.count, days.count / 4)
      days.append(contentsOf: repeatElement(DayMap.none, count: missing))
    }
    days[place] = value
    if value != DayMap.none { (first, last) = (min(first, value), max(last, value)) }
  }

  /// The entries outside the trash whose day passes a test.
  func numbers(where holds: (Day) -> Bool) -> NumberSet {
    var numbers = NumberSet()
    var (last, answer) = (DayMap.none, false)
    for (place, value) in days.enumerated() where value != DayMap.none {
      if value != last { (last, answer) = (value, holds(Day(daysSinceEpoch: Int(value)))) }
      if answer { numbers.insert(Int64(place)) }
    }
    return numbers
  }

  /// The number of entries of a set on each day, the earliest day first.
  func counts(of numbers: NumberSet) -> [(day: Day, count: Int)] {
    guard first <= last else { return [] }
    let first = Int(first)
    var counts = [Int](repeating: 0, count: Int(last) - first + 1)
    days.withUnsafeBufferPointer { days in
      counts.withUnsafeMutableBufferPointer { counts in
        numbers.forEachNumber { number in
          let place = Int(number)
          guard place < days.count, days[place] != DayMap.none else { return }
          counts[Int(days[place]) - first] += 1
        }
      }
    }
    return counts.indices.lazy.filter { counts[$0] > 0 }
      .map { (Day(daysSinceEpoch: Int(first) + $0), counts[$0]) }
  }

  private static func value(of day: Day?) -> Int32 {
    day.map { Int32($0.daysSinceEpoch) } ?? none
  }
}
