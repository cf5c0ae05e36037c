import Journal

/// Walks through the records of a JSON file one at a time, whatever its shape: one bad record never
/// stops the rest.
///
/// Three shapes are told apart by how the file begins:
///
/// - a document with a list: an array, or an object with an array under the member asked for, whatever
///   other members stand before and behind it. A record that is no JSON is passed by at its closing
///   bracket; where the list itself is broken, reading ends with an error.
/// - JSON Lines: a record a line. A line that is no JSON is passed by at its end.
/// - records one after the other, each over many lines, as tools print them for people.
///
/// Memory is that of the largest record and the members before the list; time is linear.
package final class JSONRecords {
  /// The largest record, in bytes: the longest text with all of it escaped, and something beside.
  package static let recordLimit = 512 << 20
  /// Members of a document longer than this are not kept in ``root``.
  package static let rootMemberLimit = 64 << 10

  /// A record's value, or why it has none.
  package enum Record<Value> {
    /// What was made of the record, and the line it begins in, from 1.
    case value(Value, line: Int)
    /// The record is no JSON.
    case broken(FormatError)
  }

  enum Shape {
    case unknown
    case list(isEmpty: Bool, isRoot: Bool)
    case lines
    case values
    case ended
  }

  /// The members that stand before the list in a document; small ones only.
  package internal(set) var root: [JSONMember] = []

  let stream: ByteStream
  let member: String
  let options: JSONOptions
  var shape = Shape.unknown

  /// Makes a walk over a stream's records.
  ///
  /// - Parameters:
  ///   - stream: the file.
  ///   - member: the member that holds the list, where the file is an object.
  ///   - options: how strictly to read.
  package init(
    _ stream: ByteStream, member: String = "entries", options: JSONOptions = JSONOptions()
  ) {
    self.stream = stream
    self.member = member
    self.options = options
    stream.windowLimit = JSONRecords.recordLimit
  }

  /// Looks at the beginning, so that ``root`` is known.
  ///
  /// - Throws: ``FormatError``, and what the stream throws.
  package func open() throws {
    if case .unknown = shape { try findShape() }
  }

  /// The next record, made into what the caller wants of it.
  ///
  /// - Parameter body: takes the record's value, whole or member by member; gets the line too.
  /// - Returns: the record, or `nil` at the end.
  /// - Throws: ``FormatError`` when nothing more can be read, and what the stream throws.
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

  /// Takes the record that begins at the window's first byte.
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
      let advice = error.isMendable ? " (--lossy takes it as U+FFFD)" : ""
      return .broken(
        FormatError(
          "is broken JSON at byte \(place.byte): \(error.reason)\(advice)",
          at: ImportPlace(line: line + place.line)))
    }
  }
}

extension JSONRecords {
  /// The next record, reduced to the members of these names, and the names of other members that say
  /// something; what is no object comes as it is.
  ///
  /// Values of other names are passed by without being built.
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
  ///   - derived: other members, which say again what those say, or are the other program's own.
  ///   - entry: makes an entry of an object, or throws ``FormatError`` saying why it is none.
  func nextItem(
    members names: Set<String>, derived: Set<String> = [],
    _ entry: (JSONValue, ImportPlace) throws -> ImportedEntry
  ) throws -> ImportItem? {
    switch try next(members: names) {
    case nil: return nil
    case .broken(let error): return .problem(error.reason, error.place)
    case .value(let (value, unkept), let line):
      let place = ImportPlace(line: line)
      guard value.members != nil else { return .problem("\(value.kind) is no entry", place) }
      do {
        var entry = try entry(value, place)
        entry.unkept += unkept.filter { !derived.contains($0) }
        return .entry(entry, place)
      } catch let error as FormatError {
        return .problem(error.reason, place)
      }
    }
  }
}

extension JSONReader {
  /// Passes the next value by, and tells whether nothing is lost with it: `null`, `false`, 0, or an
  /// empty string, array or object.
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
  /// The text of a member; empty where it is missing or `null`.
  ///
  /// - Throws: ``FormatError`` for a value of another kind, whose text we could only guess.
  func text(_ name: String) throws(FormatError) -> String {
    switch self[name] {
    case nil, .null?: return ""
    case .string(let text)?: return text
    case .number(let text)?: return text
    case let value?: throw FormatError("\(name) is \(value.kind), not a text")
    }
  }

  /// The texts of a list; other values in it are passed by.
  func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }
}

/// Writes an object member by member, each on a line of its own.
struct JSONObject {
  private let indent: String
  private var isFirst = true

  /// Opens an object.
  ///
  /// - Parameters:
  ///   - indent: what stands in front of its brackets; members have two spaces more.
  ///   - isInside: whether the opening bracket goes on in a line that is begun.
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
