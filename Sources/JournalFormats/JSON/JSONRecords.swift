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
public final class JSONRecords {
  /// The largest record, in bytes: the longest text with all of it escaped, and something beside.
  public static let recordLimit = 512 << 20
  /// Members of a document longer than this are not kept in ``root``.
  public static let rootMemberLimit = 64 << 10

  /// A record's value, or why it has none.
  public enum Record<Value> {
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
  public internal(set) var root: [JSONMember] = []

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
  public init(
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
  public func open() throws {
    if case .unknown = shape { try findShape() }
  }

  /// The next record, made into what the caller wants of it.
  ///
  /// - Parameter body: takes the record's value, whole or member by member; gets the line too.
  /// - Returns: the record, or `nil` at the end.
  /// - Throws: ``FormatError`` when nothing more can be read, and what the stream throws.
  public func next<Value>(
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
  public func nextValue() throws -> Record<JSONValue>? {
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
