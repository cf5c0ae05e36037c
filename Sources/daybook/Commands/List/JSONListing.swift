import Journal

/// Entries as JSON, whole, each once.
struct JSONListing {
  private let output: Output
  private let isDocument: Bool

  /// Makes a listing as one document, or as lines.
  init(_ output: Output, isDocument: Bool) {
    self.output = output
    self.isDocument = isDocument
  }

  /// Writes all entries.
  ///
  /// - Throws: what the store throws, ``Output/Closed``, or ``Failure`` 74.
  func write(_ pages: RowPages) throws {
    var isFirst = true
    if isDocument { try output.write(EntryJSON.header) }
    try pages.forEachEntry(once: true) { _, entry in
      if isDocument { try output.write(isFirst ? "\n" : "\(EntryJSON.separator)\n") }
      isFirst = false
      try output.write(EntryJSON.text(of: entry))
      if !isDocument { try output.write("\n") }
    }
    if isDocument { try output.write((isFirst ? "" : "\n") + EntryJSON.footer) }
  }
}
