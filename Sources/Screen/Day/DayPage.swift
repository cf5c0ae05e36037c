import Journal
import TextLayout

/// The entries of a day, or of some days, from the first to the last, as one page to read.
package struct DayPage: Equatable, Sendable {
  /// An entry laid out: the time and the marks on a line, and its text below.
  private struct Part {
    let head: StyledLine
    let body: MarkdownLayout
    /// The first line of the part on the page.
    let start: Int

    /// The lines of the part, with the empty ones below its head and its text.
    var lines: Int { body.count + 3 }
  }

  package let days: ClosedRange<Day>
  /// The entries in the order of their days and times; not all of many.
  package private(set) var entries: [Entry]
  /// How many entries the days have.
  package let count: Int
  /// The first line shown.
  package var offset = 0
  private var parts: [Part] = []
  private var columns = 0

  package init(days: ClosedRange<Day>, entries: [Entry], count: Int) {
    (self.days, self.entries, self.count) = (days, entries, count)
  }

  /// The most entries on a page.
  package static let most = 1_000

  /// The layout is compared by its width alone: it follows from the entries.
  package static func == (a: DayPage, b: DayPage) -> Bool {
    a.days == b.days && a.count == b.count && a.offset == b.offset && a.columns == b.columns
      && a.entries == b.entries
      && zip(a.entries, b.entries).allSatisfy { $0.text.isSame(as: $1.text) }
  }

  /// The lines of all entries, and one for those that are left out.
  package var lineCount: Int {
    (parts.last.map { $0.start + $0.lines - 1 } ?? 0) + (entries.count < count ? 1 : 0)
  }

  private mutating func layOut(columns: Int, _ state: State) {
    guard columns != self.columns else { return }
    self.columns = columns
    var start = 0
    parts = entries.map { entry in
      let part = Part(
        head: StyledLine(
          field: head(of: entry, state), columns: columns, style: Style(.header, bold: true)),
        body: Reading.body(
          of: entry, columns: columns, strikes: state.environment.strikes),
        start: start)
      start += part.lines
      return part
    }
  }

  private func head(of entry: Entry, _ state: State) -> String {
    let time = state.dates.text(of: entry.created).trimmed
    let isOneDay = days.lowerBound == days.upperBound
    let date = isOneDay ? time : "\(state.dates.text(of: entry.day)), \(time)"
    return date + (entry.starred ? "  ★" : "")
  }

  /// The line of the page; `nil` for an empty one.
  private func line(_ index: Int) -> StyledLine? {
    guard let part = parts.last(where: { $0.start <= index }) else { return nil }
    let line = index - part.start
    if line == 0 { return part.head }
    if part.body.indices.contains(line - 2) { return part.body[line - 2] }
    guard index == lineCount - 1, entries.count < count else { return nil }
    return StyledLine(
      field: "\(Numbers.grouped(count - entries.count)) more: :list shows all", columns: columns,
      style: Style(.hint))
  }
}

extension State {
  /// Reads the day of the selection in the calendar or in the list, of the entry that is read, or today.
  func readDay() -> [Effect] {
    [.read(.day(selectedDay.description))]
  }

  private var selectedDay: Day {
    if case .calendar(let calendar) = pages.mode { return calendar.day }
    if pages.mode == .reading, let entry = pane.reading?.entry { return entry.day }
    let key = list.widget.selection.map { list.widget.sections[$0.section].key } ?? ""
    return Day(key) ?? pane.reading?.entry.day ?? journal.today
  }
}

extension DayPage: SearchablePage {
  package var mode: Mode { .day(self) }
  package var context: KeyContext { .page }
  func isSame(as page: DayPage) -> Bool { days == page.days }
  var refresh: [Effect] { [.read(.days(days))] }

  package func title(in state: State) -> String? {
    "\(name(in: state))  \(Numbers.entries(count))"
  }

  private func name(in state: State) -> String {
    let (first, last) = (days.lowerBound, days.upperBound)
    return first == last
      ? state.dates.text(of: first)
      : "\(state.dates.text(of: first)) to \(state.dates.text(of: last))"
  }

  func emptyText(_ keys: KeyTable, in state: State) -> String? {
    entries.isEmpty ? "No entries: \(name(in: state))." : nil
  }

  mutating func layOut(in state: State) {
    layOut(columns: max(1, min(state.environment.size.columns - 2, Self.widest)), state)
    offset = state.clamped(offset, of: lineCount)
  }

  /// The columns of a text that is read with ease, as in the reading pane.
  private static let widest = 80

  var searchLines: [String] {
    let lines = parts.flatMap { [$0.head.text, ""] + $0.body.map(\.text) + [""] }
    // The empty line below the last entry has the number of those that are left out.
    return lines.dropLast() + (entries.count < count ? [line(lineCount - 1)?.text ?? ""] : [])
  }

  /// Draws the lines; one with a match has the looks of the match alone.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let left = rect.column + max(0, (rect.width - columns) / 2)
    let (width, search) = (min(columns, rect.width), state.pages.search)
    for row in 0..<rect.height where offset + row < lineCount {
      guard let line = line(offset + row) else { continue }
      if search?.places(in: line.text).isEmpty ?? true {
        canvas.draw(line, at: left, row: rect.row + row, width: width)
      } else {
        FoundText(search, isCurrent: search?.line == offset + row).draw(
          line.text, at: left, row: rect.row + row, width: width, style: Style(), on: &canvas)
      }
    }
  }

  func spokenTitle(in state: State) -> String {
    Spoken.list([name(in: state), Numbers.entries(count)])
  }
  func spokenIdentity(in state: State) -> String { "day \(days)" }
  func spokenLines(in state: State) -> [String] {
    (0..<lineCount).map { spokenLine($0, in: state) }
  }
  func spokenLine(_ index: Int, in state: State) -> String {
    guard let line = line(index) else { return "" }
    let isHead = parts.contains { $0.start == index }
    return isHead ? Spoken.undecorated(line.text) : Reading.spoken(line)
  }
}
