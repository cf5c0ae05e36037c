import TextLayout

/// The last line: the most important keys of the view, each with a word.
struct HintLine {
  private let hints: [Hint]
  /// The columns between two hints.
  private static let gap = 2
  /// The number of hints at the end of every screen: help and quit, or only quit.
  private let kept: Int

  private struct Hint {
    let sequence: KeySequence
    let keys: String
    let word: String

    var columns: Int { TextWidth.columns(of: keys) + 1 + TextWidth.columns(of: word) }
  }

  /// Makes the hints of a state.
  init(_ keys: KeyTable, _ state: State) {
    let isRange = state.marks.rangeStart != nil && state.pages.mode == .list
    let isMarked =
      !state.marks.numbers.isEmpty && state.pages.mode == .list && state.context == .list
    var shown =
      isRange || isMarked
      ? keys.markHints(isRange: isRange)
      : keys.hints(
        in: state.context, isTrash: state.list.scope.isTrash || state.journal.past != nil,
        isReadOnly: state.journal.isReadOnly, isPast: state.journal.past != nil)
    if state.pages.mode == .list, !isRange, !isMarked, !state.list.scope.filter.isBlank,
      let escape = keys.sequences(for: .escape, in: .list).first
    {
      shown.insert(KeyHint(sequence: escape, word: "clear filter"), at: 0)
    }
    if state.pages.mode == .reading, let pane = state.pane.reading, !pane.stops.isEmpty {
      let (action, word) = pane.stop == nil ? (Action.nextLink, "links") : (.followLink, "follow")
      if let sequence = keys.sequences(for: action, in: .reading).first {
        shown.insert(KeyHint(sequence: sequence, word: word), at: 0)
      }
    }
    hints = shown.map { Hint(sequence: $0.sequence, keys: $0.keys, word: $0.word) }
    kept = [.list, .trash, .reading].contains(state.context) && !isMarked && !isRange ? 2 : 1
  }

  /// Draws complete hints, as many as fit; help and quit come last, but always.
  func draw(row: Int, on canvas: inout Canvas) {
    var column = 0
    for hint in shown(columns: canvas.width) {
      column += canvas.draw(hint.keys, at: column, row: row, style: Style(.hint, bold: true)) + 1
      column +=
        canvas.draw(hint.word, at: column, row: row, style: Style(.hint, dim: true)) + Self.gap
    }
  }

  /// The keys of the hint at a column; nil between two hints.
  func keys(atColumn column: Int, columns: Int) -> KeySequence? {
    var start = 0
    for hint in shown(columns: columns) {
      if start..<start + hint.columns ~= column { return hint.sequence }
      start += hint.columns + Self.gap
    }
    return nil
  }

  private func shown(columns: Int) -> [Hint] {
    let last = hints.suffix(kept)
    var room = columns + Self.gap - last.reduce(0) { $0 + $1.columns + Self.gap }
    var shown: [Hint] = []
    for hint in hints.dropLast(last.count) {
      room -= hint.columns + Self.gap
      if room < 0 { break }
      shown.append(hint)
    }
    return shown + last
  }
}

/// Short choices, side by side in as many lines as needed: a menu, completions.
struct Choices {
  /// A choice: the key or text, and a word about it.
  struct Item {
    var keys: String
    var word = ""
    /// Whether it is what there is now.
    var isCurrent = false

    /// The sign after a current choice.
    fileprivate static let sign = " ✓"

    var columns: Int {
      TextWidth.columns(of: keys) + (word.isEmpty ? 0 : 1 + TextWidth.columns(of: word))
        + (isCurrent ? TextWidth.columns(of: Self.sign) : 0)
    }
  }

  private let items: [Item]
  private static let gap = 2

  /// Makes choices in their order.
  init(_ items: [Item]) {
    self.items = items
  }

  /// The choices in lines of a maximum width; those beyond the maximum number of lines are replaced
  /// by a sign.
  func lines(columns: Int, atMost most: Int) -> [[Item]] {
    var lines: [[Item]] = []
    var used = columns
    for item in items {
      if lines.isEmpty || used + Self.gap + item.columns > columns {
        lines.append([])
        used = -Self.gap
      }
      lines[lines.count - 1].append(item)
      used += Self.gap + item.columns
    }
    guard lines.count > most, most > 0 else { return lines }
    return lines.prefix(most - 1) + [lines[most - 1].dropLast() + [Item(keys: "…")]]
  }

  /// Draws the choices in the rows before `row`, at most `most` of them.
  func draw(above row: Int, atMost most: Int, on canvas: inout Canvas) {
    let lines = lines(columns: canvas.width, atMost: most)
    for (index, line) in lines.enumerated() {
      let place = row - lines.count + index
      canvas.fill(CanvasRect(column: 0, row: place, width: canvas.width, height: 1))
      var column = 0
      for item in line {
        column += canvas.draw(item.keys, at: column, row: place, style: Style(.hint, bold: true))
        if !item.word.isEmpty {
          column += 1
          column += canvas.draw(
            item.word, at: column, row: place, style: Style(.hint, dim: !item.isCurrent))
        }
        if item.isCurrent {
          column += canvas.draw(Item.sign, at: column, row: place, style: Style(.mark, bold: true))
        }
        column += Self.gap
      }
    }
  }
}
