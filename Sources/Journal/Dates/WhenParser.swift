/// Reads dates as people type them; the grammar is that of ``When/parse(_:now:clock:rule:)``.
struct WhenParser {
  let now: Moment
  let clock: WallClock
  let rule: DayRule

  private var today: Day { rule.day(of: now) }

  func parse(_ text: String) throws(WhenError) -> When {
    let words = text.split { $0.isWhitespace || $0 == "," }.map { String($0) }
    guard let first = words.first, let last = words.last else { throw .empty }
    if words.count == 1, let instant = try instant(first) { return instant }
    if words.count == 2, let moment = Moment(words.joined(separator: " ")) {
      return .moment(moment, day: moment.localDay)
    }
    guard words.count > 1, isTime(last) else { return try days(words, in: text) }
    let named = words.dropLast()
    let days = try days(Array(named.last == "at" ? named.dropLast() : named), in: text)
    guard case .day(let day, let end) = days, day == end else { throw .timeNeedsDay(text) }
    return try moment(on: day, time: last, text: text)
  }

  /// A single word that has a time in it: an ISO 8601 moment, with or without offset, or a time.
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

  /// Whether a word is meant as a time: `09:15`, `9am`, `noon`.
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
  /// Words that name days.
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
    let week = Day.range(ofSection: word.uppercased(), .week)
    if let range = Day.month(word) ?? Day.year(word) ?? week {
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

  /// The day that three numbers name, where they can be read in one way only.
  private func onlyReading(
    of parts: [Substring], _ numbers: [Int], in text: String
  ) throws(WhenError) -> Day {
    if parts[0].count == 4 {
      guard let day = Day(year: numbers[0], month: numbers[1], day: numbers[2]) else {
        throw .noSuchDay(text)
      }
      return day
    }
    // A year of two figures may be any of the three numbers.
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
