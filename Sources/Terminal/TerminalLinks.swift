import TextLayout

/// Links for the terminal (OSC 8), which it opens by a click of its own.
extension TerminalPainter {
  /// The bytes that write the cells of a link at their place, as a link or as plain text.
  ///
  /// - Returns: nothing if the cells cannot be written so.
  mutating func bytes(of canvas: Canvas, _ link: CanvasLink, isLink: Bool) -> [UInt8] {
    let row = canvas[row: link.row]
    let columns = link.columns.clamped(to: 0..<row.count)
    // The terminal has no half of a wide character.
    guard !columns.isEmpty, row[row.startIndex + columns.lowerBound].columns > 0,
      let text = bytes(of: row.dropFirst(columns.lowerBound).prefix(columns.count))
    else { return [] }
    let place = "\u{1B}[\(link.row + 1);\(columns.lowerBound + 1)H"
    guard isLink else { return Array(place.utf8) + text }
    return Array(place.utf8) + TerminalFeature.links.on + Self.encoded(link.address) + Self.end
      + text
      + TerminalFeature.links.off
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
