import Journal

/// Writes entries as one document of Daybook's JSON; nothing is lost.
package struct JSONEncoder: EntryEncoder {
  private var isEmpty = true

  /// Makes an encoder.
  package init() {}

  /// Nothing.
  package var losses: [String] { [] }

  /// Appends the document's head.
  package mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: EntryJSON.header.utf8)
    isEmpty = true
  }

  /// Appends an entry on a line of its own.
  package mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    if !isEmpty { buffer.append(contentsOf: EntryJSON.separator.utf8) }
    buffer.append(0x0A)
    isEmpty = false
    EntryJSON.append(entry, to: &buffer)
  }

  /// Appends the document's foot.
  package mutating func end(_ buffer: inout [UInt8]) {
    if !isEmpty { buffer.append(0x0A) }
    buffer.append(contentsOf: EntryJSON.footer.utf8)
  }
}

/// Writes entries as Daybook's JSON Lines; nothing is lost.
package struct JSONLinesEncoder: EntryEncoder {
  /// Makes an encoder.
  package init() {}

  /// Nothing.
  package var losses: [String] { [] }

  /// Appends nothing: there is no head.
  package func begin(_ buffer: inout [UInt8]) {}

  /// Appends an entry's line.
  package func append(_ entry: Entry, to buffer: inout [UInt8]) {
    EntryJSON.append(entry, to: &buffer)
    buffer.append(0x0A)
  }

  /// Appends nothing: there is no foot.
  package func end(_ buffer: inout [UInt8]) {}
}
