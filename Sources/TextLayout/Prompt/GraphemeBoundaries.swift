/// The boundaries of the grapheme clusters of a text: of its characters as users see them.
///
/// Boundaries are found from nearby bytes, so that a key costs the same in a text of a megabyte as
/// in a word. Invalid UTF-8 bytes are clusters of their own.
package struct GraphemeBoundaries {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// The maximum distance of the search for a certain boundary; beyond it any position counts as
  /// one.
  private static let reach = 4_096

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The cluster that contains the byte at an offset; empty at the end of the text.
  package func cluster(at offset: Int) -> Range<Int> {
    guard offset < bytes.count else { return bytes.count..<bytes.count }
    var room = 64
    while true {
      let start = anchor(atOrBefore: offset)
      let end = align(min(bytes.count, offset + room))
      if let found = Self.cluster(at: offset, in: start..<end, of: bytes),
        found.upperBound < end || end == bytes.count
      {
        return found
      }
      if end == bytes.count { return offset..<offset + 1 }
      room *= 4
    }
  }

  /// The boundary a number of clusters after an offset, or the end of the text.
  package func boundary(after offset: Int, clusters count: Int = 1) -> Int {
    var offset = offset
    for _ in 0..<max(0, count) where offset < bytes.count {
      offset = cluster(at: offset).upperBound
    }
    return offset
  }

  /// The boundary a number of clusters before an offset, or the start of the text.
  package func boundary(before offset: Int, clusters count: Int = 1) -> Int {
    var offset = offset
    for _ in 0..<max(0, count) where offset > 0 {
      offset = cluster(at: offset - 1).lowerBound
    }
    return offset
  }

  /// The end of the word at or after an offset: letters and digits, by their clusters.
  package func endOfWord(after offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, !isWord(cluster(at: offset)) { offset = boundary(after: offset) }
    while offset < bytes.count, isWord(cluster(at: offset)) { offset = boundary(after: offset) }
    return offset
  }

  /// The start of the word before an offset.
  package func startOfWord(before offset: Int) -> Int {
    var offset = offset
    while offset > 0, !isWord(cluster(at: offset - 1)) { offset = boundary(before: offset) }
    while offset > 0, isWord(cluster(at: offset - 1)) { offset = boundary(before: offset) }
    return offset
  }

  private func isWord(_ cluster: Range<Int>) -> Bool {
    let text = String(decoding: bytes[cluster], as: UTF8.self)
    guard let properties = text.unicodeScalars.first?.properties else { return false }
    return properties.isAlphabetic || properties.numericType != nil
  }

  /// A position that is a boundary in every context: the start, or between two ASCII characters.
  private func anchor(atOrBefore offset: Int) -> Int {
    let furthest = max(0, offset - Self.reach)
    var index = offset
    while index > furthest {
      let (left, right) = (bytes[index - 1], bytes[index])
      if left < 0x80, right < 0x80, left != 0x0D { return index }
      index -= 1
    }
    return align(index)
  }

  /// The first start of a scalar at or after an index.
  private func align(_ index: Int) -> Int {
    var index = index
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }

  private static func cluster(
    at offset: Int, in range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>
  ) -> Range<Int>? {
    guard let text = String(validating: bytes[range], as: UTF8.self) else { return nil }
    var start = range.lowerBound
    for character in text {
      let end = start + character.utf8.count
      if end > offset { return start..<end }
      start = end
    }
    return nil
  }
}
