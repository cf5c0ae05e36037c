import Journal
import TerminalUI

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
  init(_ output: Output, _ sectioning: Sectioning, _ ink: Ink = .none) {
    self.output = output
    self.sectioning = sectioning
    self.ink = ink
    // What is kept in a file must not say "Today".
    let now = WallClock.system.moment()
    today = output.isTerminal ? Configuration.ofUser.settings.dayRule.day(of: now) : nil
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
    let number = String(row.id.number)
    let padding = String(repeating: " ", count: max(0, 5 - number.utf8.count))
    let date = sectioning == .day ? "" : "\(row.day) "
    return ink.line(
      [
        ("\(padding)\(number)  ", .hint),
        ("\(date)\(dates.text(of: row.created, on: row.day, offsets)) ", .time),
        (row.starred ? "* " : "  ", .star), (PlainTitle.text(of: row.title), .normal),
      ], columns: columns)
  }
}
