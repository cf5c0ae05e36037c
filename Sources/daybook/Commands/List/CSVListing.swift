import Journal

/// Entries as CSV after RFC 4180, each once: a line of names, then a record an entry.
struct CSVListing {
  private let output: Output

  /// The columns, named and ordered as the fields of the JSON.
  static let names = [
    "uuid", "number", "created", "modified", "day", "title", "text", "tags", "starred", "deleted",
  ]

  /// Makes a listing.
  init(_ output: Output) {
    self.output = output
  }

  /// Writes all entries.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    try record(Self.names)
    try pages.forEachEntry(once: true) { _, entry in try record(Self.fields(of: entry)) }
  }

  private static func fields(of entry: Entry) -> [String] {
    [
      entry.uuid, "\(entry.number)", "\(entry.created)", "\(entry.modified)", "\(entry.day)",
      entry.title, entry.text, entry.tags.joined(separator: " "), "\(entry.starred)",
      entry.deleted.map { "\($0)" } ?? "",
    ]
  }

  private func record(_ fields: [String]) throws {
    try output.write(fields.map(field).joined(separator: ",") + "\r\n")
  }

  /// A field, made safe for a terminal if there is one, in quotation marks where it needs them.
  private func field(_ text: String) -> String {
    let text = output.isTerminal ? Sanitizing.body(text) : text
    let needsQuotes = text.utf8.contains { byte in ",\"\r\n".utf8.contains(byte) }
    guard needsQuotes else { return text }
    let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
  }
}
