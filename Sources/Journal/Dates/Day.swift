/// A calendar day of the proleptic Gregorian calendar, without a time zone.
///
/// An entry's day is fixed when it is written; no later zone change moves it.
package struct Day: Hashable, Sendable {
  /// Days since 1970-01-01, negative before it.
  package let daysSinceEpoch: Int

  /// Makes a day from its distance to 1970-01-01, in days.
  package init(daysSinceEpoch: Int) {
    self.daysSinceEpoch = daysSinceEpoch
  }

  /// Makes a day from its calendar fields; `nil` if the day does not exist.
  ///
  /// Years run from 1 to 9999, so that every day has a text of ten characters that sorts.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    self.init(civilYear: year, month: month, day: day)
  }
}

/// A day is coded as its ``daysSinceEpoch``.
extension Day: Codable {
  /// The days that are decoded: some thousand years more than have a text.
  private static let decoded = -4_000_000...4_000_000

  package init(from decoder: any Decoder) throws {
    let days = try Int(from: decoder)
    guard Self.decoded.contains(days) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(days) is no day"))
    }
    self.init(daysSinceEpoch: days)
  }

  package func encode(to encoder: any Encoder) throws { try daysSinceEpoch.encode(to: encoder) }
}

extension Day: Comparable {
  /// Whether the left day is the earlier one.
  package static func < (lhs: Day, rhs: Day) -> Bool {
    lhs.daysSinceEpoch < rhs.daysSinceEpoch
  }
}

extension Day {
  /// The first day with a text: 0001-01-01.
  package static let earliest = Day(daysSinceEpoch: -719_162)
  /// The last day with a text: 9999-12-31.
  package static let latest = Day(daysSinceEpoch: 2_932_896)

  /// The year, 1 to 9999 for every day made from fields or text.
  package var year: Int { civil.year }
  /// The month, 1 to 12.
  package var month: Int { civil.month }
  /// The day of the month, from 1.
  package var day: Int { civil.day }

  /// The number of days in a month from 1 to 12.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }
}

extension Day {
  /// All calendar fields, at the cost of one.
  ///
  /// The calendar repeats every 400 years of 146,097 days; counting years from March puts the leap
  /// day at a year's end, so that months follow from the day of the year without a table.
  package var civil: (year: Int, month: Int, day: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  init(civilYear: Int, month: Int, day: Int) {
    let year = month <= 2 ? civilYear - 1 : civilYear
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(daysSinceEpoch: era * 146_097 + dayOfEra - 719_468)
  }
}

extension Day {
  /// The day of the week by ISO 8601: Monday is 1, Sunday is 7.
  package var weekday: Int {
    let sinceMonday = (daysSinceEpoch + 3) % 7
    return (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday) + 1
  }

  /// The ISO 8601 week of the day, and the year of that week.
  ///
  /// A week belongs to the year of its Thursday, so the first days of January may be in the last
  /// week of the year before, and the last days of December in week 1 of the next.
  package var isoWeek: (year: Int, week: Int) {
    let thursday = Day(daysSinceEpoch: daysSinceEpoch + 4 - weekday)
    let year = thursday.year
    let newYear = Day(civilYear: year, month: 1, day: 1)
    return (year, (thursday.daysSinceEpoch - newYear.daysSinceEpoch) / 7 + 1)
  }

  /// The day a number of days later, earlier for a negative number.
  ///
  /// It stays between ``earliest`` and ``latest``, so no typed distance can overflow.
  package func adding(days: Int) -> Day {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    if overflow { return days < 0 ? .earliest : .latest }
    return Swift.min(Swift.max(Day(daysSinceEpoch: sum), .earliest), .latest)
  }

  /// The same day of the month a number of months later, earlier for a negative number.
  ///
  /// In a shorter month it is the month's last day: a month after 31 January is 28 or 29 February.
  /// It stays between ``earliest`` and ``latest``.
  package func adding(months: Int) -> Day {
    let (year, month, day) = civil
    let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    if overflow || sum >= 10_000 * 12 { return months < 0 ? .earliest : .latest }
    if sum < 12 { return .earliest }
    let length = Day.length(ofMonth: sum % 12 + 1, year: sum / 12)
    return Day(civilYear: sum / 12, month: sum % 12 + 1, day: Swift.min(day, length))
  }
}

extension Day: LosslessStringConvertible {
  /// The day in ISO 8601: `2026-11-21`.
  package var description: String {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(10)
    append(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends ``description`` in UTF-8.
  func append(to buffer: inout [UInt8]) {
    let (year, month, day) = civil
    Digits.append(year, to: 4, in: &buffer)
    buffer.append(UInt8(ascii: "-"))
    Digits.append(month, in: &buffer)
    buffer.append(UInt8(ascii: "-"))
    Digits.append(day, in: &buffer)
  }

  /// Parses exactly the form of ``description``: four digits, two and two, and an existing day.
  package init?(_ description: String) {
    guard description.utf8.count == 10 else { return nil }
    let fields = Utf8.withBytes(of: description) { bytes -> (Int, Int, Int)? in
      guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
        let year = Digits.number(bytes[0..<4]), let month = Digits.number(bytes[5..<7]),
        let day = Digits.number(bytes[8..<10])
      else { return nil }
      return (year, month, day)
    }
    guard let (year, month, day) = fields else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

/// The end of a journal day: an entry written at half past one still belongs to yesterday.
package struct DayRule: Hashable, Codable, Sendable {
  /// The end of a day in minutes after midnight, 0 to 1439.
  package let endsAt: Int

  /// Makes a rule from minutes after midnight, clamped to 0 to 1439; 04:00 by default.
  package init(endsAt: Int = 4 * 60) {
    self.endsAt = min(max(endsAt, 0), 24 * 60 - 1)
  }

  /// Parses the end of a day from the configuration's form, `04:00`.
  package init?(_ text: String) {
    var reader = MomentReader(bytes: Array(text.utf8))
    guard text.utf8.count == 5, let second = reader.time(), reader.isAtEnd else { return nil }
    self.init(endsAt: second / 60)
  }

  /// The journal day of an entry written at a moment.
  package func day(of moment: Moment) -> Day {
    let seconds = moment.seconds &- Int64(endsAt * 60)
    return Moment(seconds: seconds, offset: moment.offset).localDay
  }
}

/// Decimal digits of dates and times, in ASCII only.
package enum Digits {
  /// A number with zeros in front, at least so many digits wide.
  package static func padded(_ number: Int, to width: Int = 2) -> String {
    var buffer: [UInt8] = []
    append(number, to: width, in: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends a number with leading zeros; exports write millions of them.
  static func append(_ number: Int, to width: Int = 2, in buffer: inout [UInt8]) {
    if width == 2, (0..<100).contains(number) {
      buffer.append(UInt8(ascii: "0") + UInt8(number / 10))
      buffer.append(UInt8(ascii: "0") + UInt8(number % 10))
      return
    }
    if width == 4, (0..<10_000).contains(number) {
      append(number / 100, in: &buffer)
      append(number % 100, in: &buffer)
      return
    }
    if number < 0 { buffer.append(UInt8(ascii: "-")) }
    var divisor: UInt = 1
    for _ in 1..<width { divisor *= 10 }
    while number.magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(number.magnitude / divisor % 10))
      divisor /= 10
    }
  }

  /// The number in bytes that are all ASCII digits; `nil` otherwise or on overflow.
  static func number(_ bytes: some Collection<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var result = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (product, tooLarge) = result.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      guard !tooLarge, !overflow else { return nil }
      result = sum
    }
    return result
  }
}
