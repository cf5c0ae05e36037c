/// A date that a person typed: a day, several days, or an instant.
package enum When: Hashable, Sendable {
  /// Whole days: one (`2026-11-21`, `yesterday`, `3d`), a month or a year.
  ///
  /// `since:` uses the first of them, `until:` the last.
  case day(first: Day, last: Day)
  /// A day and a time, with its journal day.
  case moment(Moment, day: Day)
}

extension When {
  /// The words for days.
  package static let names = ["today", "yesterday", "tomorrow"] + weekdays

  static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The day of one of ``names``: of a weekday the latest one, today included.
  package static func day(named name: String, today: Day) -> Day? {
    switch name {
    case "today": today
    case "yesterday": today.adding(days: -1)
    case "tomorrow": today.adding(days: 1)
    default:
      weekdays.firstIndex(of: name).map { today.adding(days: -((today.weekday - 1 - $0 + 7) % 7)) }
    }
  }

  /// The named day, or the first one of a month or a year.
  package var firstDay: Day {
    switch self {
    case .day(let first, _): first
    case .moment(_, let day): day
    }
  }

  /// The named day, or the last one of a month or a year.
  package var lastDay: Day {
    switch self {
    case .day(_, let last): last
    case .moment(_, let day): day
    }
  }

  /// Parses a typed date.
  ///
  /// The forms are `2026-11-21`, `2026-11-21 09:15`, `2026-11-21T09:15:00+01:00`, `09:15`, `9am`,
  /// `today`, `yesterday`, `monday`, `3d`, `2w`, `6m`, `1y`, `2026-11`, `2026`, `2026-W47`, and the
  /// forms of ``DayPhrase``: `tomorrow`, `last friday`, `12 oct`, `october 2025`, `last week`, `3
  /// days ago`. Numbers in another order count if they have only one reading: `21.11.2026`.
  ///
  /// A time may follow any form of a single day, with or without `at`: `yesterday 9am`, `monday at
  /// 9:30 pm`. A time alone is today's; before the end of the
  /// journal day it belongs to the current calendar day, so that at half past one `01:15` was a
  /// quarter of an hour ago.
  ///
  /// - Throws: ``WhenError``, with the form to use if it is known.
  package static func parse(
    _ text: String, now: Moment, clock: WallClock, rule: DayRule
  ) throws(WhenError) -> When {
    try WhenParser(now: now, clock: clock, rule: rule).parse(text)
  }

  /// The instant and the day of an entry with this date.
  ///
  /// A date without a time gets the current time of day; a month or a year means its first day. The
  /// named day is kept, regardless of the end of journal days. If the clocks were set forward over
  /// the current time, the instant is as much later.
  ///
  /// - Throws: ``WhenError`` when the whole day was skipped, as 2011-12-30 in Samoa.
  package func resolved(
    now: Moment, clock: WallClock, rule: DayRule
  ) throws(WhenError) -> (created: Moment, day: Day) {
    switch self {
    case .moment(let moment, let day): return (moment, day)
    case .day(let day, _):
      if day == now.localDay || day == rule.day(of: now) { return (now, day) }
      let (hour, minute, second) = now.localTime
      let local = clock.seconds(ofLocal: day, hour: hour, minute: minute, second: second)
      let created = clock.moment(at: local.seconds)
      guard created.localDay == day else {
        throw WhenError.skipped(text: day.description, next: created)
      }
      return (created, day)
    }
  }
}

/// The reason why a text is not a date.
package enum WhenError: Error, Hashable, Sendable {
  /// The text is empty.
  case empty
  /// The text has no form of a date; the suggestion is the nearest known word, if any.
  case unknown(String, suggestion: String?)
  /// The text has the form of a date, but the day does not exist.
  case noSuchDay(String)
  /// The text has the form of a time, but the time does not exist.
  case noSuchTime(String)
  /// The order of day, month and year is ambiguous, or the form is unsupported; the candidates are
  /// possible dates in a supported form.
  case otherForm(String, candidates: [String])
  /// The year is not between 1 and 9999.
  case outOfRange(String)
  /// A time is combined with a date that is not a single day.
  case timeNeedsDay(String)
  /// A time is given where only days are allowed.
  case timeNotAllowed(String)
  /// The date or the time is in the future, where only the past is known.
  case notYet(String)
  /// The local clock skipped this time; the moment that it jumped to.
  case skipped(text: String, next: Moment)
}

extension WhenError: CustomStringConvertible {
  /// The error and a correct form, on one line.
  package var description: String {
    switch self {
    case .empty: "a date is missing: write 2026-11-21, today, monday or 3d"
    case .unknown(let text, let suggestion):
      "\"\(text)\" is not a date: "
        + (suggestion.map { "did you mean \"\($0)\"?" }
          ?? "write 2026-11-21, 2026-11-21 09:15, today, monday or 3d")
    case .noSuchDay(let text): "there is no day \(text)"
    case .noSuchTime(let text): "there is no time \(text): write 00:00 to 23:59"
    case .otherForm(let text, let candidates):
      candidates.isEmpty
        ? "there is no day \(text): write year, month and day as 2026-11-21"
        : "\"\(text)\" \(candidates.count > 1 ? "can be read in two ways" : "is not a supported form")"
          + ": write \(candidates.joined(separator: " or "))"
    case .outOfRange(let text): "\"\(text)\" is out of range: years run from 0001 to 9999"
    case .timeNeedsDay(let text): "\"\(text)\" has a time, but is not a single day"
    case .timeNotAllowed(let text): "\"\(text)\" has a time: only days can be compared here"
    case .notYet(let text): "\(text) has not come yet"
    case .skipped(let text, let next):
      "the clocks skipped \(text): the next time was \(next)"
    }
  }
}

/// Parses typed dates; the grammar is that of ``When/parse(_:now:clock:rule:)``.
struct WhenParser {
  let now: Moment
  let clock: WallClock
  let rule: DayRule

  private var today: Day { rule.day(of: now) }

  func parse(_ text: String) throws(WhenError) -> When {
    let words = Self.joined(text.split { $0.isWhitespace || $0 == "," }.map { String($0) })
    guard let first = words.first, let last = words.last else { throw .empty }
    if words.count == 1, let instant = try instant(first) { return instant }
    if words.count == 2, let moment = Moment(words.joined(separator: " ")) {
      return .moment(moment, day: moment.localDay)
    }
    guard words.count > 1, isTime(last) else { return try days(words, in: text) }
    let named = Array(
      words.dropLast().last?.lowercased() == "at" ? words.dropLast(2) : words.dropLast())
    if named.isEmpty { return try timeAlone(last) }
    let days = try days(named, in: text)
    guard case .day(let day, let end) = days, day == end else { throw .timeNeedsDay(text) }
    return try moment(on: day, time: last, text: text)
  }

  /// The words with `9 am` as one, `9am`.
  private static func joined(_ words: [String]) -> [String] {
    guard words.count > 1, ["am", "pm"].contains(words[words.count - 1].lowercased()),
      ClockWord(words.suffix(2).joined()) != nil
    else { return words }
    return words.dropLast(2) + [words.suffix(2).joined()]
  }

  /// A single word with a time: an ISO 8601 moment, with or without offset, or a time.
  private func instant(_ word: String) throws(WhenError) -> When? {
    if let moment = Moment(word) { return .moment(moment, day: moment.localDay) }
    if word.utf8.first.map(isDigit) == true, let separator = word.firstIndex(of: "T") {
      let day = try explicitDay(String(word[..<separator]), in: word)
      return try moment(
        on: day, time: String(word[word.index(after: separator)...]), text: word)
    }
    return isTime(word) ? try timeAlone(word) : nil
  }

  private func moment(on day: Day, time: String, text: String) throws(WhenError) -> When {
    let (hour, minute, second) = try self.time(time, in: text)
    let local = clock.seconds(ofLocal: day, hour: hour, minute: minute, second: second)
    let moment = clock.moment(at: local.seconds)
    if case .skipped = local { throw .skipped(text: text, next: moment) }
    return .moment(moment, day: day)
  }

  private func timeAlone(_ word: String) throws(WhenError) -> When {
    let (hour, minute, _) = try time(word, in: word)
    let day = hour * 60 + minute < rule.endsAt ? now.localDay : today
    guard case .moment(let moment, _) = try moment(on: day, time: word, text: word) else {
      throw unknown(word)
    }
    return .moment(moment, day: rule.day(of: moment))
  }

  /// Whether a word has the form of a time: `09:15`, `9am`, `noon`.
  private func isTime(_ word: String) -> Bool {
    word.contains(":") || ClockWord(word) != nil
  }

  private func time(
    _ word: String, in text: String
  ) throws(WhenError) -> (hour: Int, minute: Int, second: Int) {
    if let clock = ClockWord(word) { return (clock.hour, clock.minute, 0) }
    let parts = word.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, (1...2).contains(parts[0].count),
      parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { throw unknown(text) }
    let numbers = parts.compactMap { Digits.number($0) }
    guard numbers.count == parts.count else { throw unknown(text) }
    let second = numbers.count == 3 ? numbers[2] : 0
    guard numbers[0] < 24, numbers[1] < 60, second < 60 else { throw .noSuchTime(word) }
    return (numbers[0], numbers[1], second)
  }
}

extension WhenParser {
  /// Words for days.
  private func days(_ words: [String], in text: String) throws(WhenError) -> When {
    if words.count == 1, let days = try number(words[0]) { return days }
    let words = DayPhrase.words(of: words)
    let range = try DayPhrase(today: today).range(words, in: text)
    guard let range else { throw unknown(text, words: words) }
    return .day(first: range.lowerBound, last: range.upperBound)
  }

  /// A word that begins with a digit: `3d`, `2026-11`, `2026`, `2026-W47`, `2026-11-21`.
  private func number(_ word: String) throws(WhenError) -> When? {
    guard word.utf8.first.map(isDigit) == true else { return nil }
    if let day = try ago(word) { return .day(first: day, last: day) }
    if let range = Grouping.days(ofSection: word.uppercased()) {
      return .day(first: range.lowerBound, last: range.upperBound)
    }
    if word.utf8.contains(where: { $0 | 0x20 >= UInt8(ascii: "a") }) { return nil }
    let day = try explicitDay(word, in: word)
    return .day(first: day, last: day)
  }

  /// `3d`, `2w`, `6m` or `1y` before today.
  private func ago(_ word: String) throws(WhenError) -> Day? {
    let digits = word.utf8.dropLast()
    guard let unit = word.lowercased().last, "dwmy".contains(unit), digits.allSatisfy(isDigit)
    else { return nil }
    guard let count = Digits.number(digits), count <= 4_000_000 else { throw .outOfRange(word) }
    let day =
      switch unit {
      case "d": today.adding(days: -count)
      case "w": today.adding(days: -7 * count)
      case "m": today.adding(months: -count)
      default: today.adding(months: -12 * count)
      }
    // A result at the limits of the calendar is out of range.
    guard day > .earliest else { throw .outOfRange(word) }
    return day
  }

  private func explicitDay(_ word: String, in text: String) throws(WhenError) -> Day {
    if let day = Day(word) { return day }
    let separators: Set<Character> = ["-", "/", "."]
    let parts = word.split(omittingEmptySubsequences: false) { separators.contains($0) }
    let numbers = parts.compactMap { Digits.number($0.utf8) }
    guard numbers.count == parts.count, (1...3).contains(numbers.count) else {
      throw unknown(text)
    }
    try checkYear(parts, in: text)
    switch numbers.count {
    case 3: return try onlyReading(of: parts, numbers, in: text)
    case 2 where parts[0].count == 4: throw .noSuchDay(text)
    default: throw unknown(text)
    }
  }

  private func checkYear(_ parts: [Substring], in text: String) throws(WhenError) {
    guard let year = parts.first else { return }
    if year.count > 4 || year == "0000" || parts.count > 2 && (parts.last?.count ?? 0) > 4 {
      throw .outOfRange(text)
    }
  }

  /// The day of three numbers, if they have only one reading.
  private func onlyReading(
    of parts: [Substring], _ numbers: [Int], in text: String
  ) throws(WhenError) -> Day {
    if parts[0].count == 4 {
      guard let day = Day(year: numbers[0], month: numbers[1], day: numbers[2]) else {
        throw .noSuchDay(text)
      }
      return day
    }
    // A year of two digits may be any of the three numbers.
    guard let year = parts.last, year.count == 4 else { throw unknown(text) }
    let dayFirst = Day(year: numbers[2], month: numbers[1], day: numbers[0])
    let monthFirst = Day(year: numbers[2], month: numbers[0], day: numbers[1])
    let readings = [dayFirst, monthFirst].compactMap(\.self)
    guard let day = readings.first, readings.allSatisfy({ $0 == day }) else {
      throw .otherForm(text, candidates: readings.map(\.description))
    }
    return day
  }

  private func unknown(_ text: String, words: [String] = []) -> WhenError {
    let known = DayPhrase.vocabulary
    let odd = words.first { word in
      word.count > 2 && Int(word) == nil && !known.contains(word)
    }
    let nearest = Suggestion.nearest(to: odd ?? text, among: odd == nil ? When.names : known)
    guard text.count > 2, let nearest else { return .unknown(text, suggestion: nil) }
    let whole = words.map { $0 == odd ? nearest : $0 }.joined(separator: " ")
    return .unknown(text, suggestion: odd == nil ? nearest : whole)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// A time of day in words: `9am`, `9:15pm`, `noon`, `midnight`.
struct ClockWord {
  /// 0 to 23.
  let hour: Int
  /// 0 to 59.
  let minute: Int

  /// Parses a time of day in words; `nil` otherwise, also for `09:15`.
  init?(_ word: String) {
    switch word.lowercased() {
    case "noon": (hour, minute) = (12, 0)
    case "midnight": (hour, minute) = (0, 0)
    case let word:
      guard word.hasSuffix("am") || word.hasSuffix("pm") else { return nil }
      let parts = word.dropLast(2).split(separator: ":", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Digits.number($0.utf8) }
      guard (1...2).contains(parts.count), numbers.count == parts.count,
        (1...12).contains(numbers[0]), parts.count == 1 || parts[1].utf8.count == 2,
        numbers.count == 1 || numbers[1] < 60
      else { return nil }
      hour = numbers[0] % 12 + (word.hasSuffix("pm") ? 12 : 0)
      minute = numbers.count == 2 ? numbers[1] : 0
    }
  }
}
