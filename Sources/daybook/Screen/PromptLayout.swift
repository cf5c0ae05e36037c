import TerminalUI

/// The prompt's label and text, broken into lines, and the place of the cursor in them.
struct PromptLayout {
  /// The lines, at least one.
  private(set) var lines: [[Cluster]] = []
  /// The line of the cursor, from 0.
  private(set) var cursorLine = 0
  /// The column of the cursor, from 0.
  private(set) var cursorColumn = 0

  /// Lays out a prompt.
  ///
  /// - Parameters:
  ///   - point: where the cursor stands, in UTF-8 bytes of the text.
  ///   - columns: the width of the screen.
  init(label: String, text: String, point: Int, columns: Int) {
    var prefix = Sanitizer.line(label)
    var start = -label.utf8.count
    for line in Sanitizer.bodyLines(text) {
      for piece in TextLayout.wrap(prefix + line, columns: columns) {
        let length = piece.reduce(0) { $0 + $1.sourceLength }
        // The last piece that starts at or before the cursor is the one it stands in.
        if start <= point || lines.isEmpty {
          cursorLine = lines.count
          cursorColumn = TextLayout.column(atByte: point - start, in: piece)
        }
        start += length
        lines.append(piece)
      }
      prefix = []
      start += Self.breakLength(in: text, at: start)
    }
    moveBehindFullLine(columns)
  }

  /// A cursor behind a full line stands at the beginning of the next one, as in a terminal.
  private mutating func moveBehindFullLine(_ columns: Int) {
    guard cursorColumn >= columns else { return }
    cursorColumn = 0
    cursorLine += 1
    if cursorLine >= lines.count { lines.append([]) }
  }

  /// How many bytes the line break at a byte of the text has.
  private static func breakLength(in text: String, at offset: Int) -> Int {
    let rest = text.utf8.dropFirst(max(0, offset))
    switch rest.first {
    case 0x0D: return rest.dropFirst().first == 0x0A ? 2 : 1
    case 0xE2: return 3
    default: return 1
    }
  }
}
