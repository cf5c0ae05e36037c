/// The help screen at a width: what is too long for its column goes on in the next line.
public struct HelpLayout: Equatable, Sendable {
  /// The lines; those that go on have no keys.
  public let lines: [HelpLine]
  /// The columns before the keys.
  public let indent: Int
  /// The column at which the words begin.
  public let column: Int

  /// Lays the help of a table out.
  ///
  /// - Parameter columns: the width of the screen.
  public init(_ table: KeyTable, columns: Int) {
    let lines = table.helpLines()
    indent = columns >= 30 ? 2 : 0
    let widest = lines.map(Self.keyColumns).max() ?? 0
    column = min(widest + indent + 2, columns / 2)
    let room = max(1, columns - column)
    self.lines = lines.flatMap { line -> [HelpLine] in
      guard case .keys(let keys, let text) = line else { return [line] }
      return Self.wrap(text, columns: room).enumerated().map { index, part in
        .keys(index == 0 ? keys : "", part)
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
