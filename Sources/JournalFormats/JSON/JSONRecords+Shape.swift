import Journal

extension JSONRecords {
  /// Finds out how the file's records stand in it.
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
      throw FormatError("it is no JSON: no \"{\" or \"[\" begins it", at: place(0))
    }
  }

  /// Walks over the members of the root object up to the list.
  ///
  /// Nothing is taken on the way: without a list the object is the first record.
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

  /// Whether a place is in the first line, or, since a line cut off in the middle shows only there, is
  /// the first thing of the second.
  private func isInFirstLine(_ ahead: Int, orStartsSecond: Bool) -> Bool {
    stream.withBytes { bytes in
      guard let end = bytes.prefix(ahead).firstIndex(of: 0x0A) else { return true }
      let second = bytes[end..<ahead]
      let isBlank = second.allSatisfy(JSONReader.isSpace)
      return isBlank && (ahead == bytes.count || orStartsSecond) && second.count { $0 == 0x0A } == 1
    }
  }

  /// Makes sure that a document ends as it should behind its list.
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

  /// Drops a value of any size, keeping nothing of it.
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
  /// Takes white space.
  ///
  /// - Returns: whether something follows.
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

  /// The next byte behind white space, which is taken.
  func next(_ expected: String) throws -> UInt8 {
    guard try skipSpace(), let byte = try stream.peek(1).first else {
      throw FormatError("the file ends where \(expected) should follow", at: place(0))
    }
    return byte
  }

  /// Takes a byte behind white space.
  func take(_ byte: UInt8, or other: String?) throws {
    let expected = ["\"\(Unicode.Scalar(byte))\"", other].compactMap(\.self)
      .joined(separator: " or ")
    guard try next(expected) == byte else { throw try unexpected(expected) }
    stream.take(1, lines: 0)
  }

  /// The extent of the value that begins so many bytes ahead.
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

  /// What to say where the file has something else than it must.
  func unexpected(_ expected: String, ahead: Int = 0) throws -> FormatError {
    let byte = stream.withBytes { $0.count > ahead ? $0[ahead] : 0 }
    let isVisible = (0x21...0x7E).contains(byte)
    let found = isVisible ? "\"\(Unicode.Scalar(byte))\"" : "another character"
    return FormatError("\(found) stands where \(expected) should", at: place(ahead))
  }

  /// The line so many bytes ahead.
  func place(_ ahead: Int) -> ImportPlace {
    ImportPlace(line: stream.line + stream.withBytes { $0.prefix(ahead).count { $0 == 0x0A } })
  }
}
