import Terminal
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Menus and completions in as many lines as they need.
struct ChoicesTests {
  private let choices = Choices(
    ["newest", "oldest", "changed", "title"].map { .init(keys: String($0.prefix(1)), word: $0) })

  @Test("all of them are shown, whole, in lines that are never too wide", arguments: 12...60)
  func whole(columns: Int) {
    let lines = choices.lines(columns: columns, atMost: 9)
    #expect(lines.flatMap(\.self).map(\.word) == ["newest", "oldest", "changed", "title"])
    for line in lines {
      #expect(line.reduce(-2) { $0 + $1.columns + 2 } <= columns)
    }
  }

  @Test("what has no room is left out, and a sign tells")
  func cut() {
    var canvas = Canvas(width: 20, height: 4)
    choices.draw(above: 3, atMost: 1, on: &canvas)
    #expect(canvas.plainText() == "\n\nn newest  …\n")
    choices.draw(above: 4, atMost: 4, on: &canvas)
    #expect(canvas.plainText() == "\n\nn newest  o oldest\nc changed  t title")
  }
}
