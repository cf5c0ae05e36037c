import Journal
import TextLayout

/// Draws a prompt for writing: the label, the text with its Markdown, and the line of the cursor.
struct WritingView {
  private let prompt: OpenPrompt
  private let layout: PromptLayout
  private let misspelled: [Range<Int>]
  /// The line beside the cursor's row, where the terminal's background is unknown or colours are few.
  private static let bar = "│"

  /// - Parameter misspelled: the bytes of wrong words.
  init(_ prompt: OpenPrompt, _ layout: PromptLayout, misspelled: [Range<Int>]) {
    self.prompt = prompt
    self.misspelled = misspelled
    self.layout = layout
  }

  /// Draws into rows of a canvas; those below the text stay empty.
  func draw(in rows: Range<Int>, on canvas: inout Canvas) {
    let styles = WritingStyles(of: prompt.text, in: layout.visible, misspelled: misspelled)
    for (index, row) in zip(layout.lines.indices, rows) {
      let isCursorLine = index == layout.cursor.row && layout.lines.count > 1
      if isCursorLine {
        let line = CanvasRect(column: 0, row: row, width: canvas.width, height: 1)
        canvas.fill(line, style: Self.marked(Style(.prompt)))
      }
      draw(index, at: row, styles, isCursorLine: isCursorLine, on: &canvas)
    }
  }

  private func draw(
    _ index: Int, at row: Int, _ styles: WritingStyles, isCursorLine: Bool,
    on canvas: inout Canvas
  ) {
    var column = 0
    var run: [Cluster] = []
    var style = Style(.prompt)
    let offsets = layout.offsets[index]
    for (cluster, offset) in zip(layout.lines[index], offsets) {
      // Of a long label all rows look the same.
      let next = offset.map { styles[$0] } ?? Style(.header, bold: true)
      if next != style {
        column += canvas.draw(
          run, at: column, row: row, style: isCursorLine ? Self.marked(style) : style)
        run = []
        style = next
      }
      run.append(cluster)
    }
    canvas.draw(run, at: column, row: row, style: isCursorLine ? Self.marked(style) : style)
    let indent = offsets.prefix { $0 == nil }.count
    // A label of several rows has no blanks there.
    let isBlank = layout.lines[index].prefix(indent).allSatisfy { $0.text == " " }
    if isCursorLine, isBlank, indent >= 2 {
      canvas.draw(Self.bar, at: indent - 2, row: row, style: Self.marked(Style(.hint, dim: true)))
    }
  }

  private static func marked(_ style: Style) -> Style {
    var style = style
    style.isCursorLine = true
    return style
  }
}

extension OpenPrompt {
  /// The longest text whose words are counted at each key, in bytes.
  private static let mostCounted = 400_000

  /// The number of words written, as words, and where the cursor is if not all lines are visible:
  /// `line 12 of 31  120 words`; nil before something is written.
  var countedWords: String? {
    guard isWriting, text.utf8.count < Self.mostCounted else { return nil }
    let words = Numbers.words(Folding.wordCount(of: text))
    let written = text.utf8.count { $0 == 0x0A } + 1
    guard written > 1, let visible = layout?.visible else { return words }
    let hidden = [text.utf8.prefix(visible.lowerBound), text.utf8.dropFirst(visible.upperBound)]
    guard hidden.contains(where: { $0.contains { $0 != 0x0A } }) else { return words }
    let line = text.utf8.prefix(point).count { $0 == 0x0A } + 1
    return "line \(line) of \(Numbers.grouped(written))  \(words)"
  }
}
