/// Parses link destinations, autolinks and bare addresses of a paragraph.
///
/// Each search ends at a character that could begin another one, so that hostile text does not
/// cause repeated searches of the same bytes.
struct LinkReader {
  /// The rest of a link after its text: `(destination "title")`.
  struct Target: Equatable {
    var destination: Range<Int>
    /// The title, without its quotes.
    var title: Range<Int>?
    /// The positions of `<` and `>` around the destination.
    var hidden: [Int]
    /// The position after the closing bracket.
    var end: Int
  }

  private static let nestingLimit = 8

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The target with an opening bracket at a position.
  func target(after start: Int) -> Target? {
    guard byte(start) == UInt8(ascii: "(") else { return nil }
    let first = skipBlanks(from: start + 1)
    var target: Target
    if byte(first) == UInt8(ascii: "<") {
      guard let close = end(from: first + 1, at: UInt8(ascii: ">"), notOver: "<\n") else {
        return nil
      }
      target = Target(destination: first + 1..<close, hidden: [first, close], end: close + 1)
    } else {
      guard let end = endOfPlainTarget(from: first), end > first else { return nil }
      target = Target(destination: first..<end, hidden: [], end: end)
    }
    var index = skipBlanks(from: target.end)
    if index > target.end, let end = endOfTitle(at: index) {
      target.title = index + 1..<end - 1
      index = skipBlanks(from: end)
    }
    guard byte(index) == UInt8(ascii: ")") else { return nil }
    target.end = index + 1
    return target
  }

  private func endOfPlainTarget(from start: Int) -> Int? {
    var depth = 0
    var index = start
    while let byte = byte(index), byte > 0x20 {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth == 0: return index
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      if depth > Self.nestingLimit { return nil }
      index += 1
    }
    return depth == 0 ? index : nil
  }

  private func endOfTitle(at start: Int) -> Int? {
    let closing: UInt8
    switch byte(start) {
    case UInt8(ascii: "\""): closing = UInt8(ascii: "\"")
    case UInt8(ascii: "'"): closing = UInt8(ascii: "'")
    case UInt8(ascii: "("): closing = UInt8(ascii: ")")
    default: return nil
    }
    return end(from: start + 1, at: closing, notOver: "\n(").map { $0 + 1 }
  }

  /// The `>` that closes an autolink whose `<` is at a position.
  func endOfAutolink(at start: Int) -> Int? {
    guard let end = end(from: start + 1, at: UInt8(ascii: ">"), notOver: "< \t\n") else {
      return nil
    }
    let address = bytes[start + 1..<end]
    guard let first = address.first, first < 0x80, first.isLetter else { return nil }
    return address.containsScheme || address.isEmail ? end : nil
  }

  /// The end of a bare address such as `https://example.org/`; trailing punctuation belongs to the
  /// sentence.
  func endOfAddress(at start: Int) -> Int? {
    if start > 0, bytes[start - 1] < 0x80, bytes[start - 1].isDigit || bytes[start - 1].isLetter {
      return nil
    }
    let rest = bytes[start...]
    guard let scheme = ["http://", "https://"].first(where: { rest.starts(with: $0.utf8) }) else {
      return nil
    }
    let first = start + scheme.utf8.count
    var end = first
    var open = 0
    while let byte = byte(end), (0x21...0x7E).contains(byte), !"<>[]\"`|\\".utf8.contains(byte) {
      if byte == UInt8(ascii: "(") { open += 1 } else if byte == UInt8(ascii: ")") { open -= 1 }
      end += 1
    }
    while end > first {
      if bytes[end - 1] == UInt8(ascii: ")"), open < 0 {
        open += 1
      } else if !".,:;!?'*_~".utf8.contains(bytes[end - 1]) {
        break
      }
      end -= 1
    }
    return end > first ? end : nil
  }

  private func byte(_ index: Int) -> UInt8? {
    index < bytes.count ? bytes[index] : nil
  }

  private func skipBlanks(from start: Int) -> Int {
    var index = start
    while let byte = byte(index), byte.isBlank { index += 1 }
    return index
  }

  private func end(from start: Int, at closing: UInt8, notOver barriers: String) -> Int? {
    var index = start
    while let byte = byte(index) {
      if byte == closing { return index }
      if barriers.utf8.contains(byte) { return nil }
      index += 1
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// Whether it is an e-mail address in angle brackets.
  var isEmail: Bool { !containsScheme && dropFirst().dropLast().contains(UInt8(ascii: "@")) }

  /// Whether it begins with a scheme such as `https:`.
  fileprivate var containsScheme: Bool {
    guard let colon = firstIndex(of: UInt8(ascii: ":")), (2...32).contains(colon - startIndex)
    else { return false }
    return self[..<colon].allSatisfy {
      $0 < 0x80 && ($0.isLetter || $0.isDigit || "+-.".utf8.contains($0))
    }
  }
}
