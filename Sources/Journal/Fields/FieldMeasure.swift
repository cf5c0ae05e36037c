/// The sum or the mean of a field, as the header of a section has it: of the values of one unit and of those
/// that convert to it; others are counted.
package struct FieldMeasure: Hashable, Codable, Sendable {
  /// The statistic of the values.
  package enum Statistic: String, CaseIterable, Codable, Sendable {
    case sum, mean

    /// The default statistic of a unit: parts of a whole, such as `4/5` and `80 %`, and degrees have a mean,
    /// no sum.
    package static func usual(of unit: FieldUnit) -> Statistic {
      unit.name.hasPrefix("/") || unit.name.hasPrefix("%") || unit.name.hasPrefix("°")
        ? .mean : .sum
    }
  }

  /// The name of the field as typed.
  package var name: String
  /// The unit of the values.
  package var unit: FieldUnit
  package var statistic: Statistic

  package init(name: String, unit: FieldUnit, statistic: Statistic? = nil) {
    self.name = name
    self.unit = unit
    self.statistic = statistic ?? .usual(of: unit)
  }

  /// The key of the name.
  package var key: String { Folding.fold(name) }

  /// The total of some values.
  package struct Total: Hashable, Sendable {
    /// The sum of the values in millionths of the unit; the greatest number instead of a greater one.
    package private(set) var sum: Int64 = 0
    /// The number of the values that are summed.
    package private(set) var count = 0
    /// The number of numbers and durations whose unit does not convert.
    package private(set) var others = 0

    package init() {}

    /// Adds a value.
    ///
    /// - Parameter amount: the value in millionths of the unit; `nil` if it does not convert.
    package mutating func add(_ amount: Int64?) {
      guard let amount else {
        others += 1
        return
      }
      let (next, overflow) = sum.addingReportingOverflow(amount)
      sum = overflow ? (amount < 0 ? .min : .max) : next
      count += 1
    }
  }

  /// The total of an entry's values; dates and words do not count.
  package func total(of values: [FieldValue]) -> Total {
    var total = Total()
    for value in values where FieldUnit(of: value) != nil { total.add(unit.amount(of: value)) }
    return total
  }

  /// The statistic in words: `run 12.4 km`, `mood mean 3.67/5`, `run 12.4 km, 2 others`; `nil` without
  /// values.
  ///
  /// - Parameters:
  ///   - sum: the sum of the values in millionths.
  ///   - count: the number of the values.
  ///   - others: the number of values whose unit does not convert.
  package func text(sum: Int128, count: Int, others: Int = 0) -> String? {
    let left = others == 0 ? "" : Numbers.counted(others, "other", "others")
    guard count > 0 else { return others == 0 ? nil : "\(name) \(left)" }
    let rest = others == 0 ? "" : ", \(left)"
    switch statistic {
    case .sum: return "\(name) \(unit.described(unit.rounded(sum)))\(rest)"
    case .mean: return "\(name) mean \(unit.described(unit.rounded(sum, over: count)))\(rest)"
    }
  }
}
