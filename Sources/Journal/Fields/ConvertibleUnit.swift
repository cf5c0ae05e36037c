/// A unit of a quantity that others measure as well: 3000 m are 3 km.
///
/// Only units with one meaning and a fixed ratio are here: `°C` and `°F`, `cups`, `gallons` and currencies
/// are not, and neither is `in`, which is a word far more often than an inch.
struct ConvertibleUnit: Hashable, Sendable {
  /// The measured quantity, by the unit that the amounts of a place are in; see ``FieldPlace``.
  enum Quantity: String, CaseIterable, Sendable {
    case length = "m"
    case mass = "g"
    case volume = "l"
    case energy = "kj"
    case speed = "km/h"
    case euros = "€"
  }

  /// The quantity that the unit measures.
  let quantity: Quantity
  /// The name of the unit, which all of its spellings have in common: `mi` of `miles`.
  let name: String
  /// How many of the quantity's own unit one of it is, as a fraction: a mile is 1609344/1000 m.
  let ratio: (numerator: Int64, denominator: Int64)

  /// A row of the table: the spellings in lower case, separated by spaces.
  fileprivate struct Row {
    let quantity: Quantity
    let numerator: Int64
    let denominator: Int64
    let spellings: String
    var names: [String] { spellings.split(separator: " ").map(String.init) }
  }

  // The fractions keep products with the greatest number of a field within 64 bits.
  private static let rows: [Row] = [
    Row(.length, 1000, 1, "km kms kilometre kilometres kilometer kilometers"),
    Row(.length, 1, 1, "m metre metres meter meters"),
    Row(.length, 1, 100, "cm centimetre centimetres centimeter centimeters"),
    Row(.length, 1, 1000, "mm millimetre millimetres millimeter millimeters"),
    Row(.length, 1_609_344, 1000, "mi mile miles"),
    Row(.length, 9144, 10_000, "yd yard yards"),
    Row(.length, 3048, 10_000, "ft foot feet"),
    Row(.length, 254, 10_000, "inch inches"),
    Row(.mass, 1000, 1, "kg kgs kilo kilos kilogram kilograms"),
    Row(.mass, 1, 1, "g gram grams"),
    Row(.mass, 1, 1000, "mg milligram milligrams"),
    Row(.mass, 1, 1_000_000, "µg μg mcg microgram micrograms"),
    Row(.mass, 45_359_237, 100_000, "lb lbs pound pounds"),
    Row(.mass, 28_349_523_125, 1_000_000_000, "oz ounce ounces"),
    Row(.volume, 1, 1, "l litre litres liter liters"),
    Row(.volume, 1, 10, "dl"),
    Row(.volume, 1, 100, "cl"),
    Row(.volume, 1, 1000, "ml millilitre millilitres milliliter milliliters"),
    Row(.energy, 1, 1, "kj"),
    Row(.energy, 4184, 1000, "kcal"),
    Row(.energy, 3600, 1, "kwh"),
    Row(.energy, 36, 10, "wh"),
    Row(.speed, 1, 1, "km/h kmh kph"),
    Row(.speed, 36, 10, "m/s"),
    Row(.speed, 1_609_344, 1_000_000, "mph"),
    Row(.speed, 1852, 1000, "kn knot knots"),
    Row(.euros, 1, 1, "€ eur euro euros"),
  ]

  /// The units by their spellings in lower case.
  private static let units: [String: ConvertibleUnit] = {
    var units: [String: ConvertibleUnit] = [:]
    for row in rows {
      for spelling in row.names { units[spelling] = ConvertibleUnit(row) }
    }
    return units
  }()

  /// The spellings of each unit of a quantity, in lower case.
  static func spellings(of quantity: Quantity) -> [(unit: ConvertibleUnit, names: [String])] {
    rows.filter { $0.quantity == quantity }.map { (ConvertibleUnit($0), $0.names) }
  }

  private init(_ row: Row) {
    quantity = row.quantity
    name = row.names[0]
    ratio = (row.numerator, row.denominator)
  }

  /// The unit that a word after a number means, whatever its case; `nil` if it is none of these.
  init?(_ word: String) {
    guard !word.isEmpty, let unit = Self.units[FieldTest.lowercased(word)] else { return nil }
    self = unit
  }

  static func == (left: ConvertibleUnit, right: ConvertibleUnit) -> Bool {
    left.quantity == right.quantity && left.ratio == right.ratio
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(quantity)
    hasher.combine(ratio.numerator)
    hasher.combine(ratio.denominator)
  }
}

extension ConvertibleUnit {
  /// An amount of this unit in another one of the quantity, rounded half away from zero; the greatest
  /// amount there is instead of a greater one.
  func convert(_ amount: Int64, to other: ConvertibleUnit) -> Int64 {
    guard self != other else { return amount }
    let (number, divisor) = fraction(amount, to: other)
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    let isUp = rest.magnitude * 2 >= divisor.magnitude
    return Int64(clamping: quotient + (isUp ? (number < 0 ? -1 : 1) : 0))
  }

  /// The amounts of another unit that a range of this one has; `nil` if there are none.
  ///
  /// The bounds are not rounded into the range: 5 km are no whole number of millionths of a mile, so that
  /// no number of miles equals them. The least and the greatest amount are no bounds.
  func convert(_ range: ClosedRange<Int64>, to other: ConvertibleUnit) -> ClosedRange<Int64>? {
    guard self != other else { return range }
    var (lower, upper) = (Int64.min, Int64.max)
    if range.lowerBound > .min {
      let (number, divisor) = fraction(range.lowerBound, to: other)
      let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
      lower = Int64(clamping: rest > 0 ? quotient + 1 : quotient)
    }
    if range.upperBound < .max {
      let (number, divisor) = fraction(range.upperBound, to: other)
      let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
      upper = Int64(clamping: rest < 0 ? quotient - 1 : quotient)
    }
    return lower <= upper ? lower...upper : nil
  }

  /// The divisor is above zero.
  private func fraction(
    _ amount: Int64, to other: ConvertibleUnit
  ) -> (number: Int128, divisor: Int128) {
    (
      Int128(amount) * Int128(ratio.numerator) * Int128(other.ratio.denominator),
      Int128(ratio.denominator) * Int128(other.ratio.numerator)
    )
  }

  /// An amount in the quantity's own unit without its fraction, by the same steps as ``sqlOfAmount``.
  func amountOfQuantity(_ amount: Int64) -> Int64 {
    let product = Double(amount) * Double(ratio.numerator) / Double(ratio.denominator)
    return Int64(exactly: product.rounded(.towardZero)) ?? (product < 0 ? .min : .max)
  }

  // MARK: SQL

  /// All spellings as a list of SQL.
  static let sqlOfSpellings = list(units.keys.sorted())

  /// The quantity of a row of the table of fields whose unit is one of these.
  static let sqlOfQuantity: String = {
    let cases = Quantity.allCases.map { quantity in
      let names = spellings(of: quantity).flatMap { $0.names }
      return "WHEN lower(shown) IN (\(list(names))) THEN '\(quantity.rawValue)'"
    }
    return "CASE \(cases.joined(separator: " ")) END"
  }()

  /// The value of such a row in the quantity's own unit.
  ///
  /// All numbers are whole ones that a `REAL` has exactly, so that the result is that of
  /// ``amountOfQuantity(_:)`` to the bit.
  static let sqlOfAmount: String = {
    let cases = rows.map { row in
      "WHEN lower(shown) IN (\(list(row.names)))"
        + " THEN CAST(value * \(row.numerator).0 / \(row.denominator).0 AS INTEGER)"
    }
    return "CASE \(cases.joined(separator: " ")) END"
  }()

  /// The name of the unit of a row of any number: ``name`` of one of these, else what was typed in lower case.
  static let sqlOfName: String = {
    let cases = rows.filter { $0.names.count > 1 }.map { row in
      "WHEN lower(shown) IN (\(list(Array(row.names.dropFirst())))) THEN '\(row.names[0])'"
    }
    return "CASE \(cases.joined(separator: " ")) ELSE lower(shown) END"
  }()

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }
}

extension ConvertibleUnit.Row {
  fileprivate init(
    _ quantity: ConvertibleUnit.Quantity, _ numerator: Int64, _ denominator: Int64,
    _ spellings: String
  ) {
    self.init(
      quantity: quantity, numerator: numerator, denominator: denominator, spellings: spellings)
  }
}
