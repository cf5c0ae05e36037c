/// The place of an entry in a list that is ordered or sectioned by a field: that of its first value.
///
/// A place is a text, and lists have places in the order of their bytes: numbers, durations and dates with
/// the greatest first, then words, then what has no value. Numbers are together with those of the same unit
/// and of units that convert: 5 km, 3000 m, 2 km, then those of other units, in the order of the units.
/// Equal places are one section, whose key is the value as it may be typed; 2 mi and 2 miles are equal.
package enum FieldPlace {
  /// The text of a value; `nil` for an entry without one.
  package static func text(of value: FieldValue?) -> String {
    guard let value else { return nothing }
    guard let amount = value.amount else { return words + Folding.fold(value.description) }
    let place = mark(of: value.kind)
    let unit = FieldTest.lowercased(value.unit)
    let digits = padded(highest - amount, width)
    guard value.kind == .number else { return place + digits }
    guard let convertible = ConvertibleUnit(unit) else {
      return "\(place)\(unit)\(separator)\(digits)\(unit)"
    }
    let common = highestOfQuantity.subtractingReportingOverflow(
      convertible.amountOfQuantity(amount))
    return place + convertible.quantity.rawValue + separator
      + padded(common.partialValue, widthOfQuantity) + digits + convertible.name
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// The key of the section at a place: `5.2 km`, `7h20`, `vienna`; empty for no value.
  package static func key(of place: String) -> String {
    let rest = String(place.dropFirst())
    guard place.hasPrefix(words) || place == nothing else {
      return value(of: place)?.description ?? place
    }
    // The key of words that look like another value would be that of its section.
    return FieldValue(rest).kind == .words ? rest : "\"\(rest)\""
  }

  /// The value at the place of a number, a duration or a date.
  private static func value(of place: String) -> FieldValue? {
    guard
      let kind = FieldValue.Kind.allCases.first(where: { place.hasPrefix(mark(of: $0)) })
    else { return nil }
    var rest = place.utf8.dropFirst()
    if kind == .number {
      guard let end = rest.firstIndex(where: { separator.utf8.contains($0) }) else { return nil }
      let group = String(decoding: rest[..<end], as: UTF8.self)
      let isOfQuantity = ConvertibleUnit.Quantity(rawValue: group) != nil
      rest = rest[end...].dropFirst(isOfQuantity ? widthOfQuantity + 1 : 1)
    }
    guard
      let digits = Int64(String(decoding: rest.prefix(width), as: UTF8.self))
    else { return nil }
    return FieldValue(
      kind, amount: highest - digits, unit: String(decoding: rest.dropFirst(width), as: UTF8.self))
  }

  /// The same as an expression of SQL, over the columns `kind`, `value` and `shown` of a field.
  package static let sql = """
    CASE kind WHEN \(FieldValue.Kind.words.rawValue) THEN '\(words)' || value
    WHEN \(FieldValue.Kind.number.rawValue) THEN '\(mark(of: .number))' || CASE
    WHEN shown = '' THEN '\(separator)'
    WHEN lower(shown) IN (\(ConvertibleUnit.sqlOfSpellings)) THEN \(ConvertibleUnit.sqlOfQuantity)
    || printf('\(separator)%0\(widthOfQuantity)d', \(highestOfQuantity) - \(ConvertibleUnit.sqlOfAmount))
    ELSE lower(shown) || '\(separator)' END
    || printf('%0\(width)d', \(highest) - value) || \(ConvertibleUnit.sqlOfName)
    ELSE (kind + 1) || printf('%0\(width)d', \(highest) - value) END
    """

  /// The text of no value, as an expression of SQL.
  package static let sqlOfNothing = "'\(nothing)'"

  private static func mark(of kind: FieldValue.Kind) -> String { "\(kind.rawValue + 1)" }

  private static let words = mark(of: .words)
  private static let nothing = "9"
  /// Above the amount of every value.
  private static let highest: Int64 = 10_000_000_000_000_000
  /// The digits of the largest difference.
  private static let width = 17
  /// Above the amount of every value in the unit of its quantity: 3600 kJ are the largest one.
  private static let highestOfQuantity: Int64 = 4_000_000_000_000_000_000
  /// The digits of the largest difference from it.
  private static let widthOfQuantity = 19
  /// No unit has a space, which is before all signs that one may have.
  private static let separator = " "
}
