/// The boundaries of the grapheme clusters of a text: of its characters as users see them.
///
/// Boundaries are found from nearby bytes, so that a key costs the same in a text of a megabyte as
/// in a word. Invalid UTF-8 bytes are clusters of their own.
package struct ClusterBorders {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// The maximum distance of the search for a certain boundary; beyond it any position counts as
  /// one.
  private static let reach = 4_096

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The cluster that contains the byte at an offset; empty at the end of the text.
  package func cluster(at place: Int) -> Range<Int> {
    guard place < bytes.count else { return bytes.count..<bytes.count }
    var room = 64
    while true {
      let start = anchor(atOrBefore: place)
      let end = align(min(bytes.count, place + room))
      if let found = Self.cluster(at: place, in: start..<end, of: bytes),
        found.upperBound < end || end == bytes.count
      {
        return found
      }
      if end == bytes.count { return place..<place + 1 }
      room *= 4
    }
  }

  /// The boundary a number of clusters after an offset, or the end of the text.
  package func place(after place: Int, clusters count: Int = 1) -> Int {
    var place = place
    for _ in 0..<max(0, count) where place < bytes.count {
      place = cluster(at: place).upperBound
    }
    return place
  }

  /// The boundary a number of clusters before an offset, or the start of the text.
  package func place(before place: Int, clusters count: Int = 1) -> Int {
    var place = place
    for _ in 0..<max(0, count) where place > 0 {
      place = cluster(at: place - 1).lowerBound
    }
    return place
  }

  /// The end of the word at or after an offset: letters and digits, by their clusters.
  package func endOfWord(after place: Int) -> Int {
    var place = place
    while place < bytes.count, !isWord(cluster(at: place)) { place = self.place(after: place) }
    while place < bytes.count, isWord(cluster(at: place)) { place = self.place(after: place) }
    return place
  }

  /// The start of the word before an offset.
  package func startOfWord(before place: Int) -> Int {
    var place = place
    while place > 0, !isWord(cluster(at: place - 1)) { place = self.place(before: place) }
    while place > 0, isWord(cluster(at: place - 1)) { place = self.place(before: place) }
    return place
  }

  private func isWord(_ cluster: Range<Int>) -> Bool {
    let text = String(decoding: bytes[cluster], as: UTF8.self)
    guard let properties = text.unicodeScalars.first?.properties else { return false }
    return properties.isAlphabetic || properties.numericType != nil
  }

  /// A position that is a boundary in every context: the start, or between two ASCII characters.
  private func anchor(atOrBefore place: Int) -> Int {
    let furthest = max(0, place - Self.reach)
    var index = place
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
    at place: Int, in range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>
  ) -> Range<Int>? {
    guard let text = String(validating: bytes[range], as: UTF8.self) else { return nil }
    var start = range.lowerBound
    for character in text {
      let end = start + character.utf8.count
      if end > place { return start..<end }
      start = end
    }
    return nil
  }
}
