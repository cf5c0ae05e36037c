import TextLayout

/// The screen that asks for a passphrase: its title, its input, and nothing of the
/// journal.
///
/// The typed passphrase is not shown, not even its length.
package struct SecretPicture: Equatable {
  package var title: String
  /// Explanations, a paragraph each.
  package var lines: [String]
  /// The label of the input.
  package var label: String
  /// Why the last answer was not taken.
  package var problem: String?
  /// The action of Enter.
  package var enter: String
  /// Whether an answer is being checked, which takes half a second.
  package var isChecking = false

  package init(
    title: String, lines: [String], label: String, problem: String?, enter: String = "open"
  ) {
    (self.title, self.lines, self.label, self.problem) = (title, lines, label, problem)
    self.enter = enter
  }

  /// The longest line, in columns.
  private static let width = 60

  /// The frame for a screen of this size, with the cursor where the answer is typed.
  package func frame(of size: Size) -> Frame {
    var canvas = Canvas(width: size.columns, height: size.lines)
    let width = max(1, min(Self.width, size.columns - 4))
    let column = max(0, (size.columns - width) / 2)
    let text = lines.flatMap { $0.wrapped(columns: width) + [""] }
    let note = isChecking ? "…" : problem ?? ""
    let height = 2 + text.count + 4
    // A screen too low for all keeps the field, and the beginning of the text.
    var row = max(0, (size.lines - height) / 2)
    canvas.draw(title, at: column, row: row, width: width, style: Style(.header, bold: true))
    row += 2
    let field = max(row, min(row + text.count, size.lines - 3))
    for line in text where row < field {
      canvas.draw(line, at: column, row: row, width: width)
      row += 1
    }
    let fieldRow = min(field, max(0, size.lines - 1))
    let drawn = canvas.draw(
      "\(label): ", at: column, row: fieldRow, width: width, style: Style(.prompt, bold: true))
    canvas.draw(
      note, at: column, row: fieldRow + 1, width: width,
      style: Style(problem == nil ? .hint : .error))
    canvas.draw(
      "Enter  \(enter)    Esc  leave", at: column, row: fieldRow + 3, width: width,
      style: Style(.hint))
    return Frame(
      canvas: canvas,
      cursor: CursorPosition(row: fieldRow, column: min(column + drawn, max(0, size.columns - 1))))
  }
}
