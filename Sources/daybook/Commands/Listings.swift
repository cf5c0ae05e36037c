import Journal
import JournalStore
import SectionedResults

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

  /// Writes everything that the request asks for.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ request: FetchRequest<EntryRow>, _ store: any EntryStore) throws {
    let columns = output.columns
    var last: String?
    try RowPages(request: request, store: store).visit { page in
      if page.section != last, sectioning != .none {
        try output.line(Sanitizing.line(title(page.section), columns: columns))
      }
      last = page.section
      for row in page.rows { try output.line(Sanitizing.line(line(row), columns: columns)) }
    }
  }

  private func title(_ key: String) -> String {
    SectionTitle.text(key: key, sectioning: sectioning, today: today)
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

/// Entries as JSON, whole, each once.
struct JSONListing {
  let output: Output
  /// Whether the entries stand in one document, and not each on a line of its own.
  let isDocument: Bool

  /// Makes a listing as a document or as lines.
  init(_ output: Output, isDocument: Bool) {
    self.output = output
    self.isDocument = isDocument
  }

  /// Writes everything that the request asks for.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ request: FetchRequest<EntryRow>, _ store: any EntryStore) throws {
    var isFirst = true
    // Only in a list by tag does an entry stand in several rows.
    var seen: Set<Int64>? = request.sectionField == .tag ? [] : nil
    if isDocument { try output.write(EntryJSON.header) }
    try RowPages(request: request, store: store).visit { page in
      let numbers = page.rows.map(\.id.number).filter { seen?.insert($0).inserted ?? true }
      for entry in try store.entries(numbers) {
        if isDocument { try output.write(isFirst ? "\n" : "\(EntryJSON.separator)\n") }
        isFirst = false
        try output.write(EntryJSON.text(of: entry))
        if !isDocument { try output.write("\n") }
      }
    }
    if isDocument { try output.write((isFirst ? "" : "\n") + EntryJSON.footer) }
  }
}
