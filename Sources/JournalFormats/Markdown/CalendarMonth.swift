import Journal

/// A year, a month or both, as headings and names of files have them: `2024`, `December`,
/// `December 2024`, `2024-12`.
struct CalendarMonth {
  var year: Int?
  var month: Int?

  /// Parses a text that has nothing else; `nil` for any other text.
  init?(_ text: ArraySlice<UInt8>) {
    let words = text.split { " -/.,_".utf8.contains($0) }
    guard (1...3).contains(words.count) else { return nil }
    for word in words {
      let text = Folding.fold(String(decoding: word.prefix(20), as: UTF8.self))
      if let found = DateFields.month(named: text) {
        if let month, month != found { return nil }
        month = found
      } else if let number = Int(text), word.allSatisfy(ASCII.isDigit) {
        if word.count == 4, year == nil, number >= 1000 {
          year = number
        } else if word.count <= 2, year != nil, month == nil, (1...12).contains(number) {
          month = number
        } else if word.count > 2 || month != number {
          return nil
        }
      } else if !["week", "year", "month"].contains(text) {
        return nil
      }
    }
    if year == nil, month == nil { return nil }
  }

  /// The month in the name of a file, `January 2024.md`, `2024-01.md`.
  init?(path: String) {
    self.init(Array(path.fileParts.name.utf8)[...])
  }
}

extension NotePieces {
  /// The headings of years and months above a line.
  struct CalendarContext {
    private let outer: CalendarMonth?
    private var open: [(level: Int, month: CalendarMonth)] = []

    init(_ outer: CalendarMonth?) { self.outer = outer }

    /// The day of a heading that is a number below a month: `### 23`, `### 23 Monday`, `## 5.`.
    mutating func day(of heading: Heading, _ line: TextLines.Line) -> DayHeading? {
      open.removeAll { $0.level >= heading.level }
      let text = DayHeading.bare(heading.text)
      if let found = CalendarMonth(text), !text.allSatisfy(ASCII.isDigit) || text.count == 4 {
        open.append((heading.level, found))
        return nil
      }
      let digits = text.prefix(while: ASCII.isDigit)
      guard (1...2).contains(digits.count),
        let number = Int(String(decoding: digits, as: UTF8.self)),
        let month = open.last(where: { $0.month.month != nil })?.month.month ?? outer?.month,
        let year = open.last(where: { $0.month.year != nil })?.month.year ?? outer?.year,
        let day = Day(year: year, month: month, day: number)
      else { return nil }
      let rest = text[digits.endIndex...].drop { ".,:-– ".utf8.contains($0) }
      let words = String(decoding: rest, as: UTF8.self)
      guard rest.isEmpty || DateText.isWeekday(words) || ["st", "nd", "rd", "th"].contains(words)
      else { return nil }
      return DayHeading(
        line: line, level: heading.level, date: digits,
        reading: .date(WallTime(day: day), hasTime: false, offset: nil), title: [])
    }
  }
}
