/// Why a text is not a date.
public enum WhenError: Error, Hashable, Sendable {
  /// There is no text.
  case empty
  /// It is like no form of a date; the word that may have been meant, if one is near.
  case unknown(String, suggestion: String?)
  /// It has the form of a date, but there is no such day.
  case noSuchDay(String)
  /// It has the form of a time, but there is no such time.
  case noSuchTime(String)
  /// Days, months and the year stand in an order that is read differently in different places, or in
  /// a form that is not ours; what may be meant, in our form.
  case otherForm(String, candidates: [String])
  /// The year is not between 1 and 9999.
  case outOfRange(String)
  /// A time was given to something that is not a single day.
  case timeNeedsDay(String)
  /// A time was given where only days are meant.
  case timeNotAllowed(String)
  /// The local clock never showed this time; the moment it jumped to instead.
  case skipped(text: String, next: Moment)
}

extension WhenError: CustomStringConvertible {
  /// What is wrong and what to write instead, on one line.
  public var description: String {
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
        : "\"\(text)\" \(candidates.count > 1 ? "can be read in two ways" : "is not our form")"
          + ": write \(candidates.joined(separator: " or "))"
    case .outOfRange(let text): "\"\(text)\" is out of range: years run from 0001 to 9999"
    case .timeNeedsDay(let text): "\"\(text)\" has a time but names no single day"
    case .timeNotAllowed(let text): "\"\(text)\" has a time: only days can be compared here"
    case .skipped(let text, let next):
      "the clocks were set forward over \(text): the next time they showed was \(next)"
    }
  }
}
