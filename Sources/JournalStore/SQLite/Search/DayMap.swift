import GRDB
import Journal

/// The day of each entry outside the trash, by number, in memory: four bytes an entry.
///
/// It tells how many of any set of entries each day has without a look at the entries themselves,
/// which lie all over the file.
struct DayMap {
  private var days: [Int32] = []
  private static let none = Int32.min

  /// Whether the numbers of a journal are dense enough for a map to be worth its memory.
  static func isWorthwhile(_ db: Database) throws -> Bool {
    let largest = try Int64.fetchOne(db, sql: "SELECT ifnull(max(number), 0) FROM entry") ?? 0
    let count = try KeptCounts.entries(db)
    return largest <= NumberSet.largest && largest <= 1_000_000 + 8 * Int64(count)
  }

  /// Reads the index of days once, about a tenth of a second for a million entries.
  init(_ db: Database) throws {
    var (text, value) = ("", DayMap.none)
    try db.forEach(
      "SELECT number, day FROM entry INDEXED BY entry_day WHERE deleted IS NULL ORDER BY day"
    ) { columns in
      let day = columns.text(1)
      if day != text { (text, value) = (day, DayMap.value(of: Day(day))) }
      set(columns.integer(0), value)
    }
  }

  /// Whether a number can be noted without much more memory.
  func hasRoom(for number: Int64) -> Bool { number < Int64(days.count) + 100_000 }

  /// Notes the day of an entry, or that it is in the trash or gone.
  mutating func note(_ number: Int64, _ day: Day?) {
    set(number, DayMap.value(of: day))
  }

  private mutating func set(_ number: Int64, _ value: Int32) {
    // A damaged index may have any number.
    guard (0...NumberSet.largest).contains(number) else { return }
    let place = Int(number)
    if place >= days.count {
      let missing = max(place + 1 - days.count, days.count / 4)
      days.append(contentsOf: repeatElement(DayMap.none, count: missing))
    }
    days[place] = value
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

  /// How many of a set of entries each day has, the earliest day first.
  func counts(of numbers: NumberSet) -> [(day: Day, count: Int)] {
    guard let first = days.lazy.filter({ $0 != DayMap.none }).min(),
      let last = days.max()
    else { return [] }
    var counts = [Int](repeating: 0, count: Int(last) - Int(first) + 1)
    numbers.forEachNumber { number in
      let place = Int(number)
      guard place < days.count, days[place] != DayMap.none else { return }
      counts[Int(days[place]) - Int(first)] += 1
    }
    return counts.indices.lazy.filter { counts[$0] > 0 }
      .map { (Day(daysSinceEpoch: Int(first) + $0), counts[$0]) }
  }

  private static func value(of day: Day?) -> Int32 {
    day.map { Int32($0.daysSinceEpoch) } ?? none
  }
}
