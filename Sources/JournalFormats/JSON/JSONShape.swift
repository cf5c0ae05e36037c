import Journal

extension JSONRecords {
  /// Determines the shape of the file.
  func findShape() throws {
    guard try skipSpace() else {
      shape = .ended
      return
    }
    switch try stream.peek(1).first {
    case UInt8(ascii: "["):
      stream.take(1, lines: 0)
      shape = .list(isEmpty: true, isRoot: true)
    case UInt8(ascii: "{"):
      try findList()
    default:
      throw FormatError("not JSON: it does not begin with \"{\" or \"[\"", at: place(0))
    }
  }

  /// Reads ahead over the members of the root object up to the list.
  ///
  /// Nothing is consumed: without a list the object is the first record.
  private func findList() throws {
    var walk = RootWalk(records: self)
    do {
      switch try walk.run() {
      case .list:
        root = walk.members
        stream.take(walk.ahead)
        shape = .list(isEmpty: true, isRoot: false)
      case .noList:
        let isOneLine = stream.withBytes { !$0.prefix(walk.ahead).contains(0x0A) }
        shape = isOneLine ? .lines : .values
      }
    } catch let broken as RootWalk.Broken {
      guard isInFirstLine(walk.ahead, orStartsSecond: !broken.isEnd) else { throw broken.error }
      shape = .lines
    }
  }

  /// Whether a position is in the first line, or is the first token of the second, since an error
  /// in a truncated line appears only there.
  private func isInFirstLine(_ ahead: Int, orStartsSecond: Bool) -> Bool {
    stream.withBytes { bytes in
      guard let end = bytes.prefix(ahead).firstIndex(of: 0x0A) else { return true }
      let second = bytes[end..<ahead]
      let isBlank = second.allSatisfy(JSONReader.isSpace)
      return isBlank && (ahead == bytes.count || orStartsSecond) && second.count { $0 == 0x0A } == 1
    }
  }

  /// Checks the end of a document after its list.
  func finish(isRoot: Bool) throws {
    if !isRoot {
      while try next("\"}\"") != UInt8(ascii: "}") {
        try take(UInt8(ascii: ","), or: "\"}\"")
        guard try next("a name") == UInt8(ascii: "\"") else { throw try unexpected("a name") }
        try skipValue()
        try take(UInt8(ascii: ":"), or: nil)
        _ = try next("a value")
        try skipValue()
      }
      stream.take(1, lines: 0)
    }
    if try skipSpace() { throw try unexpected("the end") }
  }

  /// Skips a value of any size without keeping it.
  private func skipValue() throws {
    let line = stream.line
    var extent = JSONExtent()
    var total = 0
    while true {
      let isWhole = stream.withBytes { extent.scan($0, isAtEnd: false) }
      total += extent.length
      stream.take(extent.length, lines: extent.lines)
      extent.forget()
      if isWhole { break }
      guard try stream.more() else {
        throw FormatError("the file ends inside a value", at: ImportPlace(line: line))
      }
    }
    guard total > 0 else { throw try unexpected("a value") }
  }
}

extension JSONRecords {
  /// Skips white space.
  ///
  /// - Returns: whether anything follows.
  func skipSpace() throws -> Bool {
    while true {
      let (space, isAll) = stream.withBytes { bytes in
        let space = bytes.firstIndex { !JSONReader.isSpace($0) }
        return (space ?? bytes.count, space == nil)
      }
      stream.take(space)
      if !isAll { return true }
      guard try stream.more() else { return false }
    }
  }

  /// Consumes the next byte after white space, and returns it.
  func next(_ expected: String) throws -> UInt8 {
    guard try skipSpace(), let byte = try stream.peek(1).first else {
      throw FormatError("unexpected end of the file, expected \(expected)", at: place(0))
    }
    return byte
  }

  /// Consumes an expected byte after white space.
  func take(_ byte: UInt8, or other: String?) throws {
    let expected = ["\"\(Unicode.Scalar(byte))\"", other].compactMap(\.self)
      .joined(separator: " or ")
    guard try next(expected) == byte else { throw try unexpected(expected) }
    stream.take(1, lines: 0)
  }

  /// The extent of the value that begins at an offset from the window's start.
  func extent(from ahead: Int) throws -> JSONExtent {
    var extent = JSONExtent()
    var isAtEnd = false
    while true {
      let isWhole = stream.withBytes { bytes in
        extent.scan(UnsafeBufferPointer(rebasing: bytes[ahead...]), isAtEnd: isAtEnd)
      }
      if isWhole { return extent }
      guard !isAtEnd else {
        throw FormatError("the file ends inside the value that begins here", at: place(ahead))
      }
      isAtEnd = try !stream.more()
    }
  }

  /// The error for an unexpected byte.
  func unexpected(_ expected: String, ahead: Int = 0) throws -> FormatError {
    let byte = stream.withBytes { $0.count > ahead ? $0[ahead] : 0 }
    let isVisible = (0x21...0x7E).contains(byte)
    let found = isVisible ? "\"\(Unicode.Scalar(byte))\"" : "another character"
    return FormatError("expected \(expected), found \(found)", at: place(ahead))
  }

  /// The line at an offset from the window's start.
  func place(_ ahead: Int) -> ImportPlace {
    ImportPlace(line: stream.line + stream.withBytes { $0.prefix(ahead).count { $0 == 0x0A } })
  }
}

/// The names at the root and in the first record of a JSON file, for format detection.
///
/// The beginning may be cut off anywhere, and later errors are reported when the file is read.
package struct JSONSketch {
  /// The names of the root object, or of the first line of JSON Lines.
  package private(set) var root: Set<String> = []
  /// The names of the first record, in an array at the root or in the member `entries`.
  package private(set) var record: Set<String> = []
  /// Whether there is such an array.
  package private(set) var isList = false
  /// The member `format` of the root.
  package private(set) var formatName: String?

  /// The names of the first record, which the root is without a list.
  package var names: Set<String> { isList ? record : root }

  /// Makes a sketch; `nil` if the text is not JSON.
  package init?(_ head: [UInt8]) {
    guard let first = head.first, Self.beginsJSON(head, first) else { return nil }
    head.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, options: JSONOptions(isLossy: true))
      // It ends with an error where the beginning is cut off.
      try? first == UInt8(ascii: "[") ? readList(&reader) : readRoot(&reader)
    }
  }

  /// jrnl's text begins with a bracket, too, followed by a date.
  private static func beginsJSON(_ head: [UInt8], _ first: UInt8) -> Bool {
    if first == UInt8(ascii: "{") { return true }
    guard first == UInt8(ascii: "[") else { return false }
    let second = head.dropFirst().first { !JSONReader.isSpace($0) }
    return second.map { "{]\"".utf8.contains($0) } ?? true
  }

  private mutating func readRoot(_ reader: inout JSONReader) throws(JSONError) {
    // Names are stored one by one: the reader throws where the head is cut.
    var sketch = self
    defer { self = sketch }
    try reader.object { name, reader throws(JSONError) in
      sketch.root.insert(name)
      let kind = try reader.kind()
      if name == "entries", kind == .array {
        try sketch.readList(&reader)
      } else if name == "format", kind == .string {
        sketch.formatName = try reader.string()
      } else {
        try reader.skip()
      }
    }
  }

  private mutating func readList(_ reader: inout JSONReader) throws(JSONError) {
    isList = true
    var sketch = self
    defer { self = sketch }
    var isFirst = true
    try reader.array { reader throws(JSONError) in
      guard isFirst, try reader.kind() == .object else { return try reader.skip() }
      isFirst = false
      try reader.object { name, reader throws(JSONError) in
        sketch.record.insert(name)
        try reader.skip()
      }
    }
  }
}

/// Finds the end of a value by brackets and strings alone, in bytes that arrive in pieces.
///
/// This is how broken values are skipped: whatever the error inside, the next value starts after
/// the closing bracket. ``JSONReader`` checks whether the value is JSON.
struct JSONExtent {
  /// The number of scanned bytes; when the value is complete, its length.
  private(set) var length = 0
  /// The number of line feeds among them.
  private(set) var lines = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Continues after the scanned bytes.
  ///
  /// - Parameters:
  ///   - bytes: the value's bytes from its first one, as many as are available.
  ///   - isAtEnd: whether no more will come, which also ends a number or a word.
  /// - Returns: whether the value is complete.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> Bool {
    while length < bytes.count {
      if isInString {
        if scanString(bytes) { return true }
      } else if let isWhole = step(bytes[length]) {
        return isWhole
      }
    }
    return isAtEnd && depth == 0 && !isInString && length > 0
  }

  /// Resets the length after the caller dropped the scanned bytes; the state stays.
  mutating func forget() {
    length = 0
    lines = 0
  }

  /// Scans one byte outside strings; returns whether the value ends with or before it.
  private mutating func step(_ byte: UInt8) -> Bool? {
    switch byte {
    case UInt8(ascii: "\""):
      if depth == 0, length > 0 { return true }
      isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth == 0, length > 0 { return true }
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return true }
      depth -= 1
      if depth == 0 {
        length += 1
        return true
      }
    case UInt8(ascii: ","), 0x20, 0x09, 0x0D, 0x0A:
      if depth == 0 { return true }
      if byte == 0x0A { lines += 1 }
    default: break
    }
    length += 1
    return nil
  }

  /// Scans a string; returns whether the value ends with it.
  private mutating func scanString(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if isEscaped {
      isEscaped = false
      length += 1
      return false
    }
    length = PlainRun.end(in: bytes, from: length)
    guard length < bytes.count else { return false }
    switch bytes[length] {
    case UInt8(ascii: "\""): isInString = false
    case UInt8(ascii: "\\"): isEscaped = true
    case 0x0A: lines += 1
    default: break
    }
    length += 1
    return !isInString && depth == 0
  }
}
