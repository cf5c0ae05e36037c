/// Finds the tags of a text in its bytes, without copying it.
///
/// A tag is `#` or `@` at the start of the text, after white space or after opening punctuation, and
/// then names joined by `/`. A name is letters, digits, marks, `_` and `-`; it neither starts nor
/// ends with `-`, and somewhere in the tag there is a letter or a digit.
struct TagScanner {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Calls the body with the place of each tag in bytes, its `#` or `@` included, in order.
  ///
  /// - Complexity: linear in the bytes.
  func forEachTag(_ body: (Range<Int>) -> Void) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@"), mayStart(at: index),
        let end = end(ofTagAt: index)
      else {
        index += 1
        continue
      }
      body(index..<end)
      index = end
    }
  }

  private func mayStart(at index: Int) -> Bool {
    guard index > 0 else { return true }
    switch bytes[index - 1] {
    case 0x09...0x0D, 0x20: return true
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      return true
    case ..<0x80: return false
    default: break
    }
    let properties = Utf8.scalar(bytes, at: Utf8.start(bytes, before: index)).properties
    switch properties.generalCategory {
    case .openPunctuation, .initialPunctuation: return true
    default: return properties.isWhitespace
    }
  }

  /// The place behind the tag whose sign stands at an index; nothing when there is no tag.
  private func end(ofTagAt sign: Int) -> Int? {
    var end = sign + 1
    var hasLetter = false
    var index = sign + 1
    while let name = name(from: index) {
      end = name.end
      hasLetter = hasLetter || name.hasLetter
      guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { break }
      index = end + 1
    }
    return hasLetter ? end : nil
  }

  private func name(from start: Int) -> (end: Int, hasLetter: Bool)? {
    var end = start
    var hasLetter = false
    var index = start
    while index < bytes.count {
      let scalar = Utf8.scalar(bytes, at: index)
      let length = Utf8.length(startingWith: bytes[index])
      if TagScanner.isLetter(scalar) {
        hasLetter = hasLetter || TagScanner.isNameGiving(scalar)
        end = index + length
      } else if end == start || !TagScanner.isJoiner(scalar) {
        break
      }
      index += length
    }
    return end > start ? (end, hasLetter) : nil
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch WordClass(scalar) {
    case .letter: true
    case .alone: CJK.contains(scalar)
    case .other: false
    }
  }

  /// Whether a scalar alone could be a name; what folding drops, as marks are, could not.
  private static func isNameGiving(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return scalar != "_" }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: return true
    }
  }

  /// Whether a scalar may stand inside a name: `-`, and the joiners that Persian and the Indic
  /// scripts spell with.
  static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar.value == 0x200C || scalar.value == 0x200D
  }
}
