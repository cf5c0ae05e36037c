/// A unit whose values can be summed: durations, or numbers of one unit and of those that
/// convert to it, such as `km` and `m`.
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
  ///
  /// Units that convert to one another count together, so that three values in `m` and two in `km` are
  /// more than four without a unit.
  package static func most(of values: some Sequence<FieldValue>) -> FieldUnit? {
    var spellings: [FieldUnit: [String: Int]] = [:]
    for value in values {
      guard let unit = FieldUnit(of: value) else { continue }
      spellings[unit, default: [:]][unit.name, default: 0] += 1
    }
    let counts = spellings.mapValues { $0.values.reduce(0, +) }
    var groups: [String: Int] = [:]
    for (unit, count) in counts { groups[unit.group, default: 0] += count }
    guard let group = groups.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      return nil
    }
    let unit = counts.filter { $0.key.group == group }
      .max { ($0.value, $1.key.folded) < ($1.value, $0.key.folded) }?.key
    guard let unit, !unit.isDuration else { return unit }
    let name = spellings[unit]?.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return name.map { FieldUnit($0) }
  }

  /// The common key of all units that convert to one another.
  private var group: String {
    ConvertibleUnit(name).map { "q" + $0.quantity.rawValue } ?? folded
  }

  /// The unit as it is compared: in its first spelling, and without case, of ASCII alone, as SQLite does.
  private var folded: String {
    isDuration ? "h" : "n" + (ConvertibleUnit(name)?.name ?? FieldTest.lowercased(name))
  }
}

extension FieldUnit: Hashable {
  /// Whether both are of one kind, and their units differ at most in case, or are spellings of one.
  package static func == (left: FieldUnit, right: FieldUnit) -> Bool {
    guard left.isDuration == right.isDuration else { return false }
    // Most people write a unit in one way, and every value that is summed is asked.
    return left.name.isSame(as: right.name) || left.folded.isSame(as: right.folded)
  }

  /// Hashes the folded unit.
  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

// MARK: - Conversion

extension FieldUnit {
  /// The amount of a value in millionths of this unit; `nil` for a value of another kind, or of a unit
  /// that does not convert.
  package func amount(of value: FieldValue) -> Int64? {
    guard let amount = value.amount, let unit = FieldUnit(of: value) else { return nil }
    return self.amount(amount, of: unit)
  }

  /// An amount of a unit in millionths of this one; `nil` if it does not convert.
  package func amount(_ amount: Int64, of unit: FieldUnit) -> Int64? {
    if unit == self { return amount }
    guard let own = ConvertibleUnit(name), let other = ConvertibleUnit(unit.name),
      own.quantity == other.quantity
    else { return nil }
    return other.convert(amount, to: own)
  }

  /// The amounts of each unit that a range of amounts of this one has, with the spellings of the unit in
  /// lower case; units without any amount in it are left out.
  package func ranges(
    _ range: ClosedRange<Int64>
  ) -> [(names: [String], range: ClosedRange<Int64>)] {
    guard let own = ConvertibleUnit(name) else { return [([FieldTest.lowercased(name)], range)] }
    return ConvertibleUnit.spellings(of: own.quantity).compactMap { unit, names in
      own.convert(range, to: unit).map { (names, $0) }
    }
  }
}

// MARK: - Text

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

  /// An amount in millionths to the hundredth, of less than a tenth to two digits, so that 0.001 is not 0;
  /// of durations to the second, from an hour on to the minute.
  package func rounded(_ millionths: Int128) -> Int128 { rounded(millionths, over: 1) }

  /// The quotient of an amount in millionths and a number, rounded in the same way.
  package func rounded(_ millionths: Int128, over count: Int) -> Int128 {
    let unit = step(of: millionths / Int128(count))
    let divisor = Int128(count) * unit
    let (quotient, rest) = millionths.quotientAndRemainder(dividingBy: divisor)
    let isUp = rest.magnitude * 2 >= divisor.magnitude
    return (quotient + (isUp ? (millionths < 0 ? -1 : 1) : 0)) * unit
  }

  private func step(of millionths: Int128) -> Int128 {
    let one = Int128(FixedDecimal.one)
    if isDuration { return one * (millionths.magnitude < 3600 * one.magnitude ? 1 : 60) }
    var step = one / 100
    while step > 1, millionths.magnitude < 10 * step.magnitude { step /= 10 }
    return step
  }

  /// A number as JSON has it; a duration in seconds.
  package static func decimal(_ millionths: Int128) -> String {
    if let small = Int64(exactly: millionths) { return FixedDecimal(millionths: small).description }
    return "\(millionths / Int128(FixedDecimal.one))"
  }
}
