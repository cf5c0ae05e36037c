import Journal
import SectionedResults
import TextLayout

/// The bar with the journal, the scope of the list or the title of the page, and the position: the
/// header line, or the status line of a low screen.
struct TitleBar {
  private let state: State
  /// The notes before the position, on a screen without a header line.
  private let notes: [String]

  init(_ state: State, notes: [String] = []) {
    self.state = state
    self.notes = notes
  }

  /// A part of the line.
  private struct Part {
    var text: String
    var style = Style(.status, reverse: true)
  }

  /// Draws it over a whole row.
  func draw(row: Int, on canvas: inout Canvas) {
    let style = Style(.status, reverse: true)
    canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1), style: style)
    let right = right(columns: canvas.width - 17)
    let rightColumns = TextWidth.columns(of: right)
    drawParts(columns: room(canvas.width), row: row, on: &canvas)
    if !right.isEmpty {
      canvas.draw(right, at: canvas.width - rightColumns - 1, row: row, style: style)
    }
  }

  private func drawParts(columns: Int, row: Int, on canvas: inout Canvas) {
    for (part, start) in placed(columns: columns) {
      let text = TextFit.cut(part.text, columns: max(0, columns + 1 - start))
      canvas.draw(text, at: start, row: row, style: part.style)
    }
  }

  /// The parts with their first columns.
  private func placed(columns: Int) -> [(part: Part, start: Int)] {
    var parts = parts
    // The list's scope has priority over the journal's name.
    let wanted = parts.reduce(-2) { $0 + 2 + TextWidth.columns(of: $1.text) }
    if wanted > columns, parts.count > 1 { parts.removeFirst() }
    var column = 1
    return parts.map { part in
      let start = column
      column += min(TextWidth.columns(of: part.text), max(0, columns + 1 - start)) + 2
      return (part, start)
    }
  }

  /// Whether a column of the line shows the filter.
  func isFilter(column: Int, width: Int) -> Bool {
    placed(columns: room(width)).contains { part, start in
      part.style.role == .filter && part.text.hasPrefix(Self.filterMark)
        && (start..<start + TextWidth.columns(of: part.text)).contains(column)
    }
  }

  /// The columns for the parts.
  private func room(_ width: Int) -> Int {
    let right = TextWidth.columns(of: right(columns: width - 17))
    return width - 2 - (right == 0 ? 0 : right + 2)
  }

  /// The journal, then the title of the page, or the list's scope if the view shows its entries.
  private var parts: [Part] {
    let name = Part(text: journalName, style: Style(.status, bold: true, reverse: true))
    if let title = state.pages.mode.page?.title(in: state) {
      return [name] + past + [Part(text: title)]
    }
    let scope = state.list.scope
    let filter =
      scope.filter.allSatisfy(\.isWhitespace)
      ? []
      : [Part(text: "\(Self.filterMark)\(scope.filter) ", style: Style(.filter, reverse: true))]
    return [name] + past
      + (state.journal.isReadOnly && state.journal.past == nil ? [Part(text: "read-only")] : [])
      + (scope.isTrash ? [Part(text: "trash")] : []) + filter
      + scope.arrangement.map { Part(text: $0) }
  }

  private static let filterMark = " filter: "

  /// The moment of the past that is shown.
  private var past: [Part] {
    state.journal.past.map { moment in
      let text = " as of \(state.dates.shortText(of: moment)) "
      return [Part(text: text, style: Style(.filter, reverse: true))]
    } ?? []
  }

  /// The name without the extension of an SQLite journal.
  private var journalName: String {
    let ending = ".sqlite"
    let name = state.journal.name
    return name.hasSuffix(ending) && name.count > ending.count
      ? String(name.dropLast(ending.count)) : name
  }

  /// The end of the line; without enough room the first parts are dropped, the position last.
  private func right(columns: Int) -> String {
    var parts = notes + (state.sync?.parts ?? []) + [place].compactMap(\.self)
    while parts.count > 1, StatusLine.columns(of: parts) > columns { parts.removeFirst() }
    return StatusLine.columns(of: parts) <= columns ? parts.joined(separator: "  ") : ""
  }

  private var place: String? {
    if let page = state.pages.mode.page { return page.position(in: state) }
    guard state.pages.mode == .reading else { return listPlace }
    return state.pane.reading.map { state.percent($0.offset, of: $0.lines) }
  }

  /// The number of entries in the list, and the position of the selected one.
  ///
  /// By tag an entry has one row per tag: there the position is the one in the section.
  private var listPlace: String {
    if state.list.scope.grouping == .tag {
      guard let selection = state.list.widget.selection else {
        return "\(state.list.widget.sections.count) sections"
      }
      let section = state.list.widget.sections[selection.section]
      let name = section.key.isEmpty ? "untagged" : Tag.typed(section.key)
      let count = Numbers.grouped(section.count)
      return selection.path.map { "\(Numbers.grouped($0.row + 1)) of \(count) \(name)" }
        ?? "\(count) \(name)"
    }
    // Entries of this day in other years are in the list a second time.
    let second = state.list.widget.sectionOfOtherYears
    let secondCount = second.map { state.list.widget.sections[$0].count } ?? 0
    let total = state.list.widget.rowCount - secondCount
    guard let path = state.list.widget.selection?.path else { return Numbers.entries(total) }
    if path.section == second { return "\(path.row + 1) of \(secondCount) on this day" }
    let isAfter = second.map { $0 < path.section } ?? false
    let place = state.list.widget.rowCount(before: path.section) + path.row + 1
    return "\(Numbers.grouped(place - (isAfter ? secondCount : 0))) of \(Numbers.grouped(total))"
  }
}

extension ListWidget {
  /// The section with entries of this day in other years.
  var sectionOfOtherYears: Int? {
    let key = Grouping.onThisDayKey
    // Each key of a person does this: the lengths differ from those of days.
    return sections.firstIndex { section in
      section.key.utf8.count == key.utf8.count && section.key == key
    }
  }
}
