import Journal

/// Scrolling through text: an entry, the help, the output of a command.
extension State {
  /// Scrolls the entry in the pane to a line, or to the nearest one without empty lines below the
  /// text.
  mutating func scrollPane(to line: Int) {
    guard let lines = pane.reading?.lines else { return }
    let offset = clamped(line, of: lines)
    pane.reading?.offset = offset
    // Enter follows a link that one sees.
    if let stop = pane.reading?.stop, !isVisible(stop) { pane.reading?.stop = nil }
  }

  /// The first visible line after a movement.
  func scrolled(_ offset: Int, of lines: Int, _ movement: Movement, _ count: Int?) -> Int {
    let line = movement.line(from: offset, of: lines, height: layout.paneLines.count, count: count)
    return clamped(line, of: lines)
  }

  /// The nearest first line without empty lines below a text that is long enough.
  func clamped(_ offset: Int, of lines: Int) -> Int {
    max(0, min(offset, lines - layout.paneLines.count))
  }

  /// The position in a text, for the status line.
  func percent(_ offset: Int, of lines: Int) -> String {
    let room = lines - layout.paneLines.count
    guard room > 0 else { return "all" }
    return offset == 0 ? "top" : offset >= room ? "end" : "\(offset * 100 / room)%"
  }
}

extension Movement {
  /// The line that a movement leads to, possibly before the first or after the last one.
  ///
  /// - Parameters:
  ///   - lines: the number of lines.
  ///   - height: the number of visible lines.
  ///   - count: the typed count; `nil` without one.
  func line(from line: Int, of lines: Int, height: Int, count: Int?) -> Int {
    let times = count ?? 1
    return switch self {
    case .down: line + times
    case .up: line - times
    case .halfPageDown: line + times * max(1, height / 2)
    case .halfPageUp: line - times * max(1, height / 2)
    case .pageDown: line + times * max(1, height - 2)
    case .pageUp: line - times * max(1, height - 2)
    case .first: times - 1
    case .last: (count ?? lines) - 1
    case .left, .right, .previousSection, .nextSection: line
    }
  }
}
