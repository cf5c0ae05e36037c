import Journal
import TextLayout

/// The line above the footer: the last message, else the keys of the open prompt; at its end the
/// running work, the marks, the search and pending keys.
///
/// On a screen without a header line it has the contents of the ``TitleBar`` while there is no message;
/// there a success is shown in place of the hints, if there are some.
package struct StatusLine {
  private let state: State
  private let isBusy: Bool

  /// Makes the status line of a state.
  ///
  /// - Parameter isBusy: Whether the message needs the whole line, since the journal is locked.
  package init(_ state: State, isBusy: Bool = false) {
    self.state = state
    self.isBusy = isBusy
  }

  /// Draws it over a whole row.
  package func draw(row: Int, on canvas: inout Canvas) {
    if let status = state.status { return draw(status, row: row, on: &canvas) }
    if let prompt = state.prompt.open {
      return state.layout.keys.isEmpty
        ? draw(PromptHints(prompt, stays: state.prompt.reopens), row: row, on: &canvas)
        : drawBorder(row: row, on: &canvas)
    }
    if state.layout.header.isEmpty {
      return TitleBar(state, notes: notes).draw(row: row, on: &canvas)
    }
    canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1))
    _ = drawNotes(row: row, style: Style(.hint), on: &canvas)
  }

  /// Draws the border between the list and the open prompt.
  private func drawBorder(row: Int, on canvas: inout Canvas) {
    let style = Style(.hint, dim: true)
    canvas.draw(String(repeating: "─", count: canvas.width), at: 0, row: row, style: style)
    let columns = Self.columns(of: notes)
    guard columns > 0, columns < canvas.width - 4 else { return }
    canvas.draw(
      " \(notes.joined(separator: "  ")) ", at: canvas.width - columns - 4, row: row,
      style: Style(.hint))
  }

  private func draw(_ hints: PromptHints, row: Int, on canvas: inout Canvas) {
    let style = Style(.status, reverse: true)
    canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1), style: style)
    let room = drawNotes(row: row, style: style, on: &canvas)
    hints.draw(at: 1, row: row, columns: room, style: style, on: &canvas)
  }

  /// Draws a message; an error takes several lines if one is too short, since it must be readable
  /// completely.
  private func draw(_ status: Status, row: Int, on canvas: inout Canvas) {
    let isDone = status.kind == .done
    let style = Style(isDone ? .changed : .error, bold: !isDone)
    let columns = max(1, canvas.width - 2)
    if !isDone, TextFit.columns(of: Sanitizer.line(status.text)) > columns, row > 0 {
      return Self.draw(failure: status.text, above: row + 1, on: &canvas)
    }
    canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1), style: style)
    let room = isBusy ? columns : drawNotes(row: row, style: Style(.hint), on: &canvas)
    canvas.draw(TextFit.cut(status.text, columns: room), at: 1, row: row, style: style)
  }

  /// Draws an error in as many of the rows before `end` as it needs, at most three.
  static func draw(failure text: String, above end: Int, on canvas: inout Canvas) {
    let style = Style(.error, bold: true)
    let columns = max(1, canvas.width - 2)
    let lines = TextFit.wrap(Sanitizer.line(text), columns: columns)
    let shown = lines.prefix(min(3, end))
    for (line, row) in zip(shown, (end - shown.count)...) {
      canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1), style: style)
      let isCut = row == end - 1 && lines.count > shown.count
      canvas.draw(
        isCut ? TextFit.cut(line + [TextFit.ellipsis], columns: columns) : line,
        at: 1, row: row, width: columns, style: style)
    }
  }

  /// Draws the notes at the end of the line.
  ///
  /// - Returns: the columns left of them.
  private func drawNotes(row: Int, style: Style, on canvas: inout Canvas) -> Int {
    var shown = notes
    while shown.count > 1, Self.columns(of: shown) > canvas.width - 17 { shown.removeFirst() }
    let columns = Self.columns(of: shown)
    guard columns > 0, columns <= canvas.width - 17 else { return max(0, canvas.width - 2) }
    canvas.draw(
      shown.joined(separator: "  "), at: canvas.width - columns - 1, row: row, style: style)
    return canvas.width - columns - 4
  }

  static func columns(of parts: [String]) -> Int {
    TextWidth.columns(of: parts.joined(separator: "  "))
  }

  /// The running work, the marks, the search and pending keys.
  private var notes: [String] {
    [state.work.word.map { "\($0)…" }, marked, search, keys, written].compactMap(\.self)
  }

  /// The words of the open prompt, where no line below it has them.
  private var written: String? {
    state.layout.keys.isEmpty ? state.prompt.open?.countedWords : nil
  }

  private var marked: String? {
    if state.marks.rangeStart != nil { return "range" }
    return state.marks.numbers.isEmpty
      ? nil : "\(Numbers.grouped(state.marks.numbers.count)) marked"
  }

  /// The search and, if known, the position of the current match among all matches.
  private var search: String? {
    guard state.prompt.open == nil else { return nil }
    if let lines = state.pageLines {
      guard let search = state.pages.search, !search.text.isEmpty else { return nil }
      let matches = search.matches(in: lines)
      let index = search.line.flatMap { matches.firstIndex(of: $0) }
      return words(of: search.text, index.map { ($0 + 1, matches.count) })
    }
    guard let search = state.search, !search.text.isEmpty else { return nil }
    let place = search.place.flatMap { place in
      place.generation == state.list.widget.generation
        && place.path == state.list.widget.selection?.path
        ? (place.index, place.count) : nil
    }
    return words(of: search.text, place)
  }

  private func words(of text: String, _ place: (index: Int, count: Int)?) -> String {
    let shown = text.count > 20 ? text.prefix(19) + "…" : text[...]
    return "/\(shown)" + (place.map { " \($0.index)/\($0.count)" } ?? "")
  }

  private var keys: String? {
    let pending = state.pressed.pending
    if pending.isEmpty { return nil }
    return (pending.count.map(String.init) ?? "") + KeyTable.display(pending.sequence)
  }
}

extension State {
  /// Whether the last line has the hints of the view, as opposed to a prompt, a question or choices.
  var showsHints: Bool {
    prompt.open == nil && questions.question == nil && questions.conflict == nil
      && pressed.pending.isEmpty && context != .order
      && places.letterUse == nil
  }

  /// Whether a message is shown in place of the hints: on a screen without a header line a success does
  /// not cover the title.
  var showsMessageBelow: Bool {
    let layout = layout
    return status?.kind == .done && showsHints && layout.header.isEmpty && !layout.status.isEmpty
      && !layout.foot.isEmpty
  }
}
