import Journal
import JournalApp
import SectionedResults
import TerminalUI

/// A screen ready to be shown: cells, and where the cursor stands if it is to be seen.
struct Picture: Equatable {
  var canvas: Canvas
  var cursor: CursorPosition?
}

/// Draws the state: a function of it and of the rows it shows.
final class ScreenRenderer {
  private let keys: KeyTable
  private let dates: DateStyle
  private let row: (RowPath) -> EntryRow?
  private var cached: (entry: Entry, columns: Int, layout: EntryLayout)?

  /// Makes a renderer that asks for the rows it shows.
  init(
    keys: KeyTable = .standard, dates: DateStyle = DateStyle(names: .ofUser),
    row: @escaping (RowPath) -> EntryRow?
  ) {
    self.keys = keys
    self.dates = dates
    self.row = row
  }

  /// Draws the whole screen.
  func picture(of state: State) -> Picture {
    var canvas = Canvas(width: state.size.columns, height: state.size.lines)
    let layout = state.layout
    drawMain(state, layout.main, on: &canvas)
    if let line = layout.status.first { StatusLine(state).draw(row: line, on: &canvas) }
    guard let prompt = state.prompt else {
      if let line = layout.foot.first { drawHints(state, row: line, on: &canvas) }
      return Picture(canvas: canvas, cursor: nil)
    }
    let cursor = drawPrompt(prompt, layout.foot, on: &canvas)
    return Picture(canvas: canvas, cursor: cursor)
  }

  /// An entry as lines at a width; kept until another one is asked for.
  func layout(of entry: Entry, columns: Int) -> EntryLayout {
    if let cached, cached.columns == columns, cached.entry == entry,
      cached.entry.text.utf8.elementsEqual(entry.text.utf8)
    {
      return cached.layout
    }
    let layout = EntryLayout(entry, columns: columns, dates: dates)
    cached = (entry, columns, layout)
    return layout
  }
}

// MARK: - Parts

extension ScreenRenderer {
  private func drawMain(_ state: State, _ rows: Range<Int>, on canvas: inout Canvas) {
    switch state.mode {
    case .list where state.list.sections.isEmpty: drawGreeting(rows, on: &canvas)
    case .list:
      let rect = CanvasRect(
        column: 0, row: rows.lowerBound, width: canvas.width, height: rows.count)
      let content = ListRows(list: state.list, today: state.today, dates: dates, entry: row)
      SectionedListView.draw(list: state.list, in: rect, on: &canvas, content: content)
    case .reading(let reading): drawEntry(reading, rows, on: &canvas)
    case .help(let offset): drawHelp(offset, rows, on: &canvas)
    }
  }

  private func drawGreeting(_ rows: Range<Int>, on canvas: inout Canvas) {
    guard let row = rows.first else { return }
    let key = keys.sequences(for: .newEntry, in: .list).first.map(KeyTable.display) ?? ":add"
    let words = TextLayout.wrap(
      Sanitizer.line("This journal is empty. Press \(key) to write the first entry."),
      columns: canvas.width)
    for (index, line) in words.prefix(rows.count).enumerated() {
      canvas.draw(line, at: 0, row: row + index)
    }
  }

  private func drawEntry(_ reading: Reading, _ rows: Range<Int>, on canvas: inout Canvas) {
    let lines = layout(of: reading.entry, columns: canvas.width).lines
    for (row, index) in zip(rows, reading.offset..<max(reading.offset, lines.count)) {
      let style = index == 0 ? Style(.header, bold: true) : Style()
      canvas.draw(lines[index], at: 0, row: row, style: style)
    }
  }

  private func drawHelp(_ offset: Int, _ rows: Range<Int>, on canvas: inout Canvas) {
    let lines = keys.help()
    let widest = lines.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    let column = min(widest + 2, canvas.width / 2)
    for (row, line) in zip(rows, lines.dropFirst(offset)) {
      canvas.draw(line.keys, at: 0, row: row, width: column - 1, style: Style(.header, bold: true))
      canvas.draw(TextLayout.cut(line.text, columns: canvas.width - column), at: column, row: row)
    }
  }

  /// Whole hints only, as many as fit; how to get help and out last of all, but always.
  private func drawHints(_ state: State, row: Int, on canvas: inout Canvas) {
    let all = keys.hints(in: state.mode.context)
    let last = all.suffix(2)
    var room = canvas.width - last.reduce(0) { $0 + TextWidth.columns(of: $1) + 2 } + 2
    var shown: [String] = []
    for hint in all.dropLast(last.count) {
      room -= TextWidth.columns(of: hint) + 2
      if room < 0 { break }
      shown.append(hint)
    }
    let text = (shown + last).joined(separator: "  ")
    canvas.draw(
      TextLayout.cut(text, columns: canvas.width), at: 0, row: row, style: Style(.hint, dim: true))
  }

  private func drawPrompt(
    _ prompt: PromptState, _ rows: Range<Int>, on canvas: inout Canvas
  ) -> CursorPosition {
    let layout = PromptView.layout(
      line: prompt.text, point: prompt.point, label: prompt.label, width: canvas.width,
      maxLines: rows.count)
    for (row, line) in zip(rows, layout.lines) {
      canvas.draw(line, at: 0, row: row, style: Style(.prompt))
    }
    return CursorPosition(row: rows.lowerBound + layout.cursor.row, column: layout.cursor.column)
  }
}
