import Journal
import Testing

/// Task items in a text.
struct TaskItemsTests {
  @Test("open items are those with an empty box, as they stand")
  func open() {
    let text = """
      Today
      - [ ] buy bread
      - [x] done
        * [ ] nested #home
      1. [ ] first
      > - [ ] quoted
      -[ ] no item
      - [] no item
      - [ ]no item
      [ ] no item
      """
    #expect(
      TaskItems.open(in: text) == [
        "- [ ] buy bread", "  * [ ] nested #home", "1. [ ] first", "> - [ ] quoted",
      ])
    #expect(TaskItems.open(in: "- [ ] a\r\n- [ ]\r\n") == ["- [ ] a", "- [ ]"])
    #expect(TaskItems.open(in: "") == [])
  }

  @Test("ticking changes one character and nothing else; twice gives the text back")
  func toggled() throws {
    let text = "a\r\n- [ ] one\n\n+ [X] two\n"
    let once = try #require(TaskItems.toggled(line: 1, of: text))
    #expect(once.utf8.elementsEqual("a\r\n- [x] one\n\n+ [X] two\n".utf8))
    #expect(try #require(TaskItems.toggled(line: 1, of: once)).utf8.elementsEqual(text.utf8))
    #expect(TaskItems.toggled(line: 3, of: text) == "a\r\n- [ ] one\n\n+ [ ] two\n")
    #expect(TaskItems.toggled(line: 0, of: text) == nil)
    #expect(TaskItems.toggled(line: 2, of: text) == nil)
    #expect(TaskItems.toggled(line: 9, of: text) == nil)
    #expect(TaskItems.toggled(line: -1, of: text) == nil)
  }
}
