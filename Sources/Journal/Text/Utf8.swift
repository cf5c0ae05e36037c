import Glibc

extension String {
  /// Whether the text has a NUL, at which SQLite would cut it.
  package var hasNUL: Bool {
    Utf8.withBytes(of: self) { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }
  }

  /// Whether both texts have the same bytes; `==` compares canonically equivalent characters.
  package func isSame(as other: String) -> Bool {
    Utf8.withBytes(of: self) { left in
      Utf8.withBytes(of: other) { right in
        guard left.count == right.count else { return false }
        guard let one = left.baseAddress, let two = right.baseAddress else { return true }
        return memcmp(one, two, left.count) == 0
      }
    }
  }
}

/// Reading a text's UTF-8 in place.
package enum Utf8 {
  /// The number of valid UTF-8 bytes at the start, which is the index of the first invalid one.
  ///
  /// - Complexity: linear in that number.
  package static func validPrefix(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
    return count
  }

  /// Calls `body` with a text's bytes, without a copy if they are contiguous, as in native Swift
  /// strings.
  package static func withBytes<Result>(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    if let result = try text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return try Array(text.utf8).withUnsafeBufferPointer(body)
  }

  /// A string from a range of bytes.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// The length in bytes of the scalar that starts with a byte; a string's bytes are always valid.
  static func length(startingWith byte: UInt8) -> Int {
    switch byte {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }

  /// The scalar at an index.
  static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Unicode.Scalar {
    let first = bytes[start]
    let length = length(startingWith: first)
    if length == 1 { return Unicode.Scalar(first) }
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for index in start + 1..<min(start + length, bytes.count) {
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// The start of the scalar that ends at an index, which must not be 0.
  static func start(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> Int {
    var start = end - 1
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  /// The last scalar boundary at or before an index.
  static func boundary(_ bytes: UnsafeBufferPointer<UInt8>, atMost limit: Int) -> Int {
    guard limit < bytes.count else { return bytes.count }
    var place = limit
    while place > 0, bytes[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }
}

/// Finding what somebody may have meant.
package enum Suggestion {
  /// The candidate that is nearest to a word, if one is near enough to be a slip of the fingers.
  ///
  /// Up to a third of the word may be wrong, at least one letter. Of equally near ones the first
  /// wins.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    nearest(to: word, among: candidates, limit: 1).first
  }

  /// The nearest candidates that may be meant, the nearest one first.
  package static func nearest(
    to word: String, among candidates: [String], limit: Int
  ) -> [String] {
    let most = max(1, word.count / 3)
    let distances = candidates.enumerated().map { (distance(word, $1), $0, $1) }
    return distances.filter { $0.0 <= most }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .prefix(limit).map(\.2)
  }

  /// How many letters have to be put in, left out, changed or swapped with their neighbour; upper and
  /// lower case are equal.
  ///
  /// The program's one edit distance: queries, dates and templates ask for the nearest word here, and
  /// commands, themes and settings by `Spelling`, which has stricter rules for short words.
  ///
  /// - Complexity: O(*m* · *n*).
  package static func distance(_ lhs: String, _ rhs: String) -> Int {
    let left = Array(lhs.lowercased())
    let right = Array(rhs.lowercased())
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var line = [row + 1]
      for column in 0..<right.count {
        let change = last[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(change, last[column + 1] + 1, line[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        line.append(best)
      }
      (beforeLast, last) = (last, line)
    }
    return last[right.count]
  }
}
