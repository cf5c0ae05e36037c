import Foundation
import Testing

/// Keys on standard input, the final screen on standard output: the whole program in one line.
struct PipedKeysTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("a piped entry is written, shown in its day, and the screen printed without escapes")
  func addEntry() throws {
    let result = try keys("aBought bread #home\rq")
    #expect(result.code == 0)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 25)
    #expect(lines.first?.hasPrefix("Today, ") == true)
    #expect(lines[1].contains("Bought bread #home"))
    #expect(lines[22].contains("added entry 1"))
    #expect(!result.output.utf8.contains(0x1B))
    #expect(try program.run(["list"]).output.contains("Bought bread #home"))
    #expect(try program.drafts() == [])
  }

  @Test("line feeds are Enter, and keys behind them belong to the list again")
  func lineFeeds() throws {
    let result = try keys("aOne\naTwo\nkkdq")
    #expect(result.output.contains("deleted"))
    #expect(try program.run(["list"]).output.contains("One"))
    #expect(!(try program.run(["list"]).output.contains("Two")))
  }

  @Test("keys of a script that delete act on the rows that the keys before them led to")
  func deletingScript() throws {
    for number in [3, 2, 1] {
      _ = try program.run(["add", "--date", "2026-11-20 0\(10 - number):00", "entry \(number)"])
    }
    _ = try keys("ggjddQ")
    let left = try program.run(["list"]).output
    #expect(left.contains("entry 1"))
    #expect(!left.contains("entry 2") && !left.contains("entry 3"))
  }

  @Test("the end of the input keeps unsubmitted text as a draft, which Up brings back")
  func draft() throws {
    let first = try keys("aHalf a thought")
    #expect(first.code == 0)
    #expect(try program.drafts() == ["Half a thought"])
    let second = try keys("")
    #expect(second.output.contains("1 draft kept: press a, then Up"))
    _ = try keys("a\u{1B}[A, finished\rq")
    #expect(try program.run(["list"]).output.contains("Half a thought, finished"))
    #expect(try program.drafts() == [])
  }

  @Test("edit, star, undo and the command line work with piped keys")
  func edits() throws {
    _ = try keys("aBought bread\req")
    let result = try keys("e and milk\rs:add Slept well\ruq")
    #expect(result.output.contains("undone: add of \"Slept well\""))
    #expect(result.output.contains("★ Bought bread and milk"))
    _ = try keys(":delete 1\rq")
    #expect(try program.run(["list"]).output == "")
  }

  @Test("a small screen is drawn whole, and an empty journal says how to begin")
  func sizes() throws {
    let small = try program.run(
      [], input: Array("q".utf8), extra: ["LINES": "10", "COLUMNS": "40", "TERM": "dumb"])
    let lines = small.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 11)
    #expect(lines.allSatisfy { $0.count <= 40 })
    #expect(small.output.contains("Press a to write"))
  }

  @Test("every distinct screen is printed on request, separated by form feeds")
  func frames() throws {
    let result = try program.run(["screen", "--frames"], input: Array("aHi\r?q".utf8))
    let frames = result.output.split(separator: "\u{0C}")
    #expect(frames.count >= 5)
    #expect(frames.contains { $0.contains("new: Hi") })
    #expect(frames.contains { $0.contains("move") || $0.contains("half a screen down") })
  }

  @Test("a filter typed to its end means whole words; one that is only a beginning says so")
  func settledFilter() throws {
    _ = try keys("aplan #work/api\rabees #work/apiary\rq")
    let whole = try keys("f#work/api\r").output
    #expect(whole.contains("plan") && !whole.contains("bees"))
    let begun = try keys("f#work/apia\r").output
    #expect(begun.contains("bees") && begun.contains("#work/apia*") && !begun.contains("plan"))
  }

  private func keys(_ keys: String) throws -> Program.Result {
    try program.run([], input: Array(keys.utf8))
  }

  @Test("commands after : on a read-only screen write as little as keys do")
  func readOnlyCommands() throws {
    let program = try Program()
    _ = try program.run(["add", "Bought bread"])
    let input = Array(":tag --tag home\rq".utf8)
    let screen = try program.run(["--read-only"], input: input)
    #expect(screen.output.contains("read"))
    #expect(try !program.run(["list"]).output.contains("#home"))
    _ = try program.run([], input: input)
    #expect(try program.run(["list"]).output.contains("#home"))
  }

  @Test("commands after : take the marked entries, however many, as one step")
  func commandsOnMarked() throws {
    let program = try Program()
    for word in ["one", "two", "three"] { _ = try program.run(["add", word]) }
    _ = try program.run([], input: Array("*:tag --tag home\rq".utf8))
    #expect(try program.run(["list", "#home"]).output.split(separator: "\n").count == 4)
    _ = try program.run(["undo"])
    #expect(try program.run(["list", "#home"]).output.isEmpty)
  }
}
