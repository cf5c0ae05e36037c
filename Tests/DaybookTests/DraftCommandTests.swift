import Foundation
import Testing

/// Drafts and histories as the real program keeps them.
struct DraftCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("a draft of one journal is not offered in another")
  func journals() throws {
    let first = program.home.appending(path: "first.sqlite").path
    let second = program.home.appending(path: "second.sqlite").path
    _ = try keys("aHalf", "--journal", first)
    #expect(!(try keys("q", "--journal", second)).output.contains("kept"))
    #expect(!(try keys("a\u{1B}[Aq\u{3}", "--journal", second)).output.contains("Half"))
    #expect(try keys("q", "--journal", first).output.contains("1 draft kept: press a, then Up"))
    let link = program.home.appending(path: "link.sqlite").path
    symlink(first, link)
    #expect(try keys("q", "--journal", link).output.contains("1 draft kept: press a, then Up"))
    _ = try keys("aIn memory", "--journal", ":memory:")
    #expect(try keys("q", "--journal", first).output.contains("1 draft kept"))
    #expect(try keys("q", "--journal", ":memory:").output.contains("1 draft kept"))
  }

  @Test(
    "a text too long for an entry is kept whole where it came by a pipe, and refused unread from a file"
  )
  func tooLong() throws {
    _ = try program.run(["add", "one"])
    let result = try program.shell(
      """
      head -c 70000001 /dev/zero | tr '\\0' a > $HOME/long
      for command in "add -" "add" "edit 1 -"; do
        cat $HOME/long | daybook $command; echo "code $?"
        cmp $HOME/long $HOME/.local/state/daybook/drafts/*/entry.md && echo kept
        rm -r $HOME/.local/state/daybook/drafts/*
        daybook $command < $HOME/long; echo "code $?"
        ls $HOME/.local/state/daybook/drafts | wc -l
      done
      daybook show 1 | tail -1
      """)
    #expect(
      result.output
        == String(repeating: "code 65\nkept\ncode 65\n0\n", count: 3) + "one\n")
    #expect(result.errors.split(separator: "\n").count == 6)
    #expect(result.errors.components(separatedBy: "the text is kept in").count == 4)
  }

  @Test("an add that fails again keeps its text once, and the add that works takes it away")
  func failedAdds() throws {
    let missing = program.home.appending(path: "no/such/journal.sqlite").path
    for _ in 0..<3 {
      let failed = try program.run(["--journal", missing, "add", "Bought bread"])
      #expect(failed.code == 73)
      #expect(failed.errors.contains("the text is kept in"))
    }
    for _ in 0..<3 {
      let binary: [UInt8] = [0x61, 0x00, 0x0A]
      #expect(try program.run(["--journal", missing, "add"], input: binary).code == 65)
    }
    #expect(try program.drafts() == ["Bought bread", "a\0\n"])
    let directory = program.home.appending(path: "no/such")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    #expect(
      try program.run(["--journal", missing, "add"], input: Array("Bought bread\n".utf8)).code == 0)
    #expect(try program.drafts() == ["a\0\n"])
  }

  @Test("commands and dates are kept apart, in private files, and entries never")
  func histories() throws {
    _ = try keys(":undo\r:add secret one\r:edit 1 secret two\rasecret three\rgdyesterday\rq")
    let state = program.home.appending(path: ".local/state/daybook")
    #expect(try String(contentsOf: state.appending(path: "commands"), encoding: .utf8) == "undo\n")
    #expect(
      try String(contentsOf: state.appending(path: "dates"), encoding: .utf8) == "yesterday\n")
    for name in ["commands", "dates"] {
      let file = state.appending(path: name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(try program.run(["list"]).output.contains("secret three"))
    _ = try keys("gd\u{1B}[A\u{1B}[A\rq")
    #expect(
      try String(contentsOf: state.appending(path: "dates"), encoding: .utf8) == "yesterday\n")
  }

  @Test("Tab completes a tag of the journal, as it is stored and the most used first")
  func completion() throws {
    for text in ["x #Home", "y #house", "z #house"] { _ = try program.run(["add", text]) }
    _ = try keys("aAt #hom\t\rq")
    #expect(try program.run(["list", "At"]).output.contains("At #Home"))
    let frames = try program.run(["screen", "--frames"], input: Array("aAt #ho\t".utf8)).output
    #expect(frames.contains("#house 2  #Home 2") || frames.contains("#Home 2  #house 2"))
  }

  @Test("a family of emoji is one Backspace away")
  func clusters() throws {
    _ = try keys("a👩‍👩‍👧‍👦x👨‍👩‍👧\u{7F}\rq")
    let line = try program.run(["list", "--format", "jsonl"]).output
    #expect(line.contains(#""text":"👩‍👩‍👧‍👦x""#))
  }

  @Test("a draft that is brought back, emptied and answered with Enter is gone, also of an edit")
  func emptied() throws {
    _ = try program.run(["add", "Bought bread"])
    _ = try keys("aHalf a thought")
    _ = try keys("e and milk")
    #expect(try keys("q").output.contains("2 drafts kept, 1 of edits: see :drafts"))
    // Esc, as well as ^C, leaves the draft where it is.
    _ = try keys("a\u{1B}[A\u{15}\u{03}")
    #expect(try program.drafts().count == 2)
    #expect(try keys("a\u{1B}[A\u{1B}[B\r").output.contains("nothing to save"))
    #expect(try keys("a\u{1B}[A\u{15}\r").output.contains("draft discarded"))
    #expect(try keys("q").output.contains("1 draft of an edit kept: see :drafts"))
    #expect(try program.drafts() == ["Bought bread and milk"])
    #expect(try keys("e\u{1B}[A\u{15}\r").output.contains("draft discarded"))
    #expect(try program.drafts() == [])
    #expect(!(try keys("q").output.contains("kept")))
    #expect(try program.run(["list"]).output.contains("Bought bread"))
  }

  @Test(":drafts lists the drafts, the latest first; Enter goes on with one, d y discards one")
  func listed() throws {
    _ = try program.run(["add", "Bought bread"])
    #expect(try keys(":drafts\r").output.contains("No drafts. Esc keeps one"))
    _ = try keys("aFirst thought")
    _ = try keys("aSecond thought")
    _ = try keys("e and milk")
    let listed = try keys(":drafts\r").output
    let rows = listed.split(separator: "\n").dropFirst().map(String.init)
    #expect(
      rows[0].hasPrefix("› Bought bread and milk")
        && rows[0].contains(#/edit of entry 1, \d+ \w+ 20/#))
    #expect(rows[1].hasPrefix("  Second thought") && rows[1].contains(#/new entry, \d+ \w+ 20/#))
    #expect(rows[2].hasPrefix("  First thought"))
    #expect(listed.contains("Enter continue writing  d discard  q back"))
    #expect(try keys(":drafts\rjdy").output.contains("draft discarded"))
    #expect(try program.drafts().sorted() == ["Bought bread and milk", "First thought"])
    _ = try keys(":drafts\rjdn\u{03}:drafts\rj\r, finished\r")
    #expect(try program.run(["list"]).output.contains("First thought, finished"))
    _ = try keys(":drafts\r\r, and eggs\r")
    let texts = try program.run(["list"]).output
    #expect(texts.contains("Bought bread and milk, and eggs"))
    #expect(try program.drafts() == [])
    #expect(texts.split(separator: "\n").count == 3)
  }

  @Test("the draft of an edit whose entry is gone becomes a new entry")
  func entryGone() throws {
    _ = try program.run(["add", "Bought bread"])
    _ = try keys("e and milk")
    _ = try program.run(["delete", "1"])
    #expect(try keys(":drafts\r").output.contains(#/edit of an entry that is gone, \d+ \w+ 20/#))
    #expect(try keys(":drafts\r\r").output.contains("Enter saves a new entry"))
    _ = try keys(":drafts\r\r\r")
    #expect(try program.run(["list"]).output.contains("Bought bread and milk"))
    #expect(try program.drafts() == [])
  }

  @Test("with --prompt nobody is told to press a")
  func staying() throws {
    _ = try keys("aHalf a thought")
    let screen = try keys("", "--prompt").output
    #expect(screen.contains("1 draft kept: press Up") && !screen.contains("press a"))
    #expect(try keys("\u{1B}[A\u{15}\r", "--prompt").output.contains("draft discarded"))
    #expect(try program.drafts() == [])
  }

  private func keys(_ keys: String, _ arguments: String...) throws -> Program.Result {
    try program.run(arguments, input: Array(keys.utf8))
  }
}
