/// Lays a prompt out: the label, then the text, wrapped to grow up to some rows and then scrolled
/// so that the cursor stays in sight.
public enum PromptView {
  /// The rows of a prompt and its cursor.
  ///
  /// Rows break where they are full, between grapheme clusters, so that typing a space at the edge
  /// is seen; line feeds break too. The cursor stands at the first column of the cluster that
  /// holds the byte `point`, which is the width of all that comes before.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - point: The cursor in bytes of the text's UTF-8.
  ///   - label: What stands before the text.
  ///   - width: The columns of the screen.
  ///   - maxLines: The most rows to use.
  /// - Complexity: Independent of the length of the text, save for finding the window around the
  ///   cursor in its bytes.
  public static func layout(
    line: String, point: Int, label: String, width: Int, maxLines: Int
  ) -> PromptLayout {
    let height = max(maxLines, 1)
    let window = PromptWindow(line: line, point: point, lines: height, width: max(width, 1))
    var wrapper = wrapper(over: window, label, max(width, 1))
    return wrapper.layout(height: height)
  }

  /// The byte under the cursor when it moves some rows up or down, and the column it aims at.
  ///
  /// - Parameters:
  ///   - step: Rows, up if negative.
  ///   - column: The column to aim at; nil for the cursor's own.
  /// - Returns: Nil where there is no such row.
  static func point(
    in line: String, from point: Int, movedBy step: Int, column: Int?, label: String, width: Int
  ) -> (point: Int, column: Int)? {
    let width = max(width, 1)
    let window = PromptWindow(line: line, point: point, lines: abs(step) + 1, width: width)
    var wrapper = wrapper(over: window, label, width)
    let place = wrapper.place()
    let row = place.row + step
    guard wrapper.rows.indices.contains(row) else { return nil }
    let column = column ?? place.column
    return (window.start + wrapper.rows[row].offset(atColumn: column), column)
  }

  private static func wrapper(
    over window: PromptWindow, _ label: String, _ width: Int
  ) -> PromptWrapper {
    var wrapper = PromptWrapper(width: width, cursor: window.point)
    if window.isAtStart { wrapper.addLabel(Sanitizer.line(label)) }
    for text in window.lines { wrapper.add(Sanitizer.line(text)) }
    return wrapper
  }
}
