/// The help screen at a width: keys and words too long for their column go on in the next line.
public struct HelpLayout: Equatable, Sendable {
  /// The lines.
  public let lines: [HelpLine]
  /// The columns before the keys.
  public let indent: Int
  /// The column at which the words begin.
  public let column: Int
  /// The width it was made for.
  let columns: Int

  /// Makes an empty help, to be laid out when the width is known.
  init() {
    (lines, indent, column, columns) = ([], 0, 0, 0)
  }

  /// Lays the help of a table out.
  ///
  /// - Parameters:
  ///   - context: the view whose keys come first.
  ///   - columns: the width of the screen.
  public init(_ table: KeyTable, in context: KeyContext, columns: Int) {
    self.columns = columns
    let lines = table.helpLines(in: context)
    indent = columns >= 30 ? 2 : 0
    let widest = lines.map(Self.keyColumns).max() ?? 0
    // Keys leave at least half of a line to the words, and on narrow screens more.
    column = min(widest + indent + 2, columns / 2, max(columns / 3, 16))
    let room = max(1, columns - column)
    let keyRoom = max(1, column - indent - 1)
    self.lines = lines.flatMap { line -> [HelpLine] in
      guard case .keys(let keys, let text) = line else { return [line] }
      let keyLines = Self.wrap(keys, columns: keyRoom)
      let textLines = Self.wrap(text, columns: room)
      return (0..<max(keyLines.count, textLines.count)).map { index in
        .keys(
          index < keyLines.count ? keyLines[index] : "",
          index < textLines.count ? textLines[index] : "")
      }
    }
  }

  private static func keyColumns(_ line: HelpLine) -> Int {
    if case .keys(let keys, _) = line { keys.count } else { 0 }
  }

  /// The words of the help are plain ASCII, a column each.
  private static func wrap(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
