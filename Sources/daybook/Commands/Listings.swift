import Journal
import JournalFormats
import Markdown
import Screen
import Terminal
import TextLayout

/// Entries as text: a title for each section, then a line an entry.
///
/// Titles are without the signs of Markdown; times have their offset where the day has several, or where
/// it is not the local one.
struct TextListing {
  private let output: Output
  private let sectioning: Sectioning
  /// The day that is called "Today"; `nil` where nobody looks at a terminal.
  private let today: Day?
  private let ink: Ink
  private let dates = DateStyle.ofUser
  private let offsets = OffsetRule(.system)

  /// Makes a listing with sections of a kind.
  init(
    _ output: Output, _ sectioning: Sectioning, _ ink: Ink = .none, _ settings: Settings
  ) {
    self.output = output
    self.sectioning = sectioning
    self.ink = ink
    // What is kept in a file must not say "Today".
    let now = WallClock.system.moment()
    today = output.isTerminal ? settings.dayRule.day(of: now) : nil
  }

  /// Writes all pages.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    let columns = output.columns
    var last: String?
    try pages.forEachPage { page in
      if page.section != last, sectioning != .none {
        let title = dates.fullTitle(
          key: page.section, sectioning: sectioning, today: today ?? .earliest)
        try output.line(ink.paint(Sanitizing.line(title, columns: columns), .header))
      }
      last = page.section
      var offsets = offsets
      offsets.add(page.rows)
      for row in page.rows { try output.line(line(row, offsets, columns: columns)) }
    }
  }

  /// Number, time, star, title; the date too where the section does not tell it.
  private func line(_ row: EntryRow, _ offsets: OffsetRule, columns: Int?) -> String {
    let number = TextFit.pad("\(row.id.number)", columns: 5, atRight: true)
    let date = sectioning == .day ? "" : "\(row.day) "
    return ink.line(
      [
        ("\(number)  ", .hint),
        ("\(date)\(dates.text(of: row.created, on: row.day, offsets)) ", .time),
        (row.starred ? "* " : "  ", .star), (PlainTitle.text(of: row.title), .normal),
      ], columns: columns)
  }
}

/// Entries as Markdown: a heading for each section and for each entry, then the entry's text.
struct MarkdownListing {
  private let output: Output
  private let sectioning: Sectioning

  /// Makes a listing with sections of a kind.
  init(_ output: Output, _ sectioning: Sectioning) {
    self.output = output
    self.sectioning = sectioning
  }

  /// Writes all entries, in a list by tag under each of their tags.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    var last: String?
    try pages.forEachEntry(once: false) { section, entry in
      if last != nil { try output.line("") }
      if section != last, sectioning != .none {
        try line("## \(title(section))")
        try output.line("")
      }
      last = section
      try write(entry)
    }
  }

  /// The day's full name: what is kept must not say "Today".
  private func title(_ key: String) -> String {
    SectionTitle.text(key: key, sectioning: sectioning, today: .earliest)
  }

  private func write(_ entry: Entry) throws {
    let date = sectioning == .day ? "" : "\(entry.day) "
    let star = entry.starred ? " ★" : ""
    let title = PlainTitle.withoutBlockMarkers(entry.title)
    try line("### \(date)\(entry.created.clockText) \(title)\(star)")
    // A title that was cut, or that begins a list or a quote, stands whole below.
    let isWhole = entry.title.count < Entry.titleLimit && !PlainTitle.beginsBlock(entry.title)
    let body = Self.withoutBlankEnds(isWhole ? entry.body : entry.text)
    guard !body.isEmpty else { return }
    try output.line("")
    try output.line(output.isTerminal ? Sanitizing.body(body) : body)
  }

  /// A text without empty lines at its beginning and without line ends behind it.
  private static func withoutBlankEnds(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let first = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? lines.endIndex
    let last = lines.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? first
    guard first < lines.endIndex else { return "" }
    return String(text[lines[first].startIndex..<lines[last].endIndex])
  }

  private func line(_ text: String) throws { try output.line(Sanitizing.line(text)) }
}

/// Entries in a format of exports, whole, each once.
struct EncodedListing {
  private let output: Output
  private let encoder: any EntryEncoder

  /// Makes a listing that an encoder writes.
  init(_ output: Output, _ encoder: any EntryEncoder) {
    self.output = output
    self.encoder = encoder
  }

  /// CSV, made safe for a terminal if there is one.
  static func csv(_ output: Output) -> EncodedListing {
    EncodedListing(
      output, output.isTerminal ? CSVEncoder(transform: Sanitizing.body) : CSVEncoder())
  }

  /// Writes all entries.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    var encoder = encoder
    try output.encode { try encoder.begin(&$0) }
    try pages.forEachEntry(once: true) { _, entry in
      try output.encode { try encoder.append(entry, to: &$0) }
    }
    try output.encode { try encoder.end(&$0) }
  }
}
