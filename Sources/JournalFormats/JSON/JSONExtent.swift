import Journal

/// Finds where a value ends, by brackets and strings alone, in bytes that come piece by piece.
///
/// That is how a broken value is left behind: whatever is wrong inside it, the next one starts after
/// its closing bracket. Whether the value is JSON, ``JSONReader`` says.
struct JSONExtent {
  /// How many bytes have been looked at; when the value is whole, how many it has.
  private(set) var length = 0
  /// How many of them are line feeds.
  private(set) var lines = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Goes on behind the bytes that were looked at.
  ///
  /// - Parameters:
  ///   - bytes: the value's bytes from its first one, as many as there are by now.
  ///   - isAtEnd: whether no more will come, which ends a number or a word too.
  /// - Returns: whether the value is whole.
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

  /// Forgets the bytes looked at, which the caller dropped, but not where it stands.
  mutating func forget() {
    length = 0
    lines = 0
  }

  /// Takes one byte outside strings; tells whether the value ends with or before it.
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

  /// Steps through a string; tells whether the value ends with it.
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
