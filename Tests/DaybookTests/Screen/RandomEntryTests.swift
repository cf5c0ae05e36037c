import Journal
import Screen
import Testing

@testable import daybook

/// `gr` and `:random` read any entry.
@Suite(.readline)
struct RandomEntryTests {
  private func screen(_ texts: [String]) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true,
      entries: texts.enumerated().map { (ScriptedScreen.now - Int64(texts.count - $0) * 60, $1) })
  }

  private func reading(_ screen: ScriptedScreen) -> Int64? {
    screen.runner.state.pages.mode == .reading
      ? screen.runner.state.pane.reading?.entry.number : nil
  }

  @Test("gr reads an entry of the list and selects it, again another one; ^O goes back")
  func another() throws {
    let screen = try screen((1...6).map { "entry \($0)" + ($0 > 3 ? " #t" : "") })
    var (last, before): (Int64?, Int64?)
    for _ in 0..<10 {
      try screen.press("gr")
      let number = try #require(reading(screen))
      #expect(number != last)
      #expect(screen.selected == number)
      (before, last) = (last, number)
    }
    try screen.press("<C-o>")
    #expect(reading(screen) == before)
    try screen.press("qf#t<Enter>")
    for _ in 0..<6 {
      try screen.press("gr")
      #expect(reading(screen).map { $0 > 3 } == true)
    }
  }

  @Test(":random QUERY reads one that matches, and says so if none does")
  func command() throws {
    let screen = try screen(["one #a", "two"])
    try screen.press(":random #a<Enter>")
    #expect(reading(screen) == 1)
    try screen.press("q:random #none<Enter>")
    #expect(reading(screen) == nil)
    #expect(screen.runner.state.status?.text.contains("no entries match") == true)
  }

  @Test("a journal without entries says so")
  func empty() throws {
    let screen = try screen([])
    try screen.press("gr")
    #expect(screen.runner.state.status?.text.contains("there are no entries") == true)
  }
}
