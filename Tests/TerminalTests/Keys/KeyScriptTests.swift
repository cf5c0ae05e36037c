import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Key files")
struct KeyScriptTests {
  private func names(_ text: String) throws -> [String] {
    try KeyScript.parse(text).map { step in
      switch step {
      case .event(let event): KeyDecoderTests.name(event)
      case .wait(let milliseconds): "wait(\(milliseconds))"
      case .say(let text): "say(\(text))"
      case .run(let words): "run(\(words))"
      }
    }
  }

  @Test("what is read is written again, and the mouse has no notation")
  func written() throws {
    let text =
      "a# é日<lt>b> <Enter><Esc><C-x><A-Enter><S-Left><F5><C-A-x><Paste>two\n<lines></Paste>"
    let script = try KeyScript.parse(text).map { step in
      if case .event(let event) = step { event.script } else { "?" }
    }
    #expect(script.joined() == text)
    #expect(KeyEvent.mouse(MouseEvent(.press, column: 1, row: 2)).script == "")
    #expect(KeyEvent.report(.background(0)).script == "")
  }

  @Test("hold text and keys; line ends and comments are nothing")
  func parse() throws {
    #expect(
      try names("# a comment\nab<Enter>\n# x\nc#d\r\n<lt>") == [
        "a", "b", "<Enter>", "c", "#", "d", "<lt>",
      ])
    #expect(try names("日<Space><Wait 500ms><Wait 2s>") == ["日", " ", "wait(500)", "wait(2000)"])
    #expect(try names("<Paste>two\n# lines</Paste>x") == ["paste(two\n# lines)", "x"])
    #expect(
      try names("<c-X><M-enter><s-tab><pgdn><C-A-up>") == [
        "<C-x>", "<A-Enter>", "<S-Tab>", "<PageDown>", "<C-A-Up>",
      ])
  }

  @Test("hold captions and commands for another process")
  func directives() throws {
    #expect(
      try names("a<Say Now press a.><Run add 'one two'>b<Say>") == [
        "a", "say(Now press a.)", "run(add 'one two')", "b", "say()",
      ])
    for text in ["<Run>", "<Run >", "<Say two\nlines>", "<Sayings>"] {
      #expect(throws: KeyScriptError.self) { try KeyScript.parse(text) }
    }
  }

  @Test("give the place of each step")
  func positions() throws {
    let steps = try KeyScript.positioned("# a\nab<Enter>\r\n  <Paste>two\nlines</Paste><Wait 1s>x")
    #expect(
      steps.map { "\($0.position.line):\($0.position.column)" } == [
        "2:1", "2:2", "2:3", "3:1", "3:2", "3:3", "4:14", "4:23",
      ])
  }

  @Test("name the place of a key that does not exist")
  func unknown() {
    #expect(throws: KeyScriptError(.unknown, "<Nokey>", line: 2, column: 3)) {
      try KeyScript.parse("a\nbc<Nokey>")
    }
    #expect(throws: KeyScriptError(.unclosed, "<Paste>", line: 1, column: 2)) {
      try KeyScript.parse("a<Paste>x\n\ny")
    }
    #expect(throws: KeyScriptError(.argument, "<Wait -5>", line: 1, column: 1)) {
      try KeyScript.parse("<Wait -5>")
    }
    for text in ["<", "<Enter", "<>", "<Paste>x", "<S-x>", "<C->", "<Wait x>", "<Wait 9999999s>"] {
      #expect(throws: KeyScriptError.self) { try KeyScript.parse(text) }
    }
  }

  @Test("give bytes that the decoder reads as the same key")
  func roundTrip() throws {
    var names = ["a", "日", " ", "<lt>", "<C-a>", "<C-@>", "<C-_>", "<A-x>", "<A-é>", "<C-A-b>"]
    let words = ["Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "Del"]
    let functions = (1...20).map { "F\($0)" }
    for prefix in ["", "C-", "A-", "S-", "C-A-", "C-A-S-"] {
      names += (words + functions + ["Insert"]).map { "<\(prefix)\($0)>" }
    }
    names += ["<Enter>", "<A-Enter>", "<C-Enter>", "<S-Tab>", "<Tab>", "<BS>", "<A-BS>", "<C-Tab>"]
    for name in names {
      let stroke = try #require(KeyStroke(named: name), "\(name)")
      #expect(stroke.name == name)
      var decoder = KeyDecoder()
      let events = decoder.feed(stroke.bytes) + decoder.finish()
      #expect(events.map(KeyDecoderTests.name) == [name])
    }
  }
}
