import Journal
import JournalFormats

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
