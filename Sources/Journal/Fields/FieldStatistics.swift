/// The sums of a field: of all its values, and of those of each period.
///
/// Values of one unit and of those that convert to it are summed: of the numbers with the most frequent unit,
/// or of the durations if they are more. Sums are exact, of values to the millionth of the unit.
package struct FieldStatistics: Hashable, Codable, Sendable {
  /// The summary of some values, in millionths.
  package struct Summary: Hashable, Codable, Sendable {
    package var count: Int
    package var sum: Int128
    package var mean: Int128
    package var median: Int128
    package var least: Int128
    package var most: Int128

    /// - Parameter amounts: one or more amounts, in any order.
    init(_ amounts: [Int64]) {
      let sorted = amounts.sorted()
      count = sorted.count
      sum = sorted.reduce(0) { $0 + Int128($1) }
      mean = Self.quotient(sum, Int128(count))
      let (lower, upper) = (Int128(sorted[(count - 1) / 2]), Int128(sorted[count / 2]))
      median = Self.quotient(lower + upper, 2)
      least = Int128(sorted[0])
      most = Int128(sorted[count - 1])
    }

    /// Rounded half away from zero.
    private static func quotient(_ number: Int128, _ divisor: Int128) -> Int128 {
      let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
      guard rest.magnitude * 2 >= divisor.magnitude else { return quotient }
      return quotient + (number < 0 ? -1 : 1)
    }

    /// The numbers with their names, in the order of a table.
    package var columns: [(name: String, value: Int128)] {
      [("sum", sum), ("mean", mean), ("median", median), ("least", least), ("most", most)]
    }
  }

  /// The values of one period.
  package struct Part: Hashable, Codable, Sendable {
    /// The key of the period: `2026-11`.
    package var key: String
    package var summary: Summary
  }

  /// The sum of a day.
  package struct DaySum: Hashable, Codable, Sendable {
    package var day: Day
    /// In millionths.
    package var sum: Int128
  }

  /// The unit of the values that are summed; `nil` if none is.
  package let chosen: FieldUnit?
  /// Whether the values are durations.
  package var isDuration: Bool { chosen?.isDuration ?? false }
  /// The unit of the values as typed; empty for none and for durations.
  package var unit: String { chosen?.name ?? "" }
  /// Of all values; `nil` if there are none.
  package let all: Summary?
  /// Of each period with values, the earliest first.
  package let parts: [Part]
  /// The sum of each day with values, the earliest first.
  package let days: [DaySum]
  /// The number of values of other kinds and units, which are left out.
  package let others: Int
  /// Of a field that no text has: the names in use that may be meant, the nearest one first.
  package var meant: [String]?

  /// Sums values.
  ///
  /// - Parameter grouping: the periods; `nil` for all values alone.
  package init(_ values: [(day: Day, value: FieldValue)], by grouping: Grouping? = nil) {
    let chosen = FieldUnit.most(of: values.lazy.map(\.value))
    self.chosen = chosen
    let summed = values.compactMap { day, value in
      chosen?.amount(of: value).map { (day: day, amount: $0) }
    }
    others = values.count - summed.count
    all = summed.isEmpty ? nil : Summary(summed.map { $0.amount })
    var sums: [Day: Int128] = [:]
    for (day, amount) in summed { sums[day, default: 0] += Int128(amount) }
    days = sums.sorted { $0.key < $1.key }.map { DaySum(day: $0.key, sum: $0.value) }
    guard let grouping else {
      parts = []
      return
    }
    var groups: [String: [Int64]] = [:]
    for (day, amount) in summed {
      guard let key = grouping.key(of: day) else { continue }
      groups[key, default: []].append(amount)
    }
    parts = groups.sorted { $0.key < $1.key }.map { Part(key: $0.key, summary: Summary($0.value)) }
  }

  /// An amount as people read it in a table, without its unit: to the hundredth, or of an hour and more to
  /// the minute.
  package func text(rounded millionths: Int128) -> String {
    text(chosen?.rounded(millionths) ?? millionths)
  }

  /// An amount as people read it, with its unit.
  package func described(rounded millionths: Int128) -> String {
    chosen.map { $0.described($0.rounded(millionths)) } ?? text(millionths)
  }

  /// An amount as text, without its unit: `5.2`, `7h20`.
  package func text(_ millionths: Int128) -> String {
    chosen?.text(millionths) ?? FieldUnit.decimal(millionths)
  }
}
