import Journal

/// Reads the records of a JSON document with several lists or tables in its root object, one by one:
/// `{"activeNotes": [{…}], "trashedNotes": [{…}]}`, `{"entries": {"2024-01-05": {…}}}`.
///
/// ``JSONRecords`` reads documents with one list. Memory holds the largest record.
final class JSONDocument {
  /// A record.
  struct Record {
    /// The member of the root object that has the record.
    var section: String
    /// The record's name, if the section is an object.
    var name: String?
    /// The record's first line, from 1.
    var line: Int
    /// Its value, or the error in it.
    var value: Result<JSONValue, FormatError>

    /// Its place for messages.
    var place: ImportPlace { ImportPlace(line: line) }
  }

  private enum State {
    case start
    case root(isFirst: Bool)
    case section(String, isTable: Bool, isFirst: Bool)
    case ended
  }

  /// The other small members so far.
  private(set) var root: [JSONMember] = []
  private let records: JSONRecords
  private let sections: Set<String>
  private var state = State.start

  /// Makes a reader of a stream.
  ///
  /// - Parameter sections: the members with records.
  init(_ stream: ByteStream, sections: Set<String>, options: JSONOptions = JSONOptions()) {
    records = JSONRecords(stream, options: options)
    self.sections = sections
  }

  /// The next record, or `nil` at the end.
  ///
  /// - Throws: ``FormatError`` when nothing more can be read, and the error of the stream.
  func next() throws -> Record? {
    while true {
      switch state {
      case .ended: return nil
      case .start:
        guard try records.skipSpace() else {
          state = .ended
          return nil
        }
        try records.take(UInt8(ascii: "{"), or: nil)
        state = .root(isFirst: true)
      case .root(let isFirst): try readMember(isFirst)
      case .section(let section, let isTable, let isFirst):
        if let record = try record(section, isTable, isFirst) { return record }
      }
    }
  }

  private func readMember(_ isFirst: Bool) throws {
    if try records.next("\"}\"") == UInt8(ascii: "}") {
      records.stream.take(1, lines: 0)
      state = .ended
      if try records.skipSpace() { throw try records.unexpected("the end") }
      return
    }
    if !isFirst { try records.take(UInt8(ascii: ","), or: "\"}\"") }
    let name = try name()
    let byte = try records.next("a value")
    let isTable = byte == UInt8(ascii: "{")
    state = .root(isFirst: false)
    if sections.contains(name), isTable || byte == UInt8(ascii: "[") {
      records.stream.take(1, lines: 0)
      state = .section(name, isTable: isTable, isFirst: true)
    } else if case .success(let value) = try value(), root.count < 100 {
      root.append(JSONMember(name, value))
    }
  }

  private func record(
    _ section: String, _ isTable: Bool, _ isFirst: Bool
  ) throws -> Record? {
    let closing = UInt8(ascii: isTable ? "}" : "]")
    if try records.next("the end of the list") == closing {
      records.stream.take(1, lines: 0)
      state = .root(isFirst: false)
      return nil
    }
    if !isFirst {
      try records.take(UInt8(ascii: ","), or: isTable ? "\"}\"" : "\"]\"")
    }
    state = .section(section, isTable: isTable, isFirst: false)
    let name = isTable ? try name() : nil
    _ = try records.next("a record")
    let line = records.stream.line
    return Record(section: section, name: name, line: line, value: try value())
  }

  /// Reads a member's name and the colon after it.
  private func name() throws -> String {
    guard try records.next("a name") == UInt8(ascii: "\""),
      case .success(.string(let name)) = try value()
    else { throw try records.unexpected("a name") }
    try records.take(UInt8(ascii: ":"), or: nil)
    return name
  }

  /// Reads the value at the front of the window.
  private func value() throws -> Result<JSONValue, FormatError> {
    let extent = try records.extent(from: 0)
    guard extent.length > 0 else { throw try records.unexpected("a value") }
    let line = records.stream.line
    let value = records.stream.withBytes { bytes in
      JSONDocument.value(Array(bytes[..<extent.length]), line, records.options)
    }
    records.stream.take(extent.length, lines: extent.lines)
    return value
  }

  /// The value of some bytes, or the error in them with its line.
  static func value(
    _ bytes: [UInt8], _ line: Int, _ options: JSONOptions
  ) -> Result<JSONValue, FormatError> {
    do throws(JSONError) {
      return .success(try JSONValue(bytes, options: options))
    } catch {
      let place = bytes.withUnsafeBufferPointer { error.place(in: $0) }
      let advice = error.isMendable ? " (--lossy replaces it with U+FFFD)" : ""
      return .failure(
        FormatError(
          entry: "is invalid JSON at byte \(place.byte): \(error.reason)\(advice)",
          at: ImportPlace(line: line + place.line)))
    }
  }
}
