import Journal
import JournalFormats
import Markdown
import Screen
import Terminal
import TextLayout

/// Entries as text: a title for each section, then a line an entry.
///
/// Titles omit the signs of Markdown; times have an offset if the day has several offsets, or
/// another one than the local one.
struct TextListing {
  private let output: Output
  private let grouping: Grouping
  /// The day that is called "Today"; `nil` if the output is not a terminal.
  private let today: Day?
  private let ink: Ink
  private let dates = DateStyle.ofUser
  private let offsets = OffsetRule(.system)

  init(
    _ output: Output, _ grouping: Grouping, _ ink: Ink = .none, _ settings: Settings
  ) {
    self.output = output
    self.grouping = grouping
    self.ink = ink
    // "Today" would be wrong later in a saved file.
    let now = WallClock.system.moment()
    today = output.isTerminal ? settings.dayRule.day(of: now) : nil
  }

  /// Writes all pages.
  ///
  /// - Throws: the errors of the store, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    let columns = output.columns
    var last: String?
    try pages.forEachPage { page in
      if page.section != last, grouping != .none {
        let title = grouping.title(
          ofSection: page.section, today: today, style: dates,
          names: page.rows.first.map { grouping.names(of: $0) } ?? [])
        let safe = Sanitizing.line(title, columns: columns)
        try output.line(ink.paint(safe, .header, bold: true), isSafe: true)
      }
      last = page.section
      var offsets = offsets
      offsets.add(page.rows)
      for row in page.rows {
        try output.line(line(row, offsets, columns: columns), isSafe: true)
      }
    }
  }

  /// Number, time, star, title; the date too unless the section is a day.
  private func line(_ row: EntryRow, _ offsets: OffsetRule, columns: Int?) -> String {
    let number = TextFit.pad("\(row.id.number)", columns: 5, atRight: true)
    let date = grouping == .day ? "" : "\(row.day) "
    return ink.line(
      [
        ("\(number)  ", .hint),
        ("\(date)\(dates.text(of: row.created, on: row.day, offsets)) ", .time),
        (row.starred ? "* " : "  ", .star), (Entry.plainTitle(of: row.title), .normal),
      ], columns: columns)
  }
}

/// Entries as Markdown: a heading for each section and for each entry, then the entry's text.
struct MarkdownListing {
  private let output: Output
  private let grouping: Grouping

  init(_ output: Output, _ grouping: Grouping) {
    self.output = output
    self.grouping = grouping
  }

  /// Writes all entries; a list by tag repeats an entry under each of its tags.
  ///
  /// - Throws: the errors of the store, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    var last: String?
    try pages.forEachEntry(once: false) { section, entry in
      if last != nil { try output.line("") }
      if section != last, grouping != .none {
        // Without "Today", which would be wrong later in a saved file.
        let names = grouping.names(of: entry)
        try line("## \(grouping.title(ofSection: section, names: names))")
        try output.line("")
      }
      last = section
      try write(entry)
    }
  }

  private func write(_ entry: Entry) throws {
    let date = grouping == .day ? "" : "\(entry.day) "
    let star = entry.starred ? " ★" : ""
    let title = PlainTitle.withoutBlockMarkers(entry.title)
    try line("### \(date)\(entry.created.clockText) \(title)\(star)")
    // A cut title, or one that begins a list or a quote, is repeated in the text.
    let isWhole = entry.title.count < Entry.titleLimit && !PlainTitle.beginsBlock(entry.title)
    let body = Self.withoutBlankEnds(isWhole ? entry.body : entry.text)
    guard !body.isEmpty else { return }
    try output.line("")
    try output.line(body)
  }

  /// A text without leading empty lines and trailing line ends.
  private static func withoutBlankEnds(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let first = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? lines.endIndex
    let last = lines.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? first
    guard first < lines.endIndex else { return "" }
    return String(text[lines[first].startIndex..<lines[last].endIndex])
  }

  private func line(_ text: String) throws { try output.line(Sanitizing.line(text)) }
}

/// Whole entries in an export format, each once.
struct EncodedListing {
  private let output: Output
  private let encoder: any EntryEncoder
  private let isSafe: Bool

  /// - Parameter isSafe: whether the format escapes characters that could control a terminal.
  init(_ output: Output, _ encoder: any EntryEncoder, isSafe: Bool) {
    self.output = output
    self.encoder = encoder
    self.isSafe = isSafe
  }

  /// Writes all entries.
  ///
  /// - Throws: the errors of the store, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    var encoder = encoder
    try output.encode(isSafe: isSafe) { try encoder.begin(&$0) }
    try pages.forEachEntry(once: true) { _, entry in
      try output.encode(isSafe: isSafe) { try encoder.append(entry, to: &$0) }
    }
    try output.encode(isSafe: isSafe) { try encoder.end(&$0) }
  }
}
