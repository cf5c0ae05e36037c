import TestSupport
import Testing

@testable import Journal

@Suite("Places of entries in lists by a field")
struct FieldPlaceTests {
  private static let samples = [
    "4", "5.2 km", "5.2 KM", "5200 m", "3.2 mi", "-2 kg", "999999999 kWh", "0.000001 mg", "7 mb",
    "-3 °C", "12.50 €", "12.5 EUR", "0", "4/5", "80 %", "999999999 x", "-999999999",
    "7h20", "90 min", "0.5 s", "1000 h", "2026-11-21", "0001-01-01", "9999-12-31", "Vienna",
    "vienna", "東京", "５", "none", "\"5\"", "5 and more", "-90 min", "1e9",
  ]

  @Test("the key of a place is that of equal values, and of no others")
  func keys() {
    var places: [String: String] = [:]
    for sample in Self.samples {
      let place = FieldPlace.text(of: FieldValue(sample))
      let key = FieldPlace.key(of: place)
      #expect(places[key] == nil || places[key] == place, "\(sample)")
      places[key] = place
    }
    #expect(FieldPlace.key(of: FieldPlace.text(of: nil)) == "")
    #expect(FieldPlace.key(of: FieldPlace.text(of: FieldValue("5.2 KM"))) == "5.2 km")
    #expect(FieldPlace.key(of: FieldPlace.text(of: FieldValue("Vienna"))) == "vienna")
    // Words that look like a number when they are folded are not in its section.
    #expect(FieldPlace.key(of: FieldPlace.text(of: FieldValue("５"))) != "5")
  }

  @Test("all spellings of a unit have one place and are one unit, and no other's")
  func spellings() {
    var places: [String: String] = [:]
    for quantity in ConvertibleUnit.Quantity.allCases {
      for (unit, names) in ConvertibleUnit.spellings(of: quantity) {
        for name in names + names.map({ $0.uppercased() })
        where FieldUnit(name) == FieldUnit(names[0]) {
          let place = FieldPlace.text(of: .number(FixedDecimal(2), unit: name))
          #expect(places[place] ?? unit.name == unit.name, "\(name)")
          places[place] = unit.name
        }
        #expect(names.allSatisfy { FieldUnit($0) == FieldUnit(names[0]) }, "\(names)")
        #expect(
          Set(names.map { FieldPlace.text(of: FieldValue("2 \($0)")) }).count == 1, "\(names)")
      }
    }
    #expect(places.count == Set(places.values).count)
    #expect(FieldPlace.key(of: FieldPlace.text(of: FieldValue("2 Miles"))) == "2 mi")
    #expect(FieldUnit("mi") != FieldUnit("km"))
    #expect(FieldUnit("lap") != FieldUnit("laps"))
  }

  @Test("every number, duration and date has a key that is typed as it is")
  func everyAmount() {
    for sample in Self.samples where FieldValue(sample).kind != .words {
      let value = FieldValue(sample)
      let key = FieldPlace.key(of: FieldPlace.text(of: value))
      #expect(FieldValue(key).amount == value.amount, "\(sample): \(key)")
      #expect(FieldValue(key).kind == value.kind, "\(sample): \(key)")
    }
  }

  @Test(
    "places are in the order of their bytes: the greatest first, words by themselves, none last")
  func order() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let values = (0..<500).map { _ in
      FieldValue(
        [
          "\(Int64.random(in: -999_999_999...999_999_999, using: &random)) km",
          "\(Double(Int.random(in: -99_999...99_999, using: &random)) / 1000) km",
          "\(Int.random(in: 0...9999, using: &random)) min",
        ].randomElement(using: &random) ?? "")
    }
    let sorted = values.sorted {
      FieldPlace.text(of: $0).utf8.lexicographicallyPrecedes(FieldPlace.text(of: $1).utf8)
    }
    for (left, right) in zip(sorted, sorted.dropFirst()) where left.kind == right.kind {
      #expect((left.amount ?? 0) >= (right.amount ?? 0), "\(left) before \(right)")
    }
    // Units that convert are compared, others are apart.
    let lengths = ["6 km", "5500 m", "3.1 mi", "4 km", "390 cm", "-1 km", "3 laps", "9 steps"]
    let inOrder = lengths.shuffled(using: &random).sorted {
      FieldPlace.text(of: FieldValue($0)).utf8.lexicographicallyPrecedes(
        FieldPlace.text(of: FieldValue($1)).utf8)
    }
    #expect(
      inOrder == ["3 laps", "6 km", "5500 m", "3.1 mi", "4 km", "390 cm", "-1 km", "9 steps"])
    let kinds = ["5", "7h20", "2026-11-21", "word"].map { FieldPlace.text(of: FieldValue($0)) }
    #expect(kinds + [FieldPlace.text(of: nil)] == (kinds + [FieldPlace.text(of: nil)]).sorted())
  }
}

@Suite("Sums and means of fields")
struct FieldMeasureTests {
  private func measure(
    _ name: String, _ unit: FieldUnit, _ statistic: FieldMeasure.Statistic? = nil
  ) -> FieldMeasure { FieldMeasure(name: name, unit: unit, statistic: statistic) }

  @Test("values of the unit are summed, and those that convert, in any case; others are counted")
  func totals() {
    let values = [
      "5.2 km", "3 KM", "500 m", "1 mile", "2 laps", "4", "7h20", "far", "2026-11-21",
    ].map { FieldValue($0) }
    let total = measure("run", FieldUnit("km")).total(of: values)
    #expect(total.sum == 8_700_000 + 1_609_344)
    #expect(total.count == 4)
    #expect(total.others == 3)
    let none = measure("run", FieldUnit("pages")).total(of: values)
    #expect((none.count, none.others) == (0, 7))
    #expect(measure("run", .duration).total(of: values).sum == 26_400_000_000)
    let huge = [FieldValue](
      repeating: .number(FixedDecimal(millionths: .max / 2), unit: ""), count: 3)
    #expect(measure("x", FieldUnit("")).total(of: huge).sum == .max)
  }

  @Test("a sum or a mean in words")
  func texts() {
    #expect(measure("run", FieldUnit("km")).text(sum: 12_400_000, count: 2) == "run 12.4 km")
    #expect(measure("slept", .duration).text(sum: 26_400 * 1_000_000, count: 1) == "slept 7h20")
    // Parts of a whole have no sum.
    #expect(measure("mood", FieldUnit("/5")).text(sum: 11_000_000, count: 3) == "mood mean 3.67/5")
    #expect(measure("mood", FieldUnit("/5"), .sum).text(sum: 11_000_000, count: 3) == "mood 11/5")
    #expect(measure("x", FieldUnit(""), .mean).text(sum: -5_000_000, count: 2) == "x mean -2.5")
    let mean = measure("slept", .duration, .mean)
    #expect(mean.text(sum: 50_000 * 1_000_000, count: 3) == "slept mean 4h38")
    #expect(measure("run", FieldUnit("km")).text(sum: 0, count: 0) == nil)
    #expect(
      measure("run", FieldUnit("km")).text(sum: 12_400_000, count: 2, others: 1)
        == "run 12.4 km, 1 other")
    #expect(measure("run", FieldUnit("km")).text(sum: 0, count: 0, others: 2) == "run 2 others")
  }

  @Test("amounts are rounded to the hundredth, and small ones are not nothing")
  func rounding() {
    let cases: [(Int64, String)] = [
      (3_218_688, "3.22"), (12_400_000, "12.4"), (-1_005_000, "-1.01"), (100_000, "0.1"),
      (99_900, "0.1"), (12_345, "0.012"), (-4_000, "-0.004"), (1, "0.000001"), (0, "0"),
    ]
    for (amount, text) in cases {
      #expect(
        measure("run", FieldUnit("km")).text(sum: Int128(amount), count: 1) == "run \(text) km")
      let mean = measure("run", FieldUnit("km"), .mean).text(sum: Int128(amount) * 3, count: 3)
      #expect(mean == "run mean \(text) km")
    }
  }

  @Test("a number that six decimals do not tell from zero is words, and zero is none")
  func tiny() {
    for text in ["0.0000001 km", "-0.0000004", "0,00000049", "0.0000001 h", "€0.0000001"] {
      #expect(FieldValue(text) == .words(text))
    }
    for text in ["0", "0.0000000 km", "-0", "0,0", "0 min"] {
      #expect(FieldValue(text).amount == 0, "\(text)")
    }
    #expect(FieldValue("0.0000005 km").amount == 1)
    #expect(FieldValue("1.0000001 km").amount == 1_000_000)
  }

  @Test("units that convert do so exactly, there and back, and ranges have what the numbers have")
  func conversion() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for quantity in ConvertibleUnit.Quantity.allCases {
      let units = ConvertibleUnit.spellings(of: quantity).map(\.unit)
      for _ in 0..<300 {
        let from = units[random.below(units.count)]
        let to = units[random.below(units.count)]
        let amount = Int64.random(in: -2_000_000_000...2_000_000_000, using: &random)
        let bound = Int64.random(in: -2_000_000_000...2_000_000_000, using: &random)
        // As fractions of the quantity's own unit, without any rounding.
        func exact(_ amount: Int64, _ unit: ConvertibleUnit, _ other: ConvertibleUnit) -> Int128 {
          Int128(amount) * Int128(unit.ratio.numerator) * Int128(other.ratio.denominator)
        }
        let isInside = exact(amount, to, from) >= exact(bound, from, to)
        let range = from.convert(bound...Int64.max, to: to)
        #expect(range?.contains(amount) == isInside, "\(amount) \(to) in \(bound)... \(from)")
        let upTo = from.convert(Int64.min...bound, to: to)
        #expect(
          upTo?.contains(amount) == (exact(amount, to, from) <= exact(bound, from, to)),
          "\(amount) \(to) in ...\(bound) \(from)")
      }
    }
    #expect(FieldUnit("km").amount(of: FieldValue("3000 m")) == 3_000_000)
    #expect(FieldUnit("m").amount(of: FieldValue("-1.5 KM")) == -1_500_000_000)
    #expect(FieldUnit("kg").amount(of: FieldValue("1 lb")) == 453_592)
    #expect(FieldUnit("lb").amount(of: FieldValue("1 kg")) == 2_204_623)
    #expect(FieldUnit("€").amount(of: FieldValue("12.50 EUR")) == 12_500_000)
    #expect(FieldUnit("km").amount(of: FieldValue("3 kg")) == nil)
    #expect(FieldUnit("km").amount(of: FieldValue("3")) == nil)
    #expect(FieldUnit("mm").amount(of: FieldValue("999999999 km")) == .max)
  }

  @Test("the unit of most values, whatever its case")
  func most() {
    let values = ["1 km", "2 KM", "3 mi", "1h", "word"].map { FieldValue($0) }
    #expect(FieldUnit.most(of: values) == FieldUnit("km"))
    // Units that convert count together.
    let mixed = ["4", "5", "6", "1 km", "500 m", "2 km", "300 m", "400 m"].map { FieldValue($0) }
    #expect(FieldUnit.most(of: mixed)?.name == "m")
    let statistics = FieldStatistics(
      mixed.map { (day: Day(daysSinceEpoch: 0), value: $0) }, by: .month)
    #expect(statistics.unit == "m")
    #expect(statistics.all?.sum == 4_200_000_000)
    #expect(statistics.all?.most == 2_000_000_000)
    #expect(statistics.others == 3)
    #expect(FieldUnit.most(of: values + [FieldValue("3 km")])?.name == "km")
    #expect(FieldUnit.most(of: [FieldValue("word"), FieldValue("2026-11-21")]) == nil)
    // Spellings of one unit count together, too.
    let spelled = ["1 mi", "2 miles", "3 km"].map { FieldValue($0) }
    #expect(FieldUnit.most(of: spelled) == FieldUnit("mile"))
    #expect(FieldUnit.most(of: [FieldValue("1h")]) == .duration)
    #expect(FieldUnit("") != .duration)
  }
}
