import Testing

@testable import Terminal
@testable import TextLayout

@Suite("The prompt on the screen")
struct PromptViewTests {
  /// The rows as text, with `|` before the cell of the cursor.
  private func picture(
    _ line: String, at point: Int? = nil, label: String = "> ", width: Int = 10, lines: Int = 4
  ) -> [String] {
    let layout = PromptView.layout(
      line: line, point: point ?? line.utf8.count, label: label, width: width, maxLines: lines)
    #expect(layout.lines.count <= max(lines, 1))
    return layout.lines.enumerated().map { row, clusters in
      guard row == layout.cursor.row else { return clusters.map(\.text).joined() }
      var text = ""
      var column = 0
      var isMarked = false
      for cluster in clusters {
        if column == layout.cursor.column, cluster.columns > 0, !isMarked {
          text += "|"
          isMarked = true
        }
        text += cluster.text
        column += cluster.columns
      }
      return isMarked ? text : text + "|"
    }
  }

  @Test("stands behind its label with the cursor behind the text")
  func short() {
    #expect(picture("") == ["> |"])
    #expect(picture("abc") == ["> abc|"])
    #expect(picture("abc", at: 1) == ["> a|bc"])
    #expect(picture("x", label: "") == ["x|"])
  }

  @Test("puts the cursor by columns, not bytes or scalars")
  func columns() {
    let text = "日本👩‍👩‍👧e\u{301}x"
    func column(_ point: Int) -> Int {
      PromptView.layout(line: text, point: point, label: "", width: 40, maxLines: 2).cursor.column
    }
    #expect(column(0) == 0)
    #expect(column(3) == 2)
    #expect(column(6) == 4)
    #expect(column(6 + 18) == 6)
    #expect(column(6 + 18 + 3) == 7)
    #expect(column(text.utf8.count) == 8)
    // Inside a cluster the cursor is at its first column.
    #expect(column(6 + 4) == 4)
  }

  @Test("measures as the one function for widths does, at every border between clusters")
  func sameAsTextWidth() {
    let text = "a日é e\u{301}👩‍👩‍👧🇯🇵👍🏽\tx\u{1B}[31m\u{202E}y\u{200B}z"
    var prefix = ""
    for character in text {
      let layout = PromptView.layout(
        line: text, point: prefix.utf8.count, label: "", width: 200, maxLines: 1)
      #expect(layout.cursor.column == TextWidth.columns(of: prefix))
      prefix.append(character)
    }
  }

  @Test("grows by rows that break between characters")
  func wrapping() {
    #expect(picture("12345678") == ["> 12345678", "  |"])
    #expect(picture("12345678", at: 7) == ["> 1234567|8"])
    #expect(picture("123456789") == ["> 12345678", "  9|"])
    #expect(picture("123456789", at: 8) == ["> 12345678", "  |9"])
    #expect(picture("1234567日本") == ["> 1234567", "  日本|"])
    #expect(picture("1234567日本", at: 7) == ["> 1234567", "  |日本"])
    #expect(picture("12345678       ") == ["> 12345678 ", "        |"])
  }

  @Test("starts a row at each line feed")
  func lineFeeds() {
    #expect(picture("ab\ncd") == ["> ab", "  cd|"])
    #expect(picture("ab\ncd", at: 2) == ["> ab|", "  cd"])
    #expect(picture("ab\ncd", at: 3) == ["> ab", "  |cd"])
    #expect(picture("ab\n") == ["> ab", "  |"])
    #expect(picture("\n\n", at: 1) == ["> ", "  |", "  "])
    #expect(picture("12345678\nx", at: 8) == ["> 12345678", "  |", "  x"])
  }

  @Test("scrolls so that the cursor stays in sight")
  func scrolling() {
    let text = (1...9).map(String.init).joined(separator: "\n")
    #expect(picture(text, lines: 3) == ["  7", "  8", "  9|"])
    #expect(picture(text, at: 0, lines: 3) == ["> |1", "  2", "  3"])
    #expect(picture(text, at: 8, lines: 3) == ["  4", "  |5", "  6"])
    #expect(picture(text, lines: 1) == ["  9|"])
    #expect(picture(text, at: 8, lines: 0) == ["  |5"])
  }

  @Test("shows control characters and tabs as what they are not")
  func controls() {
    #expect(picture("a\u{1B}[b\tc\r", width: 20) == ["> a^[[b c^M|"])
    #expect(picture("1234567\u{1B}x") == ["> 1234567", "  ^[x|"])
  }

  @Test("fits into any width", arguments: [-1, 0, 1, 2, 3, 80, 500])
  func anyWidth(_ width: Int) {
    let text = "日\u{202E}👩‍👩‍👧 e\u{301}\n\u{301}x\u{1B}"
    for point in 0...text.utf8.count {
      for lines in [1, 3] {
        let layout = PromptView.layout(
          line: text, point: point, label: "label: ", width: width, maxLines: lines)
        #expect(layout.lines.indices.contains(layout.cursor.row))
        #expect((0..<max(width, 1)).contains(layout.cursor.column))
      }
    }
  }

  @Test("shows the end of a megabyte as it shows the end of a line")
  func long() {
    let text = String(repeating: "日本語 text ", count: 70_000)
    let layout = PromptView.layout(
      line: text, point: text.utf8.count, label: "> ", width: 40, maxLines: 3)
    #expect(layout.lines.count == 3)
    let shown = layout.lines.flatMap { $0.drop { $0.sourceLength == 0 } }.map(\.text).joined()
    #expect(!shown.isEmpty && Array(text.utf8.suffix(shown.utf8.count)) == Array(shown.utf8))
    #expect(layout.cursor.row == 2)
    let middle = PromptView.layout(
      line: text, point: text.utf8.count / 2, label: "> ", width: 40, maxLines: 3)
    #expect(middle.lines.count == 3)
  }
}
