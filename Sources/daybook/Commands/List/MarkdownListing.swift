import Journal

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
    try line("### \(date)\(entry.created.clockText) \(entry.title)\(star)")
    // A title that was cut stands whole below.
    let body = entry.title.count < Entry.titleLimit ? entry.body : entry.text
    guard !body.isEmpty else { return }
    try output.line("")
    try output.line(output.isTerminal ? Sanitizing.body(body) : body)
  }

  private func line(_ text: String) throws { try output.line(Sanitizing.line(text)) }
}
