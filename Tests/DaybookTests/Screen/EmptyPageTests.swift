import Journal
import JournalStore
import Screen
import TestSupport
import Testing

@testable import daybook

/// Pages without content open and say so: the next `q` closes them, and not the program.
@Suite("Pages without content", .readline)
struct EmptyPageTests {
  @Test(
    "a page without lines says so, keys do nothing in it, and q goes back",
    arguments: [
      ("tags", "No tags yet"), ("fields", "No fields yet"), ("files", "names no file"),
      ("open", "No other journal"),
    ])
  func pages(command: String, sentence: String) throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      for (columns, lines) in [(80, 24), (40, 10)] {
        let screen = try ScriptedScreen(keysAreTyped: true, columns: columns, lines: lines)
        try screen.press("aplain<Enter>:\(command)<Enter>", arrival)
        #expect(screen.runner.state.pages.mode != .list)
        #expect(screen.text.contains(sentence), "\(screen.text)")
        try screen.press("jkG<C-f>", arrival)
        #expect(screen.text.contains(sentence), "\(screen.text)")
        try screen.press("q", arrival)
        #expect(screen.runner.state.pages.mode == .list, "\(screen.text)")
        #expect(screen.runner.exitCode == nil)
      }
    }
  }

  @Test("a page that opened without lines follows commits")
  func commits() throws {
    let screen = try ScriptedScreen(keysAreTyped: true)
    try screen.press(":tags<Enter>")
    let moment = screen.store.clock.moment()
    try screen.store.add(
      [NewEntry(text: "#home mood:: 4", created: moment, day: moment.localDay)])
    try screen.press("<C-l>")
    #expect(screen.text.contains("#home"), "\(screen.text)")
    #expect(!screen.text.contains("No tags yet"))
  }

  @Test(
    "a command that finds nothing says what",
    arguments: [
      ("links 1", "no links"), ("files file:*.pdf", "no files"), ("tags --format text", "no tags"),
    ])
  func commands(line: String, words: String) throws {
    let screen = try ScriptedScreen(keysAreTyped: true)
    try screen.press("aplain<Enter>:\(line)<Enter>")
    #expect(screen.runner.state.status?.text.contains(words) == true, "\(screen.text)")
  }
}
