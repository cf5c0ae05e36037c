import Journal
import TextLayout

/// The line above the footer: the last message, else the keys of the open prompt, else the journal
/// and the list's scope; at its end work, marks, pending keys, and the position.
package struct StatusLine {
  private let state: State
  private let showsPlace: Bool

  /// Makes the status line of a state.
  ///
  /// - Parameter showsPlace: Whether to show the position at its end.
  package init(
    _ state: State, showsPlace: Bool = true
  ) {
    self.state = state
    self.showsPlace = showsPlace
  }

  /// Draws it over a whole row.
  package func draw(row: Int, on canvas: inout Canvas) {
    let failed = state.status?.kind == .failed
    let style = Style(failed ? .error : .status, bold: failed, reverse: true)
    if failed, drawLong(row: row, style, on: &canvas) { return }
    canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1), style: style)
    let right = showsPlace ? right(columns: canvas.width - 17) : ""
    let rightColumns = TextWidth.columns(of: right)
    let room = canvas.width - 2 - (right.isEmpty ? 0 : rightColumns + 2)
    if state.status == nil, let prompt = state.prompt {
      PromptHints(prompt, stays: state.keepsPrompt)
        .draw(at: 1, row: row, columns: room, style: style, on: &canvas)
    } else {
      drawLeft(columns: room, row: row, style, on: &canvas)
    }
    if !right.isEmpty {
      canvas.draw(right, at: canvas.width - rightColumns - 1, row: row, style: style)
    }
  }

  private func drawLeft(columns: Int, row: Int, _ style: Style, on canvas: inout Canvas) {
    var column = 1
    var parts = state.status == nil ? parts : [Part(left)]
    // The list's scope has priority over the journal's name.
    let wanted = parts.reduce(-2) { $0 + 2 + TextWidth.columns(of: $1.text) }
    if wanted > columns, parts.count > 1 { parts.removeFirst() }
    for part in parts {
      if column > 1 { column += 2 }
      let text = TextFit.cut(part.text, columns: max(0, columns + 1 - column))
      column += canvas.draw(
        text, at: column, row: row,
        style: part.isFilter ? Style(.match, bold: true, reverse: true) : style)
    }
  }

  /// Draws an error over several lines if one is too short, since it must be readable completely.
  ///
  /// - Returns: whether it did.
  private func drawLong(row: Int, _ style: Style, on canvas: inout Canvas) -> Bool {
    let most = min(3, row + 1)
    let lines = TextFit.wrap(Sanitizer.line(left), columns: max(1, canvas.width - 2))
    guard lines.count > 1, most > 1 else { return false }
    let shown = lines.prefix(most)
    for (index, line) in shown.enumerated() {
      let place = row - shown.count + 1 + index
      canvas.fill(CanvasRect(column: 0, row: place, width: canvas.width, height: 1), style: style)
      let isCut = index == most - 1 && lines.count > most
      canvas.draw(
        isCut ? TextFit.cut(line + [TextFit.ellipsis], columns: canvas.width - 2) : line,
        at: 1, row: place, width: canvas.width - 2, style: style)
    }
    return true
  }

  private var left: String {
    if let text = state.status?.text { return text }
    return state.mode.page?.title(in: state) ?? state.journal
  }

  /// A part of the line; two blanks separate parts.
  private struct Part {
    var text: String
    /// Whether it is the filter, which has another style.
    var isFilter = false

    init(_ text: String, isFilter: Bool = false) {
      self.text = text
      self.isFilter = isFilter
    }
  }

  /// The journal and the list's scope, if the current view shows the list's entries.
  private var parts: [Part] {
    if let title = state.mode.page?.title(in: state) { return [Part(title)] }
    let scope = state.scope
    let filter =
      scope.filter.allSatisfy(\.isWhitespace)
      ? [] : [Part("filter: \(scope.filter)", isFilter: true)]
    return [Part(state.journal)] + (state.isReadOnly ? [Part("read-only")] : [])
      + (scope.isTrash ? [Part("trash")] : []) + filter
      + scope.arrangement.map { Part($0) }
  }

  /// The end of the line; without enough room the first parts are dropped, the position last.
  private func right(columns: Int) -> String {
    var parts = [state.work.map { "\($0)…" }, marked, search, keys, place].compactMap(\.self)
    while parts.count > 1, width(parts) > columns { parts.removeFirst() }
    return width(parts) <= columns ? parts.joined(separator: "  ") : ""
  }

  private func width(_ parts: [String]) -> Int {
    TextWidth.columns(of: parts.joined(separator: "  "))
  }

  private var marked: String? {
    if state.rangeStart != nil { return "range" }
    return state.marks.isEmpty ? nil : "\(state.marks.count) marked"
  }

  /// The search and, if known, the position of the current match among all matches.
  private var search: String? {
    guard state.prompt == nil else { return nil }
    if let lines = state.pageLines {
      guard let search = state.pageSearch, !search.text.isEmpty else { return nil }
      let matches = search.matches(in: lines)
      let index = search.line.flatMap { matches.firstIndex(of: $0) }
      return words(of: search.text, index.map { ($0 + 1, matches.count) })
    }
    guard let search = state.search, !search.text.isEmpty else { return nil }
    let place = search.place.flatMap { place in
      place.generation == state.list.generation && place.path == state.list.selection?.path
        ? (place.index, place.count) : nil
    }
    return words(of: search.text, place)
  }

  private func words(of text: String, _ place: (index: Int, count: Int)?) -> String {
    let shown = text.count > 20 ? text.prefix(19) + "…" : text[...]
    return "/\(shown)" + (place.map { " \($0.index)/\($0.count)" } ?? "")
  }

  private var keys: String? {
    let pending = state.pending
    if pending.isEmpty { return nil }
    return (pending.count.map(String.init) ?? "") + KeyTable.display(pending.sequence)
  }

  private var place: String? {
    if let page = state.mode.page { return page.position(in: state) }
    guard state.mode == .reading else { return listPlace }
    return state.pane.map { state.percent($0.offset, of: $0.lines) }
  }

  /// The number of entries in the list, and the position of the selected one.
  ///
  /// By tag an entry has one row per tag: there the position is the one in the section.
  private var listPlace: String {
    if state.scope.sectioning == .tag {
      guard let selection = state.list.selection else {
        return "\(state.list.sections.count) sections"
      }
      let section = state.list.sections[selection.section]
      let name = section.key.isEmpty ? "untagged" : Tag.typed(section.key)
      return selection.path.map { "\($0.row + 1)/\(section.count) \(name)" }
        ?? "\(section.count) \(name)"
    }
    let total = state.list.rowCount
    guard let path = state.list.selection?.path else {
      return Numbers.entries(total)
    }
    let before = state.list.sections[..<path.section].reduce(0) { $0 + $1.count }
    return "\(before + path.row + 1)/\(total)"
  }
}
