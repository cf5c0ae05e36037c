/// What values of fields are summed with one another: durations, or numbers of one unit.
package struct FieldUnit: Codable, Sendable {
  /// Whether the values are durations.
  package let isDuration: Bool
  /// The unit of the numbers as typed; empty for none and for durations.
  package let name: String

  /// The unit of numbers.
  package init(_ name: String) { (isDuration, self.name) = (false, name) }

  private init(isDuration: Bool) { (self.isDuration, name) = (isDuration, "") }

  /// The unit of durations.
  package static let duration = FieldUnit(isDuration: true)

  /// The unit of a value; `nil` for dates and words, which are not summed.
  package init?(of value: FieldValue) {
    switch value {
    case .number(_, let unit): self.init(unit)
    case .duration: self = .duration
    case .day, .words: return nil
    }
  }

  /// The kind of the values.
  package var kind: FieldValue.Kind { isDuration ? .duration : .number }

  /// The unit that most of some values have, as most of them write it; `nil` if none of them is summed.
  package static func most(of values: some Sequence<FieldValue>) -> FieldUnit? {
    var counts: [FieldUnit: [String: Int]] = [:]
    for value in values {
      if let unit = FieldUnit(of: value) { counts[unit, default: [:]][unit.name, default: 0] += 1 }
    }
    let totals = counts.mapValues { $0.values.reduce(0, +) }
    let unit = totals.max { ($0.value, $1.key.folded) < ($1.value, $0.key.folded) }?.key
    guard let unit, !unit.isDuration else { return unit }
    let name = counts[unit]?.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return name.map { FieldUnit($0) }
  }

  /// The unit as it is compared: without case, of ASCII alone, as SQLite does.
  private var folded: String { isDuration ? "h" : "n" + FieldTest.lowercased(name) }
}

extension FieldUnit: Hashable {
  /// Whether both are of one kind, and their units differ at most in case.
  package static func == (left: FieldUnit, right: FieldUnit) -> Bool {
    left.folded.isSame(as: right.folded)
  }

  /// Hashes the folded unit.
  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension FieldUnit {
  /// An amount in millionths as text, without its unit: `5.2`, `7h20`.
  package func text(_ millionths: Int128) -> String {
    if isDuration, let seconds = Int64(exactly: millionths), seconds >= 0 {
      let whole = FixedDecimal(seconds / FixedDecimal.one)
      return FieldValue.duration(
        seconds < 1000 * FixedDecimal.one ? FixedDecimal(millionths: seconds) : whole
      )
      .description
    }
    return Self.decimal(millionths)
  }

  /// An amount in millionths as text with its unit: `5.2 km`, `7h20`, `€ 12.50`.
  package func described(_ millionths: Int128) -> String {
    guard !isDuration, let amount = Int64(exactly: millionths) else { return text(millionths) }
    return FieldValue.number(FixedDecimal(millionths: amount), unit: name).description
  }

  /// An amount in millionths to the hundredth; of durations to the second, from an hour on to the minute.
  package func rounded(_ millionths: Int128) -> Int128 { rounded(millionths, over: 1) }

  /// The quotient of an amount in millionths and a number, rounded in the same way.
  package func rounded(_ millionths: Int128, over count: Int) -> Int128 {
    let seconds = millionths / Int128(FixedDecimal.one) / Int128(count)
    let step = FixedDecimal.one * (isDuration ? (seconds.magnitude < 3600 ? 1 : 60) : 1)
    let unit = Int128(isDuration ? step : step / 100)
    let divisor = Int128(count) * unit
    let (quotient, rest) = millionths.quotientAndRemainder(dividingBy: divisor)
    let isUp = rest.magnitude * 2 >= divisor.magnitude
    return (quotient + (isUp ? (millionths < 0 ? -1 : 1) : 0)) * unit
  }

  /// A number as JSON has it; a duration in seconds.
  package static func decimal(_ millionths: Int128) -> String {
    if let small = Int64(exactly: millionths) { return FixedDecimal(millionths: small).description }
    return "\(millionths / Int128(FixedDecimal.one))"
  }
}
