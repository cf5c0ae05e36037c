import Journal

/// The bytes of a paragraph with searches that together take linear time.
struct InlineScanner {
  let bytes: [UInt8]
  /// For each text that was searched: from where, and where it is.
  private var found: [[UInt8]: (from: Int, at: Int?)] = [:]

  /// The maximum length of a link, in bytes.
  static let linkLimit = 2000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first position of a text at or after another; `nil` if there is none.
  mutating func position(of text: [UInt8], from start: Int) -> Int? {
    var from = start
    if let known = found[text], known.from <= start {
      guard let place = known.at else { return nil }
      if place >= start { return place }
      from = max(start, place + 1)
    }
    let place = bytes.firstPosition(of: text, from: from)
    found[text] = (start, place)
    return place
  }

  /// The bytes between an opening text at a position and the next closing one on its line.
  ///
  /// - Returns: `nil` if there is none nearby.
  mutating func enclosed(
    at start: Int, _ opening: String, _ closing: String
  ) -> (inner: Range<Int>, end: Int)? {
    let (opening, closing) = (Array(opening.utf8), Array(closing.utf8))
    guard begins(opening, at: start),
      let close = position(of: closing, from: start + opening.count)
    else { return nil }
    let inner = start + opening.count..<close
    guard inner.count <= Self.linkLimit, !bytes[inner].contains(0x0A) else { return nil }
    return (inner, close + closing.count)
  }

  /// Whether a text begins at a position.
  func begins(_ text: [UInt8], at start: Int) -> Bool {
    start + text.count <= bytes.count && bytes[start..<start + text.count].elementsEqual(text)
  }

  /// The text of a range.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The end of a bare address such as `https://example.org/` that begins at a position.
  ///
  /// - Parameter limit: the end of the text that may belong to it.
  func endOfAddress(at start: Int, limit: Int) -> Int? {
    guard start == 0 || !Self.isWord(bytes[start - 1]),
      let scheme = Self.schemes.first(where: { begins($0, at: start) })
    else { return nil }
    var end = start + scheme.count
    while end < limit, bytes[end] > 0x20, !"<>[]\"`|{}\\".utf8.contains(bytes[end]) {
      end += 1
    }
    while end > start + scheme.count, ".,:;!?'*_~)/=+".utf8.contains(bytes[end - 1]) {
      // A slash belongs to the address, but a mark of two does not.
      let isDoubled = bytes[end - 2] == bytes[end - 1]
      if "/=+".utf8.contains(bytes[end - 1]), !isDoubled { break }
      if bytes[end - 1] == UInt8(ascii: ")"), bytes[start..<end].contains(UInt8(ascii: "(")) {
        break
      }
      end -= 1
    }
    return end > start + scheme.count ? end : nil
  }

  private static let schemes = ["http://", "https://", "ftp://", "file://", "mailto:"].map {
    Array($0.utf8)
  }

  /// Whether a byte is a letter, a digit or part of a character beyond ASCII.
  static func isWord(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
  }
}

extension [UInt8] {
  /// The first position of a text at or after another.
  func firstPosition(of text: [UInt8], from start: Int = 0) -> Int? {
    guard let first = text.first, start < count else { return nil }
    var index = start
    while index + text.count <= count {
      guard let next = self[index...].firstIndex(of: first) else { return nil }
      guard next + text.count <= count else { return nil }
      if self[next..<next + text.count].elementsEqual(text) { return next }
      index = next + 1
    }
    return nil
  }
}
