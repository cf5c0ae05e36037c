/// Days in words, relative to today.
///
/// A journal looks back: a weekday, a month, or a day of a month without its year is the latest one
/// that has begun. `last friday` is before today, `next friday` after it, `this friday` in the
/// current ISO week. Weeks begin on Monday.
struct DayPhrase {
  let today: Day

  /// All words with a meaning here, for suggestions.
  static let vocabulary =
    When.names + months + units + units.map { $0 + "s" } + ["last", "this", "next", "ago"]

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let units = ["day", "week", "month", "year"]

  /// The words of a phrase in lower case; within a word `-` means a space, as in a query
  /// (`since:last-friday`).
  static func words(of words: [String]) -> [String] {
    words.flatMap { word in
      word.lowercased().split { $0 == "-" || $0 == "_" }.map { String($0) }
    }
  }

  /// The days of a phrase; `nil` if it is not one.
  ///
  /// - Throws: ``WhenError/noSuchDay(_:)`` for `31 april`.
  func range(_ words: [String], in text: String) throws(WhenError) -> ClosedRange<Day>? {
    if let range = single(words) ?? relative(words) ?? counted(words) { return range }
    return try calendar(words, in: text)
  }

  /// `today`, `yesterday`, `tomorrow`, `monday`.
  private func single(_ words: [String]) -> ClosedRange<Day>? {
    guard words.count == 1 else { return nil }
    switch words[0] {
    case "today": return only(today)
    case "yesterday": return only(today.adding(days: -1))
    case "tomorrow": return only(today.adding(days: 1))
    case let word:
      return weekday(word).map { only(today.adding(days: -((today.weekday - $0 + 7) % 7))) }
    }
  }

  /// `last friday`, `this week`, `next month`.
  private func relative(_ words: [String]) -> ClosedRange<Day>? {
    guard words.count == 2, let step = ["last": -1, "this": 0, "next": 1][words[0]] else {
      return nil
    }
    if let weekday = weekday(words[1]) {
      let distance = weekday - today.weekday
      switch step {
      case -1: return only(today.adding(days: distance < 0 ? distance : distance - 7))
      case 1: return only(today.adding(days: distance > 0 ? distance : distance + 7))
      default: return only(today.adding(days: distance))
      }
    }
    switch words[1] {
    case "week": return Period.week.days(around: today.adding(days: 7 * step))
    case "month": return Period.months(1).days(around: today.adding(months: step))
    case "year": return Period.months(12).days(around: today.adding(months: 12 * step))
    default: return nil
    }
  }

  /// `3 days ago`, `a week ago`, `in 2 weeks`.
  private func counted(_ words: [String]) -> ClosedRange<Day>? {
    guard words.count == 3 else { return nil }
    let isAgo = words[2] == "ago"
    guard isAgo || words[0] == "in" else { return nil }
    let (amount, name) = isAgo ? (words[0], words[1]) : (words[1], words[2])
    guard let count = amount == "a" || amount == "an" ? 1 : Digits.number(amount.utf8),
      count <= 4_000_000, let unit = Self.units.first(where: { name == $0 || name == $0 + "s" })
    else { return nil }
    let steps = isAgo ? -count : count
    let day =
      switch unit {
      case "day": today.adding(days: steps)
      case "week": today.adding(days: 7 * steps)
      case "month": today.adding(months: steps)
      default: today.adding(months: 12 * steps)
      }
    // A result at the limits of the calendar is out of range.
    return day > .earliest && day < .latest ? only(day) : nil
  }
}

extension DayPhrase {
  /// `12 oct`, `october 12 2025`, `2025 oct 12`, `sat 12 oct`, `october`, `october 2025`.
  private func calendar(_ words: [String], in text: String) throws(WhenError) -> ClosedRange<Day>? {
    var words = words
    if words.count > 2, weekday(words[0]) != nil { words.removeFirst() }
    guard let place = words.firstIndex(where: { month($0) != nil }), place < 2,
      let month = month(words.remove(at: place)), words.count <= 2
    else { return nil }
    if place == 1, words.count == 2, year(words[0]) != nil { words.swapAt(0, 1) }
    guard let first = words.first else { return latest(month: month) }
    if words.count == 1, place == 0, let year = year(first) {
      return Day(year: year, month: month, day: 1).map(Period.months(1).days(around:))
    }
    guard let number = ordinal(first) else { return nil }
    guard let named = words.dropFirst().first else {
      return only(try latest(month: month, day: number, in: text))
    }
    guard let year = year(named) else { return nil }
    guard let day = Day(year: year, month: month, day: number) else { throw .noSuchDay(text) }
    return only(day)
  }

  /// The latest month of this name that has begun.
  private func latest(month: Int) -> ClosedRange<Day>? {
    let year = month > today.month ? today.year - 1 : today.year
    return Day(year: year, month: month, day: 1).map(Period.months(1).days(around:))
  }

  /// The latest such day up to today; for 29 February the search covers eight years, as a century
  /// year may have none.
  private func latest(month: Int, day: Int, in text: String) throws(WhenError) -> Day {
    for year in (today.year - 8...today.year).reversed() {
      if let found = Day(year: year, month: month, day: day), found <= today { return found }
    }
    throw .noSuchDay(text)
  }

  private func only(_ day: Day) -> ClosedRange<Day> { day...day }

  /// 1 for Monday to 7 for Sunday, by name or its first three letters.
  private func weekday(_ word: String) -> Int? {
    When.weekdays.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
  }

  /// 1 to 12, by name, its first three letters, or `sept`.
  private func month(_ word: String) -> Int? {
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    return Self.months.firstIndex { $0 == word || $0.prefix(3) == word || $0.prefix(4) == word }
      .map { $0 + 1 }
  }

  private func year(_ word: String) -> Int? {
    word.utf8.count == 4 ? Digits.number(word.utf8) : nil
  }

  /// `12`, `12th`, `12.`.
  private func ordinal(_ word: String) -> Int? {
    let digits = word.prefix { $0.isNumber }
    let rest = word.dropFirst(digits.count)
    guard ["", ".", "st", "nd", "rd", "th"].contains(rest), digits.utf8.count <= 2 else {
      return nil
    }
    return Digits.number(digits.utf8)
  }
}
