import Journal

extension Completer {
  private static let days = When.names + ["last-week", "last-month", "last-year"]

  /// Dates as people say them, and the parts of a date as far as it is written: `2026-`, `2026-11`,
  /// `2026-11-21`.
  func dates(_ typed: String) -> [CompletionCandidate] {
    guard let first = typed.utf8.first else {
      return names(Self.days, "") + [CompletionCandidate(year(words.today.year), isOpen: true)]
    }
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return names(Self.days, typed)
    }
    let parts = typed.split(separator: "-", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return years(typed)
    case 2: return months(parts[0], typed)
    case 3: return days(parts[0], parts[1], typed)
    default: return []
    }
  }

  private func year(_ number: Int) -> String { Self.digits(number, 4) + "-" }

  /// This year and those before it, the latest first.
  private func years(_ typed: String) -> [CompletionCandidate] {
    let this = words.today.year
    return (max(1, this - 50)...this).reversed().map(year).filter { $0.hasPrefix(typed) }
      .prefix(10).map { CompletionCandidate($0, isOpen: true) }
  }

  private func months(_ year: Substring, _ typed: String) -> [CompletionCandidate] {
    guard year.utf8.count == 4, Int(year) != nil else { return [] }
    let months = (1...12).map { "\(year)-\(Self.digits($0, 2))" }
    // A month is a date already, and may go on with a day.
    if months.contains(typed) { return [CompletionCandidate(typed + "-", isOpen: true)] }
    return months.filter { $0.hasPrefix(typed) }.map { CompletionCandidate($0, isOpen: true) }
  }

  private func days(
    _ year: Substring, _ month: Substring, _ typed: String
  ) -> [CompletionCandidate] {
    guard year.utf8.count == 4, month.utf8.count == 2, let year = Int(year),
      let month = Int(month), Day(year: year, month: month, day: 1) != nil
    else { return [] }
    let start = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-"
    return (1...Day.length(ofMonth: month, year: year)).map { start + Self.digits($0, 2) }
      .filter { $0.hasPrefix(typed) }.map { CompletionCandidate($0) }
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
