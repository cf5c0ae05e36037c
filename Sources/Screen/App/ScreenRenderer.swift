import Journal
import SectionedResults
import TextLayout

/// A screen ready to be shown: cells, and the position of a visible cursor.
package struct Frame: Equatable {
  package var canvas: Canvas
  package var cursor: CursorPosition?

  package init(canvas: Canvas, cursor: CursorPosition?) {
    self.canvas = canvas
    self.cursor = cursor
  }
}

/// Draws the state: a pure function of it and of the rows in the list.
///
/// Between two frames it caches only data that is expensive to read: excerpts of texts, pictures, and
/// the days whose times need an offset.
package final class ScreenRenderer {
  package let keys: KeyTable
  private let row: (RowPath) -> EntryRow?
  private let total: (Int) -> String?
  private let daysWithSeveralOffsets: (Set<Day>) -> Set<Day>
  private var offsets: OffsetRule
  /// The days whose offsets were compared in a state of the list.
  private var compared: (scope: ListScope, generation: Int, days: Set<Day>)?
  /// The excerpts in rows.
  package let excerpts = Excerpts()
  /// The pictures in the reading pane.
  package let pictures = Pictures()

  /// Makes a renderer.
  ///
  /// - Parameters:
  ///   - keys: the key table for hints.
  ///   - offsets: the rule for times with a displayed offset.
  ///   - total: the sum or the mean of a field in a section; `nil` without values.
  ///   - daysWithSeveralOffsets: finds the days among these whose entries have several offsets.
  ///   - row: reads a row of the list; `nil` if the journal could not read it.
  package init(
    keys: KeyTable = .standard, offsets: OffsetRule = .never,
    total: @escaping (Int) -> String? = { _ in nil },
    daysWithSeveralOffsets: @escaping (Set<Day>) -> Set<Day> = { _ in [] },
    row: @escaping (RowPath) -> EntryRow?
  ) {
    self.keys = keys
    self.offsets = offsets
    self.total = total
    self.daysWithSeveralOffsets = daysWithSeveralOffsets
    self.row = row
  }

  /// Draws the whole screen.
  package func frame(of state: State) -> Frame {
    pictures.begin()
    var canvas = Canvas(width: state.environment.size.columns, height: state.environment.size.lines)
    let layout = state.layout
    if !layout.main.isEmpty { drawMain(state, layout, on: &canvas) }
    if let line = layout.header.first { TitleBar(state).draw(row: line, on: &canvas) }
    if let line = layout.status.first {
      var above = state
      // A question has its words above its keys, in as many lines as it needs.
      if state.showsMessageBelow || state.questions.conflict != nil && !layout.foot.isEmpty {
        above.status = nil
      }
      StatusLine(above).draw(row: line, on: &canvas)
    }
    drawCompletions(state, layout, on: &canvas)
    if let question = state.questions.question, let row = layout.foot.first {
      let cursor = draw(question, row: row, on: &canvas)
      return Frame(canvas: canvas, cursor: cursor)
    }
    guard let prompt = state.prompt.open else {
      drawHints(state, layout, on: &canvas)
      return Frame(canvas: canvas, cursor: nil)
    }
    let cursor = drawPrompt(
      prompt, misspelled: state.prompt.misspelled, layout.foot, on: &canvas)
    drawPromptKeys(prompt, state, layout, on: &canvas)
    return Frame(canvas: canvas, cursor: cursor)
  }
}

// MARK: - Parts

extension ScreenRenderer {
  private func drawMain(_ state: State, _ layout: Layout, on canvas: inout Canvas) {
    let whole = CanvasRect(
      column: 0, row: layout.main.lowerBound, width: canvas.width, height: layout.main.count)
    if let conflict = state.questions.conflict, let both = ConflictLayout(conflict, in: state) {
      return both.draw(conflict, state.dates, in: whole, on: &canvas)
    }
    if let page = state.pages.mode.page {
      if let text = page.emptyText(keys, in: state) { return draw(text, in: whole, on: &canvas) }
      page.draw(state, in: whole, on: &canvas)
      for placed in page.pictures(state, in: whole) { draw(placed, in: whole, on: &canvas) }
      return
    }
    learnOffsets(state)
    drawSidebar(state, layout, on: &canvas)
    drawList(state, layout, on: &canvas)
    drawPane(state, layout, on: &canvas)
  }

  /// Draws those rows of a picture that are inside a part of the screen.
  private func draw(_ placed: PlacedPicture, in rect: CanvasRect, on canvas: inout Canvas) {
    guard let pixels = pictures.pixels(placed.key) else { return }
    let (box, end) = (placed.key.box, rect.row + rect.height)
    for part in 0..<box.rows where placed.row + part < end {
      canvas.draw(
        PictureRow(hash: placed.key.hash, box: box, row: part), pixels, at: placed.column,
        row: placed.row + part, width: rect.column + rect.width - placed.column)
    }
  }

  /// Draws the sentence of a page without contents, wrapped.
  private func draw(_ text: String, in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = TextFit.wrap(Sanitizer.line(text), columns: rect.width)
    for (index, line) in lines.prefix(rect.height).enumerated() {
      canvas.draw(line, at: rect.column, row: rect.row + index)
    }
  }

  /// Finds the visible days with several offsets; each day is compared once per state of the list.
  private func learnOffsets(_ state: State) {
    guard state.list.scope.grouping.description.time != .date else { return }
    let list = state.list.widget
    if compared?.scope != state.list.scope || compared?.generation != list.generation {
      compared = (state.list.scope, list.generation, [])
      offsets.removeDays()
    }
    var new: Set<Day> = []
    for case .row(let path) in list.visibleLines() { new.formUnion(day(of: path, in: state)) }
    if let path = list.selection?.path { new.formUnion(day(of: path, in: state)) }
    new.subtract(compared?.days ?? [])
    guard !new.isEmpty else { return }
    compared?.days.formUnion(new)
    offsets.add(daysWithSeveralOffsets(new))
  }

  /// The day of a row, from its section if that is enough; none of a row without a time.
  private func day(of path: RowPath, in state: State) -> [Day] {
    let day =
      state.list.scope.grouping == .day
      ? Day(state.list.widget.sections[path.section].key) : row(path)?.day
    return day.map { [$0] } ?? []
  }

  private func drawSidebar(_ state: State, _ layout: Layout, on canvas: inout Canvas) {
    guard !layout.sidebar.isEmpty, let sidebar = state.sidebar else { return }
    let rect = CanvasRect(
      column: 0, row: layout.main.lowerBound, width: layout.sidebar.count,
      height: layout.main.count)
    sidebar.draw(
      in: rect, filter: state.list.scope.isTrash ? nil : state.list.scope.filter,
      hasFocus: state.pages.mode == .sidebar, on: &canvas)
    for row in layout.main {
      canvas.draw("│", at: rect.width, row: row, style: Style(.hint, dim: true))
    }
  }

  private func drawList(_ state: State, _ layout: Layout, on canvas: inout Canvas) {
    guard !layout.list.isEmpty else { return }
    let isAlone = state.list.widget.rowCount == 0 && state.pane.reading == nil
    let rect = CanvasRect(
      column: layout.list.lowerBound, row: layout.listLines.lowerBound,
      width: isAlone ? canvas.width - layout.list.lowerBound : layout.list.count,
      height: isAlone ? layout.main.count : layout.listLines.count)
    if state.list.widget.rowCount == 0 {
      return EmptyList(keys, state).draw(in: rect, on: &canvas)
    }
    let query = state.highlight ?? .everything
    excerpts.begin(query)
    let content = ListRows(
      state: state, dates: state.dates, highlighter: QueryHighlighter(query), offsets: offsets,
      entry: row, total: total,
      excerpt: excerpts.excerpt)
    state.list.widget.draw(
      in: rect, on: &canvas, content: content,
      hasKeys: state.pages.mode != .reading && state.pages.mode != .sidebar)
  }

  private func drawPane(_ state: State, _ layout: Layout, on canvas: inout Canvas) {
    guard !layout.pane.isEmpty else { return }
    let view = state.pane.reading.map { pane in
      PaneView(
        reading: pane,
        bar: EntryBar(
          pane.entry, words: pane.words, versions: pane.versions, dates: state.dates,
          offsets: offsets),
        hasFocus: state.pages.mode == .reading, picture: pictures.pixels)
    }
    if layout.isSplit, let view { drawDivider(view, layout, on: &canvas) }
    let rect = CanvasRect(
      column: layout.pane.lowerBound, row: layout.paneLines.lowerBound, width: layout.pane.count,
      height: layout.paneLines.count)
    view?.draw(in: rect, on: &canvas)
  }

  /// Draws the line between list and pane; its heavy part shows which part of the entry is visible.
  private func drawDivider(_ view: PaneView, _ layout: Layout, on canvas: inout Canvas) {
    let height = layout.paneLines.count
    if layout.isStacked {
      let mark = view.scrollMark(height: height, length: layout.pane.count)
      for column in layout.pane {
        canvas.draw(
          mark.contains(column) ? "━" : "─", at: column, row: layout.listLines.upperBound,
          style: Style(.hint, dim: true))
      }
    } else {
      let mark = view.scrollMark(height: height, length: height)
      for (index, row) in layout.paneLines.enumerated() {
        canvas.draw(
          mark.contains(index) ? "┃" : "│", at: layout.list.upperBound + 1, row: row,
          style: Style(.hint, dim: true))
      }
    }
  }

  /// The hints of one line; a menu and a question take more lines if needed, since they are shown
  /// completely.
  private func drawHints(_ state: State, _ layout: Layout, on canvas: inout Canvas) {
    guard let line = layout.foot.first else { return }
    let choices: [Choices.Item]
    if let conflict = state.questions.conflict {
      return draw(conflict, news: state.status, row: line, on: &canvas)
    } else if state.places.letterUse != nil {
      choices = [
        Choices.Item(keys: "a-z", word: "a mark"), Choices.Item(keys: "'", word: "the last place"),
        Choices.Item(keys: "Esc", word: "cancel"),
      ]
    } else if !state.pressed.pending.sequence.keys.isEmpty {
      choices = keys.continuations(of: state.pressed.pending.sequence, in: state.context)
        .map { Choices.Item(keys: $0.keys, word: $0.word) }
    } else if state.pressed.pending.count != nil {
      let count = Choices.Item(
        keys: state.pressed.pending.count.map(String.init) ?? "", word: "times:")
      choices =
        [count]
        + keys.counted(in: state.context).map { Choices.Item(keys: $0.keys, word: $0.word) }
    } else if state.context == .order {
      choices = keys.hints(in: .order).map { hint in
        Choices.Item(
          keys: hint.keys, word: hint.word,
          isCurrent: state.list.scope.isArranged(
            by: keys.match(hint.sequence, in: .order)))
      }
    } else if state.showsMessageBelow {
      return StatusLine(state).draw(row: line, on: &canvas)
    } else {
      return HintLine(keys, state).draw(row: line, on: &canvas)
    }
    guard !choices.isEmpty else { return }
    let most = max(1, canvas.height / 2)
    Choices(choices).draw(above: line + 1, atMost: most, on: &canvas)
    // Several lines of keys cover the line of messages, which may say something about a key.
    let first = line + 1 - Choices(choices).lines(columns: canvas.width, atMost: most).count
    if state.status != nil, 1..<line ~= first {
      StatusLine(state).draw(row: first - 1, on: &canvas)
    }
  }

  /// The keys that answer the question about a text, and above them what it is about, first of all.
  private func draw(_ conflict: EditConflict, news: Status?, row: Int, on canvas: inout Canvas) {
    let keys = Choices(conflict.choices.map { Choices.Item(keys: $0.keys, word: $0.word) })
    let most = max(1, min(canvas.height / 2, row))
    keys.draw(above: row + 1, atMost: most, on: &canvas)
    let others = news?.text.trimmingPrefix(conflict.question).trimmingPrefix("; ") ?? ""
    let text = others.isEmpty ? conflict.question : "\(conflict.question); \(others)"
    let end = row + 1 - keys.lines(columns: canvas.width, atMost: most).count
    StatusLine.draw(failure: text, above: end, on: &canvas)
  }

  private func drawCompletions(_ state: State, _ layout: Layout, on canvas: inout Canvas) {
    let present = state.prompt.open?.present ?? []
    let choice = state.prompt.spelling
    guard !state.prompt.completions.isEmpty || !present.isEmpty || choice != nil else { return }
    let items =
      choice?.items
      ?? (state.prompt.completions.isEmpty
        ? ["now:"].map { Choices.Item(keys: "", word: $0) } + present.map { Choices.Item(keys: $0) }
        : state.prompt.completions.map { Choices.Item(keys: $0) })
    var row = layout.status.isEmpty ? layout.main.upperBound : layout.status.lowerBound
    if let prompt = state.prompt.open, prompt.isFull {
      // In the half of the text without the cursor.
      let middle = layout.foot.lowerBound + layout.foot.count / 2
      row =
        (prompt.layout?.cursor.row ?? 0) < layout.foot.count / 2 ? layout.foot.upperBound : middle
    }
    Choices(items).draw(above: row, atMost: min(row, canvas.height / 2), on: &canvas)
  }

  /// The question on the line of the prompt, and above it if it is long; what has no room is its start,
  /// since its end lists the keys.
  private func draw(
    _ question: Question, row: Int, on canvas: inout Canvas
  ) -> CursorPosition {
    let lines = TextFit.wrap(Sanitizer.line(question.text), columns: max(1, canvas.width - 1))
    let shown = lines.suffix(row + 1)
    var columns = 0
    for (line, place) in zip(shown, (row + 1 - shown.count)...) {
      canvas.fill(CanvasRect(column: 0, row: place, width: canvas.width, height: 1))
      columns = canvas.draw(line, at: 0, row: place, style: Style(.prompt, bold: true))
    }
    return CursorPosition(row: row, column: min(columns + 1, canvas.width - 1))
  }

  /// Draws the line below the prompt: the candidates for the word being typed, else the keys of the
  /// prompt, and how much is written.
  private func drawPromptKeys(
    _ prompt: OpenPrompt, _ state: State, _ layout: Layout, on canvas: inout Canvas
  ) {
    guard let row = layout.keys.first else { return }
    var room = canvas.width - 2
    if let words = prompt.countedWords {
      let columns = TextWidth.columns(of: words)
      canvas.draw(words, at: canvas.width - columns - 1, row: row, style: Style(.hint, dim: true))
      room -= columns + 3
    }
    guard !state.prompt.candidates.isEmpty, state.prompt.completions.isEmpty else {
      return PromptHints(prompt, stays: state.prompt.reopens)
        .draw(at: 1, row: row, columns: room, style: Style(.hint), on: &canvas)
    }
    var column = 1
    for candidate in state.prompt.candidates {
      let columns = TextFit.columns(of: Sanitizer.line(candidate))
      guard column + columns <= room + 1 else { break }
      column += canvas.draw(candidate, at: column, row: row, style: Style(.tag)) + 2
    }
  }

  private func drawPrompt(
    _ prompt: OpenPrompt, misspelled: [Range<Int>], _ rows: Range<Int>, on canvas: inout Canvas
  ) -> CursorPosition {
    let measured = prompt.layout.flatMap { layout in
      layout.lines.count == rows.count || prompt.isFull && layout.lines.count < rows.count
        ? layout : nil
    }
    let layout =
      measured
      ?? PromptView.layout(
        line: prompt.text, point: prompt.point, label: prompt.label, width: canvas.width,
        maxLines: rows.count)
    if prompt.kind.keepsDrafts {
      WritingView(prompt, layout, misspelled: misspelled).draw(in: rows, on: &canvas)
    } else {
      for (row, line) in zip(rows, layout.lines) {
        canvas.draw(line, at: 0, row: row, style: Style(.prompt))
      }
    }
    if layout.hasLabel {
      let label = zip(layout.lines[0], layout.offsets[0]).prefix { $0.1 == nil }.map(\.0)
      canvas.draw(label, at: 0, row: rows.lowerBound, style: Style(.header, bold: true))
    }
    return CursorPosition(row: rows.lowerBound + layout.cursor.row, column: layout.cursor.column)
  }
}
