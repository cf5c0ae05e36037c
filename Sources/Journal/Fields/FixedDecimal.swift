/// A decimal number with six decimals: equal numbers are equal, and sums are exact.
package struct FixedDecimal: Hashable, Codable, Sendable {
  /// The number in millionths.
  package var millionths: Int64

  package init(millionths: Int64) { self.millionths = millionths }

  /// A whole number.
  package init(_ number: Int64) { millionths = number * Self.one }

  static let one: Int64 = 1_000_000
  /// The most digits before the point; longer numbers are words.
  static let mostDigits = 9

  /// The nearest floating-point number.
  package var double: Double { Double(millionths) / Double(Self.one) }
}

extension FixedDecimal: Comparable {
  package static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
    left.millionths < right.millionths
  }
}

extension FixedDecimal: CustomStringConvertible {
  /// The number with as many decimals as it needs: `5.2`, `-3`.
  package var description: String {
    let (whole, rest) = millionths.magnitude.quotientAndRemainder(
      dividingBy: Self.one.magnitude)
    let sign = millionths < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    var decimals = String(String(Self.one.magnitude + rest).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    return "\(sign)\(whole).\(decimals)"
  }
}
