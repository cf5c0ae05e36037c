/// A date at the beginning of a typed text, as in jrnl: `yesterday 9am: Called Anna`.
///
/// The text before the first colon that a blank follows is a date if the whole of it names a single
/// day, with or without a time; the text after the blank is the entry's. Longer periods are
/// text (`May: she called`, `2026: plans`), and so are the short words `sat` and `3d` without a time
/// (`Sun: too hot`, `3d: printing`).
package struct DatePrefix: Hashable, Sendable {
  /// The instant that the prefix names.
  package let created: Moment
  /// The journal day that the prefix names.
  package let day: Day
  /// The text after the prefix.
  package let text: String

  /// The longest prefix that can be a date, in characters.
  private static let longest = 40

  /// Parses the beginning of a text.
  ///
  /// - Returns: `nil` if the whole text is text.
  package init?(_ text: String, now: Moment, clock: WallClock, rule: DayRule) {
    guard let colon = Self.colon(in: text) else { return nil }
    let words = text[..<colon].lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    let rest = text[text.index(after: colon)...].drop(while: \.isWhitespace)
    guard !rest.isEmpty, words.count > 1 || !Self.isEverydayWord(words.first ?? ""),
      let when = try? When.parse(String(text[..<colon]), now: now, clock: clock, rule: rule),
      when.firstDay == when.lastDay,
      let written = try? when.resolved(now: now, clock: clock, rule: rule)
    else { return nil }
    (created, day) = written
    self.text = String(rest)
  }

  /// Whether a text begins with a date at some time, whatever that date is.
  package static func begins(_ text: String) -> Bool {
    let clock = WallClock.fixed(seconds: 1_800_000_000, offset: 0)
    return DatePrefix(text, now: clock.moment(), clock: clock, rule: DayRule()) != nil
  }

  /// The first colon before a blank, near the beginning of the first line.
  private static func colon(in text: String) -> String.Index? {
    let start = text.prefix(longest + 2).prefix { !$0.isNewline }
    return start.indices.first { index in
      let next = start.index(after: index)
      return start[index] == ":" && next < start.endIndex && start[next].isWhitespace
    }
  }

  /// `sat` and `3d` are dates where a date is asked for, and words where a text is.
  private static func isEverydayWord(_ word: String) -> Bool {
    let isShortWeekday = When.weekdays.contains { $0.prefix(3) == word }
    let isAge = "dwmy".contains(word.last ?? " ") && word.dropLast().allSatisfy(\.isNumber)
    return isShortWeekday || isAge
  }
}
