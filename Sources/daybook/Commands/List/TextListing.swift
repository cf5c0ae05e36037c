import Journal

/// Entries as text: a title for each section, then a line an entry.
struct TextListing {
  private let output: Output
  private let sectioning: Sectioning
  private let today: Day

  /// Makes a listing with sections of a kind.
  init(_ output: Output, _ sectioning: Sectioning) {
    self.output = output
    self.sectioning = sectioning
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
        try output.line(Sanitizing.line(title(page.section), columns: columns))
      }
      last = page.section
      for row in page.rows { try output.line(Sanitizing.line(line(row), columns: columns)) }
    }
  }

  private func title(_ key: String) -> String {
    SectionTitle.text(key: key, sectioning: sectioning, today: today, names: .ofUser)
  }

  /// Number, time, star, title; the date too where the section does not tell it.
  private func line(_ row: EntryRow) -> String {
    let number = String(row.id.number)
    let padding = String(repeating: " ", count: max(0, 5 - number.utf8.count))
    let date = sectioning == .day ? "" : "\(row.day) "
    let star = row.starred ? "*" : " "
    return "\(padding)\(number)  \(date)\(row.created.clockText) \(star) \(row.title)"
  }
}
