/// The sum or the mean of a field, as the header of a section has it: the values of one unit.
package struct FieldMeasure: Hashable, Codable, Sendable {
  /// What is said of the values.
  package enum Statistic: String, CaseIterable, Codable, Sendable {
    case sum, mean

    /// What is said of a unit's values unless something else is asked for: parts of a whole, such as `4/5`
    /// and `80 %`, and degrees have no sum.
    package static func usual(of unit: FieldUnit) -> Statistic {
      unit.name.hasPrefix("/") || unit.name.hasPrefix("%") || unit.name.hasPrefix("°")
        ? .mean : .sum
    }
  }

  /// The name of the field as typed.
  package var name: String
  /// The unit of the values.
  package var unit: FieldUnit
  /// What is said of them.
  package var statistic: Statistic

  package init(name: String, unit: FieldUnit, statistic: Statistic? = nil) {
    self.name = name
    self.unit = unit
    self.statistic = statistic ?? .usual(of: unit)
  }

  /// The key of the name.
  package var key: String { Folding.fold(name) }

  /// The sum of an entry's values of the unit, in millionths, and their number; `nil` without one.
  package func total(of values: [FieldValue]) -> (sum: Int64, count: Int)? {
    var total: (sum: Int64, count: Int)?
    for value in values {
      guard FieldUnit(of: value) == unit, let amount = value.amount else { continue }
      let sum = total?.sum ?? 0
      let (next, overflow) = sum.addingReportingOverflow(amount)
      total = (overflow ? (amount < 0 ? .min : .max) : next, (total?.count ?? 0) + 1)
    }
    return total
  }

  /// The statistic in words: `run 12.4 km`, `mood mean 3.67/5`; `nil` without values.
  ///
  /// - Parameters:
  ///   - sum: the sum of the values in millionths.
  ///   - count: the number of the values.
  package func text(sum: Int128, count: Int) -> String? {
    guard count > 0 else { return nil }
    switch statistic {
    case .sum: return "\(name) \(unit.described(sum))"
    case .mean: return "\(name) mean \(unit.described(unit.rounded(sum, over: count)))"
    }
  }
}
