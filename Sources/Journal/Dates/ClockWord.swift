/// A time of day in words: `9am`, `9:15pm`, `noon`, `midnight`.
struct ClockWord {
  /// 0 to 23.
  let hour: Int
  /// 0 to 59.
  let minute: Int

  /// Reads a time of day; `nil` for what is none, `09:15` included, which needs no words.
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
