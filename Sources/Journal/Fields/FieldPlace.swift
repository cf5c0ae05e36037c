/// The place of an entry in a list that is ordered or sectioned by a field: that of its first value.
///
/// A place is a text, and lists have places in the order of their bytes: numbers, durations and dates with
/// the greatest first, then words, then what has no value. Equal places are one section, whose key is the
/// value as it may be typed.
package enum FieldPlace {
  /// The text of a value; `nil` for an entry without one.
  package static func text(of value: FieldValue?) -> String {
    guard let value else { return nothing }
    guard let amount = value.amount else { return words + Folding.fold(value.description) }
    let digits = String(highest - amount)
    let padding = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return "\(mark(of: value.kind))\(padding)\(digits)\(FieldTest.lowercased(value.unit))"
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
    let rest = place.utf8.dropFirst()
    guard
      let kind = FieldValue.Kind.allCases.first(where: { place.hasPrefix(mark(of: $0)) }),
      let digits = Int64(String(decoding: rest.prefix(width), as: UTF8.self))
    else { return nil }
    return FieldValue(
      kind, amount: highest - digits, unit: String(decoding: rest.dropFirst(width), as: UTF8.self))
  }

  /// The same as an expression of SQL, over the columns `kind`, `value` and `shown` of a field.
  package static let sql = """
    CASE kind WHEN \(FieldValue.Kind.words.rawValue) THEN '\(words)' || value
    ELSE (kind + 1) || printf('%0\(width)d', \(highest) - value) || lower(shown) END
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
}
