import Journal

/// Entries as text: a title for each section, then a line an entry.
struct TextListing {
  private let output: Output
  private let sectioning: Sectioning
  private let today: Day
  private let ink: Ink
  private let dates = DateStyle.ofUser

  /// Makes a listing with sections of a kind.
  init(_ output: Output, _ sectioning: Sectioning, _ ink: Ink = .none) {
    self.output = output
    self.sectioning = sectioning
    self.ink = ink
    today = WallClock.system.moment().localDay
  }

  /// Writes all pages.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    let columns = output.columns
    var last: String?
    try pages.forEachPage { page in
      if page.section != last, sectioning != .none {
        let title = dates.title(key: page.section, sectioning: sectioning, today: today)
        try output.line(ink.paint(Sanitizing.line(title, columns: columns), .header))
      }
      last = page.section
      for row in page.rows { try output.line(line(row, columns: columns)) }
    }
  }

  /// Number, time, star, title; the date too where the section does not tell it.
  private func line(_ row: EntryRow, columns: Int?) -> String {
    let number = String(row.id.number)
    let padding = String(repeating: " ", count: max(0, 5 - number.utf8.count))
    let date = sectioning == .day ? "" : "\(row.day) "
    return ink.line(
      [
        ("\(padding)\(number)  ", .hint), ("\(date)\(dates.text(of: row.created)) ", .time),
        (row.starred ? "* " : "  ", .star), (row.title, .normal),
      ], columns: columns)
  }
}
