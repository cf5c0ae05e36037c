import Journal
import TerminalUI

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
    let title = PlainTitle.withoutBlockSigns(entry.title)
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
