/// The word before the cursor: what stands behind the last white space or parenthesis.
struct CompletionWord: Equatable {
  /// The word as far as it is typed.
  var text: String
  /// Its first byte in the line.
  var start: Int

  init(text: String, start: Int) {
    self.text = text
    self.start = start
  }

  /// Finds the word that ends at a byte of the line.
  init(in line: String, endingAt point: Int) {
    let bytes = line.utf8
    let end = bytes.index(
      bytes.startIndex, offsetBy: max(0, point), limitedBy: bytes.endIndex)
    let before = bytes[..<(end ?? bytes.endIndex)]
    let last = before.lastIndex { [0x09, 0x0A, 0x20, 0x28, 0x29].contains($0) }
    let start = last.map { bytes.index(after: $0) } ?? bytes.startIndex
    text = String(line[start..<before.endIndex])
    self.start = bytes.distance(from: bytes.startIndex, to: start)
  }

  /// Everything behind the first word of a line.
  init(rest line: String, endingAt point: Int) {
    let before = Array(line.utf8.prefix(max(0, point)))
    let name = before.firstIndex { $0 != 0x20 }.flatMap { start in
      before[start...].firstIndex(of: 0x20)
    }
    let start = name.flatMap { end in before[end...].firstIndex { $0 != 0x20 } } ?? before.count
    text = String(decoding: before[start...], as: UTF8.self)
    self.start = start
  }

  /// Where a tag begins in a word of a text: at its start, or behind opening punctuation.
  static func tagStart(in word: String) -> String.Index? {
    let scalars = word.unicodeScalars
    guard let sign = scalars.firstIndex(where: { $0 == "#" || $0 == "@" }) else { return nil }
    return scalars[..<sign].allSatisfy(isOpening) ? sign : nil
  }

  private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: scalar == "\"" || scalar == "'"
    }
  }
}
