import Journal

/// Reads the records of a JSON file one by one in any shape; a bad record never ends the file.
///
/// The beginning of the file distinguishes three shapes:
///
/// - a document with a list: an array, or an object with an array under the requested member, with
///   any other members before and after it. An invalid record is skipped to its closing bracket; if
///   the list itself is broken, reading ends with an error.
/// - JSON Lines: one record per line. An invalid line is skipped to its end.
/// - concatenated records, each over many lines, as tools print them for people.
///
/// Memory holds the largest record and the members before the list; time is linear.
package final class JSONRecords {
  /// The maximum size of a record in bytes: the longest text with all of it escaped, and some more.
  package static let recordLimit = 512 << 20
  /// The maximum size of a root member to keep in ``root``, in bytes.
  package static let rootMemberLimit = 64 << 10

  /// A record's value, or its error.
  package enum Record<Value> {
    /// The value made from the record, and its first line, from 1.
    case value(Value, line: Int)
    /// The record is not JSON.
    case broken(FormatError)
  }

  enum Shape {
    case unknown
    case list(isEmpty: Bool, isRoot: Bool)
    case lines
    case values
    case ended
  }

  /// The small members before the list in a document.
  package internal(set) var root: [JSONMember] = []

  let stream: ByteStream
  let member: String
  let options: JSONOptions
  var shape = Shape.unknown

  /// Makes a reader of a stream's records.
  ///
  /// - Parameters:
  ///   - stream: the file.
  ///   - member: the member with the list, if the file is an object.
  ///   - options: the strictness of reading.
  package init(
    _ stream: ByteStream, member: String = "entries", options: JSONOptions = JSONOptions()
  ) {
    self.stream = stream
    self.member = member
    self.options = options
    stream.windowLimit = JSONRecords.recordLimit
  }

  /// Reads the beginning, so that ``root`` is known.
  ///
  /// - Throws: ``FormatError``, and the error of the stream.
  package func open() throws {
    if case .unknown = shape { try findShape() }
  }

  /// The next record, converted by `body`.
  ///
  /// - Parameter body: reads the record's value, whole or by members; it also receives the line.
  /// - Returns: the record, or `nil` at the end.
  /// - Throws: ``FormatError`` when nothing more can be read, and the error of the stream.
  package func next<Value>(
    _ body: (inout JSONReader, Int) throws(JSONError) -> Value
  ) throws -> Record<Value>? {
    try open()
    switch shape {
    case .unknown, .ended: return nil
    case .lines: return try nextLine(body)
    case .values: return try nextValue(body)
    case .list(let isEmpty, let isRoot): return try nextElement(isEmpty, isRoot, body)
    }
  }

  /// The next record as a whole value.
  package func nextValue() throws -> Record<JSONValue>? {
    try next { reader, _ throws(JSONError) in try reader.value() }
  }

  private func nextLine<Value>(
    _ body: (inout JSONReader, Int) throws(JSONError) -> Value
  ) throws -> Record<Value>? {
    while true {
      let record = try stream.nextLine { bytes, line -> Record<Value>? in
        bytes.allSatisfy(JSONReader.isSpace) ? nil : read(bytes, line, body)
      }
      guard let record else { return nil }
      if let record { return record }
    }
  }

  private func nextValue<Value>(
    _ body: (inout JSONReader, Int) throws(JSONError) -> Value
  ) throws -> Record<Value>? {
    guard try skipSpace() else { return nil }
    return try record(body)
  }

  private func nextElement<Value>(
    _ isEmpty: Bool, _ isRoot: Bool, _ body: (inout JSONReader, Int) throws(JSONError) -> Value
  ) throws -> Record<Value>? {
    if try next(isRoot ? "the end of the list" : "\"]\"") == UInt8(ascii: "]") {
      stream.take(1, lines: 0)
      shape = .ended
      try finish(isRoot: isRoot)
      return nil
    }
    if !isEmpty {
      try take(UInt8(ascii: ","), or: "\"]\"")
      _ = try next("an entry")
    }
    shape = .list(isEmpty: false, isRoot: isRoot)
    return try record(body)
  }

  /// Reads the record that begins at the window's first byte.
  private func record<Value>(
    _ body: (inout JSONReader, Int) throws(JSONError) -> Value
  ) throws -> Record<Value> {
    let extent = try extent(from: 0)
    guard extent.length > 0 else { throw try unexpected("an entry") }
    let record = stream.withBytes { bytes in
      read(UnsafeBufferPointer(rebasing: bytes[..<extent.length]), stream.line, body)
    }
    stream.take(extent.length, lines: extent.lines)
    return record
  }

  private func read<Value>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ line: Int,
    _ body: (inout JSONReader, Int) throws(JSONError) -> Value
  ) -> Record<Value> {
    do throws(JSONError) {
      var reader = JSONReader(bytes, options: options)
      let value = try body(&reader, line)
      try reader.end()
      return .value(value, line: line)
    } catch {
      let place = error.place(in: bytes)
      let advice = error.isMendable ? " (--lossy replaces it with U+FFFD)" : ""
      return .broken(
        FormatError(
          entry: "is invalid JSON at byte \(place.byte): \(error.reason)\(advice)",
          at: ImportPlace(line: line + place.line)))
    }
  }
}

extension JSONRecords {
  /// The next record, reduced to the members of these names, with the names of other non-empty
  /// members; a record that is not an object is returned unchanged.
  ///
  /// Values of other names are skipped without being built.
  func next(
    members names: Set<String>
  ) throws -> Record<(value: JSONValue, unkept: [String])>? {
    try next { reader, _ throws(JSONError) in
      guard try reader.kind() == .object else { return (try reader.value(), []) }
      var members: [JSONMember] = []
      var unkept: [String] = []
      try reader.object { name, reader throws(JSONError) in
        if names.contains(name) {
          members.append(JSONMember(name, try reader.value()))
        } else if try !reader.skipSayingNothing() {
          unkept.append(name)
        }
      }
      return (.object(members), unkept)
    }
  }

  /// The next record as an item.
  ///
  /// - Parameters:
  ///   - names: the members that entries are made of.
  ///   - derived: other members, which repeat those, or are the other program's own.
  ///   - entry: makes an entry of an object, or throws ``FormatError`` with the reason why it
  ///     cannot.
  func nextItem(
    members names: Set<String>, derived: Set<String> = [],
    _ entry: (JSONValue, ImportPlace) throws -> ImportedEntry
  ) throws -> ImportItem? {
    switch try next(members: names) {
    case nil: return nil
    case .broken(let error): return .problem(error)
    case .value(let (value, unkept), let line):
      let place = ImportPlace(line: line)
      guard value.members != nil else { return .problem("\(value.kind) is not an entry", place) }
      do {
        var entry = try entry(value, place)
        entry.unkept += unkept.filter { !derived.contains($0) }
        return .entry(entry, place)
      } catch let error as FormatError {
        return .problem(error, place)
      }
    }
  }
}

extension JSONReader {
  /// Skips the next value, and returns whether it is empty: `null`, `false`, 0, or an empty string,
  /// array or object.
  mutating func skipSayingNothing() throws(JSONError) -> Bool {
    switch try kind() {
    case .null:
      try skip()
      return true
    case .bool: return try !bool()
    case .number: return Double(try number()) == 0
    case .string: return try string().isEmpty
    case .array:
      var isEmpty = true
      try array { reader throws(JSONError) in
        if try !reader.skipSayingNothing() { isEmpty = false }
      }
      return isEmpty
    case .object:
      var isEmpty = true
      try object { _, reader throws(JSONError) in
        if try !reader.skipSayingNothing() { isEmpty = false }
      }
      return isEmpty
    }
  }
}

extension JSONValue {
  /// The text of a member; empty if it is missing or `null`.
  ///
  /// - Throws: ``FormatError`` for a value of another type, which has no unique text.
  func text(_ name: String) throws(FormatError) -> String {
    switch self[name] {
    case nil, .null?: return ""
    case .string(let text)?: return text
    case .number(let text)?: return text
    case let value?: throw FormatError("\(name) is \(value.kind), not a string")
    }
  }

  /// The texts in a list; other values in it are skipped.
  func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }
}

/// Writes an object, one member per line.
struct JSONObject {
  private let indent: String
  private var isFirst = true

  /// Opens an object.
  ///
  /// - Parameters:
  ///   - indent: the indentation of its brackets; members have two spaces more.
  ///   - isInside: whether the opening bracket continues the current line.
  init(indent: String, to buffer: inout [UInt8], isInside: Bool = false) {
    self.indent = indent
    if !isInside { buffer.append(contentsOf: indent.utf8) }
    buffer.append(UInt8(ascii: "{"))
  }

  /// Adds a text.
  mutating func add(_ name: String, _ text: String, to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    JSONText.append(text, to: &buffer)
  }

  /// Adds `true` or `false`.
  mutating func add(_ name: String, _ value: Bool, to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    buffer.append(contentsOf: "\(value)".utf8)
  }

  /// Adds a number, or `null`.
  mutating func add(_ name: String, number: Int?, to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    buffer.append(contentsOf: (number.map { "\($0)" } ?? "null").utf8)
  }

  /// Adds a list of texts.
  mutating func add(_ name: String, _ texts: [String], to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    buffer.append(UInt8(ascii: "["))
    for (index, text) in texts.enumerated() {
      if index > 0 { buffer.append(contentsOf: ", ".utf8) }
      JSONText.append(text, to: &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  /// Adds any value.
  mutating func add(_ name: String, _ value: JSONValue, to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    value.append(to: &buffer)
  }

  /// Adds a list of objects.
  mutating func add(_ name: String, objects: [JSONValue], to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    JSONValue.array(objects).append(to: &buffer)
  }

  /// Closes the object.
  func end(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: (isFirst ? "}" : "\n\(indent)}").utf8)
  }

  private mutating func addName(_ name: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: (isFirst ? "\n\(indent)  " : ",\n\(indent)  ").utf8)
    isFirst = false
    JSONText.append(name, to: &buffer)
    buffer.append(contentsOf: ": ".utf8)
  }
}
