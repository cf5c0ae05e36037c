import Journal

/// Writes entries as one document of Daybook's JSON; nothing is lost.
public struct JSONEncoder: EntryEncoder {
  private var isEmpty = true

  /// Makes an encoder.
  public init() {}

  /// Nothing.
  public var losses: [String] { [] }

  /// Appends the document's head.
  public mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: EntryJSON.header.utf8)
    isEmpty = true
  }

  /// Appends an entry on a line of its own.
  public mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    if !isEmpty { buffer.append(contentsOf: EntryJSON.separator.utf8) }
    buffer.append(0x0A)
    isEmpty = false
    EntryJSON.append(entry, to: &buffer)
  }

  /// Appends the document's foot.
  public mutating func end(_ buffer: inout [UInt8]) {
    if !isEmpty { buffer.append(0x0A) }
    buffer.append(contentsOf: EntryJSON.footer.utf8)
  }
}

/// Writes entries as Daybook's JSON Lines; nothing is lost.
public struct JSONLinesEncoder: EntryEncoder {
  /// Makes an encoder.
  public init() {}

  /// Nothing.
  public var losses: [String] { [] }

  /// Appends nothing: there is no head.
  public func begin(_ buffer: inout [UInt8]) {}

  /// Appends an entry's line.
  public func append(_ entry: Entry, to buffer: inout [UInt8]) {
    EntryJSON.append(entry, to: &buffer)
    buffer.append(0x0A)
  }

  /// Appends nothing: there is no foot.
  public func end(_ buffer: inout [UInt8]) {}
}
