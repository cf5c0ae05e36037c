import Journal

/// Reads instants that programs write as a count since 1970: seconds, or thousandths, millionths and
/// billionths of one, told apart by their digits.
enum EpochText {
  /// The moment of a number, with the offset that a clock has then; nothing for any other text, and
  /// for 12 and 14 digits that are a date and time (`202401050915`).
  static func moment(_ text: String, _ clock: WallClock) -> Moment? {
    let digits = text.utf8.prefix(while: ASCII.isDigit)
    let rest = text.utf8[digits.endIndex...]
    // A fraction, as some programs have it behind seconds.
    guard
      rest.isEmpty
        || (rest.first == UInt8(ascii: ".") && rest.dropFirst().allSatisfy(ASCII.isDigit))
    else { return nil }
    let divisor: Int64
    switch digits.count {
    case 9, 10: divisor = 1
    case 12, 13: divisor = 1000
    case 15, 16: divisor = 1_000_000
    case 18, 19: divisor = 1_000_000_000
    default: return nil
    }
    if digits.count == 12, case .date = DateText.read(String(text)) { return nil }
    return Int64(String(digits) ?? "").map { clock.moment(at: $0 / divisor) }
  }
}
