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
    #expect(lines[1].hasPrefix("Today, "))
    #expect(lines[2].contains("Bought bread") && lines[2].hasSuffix("#home"))
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
    _ = try keys("ggjdzzdQ")
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
    #expect(result.output.contains("undid the new entry \"Slept well\""))
    #expect(result.output.contains(#/★ \d\d:\d\d  Bought bread and milk/#))
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
    #expect(small.output.contains("write an entry"))
  }

  @Test("every distinct screen is printed on request, separated by form feeds")
  func frames() throws {
    let result = try program.run(["screen", "--frames"], input: Array("aHi\r?q".utf8))
    let frames = result.output.split(separator: "\u{0C}")
    #expect(frames.count >= 5)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 != $1 })
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

  @Test("t and D begin with what is there, and typing at once does what it always did")
  func present() throws {
    _ = try program.run(["add", "--date", "2025-03-04 05:06", "Slept #home #Work"])
    _ = try program.run(["add", "--date", "2025-03-05 05:06", "Read #work #cat"])
    func open(_ keys: String) throws -> String {
      try program.run(["screen", "--frames"], input: Array(keys.utf8)).output
    }
    #expect(try open("t").contains(" now:  #work  #cat\n"))
    #expect(try open("jt").contains(" now:  #home  #Work\n"))
    #expect(try open("*t").contains(" now:  #Work\n"))
    #expect(try open("D").contains(" now:  2025-03-05 05:06\n"))
    #expect(!(try open("*D").contains("now:")))
    for unchanged in ["t\r", "*t\r", "D\r", "*D\r", "D\u{1B}[A\r"] {
      #expect(try keys(unchanged).output.contains("nothing to change"), "\(unchanged)")
    }
    #expect(try program.run(["undo"]).output.contains("Read"))
    _ = try program.run(["redo"])
    _ = try keys("thome -cat\rD\u{1B}[A\u{7F}\u{7F}30\r")
    let entry = try program.run(["show", "2", "--format", "json"]).output
    #expect(entry.contains("2025-03-05T05:30:00") && entry.contains(#""Read #work #home""#))
    _ = try keys("D2025-01-01\r")
    #expect(try program.run(["show", "2", "--format", "json"]).output.contains("2025-01-01T"))
  }

  @Test("Shift-Enter, as terminals report it, makes a new line of an entry")
  func shiftEnter() throws {
    for newLine in ["\u{1B}[27;2;13~", "\u{1B}[13;2u", "\u{1B}[13;5u", "\u{1B}\r"] {
      _ = try keys("aOne\(newLine)two\r")
    }
    let texts = try program.run(["list", "--format", "jsonl"]).output.split(separator: "\n")
    #expect(texts.count == 4)
    let shown = try program.run(["show", "1", "2", "3", "4", "--format", "jsonl"]).output
    #expect(shown.split(separator: "\n").allSatisfy { $0.contains(#""One\ntwo""#) })
  }

  @Test("a very long text typed or pasted into a prompt is saved whole")
  func longText() throws {
    let words = (0..<10_000).map { "wörd\($0) " }.joined()
    for (number, text) in [words, "\u{1B}[200~\(words)\u{1B}[201~"].enumerated() {
      let result = try keys("a\(text)\rq")
      #expect(result.code == 0)
      let shown = try program.run(["show", "\(number + 1)", "--format", "json"]).output
      #expect(shown.contains("wörd0 wörd1 ") && shown.contains("wörd9999 \""))
    }
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
