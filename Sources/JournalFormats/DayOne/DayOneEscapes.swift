import Journal

/// The backslashes of Day One, which writes one before every sign, that a text needs.
///
/// Most of them are noise: `30\-minutes` is `30-minutes`. One before a sign that Daybook would read as
/// Markdown or as a tag stays: `\#no-tag`, `1\. no list`, `\_x\_`.
struct DayOneEscapes {
  private let line: ArraySlice<UInt8>
  private let hasLink: Bool
  /// Whether the line may be a row of a table.
  private let isRow: Bool

  /// Makes the escapes of a line of prose.
  ///
  /// - Complexity: linear in the bytes of the line.
  init(_ line: ArraySlice<UInt8>) {
    self.line = line
    isRow = line.first { !ASCII.isSpace($0) && $0 != UInt8(ascii: "\\") } == UInt8(ascii: "|")
    hasLink = line.contains(UInt8(ascii: "\\")) && Self.hasLink(line)
  }

  /// Whether the backslash before a sign has a meaning.
  ///
  /// - Parameter index: the position of the sign in the line, one after that of the backslash.
  /// - Complexity: constant.
  func isNeeded(at index: Int) -> Bool {
    let sign = line[index]
    let (before, after) = (
      Self.neighbour(before: index, in: line), Self.neighbour(after: index, in: line)
    )
    switch sign {
    case UInt8(ascii: "\\"):
      // One before an escaped sign was typed before that sign.
      let next = index + 1 < line.endIndex ? line[index + 1] : 0x20
      return ASCII.isPunctuation(next) && next != sign
    case UInt8(ascii: "`"): return true
    case UInt8(ascii: "_"): return !(Self.isWord(before) && Self.isWord(after))
    case UInt8(ascii: "*"), UInt8(ascii: "~"):
      if Self.isBlank(before), Self.isBlank(after) {
        return Self.isAtStart(line, index) && sign != 0x7E
      }
      return true
    case UInt8(ascii: "#"):
      return Self.isTag(before, after)
        || Self.isAtStart(line, index) && (Self.isBlank(after) || after == sign)
    case UInt8(ascii: "@"): return Self.isTag(before, after)
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="):
      guard Self.isBlank(after) || after == sign else { return false }
      return Self.isAtStart(line, index)
    case UInt8(ascii: ">"): return Self.isAtStart(line, index)
    case UInt8(ascii: "."): return Self.isBlank(after) && Self.isAfterNumber(line, index)
    case UInt8(ascii: ")"):
      return Self.isInTarget(line, index) || Self.isBlank(after) && Self.isAfterNumber(line, index)
    case UInt8(ascii: "("): return Self.isInTarget(line, index)
    case UInt8(ascii: "<"):
      return after.map { ASCII.isLetter($0) || "/!?".utf8.contains($0) } ?? false
    case UInt8(ascii: "["), UInt8(ascii: "]"): return hasLink || Self.isAtStart(line, index)
    case UInt8(ascii: "!"): return after == UInt8(ascii: "[") && hasLink
    case UInt8(ascii: "&"): return after.map { ASCII.isLetter($0) || $0 == 0x23 } ?? false
    case UInt8(ascii: "|"): return isRow
    default: return false
    }
  }

  /// The byte before the backslash of a sign.
  private static func neighbour(before index: Int, in line: ArraySlice<UInt8>) -> UInt8? {
    index - 2 >= line.startIndex ? line[index - 2] : nil
  }

  /// The byte after a sign, which may have a backslash of its own.
  private static func neighbour(after index: Int, in line: ArraySlice<UInt8>) -> UInt8? {
    guard index + 1 < line.endIndex else { return nil }
    let next = line[index + 1]
    guard next == UInt8(ascii: "\\"), index + 2 < line.endIndex,
      ASCII.isPunctuation(line[index + 2])
    else { return next }
    return line[index + 2]
  }

  private static func isBlank(_ byte: UInt8?) -> Bool { byte.map(ASCII.isSpace) ?? true }

  /// A letter or digit; every byte of another script counts as one.
  private static func isWord(_ byte: UInt8?) -> Bool {
    byte.map { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 >= 0x80 } ?? false
  }

  /// Whether a sign between two bytes would begin a tag.
  private static func isTag(_ before: UInt8?, _ after: UInt8?) -> Bool {
    let mayBegin =
      isBlank(before) || before.map { $0 >= 0x80 || "([{\"'".utf8.contains($0) } ?? true
    return mayBegin && (isWord(after) || after == UInt8(ascii: "_"))
  }

  /// Whether there is nothing but blanks and the marks of a quote or list before a sign.
  private static func isAtStart(_ line: ArraySlice<UInt8>, _ index: Int) -> Bool {
    line[..<(index - 1)].prefix(32).allSatisfy { ASCII.isSpace($0) || ">-+*".utf8.contains($0) }
      && index - line.startIndex <= 32
  }

  /// Whether there is nothing but a number and blanks before a sign.
  private static func isAfterNumber(_ line: ArraySlice<UInt8>, _ index: Int) -> Bool {
    let digits = line[..<(index - 1)].prefix(32).drop {
      ASCII.isSpace($0) || $0 == UInt8(ascii: ">")
    }
    return (1...9).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
      && index - line.startIndex <= 32
  }

  /// Whether a sign is in the target of a link: `[x](https://a.b/c\)d)`.
  private static func isInTarget(_ line: ArraySlice<UInt8>, _ index: Int) -> Bool {
    let before = line[..<(index - 1)].suffix(1000)
    guard let open = before.lastIndex(of: UInt8(ascii: "(")), open > before.startIndex,
      before[open - 1] == UInt8(ascii: "]")
    else { return false }
    return !before[open...].contains { ASCII.isSpace($0) || $0 == UInt8(ascii: ")") }
  }

  /// Whether brackets of a line could be a link: a bracket that closes is followed by another one.
  private static func hasLink(_ line: ArraySlice<UInt8>) -> Bool {
    var wasClosing = false
    for byte in line {
      if wasClosing, "([:".utf8.contains(byte) { return true }
      if byte == UInt8(ascii: "\\") { continue }
      wasClosing = byte == UInt8(ascii: "]")
    }
    return false
  }
}
