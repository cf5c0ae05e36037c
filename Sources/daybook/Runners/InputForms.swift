import Screen
import TextLayout

extension KeyEvent {
  /// The key, if it is one.
  var stroke: KeyStroke? {
    if case .stroke(let stroke) = self { stroke } else { nil }
  }
}

extension MouseEvent {
  /// The event in the screen's form.
  var action: MouseAction {
    switch kind {
    case .press: MouseAction(.click, column: column, line: row)
    case .drag: MouseAction(.drag, column: column, line: row)
    case .release: MouseAction(.release, column: column, line: row)
    case .wheelUp: MouseAction(.wheel(-3), column: column, line: row)
    case .wheelDown: MouseAction(.wheel(3), column: column, line: row)
    }
  }
}
