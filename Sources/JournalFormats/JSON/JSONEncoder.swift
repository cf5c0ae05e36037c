import Journal

/// Writes entries as one document of Daybook's JSON, without losses.
package struct JSONEncoder: EntryEncoder {
  private var isEmpty = true
  private let hasMarks: Bool

  /// - Parameter hasMarks: whether links and fields, which follow from the texts, are members, too.
  package init(hasMarks: Bool = false) { self.hasMarks = hasMarks }

  /// Always empty.
  package var losses: [String] { [] }

  /// Appends the document's header.
  package mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: EntryJSON.header.utf8)
    isEmpty = true
  }

  /// Appends an entry on a line of its own.
  package mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    if !isEmpty { buffer.append(contentsOf: EntryJSON.separator.utf8) }
    buffer.append(0x0A)
    isEmpty = false
    if hasMarks {
      EntryJSON.appendWithMarks(entry, to: &buffer)
    } else {
      EntryJSON.append(entry, to: &buffer)
    }
  }

  /// Appends the document's footer.
  package mutating func end(_ buffer: inout [UInt8]) {
    if !isEmpty { buffer.append(0x0A) }
    buffer.append(contentsOf: EntryJSON.footer.utf8)
  }
}

/// Writes entries as Daybook's JSON Lines, without losses.
package struct JSONLinesEncoder: EntryEncoder {
  private let hasMarks: Bool

  /// - Parameter hasMarks: whether links and fields, which follow from the texts, are members, too.
  package init(hasMarks: Bool = false) { self.hasMarks = hasMarks }

  /// Always empty.
  package var losses: [String] { [] }

  /// Appends nothing: JSON Lines have no header.
  package func begin(_ buffer: inout [UInt8]) {}

  /// Appends an entry's line.
  package func append(_ entry: Entry, to buffer: inout [UInt8]) {
    if hasMarks {
      EntryJSON.appendWithMarks(entry, to: &buffer)
    } else {
      EntryJSON.append(entry, to: &buffer)
    }
    buffer.append(0x0A)
  }

  /// Appends nothing: JSON Lines have no footer.
  package func end(_ buffer: inout [UInt8]) {}
}
