import Journal

/// Scrolling through text: an entry, the help, the output of a command.
extension State {
  /// Scrolls the entry in the pane to a line, or to the nearest one without empty lines below the
  /// text.
  mutating func scrollPane(to line: Int) {
    guard let lines = pane?.lines else { return }
    let offset = clamped(line, of: lines)
    pane?.offset = offset
  }

  /// The first visible line after a movement.
  func scrolled(_ offset: Int, of lines: Int, _ movement: Movement, _ count: Int?) -> Int {
    let height = layout.main.count
    let times = count ?? 1
    let target: Int =
      switch movement {
      case .down: offset + times
      case .up: offset - times
      case .halfPageDown: offset + times * max(1, height / 2)
      case .halfPageUp: offset - times * max(1, height / 2)
      case .pageDown: offset + times * max(1, height - 2)
      case .pageUp: offset - times * max(1, height - 2)
      case .first: (count ?? 1) - 1
      case .last: count.map { $0 - 1 } ?? lines
      case .left, .right, .previousSection, .nextSection: offset
      }
    return clamped(target, of: lines)
  }

  /// The nearest first line without empty lines below a text that is long enough.
  func clamped(_ offset: Int, of lines: Int) -> Int {
    max(0, min(offset, lines - layout.main.count))
  }

  /// The position in a text, for the status line.
  func percent(_ offset: Int, of lines: Int) -> String {
    let room = lines - layout.main.count
    guard room > 0 else { return "all" }
    return offset == 0 ? "top" : offset >= room ? "end" : "\(offset * 100 / room)%"
  }
}
