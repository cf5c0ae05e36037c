extension JSONReader {
  /// The next value, a string, with its escapes resolved.
  ///
  /// - Throws: ``JSONError`` if it is not a string, for a control character in it, and, unless
  ///   reading is lossy, for invalid UTF-8 and unpaired surrogates.
  package mutating func string() throws(JSONError) -> String {
    let start = try openString()
    offset = plainEnd(from: start)
    if peek() == UInt8(ascii: "\"") {
      offset += 1
      return try text(of: UnsafeBufferPointer(rebasing: bytes[start..<offset - 1]), at: start)
    }
    return try escapedString(from: start)
  }

  /// Skips a string; checks everything but its characters, which are not used.
  mutating func skipString() throws(JSONError) {
    _ = try openString()
    while true {
      offset = plainEnd(from: offset)
      switch peek() {
      case UInt8(ascii: "\"") where offset < bytes.count:
        offset += 1
        return
      case UInt8(ascii: "\\"): _ = try escape(isLossy: true)
      default: throw brokenString()
      }
    }
  }

  private mutating func openString() throws(JSONError) -> Int {
    skipSpace()
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a string") }
    offset += 1
    return offset
  }

  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    scratch.removeAll(keepingCapacity: true)
    var copied = start
    while true {
      scratch.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<offset]))
      switch peek() {
      case UInt8(ascii: "\""):
        offset += 1
        let (buffer, end) = (scratch, offset)
        return try buffer.withUnsafeBufferPointer { buffer throws(JSONError) in
          try text(of: buffer, at: start, end: end)
        }
      case UInt8(ascii: "\\"): append(try escape(isLossy: options.isLossy))
      default: throw brokenString()
      }
      copied = offset
      offset = plainEnd(from: offset)
    }
  }

  private func brokenString() -> JSONError {
    offset < bytes.count
      ? JSONError("unescaped control character in a string", at: offset)
      : JSONError("unterminated string", at: offset)
  }

  /// Reads an escape sequence, a surrogate pair as one scalar.
  private mutating func escape(isLossy: Bool) throws(JSONError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    let byte = peek()
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicode(from: start, isLossy: isLossy)
    default:
      throw start + 1 < bytes.count
        ? JSONError("invalid escape sequence", at: start)
        : JSONError("unterminated string", at: bytes.count)
    }
  }

  private mutating func unicode(
    from start: Int, isLossy: Bool
  ) throws(JSONError) -> Unicode.Scalar {
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A low surrogate is valid only after a high one.
    let mark = offset
    if unit < 0xDC00, peek() == UInt8(ascii: "\\"), offset + 1 < bytes.count,
      bytes[offset + 1] == UInt8(ascii: "u")
    {
      offset += 2
      let low = try hexadecimal()
      if (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
      offset = mark
    }
    if isLossy { return "\u{FFFD}" }
    throw JSONError("unpaired surrogate (\\u)", at: start, isMendable: true)
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Hexadecimal.value(ofAnyCase: peek()) else {
        throw offset < bytes.count
          ? unexpected("a hexadecimal digit") : JSONError("unterminated string", at: bytes.count)
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      scratch.append(UInt8(truncatingIfNeeded: scalar.value))
    } else if let units = UTF8.encode(scalar) {
      scratch.append(contentsOf: units)
    }
  }

  /// The text of a string's bytes.
  ///
  /// - Parameters:
  ///   - start: the index of the string's first byte in the file.
  ///   - end: the index of its end in the file, if its escapes have been resolved.
  private func text(
    of content: UnsafeBufferPointer<UInt8>, at start: Int, end: Int? = nil
  ) throws(JSONError) -> String {
    // Names, dates and tags are the most frequent strings; the general way is slower for them.
    if content.count < 64, content.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: content, as: UTF8.self)
    }
    if let text = String(validating: content, as: UTF8.self) { return text }
    if options.isLossy { return String(decoding: content, as: UTF8.self) }
    let raw = end.map { UnsafeBufferPointer(rebasing: bytes[start..<$0]) } ?? content
    throw JSONError(
      "invalid UTF-8", at: start + Utf8.validPrefix(of: raw), isMendable: true)
  }

  private func plainEnd(from start: Int) -> Int { PlainRun.end(in: bytes, from: start) }
}

/// Finds the end of a run of plain characters in a string, eight bytes at a time.
package enum PlainRun {
  /// The index of the first quotation mark, backslash or control character from an index on; the
  /// end if there is none.
  ///
  /// - Complexity: linear in the run.
  @inlinable
  package static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var index = start
    let end = bytes.count
    while index + 8 <= end,
      !hasStop(UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    {
      index += 8
    }
    while index < end, !isStop(base[index]) { index += 1 }
    return index
  }

  @inlinable
  static func isStop(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Whether one of eight bytes is a quotation mark, a backslash or below a space.
  ///
  /// Subtraction borrows from a smaller byte, which sets its high bit; bytes with that bit set
  /// before are masked. A borrow affects only bytes after a match.
  @inlinable
  static func hasStop(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let slash = word ^ (ones &* 0x5C)
    let stops =
      (quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- ones &* 0x20) & ~word
    return stops & (ones &* 0x80) != 0
  }
}
