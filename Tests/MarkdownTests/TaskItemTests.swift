import Markdown
import TestSupport
import Testing

struct TaskItemTests {
  private func lines(_ text: String) -> [String] { CarriedItems.lines(from: [text]) }

  private func toggled(_ line: Int, of text: String) -> String? {
    let document = Document(text)
    return document.taskItems.first { $0.line.number == line }.map(document.toggling)
  }

  @Test("open items are those with an empty box, bullets and numbers, also in quotes")
  func open() {
    let text = """
      Today
      - [ ] buy bread
      - [x] done
        * [ ] nested #home
      1. [ ] first
      > - [ ] quoted
      > 2) [ ] second
      -[ ] no item
      - [] no item
      - [ ]no item
      [ ] no item
      """
    #expect(
      lines(text) == [
        "- [ ] buy bread", "  * [ ] nested #home", "1. [ ] first", "> - [ ] quoted",
        "> 2) [ ] second",
      ])
    #expect(lines("- [ ] a\r\n- [ ]\r\n") == ["- [ ] a", "- [ ]"])
    #expect(lines("") == [])
  }

  @Test("code has no items, and a line has one box at most")
  func noItems() {
    #expect(lines("```\n- [ ] a\n```\n\n    - [ ] b") == [])
    let nested = Document("- [ ] - [ ] # a")
    #expect(nested.taskItems.map(nested.words) == ["- [ ] # a"])
  }

  @Test("ticking changes one character and nothing else; twice gives the text back")
  func toggling() throws {
    let text = "a\r\n- [ ] one\n\n+ [X] two\n> 1. [ ] three"
    let once = try #require(toggled(1, of: text))
    #expect(once.utf8.elementsEqual("a\r\n- [x] one\n\n+ [X] two\n> 1. [ ] three".utf8))
    #expect(try #require(toggled(1, of: once)).utf8.elementsEqual(text.utf8))
    #expect(toggled(3, of: text) == "a\r\n- [ ] one\n\n+ [ ] two\n> 1. [ ] three")
    #expect(toggled(4, of: text) == "a\r\n- [ ] one\n\n+ [X] two\n> 1. [x] three")
    #expect(toggled(0, of: text) == nil && toggled(2, of: text) == nil)
    let document = Document(text)
    #expect(document.taskItems.map(document.words) == ["one", "two", "three"])
  }

  @Test("a carried item that would be code without the lines above it loses its indentation")
  func indentation() {
    #expect(
      lines("- project\n    - part\n        - [ ] one\n> - a\n>     1. [ ] two")
        == ["- [ ] one", "> 1. [ ] two"])
  }

  @Test(
    "carried items are as many items as before, whatever is around them",
    arguments: SeededGenerator.seeds(6))
  func carried(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let texts = (0..<2).map { _ in MarkdownSample.text(&random) }
      let open = texts.reduce(0) { count, text in
        count + Document(text).taskItems.count { $0.box.state == .open }
      }
      let carried = CarriedItems.lines(from: texts)
      let items = Document(carried.joined(separator: "\n")).taskItems
      #expect(carried.count == open && items.count == open, "\(texts)")
      #expect(items.allSatisfy { $0.box.state == .open })
    }
  }
}
