import Journal

/// Reads the objects of the files that an entry names, for the JSON of a list.
package typealias FilesInJSON = (Entry) throws -> [JSONValue]

/// Writes entries as one document of Daybook's JSON, without losses.
package struct JSONEncoder: EntryEncoder {
  private var isEmpty = true
  private let files: FilesInJSON?

  /// - Parameter files: makes links, fields and files members, too.
  package init(files: FilesInJSON? = nil) { self.files = files }

  /// Always empty.
  package var losses: [String] { [] }

  /// Appends the document's header.
  package mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: EntryJSON.header.utf8)
    isEmpty = true
  }

  /// Appends an entry on a line of its own.
  package mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
    if !isEmpty { buffer.append(contentsOf: EntryJSON.separator.utf8) }
    buffer.append(0x0A)
    isEmpty = false
    if let files {
      EntryJSON.appendWithMarks(entry, files: try files(entry), to: &buffer)
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
  private let files: FilesInJSON?

  /// - Parameter files: makes links, fields and files members, too.
  package init(files: FilesInJSON? = nil) { self.files = files }

  /// Always empty.
  package var losses: [String] { [] }

  /// Appends nothing: JSON Lines have no header.
  package func begin(_ buffer: inout [UInt8]) {}

  /// Appends an entry's line.
  package func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
    if let files {
      EntryJSON.appendWithMarks(entry, files: try files(entry), to: &buffer)
    } else {
      EntryJSON.append(entry, to: &buffer)
    }
    buffer.append(0x0A)
  }

  /// Appends nothing: JSON Lines have no footer.
  package func end(_ buffer: inout [UInt8]) {}
}
