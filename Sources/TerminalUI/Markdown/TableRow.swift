/// Reads the lines of tables.
enum TableRow {
  /// The cells of a row, without the white space around them; at least one.
  static func cells(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let line = bytes.trimmed(range)
    var cells: [Range<Int>] = []
    var start = line.lowerBound
    var index = start
    while index < line.upperBound {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
      } else if bytes[index] == UInt8(ascii: "|") {
        if index > line.lowerBound { cells.append(bytes.trimmed(start..<index)) }
        start = index + 1
      }
      index += 1
    }
    let last = bytes.trimmed(start..<line.upperBound)
    if !last.isEmpty || cells.isEmpty { cells.append(last) }
    return cells
  }

  /// The alignments that a line such as `|:--|--:|` asks for; nil when it is another line.
  static func alignments(
    _ bytes: [UInt8], _ range: Range<Int>
  ) -> [MarkdownBlock.Alignment]? {
    let allowed = bytes[range].allSatisfy { $0.isBlank || "|:-".utf8.contains($0) }
    guard allowed, bytes[range].contains(UInt8(ascii: "|")) else { return nil }
    var alignments: [MarkdownBlock.Alignment] = []
    for cell in cells(bytes, range) {
      guard let alignment = alignment(bytes[cell]) else { return nil }
      alignments.append(alignment)
    }
    return alignments
  }

  private static func alignment(_ cell: ArraySlice<UInt8>) -> MarkdownBlock.Alignment? {
    let colon = UInt8(ascii: ":")
    let begins = cell.first == colon
    let dashes = cell.dropFirst(begins ? 1 : 0)
    let ends = dashes.last == colon
    let middle = dashes.dropLast(ends ? 1 : 0)
    guard !middle.isEmpty, middle.allSatisfy({ $0 == UInt8(ascii: "-") }) else { return nil }
    return ends ? (begins ? .center : .right) : .left
  }
}
