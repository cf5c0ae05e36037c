import TextLayout

/// Links for the terminal (OSC 8), which it opens by a click of its own.
extension TerminalPainter {
  /// The bytes that write the cells of a link at their place, as a link or as plain text.
  ///
  /// - Returns: nothing if the cells cannot be written so.
  mutating func bytes(of canvas: Canvas, _ link: CanvasLink, isLink: Bool) -> [UInt8] {
    guard let (place, text) = bytes(of: canvas, row: link.row, link.columns) else { return [] }
    guard isLink else { return place + text }
    return place + TerminalFeature.links.on + Self.encoded(link.address) + Self.end + text
      + TerminalFeature.links.off
  }

  /// The bytes that go to the place of some cells, and those that write them.
  ///
  /// - Returns: `nil` if the cells cannot be written so.
  mutating func bytes(
    of canvas: Canvas, row: Int, _ columns: Range<Int>
  ) -> (place: [UInt8], text: [UInt8])? {
    let cells = canvas[row: row]
    let columns = columns.clamped(to: 0..<cells.count)
    // The terminal has no half of a wide character.
    guard !columns.isEmpty, cells[cells.startIndex + columns.lowerBound].columns > 0,
      let text = bytes(of: cells.dropFirst(columns.lowerBound).prefix(columns.count))
    else { return nil }
    return (Array("\u{1B}[\(row + 1);\(columns.lowerBound + 1)H".utf8), text)
  }

  private static let end = Array("\u{1B}\\".utf8)

  /// An address in the characters that OSC 8 allows: all others are percent-encoded.
  static func encoded(_ address: String) -> [UInt8] {
    address.utf8.flatMap { byte -> [UInt8] in
      guard !(0x21...0x7E).contains(byte) else { return [byte] }
      let digits = Array("0123456789ABCDEF".utf8)
      return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
}
