import Journal
import Screen
import Testing

@testable import daybook

/// `[[` in the prompt completes titles and days.
@Suite(.readline)
struct LinkCompletionTests {
  private func screen() throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true,
      entries: ["Potato soup", "## Tomato soup", "A [strange] title", "日記の話"].enumerated().map {
        (ScriptedScreen.now - Int64(10 - $0) * 60, $1)
      })
  }

  private func text(_ keys: String, _ arrival: ScriptedScreen.Arrival = .atOnce) throws -> String? {
    let screen = try screen()
    try screen.press("a" + keys, arrival)
    return screen.runner.state.prompt.open?.text
  }

  @Test("Tab writes the title and its brackets, by letters in their order, also with blanks")
  func titles() throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      #expect(try text("eat [[pot<Tab>, then", arrival) == "eat [[Potato soup]], then")
      #expect(try text("eat [[potato so<Tab>", arrival) == "eat [[Potato soup]]")
      #expect(try text("([[ptsp<Tab>)", arrival) == "([[Potato soup]])")
      #expect(try text("[[a]] [[toma<Tab>", arrival) == "[[a]] [[Tomato soup]]")
      #expect(try text("[[日<Tab>", arrival) == "[[日記の話]]")
      #expect(try text("x<C-j>[[mato s<Tab>", arrival) == "x\n[[Tomato soup]]")
    }
  }

  @Test("several titles are listed, and the text stays; one that no link can name is not")
  func several() throws {
    let screen = try screen()
    try screen.press("a[[soup")
    #expect(Set(screen.runner.state.prompt.candidates) == ["Potato soup]]", "Tomato soup]]"])
    try screen.press("<Tab>")
    #expect(screen.runner.state.prompt.open?.text == "[[soup")
    #expect(screen.runner.state.prompt.completions.count == 2)
  }

  @Test("without letters the newest titles come first")
  func newest() throws {
    let screen = try screen()
    try screen.press("a[[")
    #expect(
      screen.runner.state.prompt.candidates == ["日記の話]]", "Tomato soup]]", "Potato soup]]"])
  }

  @Test("days come by their names and as far as they are written")
  func days() throws {
    #expect(try text("[[today<Tab>") == "[[2026-11-21]]")
    #expect(try text("[[yest<Tab>") == "[[2026-11-20]]")
    #expect(try text("[[2026-11-0<Tab>") == "[[2026-11-0")
    #expect(try text("[[2026-11-09<Tab>") == "[[2026-11-09]]")
  }

  @Test(
    "outside of a link nothing of it is completed",
    arguments: ["![[pot", "[pot", "[[a|pot", "[[a]] pot"])
  func outside(typed: String) throws {
    #expect(try text(typed + "<Tab>") == typed)
  }
}
