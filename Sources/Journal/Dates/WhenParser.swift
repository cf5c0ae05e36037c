/// Reads dates as people type them; the grammar is that of ``When/parse(_:now:clock:rule:)``.
struct WhenParser {
  let now: Moment
  let clock: WallClock
  let rule: DayRule

  private var today: Day { rule.day(of: now) }

  func parse(_ text: String) throws(WhenError) -> When {
    let words = text.split(whereSeparator: \.isWhitespace).map { String($0) }
    guard let first = words.first else { throw .empty }
    if words.count == 1, let instant = try instant(first) { return instant }
    if words.count == 2, let moment = Moment(words.joined(separator: " ")) {
      return .moment(moment, day: moment.localDay)
    }
    guard words.count <= 2 else { throw unknown(text) }
    let days = try days(first)
    guard let time = words.dropFirst().first else { return days }
    guard case .day(let day, let last) = days, day == last else { throw .timeNeedsDay(text) }
    return try moment(on: day, time: time, text: text)
  }

  /// A single word that has a time in it: an ISO 8601 moment, with or without offset, or a time.
  private func instant(_ word: String) throws(WhenError) -> When? {
    if let moment = Moment(word) { return .moment(moment, day: moment.localDay) }
    if word.utf8.first.map(isDigit) == true, let separator = word.firstIndex(of: "T") {
      let day = try explicitDay(String(word[..<separator]), in: word)
      return try moment(
        on: day, time: String(word[word.index(after: separator)...]), text: word)
    }
    guard word.contains(":") else { return nil }
    return try timeAlone(word)
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

  private func time(
    _ word: String, in text: String
  ) throws(WhenError) -> (hour: Int, minute: Int, second: Int) {
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
  /// A word that names days.
  private func days(_ word: String) throws(WhenError) -> When {
    if let day = namedDay(word.lowercased()) { return .day(first: day, last: day) }
    guard word.utf8.first.map(isDigit) == true else { throw unknown(word) }
    if let day = try ago(word) { return .day(first: day, last: day) }
    if let range = Day.month(word) ?? Day.year(word) {
      return .day(first: range.lowerBound, last: range.upperBound)
    }
    let day = try explicitDay(word, in: word)
    return .day(first: day, last: day)
  }

  /// `today`, `yesterday`, or the latest day of a weekday, which may be shortened to three letters.
  private func namedDay(_ word: String) -> Day? {
    if word == "today" { return today }
    if word == "yesterday" { return today.adding(days: -1) }
    let index = When.weekdays.firstIndex { $0 == word || $0.prefix(3) == word }
    guard let index else { return nil }
    return today.adding(days: -((today.weekday - 1 - index + 7) % 7))
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
    // Where arithmetic stops is no day that anybody asked for.
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
    case 3: throw otherForm(text, parts: parts, numbers: numbers)
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

  /// What to say about three numbers that are not a day in our form.
  private func otherForm(_ text: String, parts: [Substring], numbers: [Int]) -> WhenError {
    if parts[0].count == 4 {
      guard let day = Day(year: numbers[0], month: numbers[1], day: numbers[2]) else {
        return .noSuchDay(text)
      }
      return .otherForm(text, candidates: [day.description])
    }
    let dayFirst = Day(year: numbers[2], month: numbers[1], day: numbers[0])
    let monthFirst = Day(year: numbers[2], month: numbers[0], day: numbers[1])
    let readings = [dayFirst, monthFirst].compactMap { $0?.description }
    let isShortYear = (parts.last?.count ?? 0) < 4
    let unique = readings.first == readings.last ? Array(readings.prefix(1)) : readings
    return isShortYear ? unknown(text) : .otherForm(text, candidates: unique)
  }

  private func unknown(_ text: String) -> WhenError {
    let suggestion = text.count > 2 ? Suggestion.nearest(to: text, among: When.names) : nil
    return .unknown(text, suggestion: suggestion)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
