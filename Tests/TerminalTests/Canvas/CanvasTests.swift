import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Canvas")
struct CanvasTests {
  @Test("An empty canvas is as many empty lines as it is high")
  func empty() {
    #expect(Canvas(width: 4, height: 3).plainText() == "\n\n")
    #expect(Canvas(width: -1, height: -1) == Canvas(width: 0, height: 0))
    #expect(Canvas(width: 0, height: 0).plainText() == "")
  }

  @Test("Text is drawn where it is told and clipped at every edge")
  func clipping() {
    var canvas = Canvas(width: 6, height: 2)
    #expect(draw("hello", 3, 0, on: &canvas) == 3)
    draw("hello", -2, 1, on: &canvas)
    for (column, row) in [(0, -1), (0, 2), (6, 0), (.min, 0), (.max, 0), (0, .max), (0, .min)] {
      draw("nowhere", column, row, on: &canvas)
    }
    #expect(canvas.plainText() == "   hel\nllo")
  }

  @Test("A width limits what is drawn, and a wide character that straddles it becomes a blank")
  func width() {
    var canvas = Canvas(width: 8, height: 1)
    draw("xxxxxxxx", 0, 0, on: &canvas)
    canvas.draw("日本語", at: 1, row: 0, width: 5)
    #expect(canvas.plainText() == "x日本 xx")
    canvas = Canvas(width: 3, height: 1)
    draw("日本", 0, 0, on: &canvas)
    #expect(canvas.plainText() == "日")
    draw("本日", -1, 0, on: &canvas)
    #expect(canvas.plainText() == " 日")
  }

  @Test("Writing over half of a wide character blanks the other half")
  func halves() {
    var canvas = Canvas(width: 6, height: 1)
    draw("日本語", 0, 0, on: &canvas)
    draw("x", 1, 0, on: &canvas)
    #expect(canvas.plainText() == " x本語")
    draw("y", 4, 0, on: &canvas)
    #expect(canvas.plainText() == " x本y")
    draw("漢", 1, 0, on: &canvas)
    #expect(canvas.plainText() == " 漢 y")
    canvas.fill(CanvasRect(column: 2, row: 0, width: 1, height: 1))
    #expect(canvas.plainText() == "    y")
  }

  @Test("Marks stay with their base, and clusters of several letters take a cell each")
  func cells() {
    var canvas = Canvas(width: 8, height: 1)
    draw("e\u{301}🇩🇪น้ำ日", 0, 0, on: &canvas)
    #expect(canvas[row: 0].map(\.columns) == [1, 1, 1, 1, 1, 2, 0, 1])
    #expect(canvas[0, 0].text == "e\u{301}")
    #expect(canvas.plainText() == "e\u{301}🇩🇪น้ำ日")
  }

  @Test("An emoji sequence is one cell, whole as text")
  func sequences() {
    var canvas = Canvas(width: 8, height: 1)
    draw("👩‍👩‍👧👍🏽❤️x", 0, 0, on: &canvas)
    #expect(canvas[row: 0].map(\.columns) == [2, 0, 2, 0, 1, 1, 1, 1])
    #expect(canvas[row: 0].map(\.drawn) == ["👩", "", "👍", "", "❤", "x", " ", " "])
    #expect(canvas.plainText() == "👩‍👩‍👧👍🏽❤️x")
  }

  @Test("Control characters are drawn as pictures with a role of their own, cut if need be")
  func controls() {
    var canvas = Canvas(width: 5, height: 1)
    draw("a\u{1B}\u{9B}", 0, 0, on: &canvas)
    #expect(canvas.plainText() == "a^[<U")
    #expect(canvas[row: 0].map(\.style.role) == [.normal, .control, .control, .control, .control])
  }

  @Test("Restyling changes the look and leaves the text, filling blanks it")
  func styles() {
    var canvas = Canvas(width: 4, height: 2)
    draw("ab日", 0, 0, on: &canvas)
    canvas.restyle(CanvasRect(column: 1, row: 0, width: 9, height: 9)) { $0.reverse = true }
    #expect(canvas[row: 0].map(\.style.reverse) == [false, true, true, true])
    #expect(canvas.plainText() == "ab日\n")
    canvas.fill(CanvasRect(column: -1, row: -1, width: 3, height: 9), style: Style(.status))
    #expect(canvas.plainText() == "  日\n")
    #expect(canvas[0, 1].style.role == .status)
    canvas.fill(CanvasRect(column: 0, row: 0, width: .max, height: .max))
    #expect(canvas == Canvas(width: 4, height: 2))
  }

  @Test(
    "Whatever is drawn, wide characters are whole and cells are safe",
    arguments: SeededGenerator.seeds(4))
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      var canvas = Canvas(width: Int(random.next() % 12), height: Int(random.next() % 4))
      for _ in 0..<8 {
        let column = Int(random.next() % 16) - 3
        canvas.draw(
          random.text(length: 6), at: column, row: Int(random.next() % 5) - 1,
          width: Int(random.next() % 12))
      }
      checkCells(of: canvas)
    }
  }

  private func checkCells(of canvas: Canvas) {
    for row in 0..<canvas.height {
      let cells = Array(canvas[row: row])
      for (column, cell) in cells.enumerated() {
        #expect(danger(in: cell.text) == nil)
        let follows = column > 0 && cells[column - 1].columns == 2
        #expect(follows == (cell.columns == 0))
        #expect(cell.columns < 2 || column + 1 < cells.count)
        #expect(cell.text.isEmpty == (cell.columns == 0))
        #expect(cell.drawn.unicodeScalars.count <= 5)
      }
    }
  }

  @discardableResult
  private func draw(_ text: String, _ column: Int, _ row: Int, on canvas: inout Canvas) -> Int {
    canvas.draw(text, at: column, row: row)
  }
}
