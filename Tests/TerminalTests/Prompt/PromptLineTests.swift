import Glibc
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests {
  /// The keys of lines and of undo in a text of several lines.
  @Suite("The prompt and the lines of its text")
  struct PromptLineTests {
    private let turn = ReadlineTurn()
    private let prompt = ReadlinePrompt()
    private static let settings = "/tmp/daybook-lines-\(getpid())"
    /// Three lines, the middle one with characters of several bytes.
    private static let text = "one two\ndrei 日本 👩‍👩‍👧 vier\nlast"

    init() {
      setenv("INPUTRC", Self.settings, 1)
    }

    @discardableResult
    private func type(_ keys: String) throws -> [ReadlineEvent] {
      var events: [ReadlineEvent] = []
      for step in try KeyScript.parse("<Wait 0s>" + keys) {
        if case .event(let event) = step { events = prompt.handle(event) }
      }
      return events
    }

    private func start(_ text: String, kind: PromptKind = .entry) {
      prompt.start(kind: kind, label: "", initialText: text)
    }

    /// The text with a bar at the cursor.
    private var picture: String {
      let bytes = Array(prompt.line.utf8)
      return String(decoding: bytes[..<prompt.point], as: UTF8.self) + "|"
        + String(decoding: bytes[prompt.point...], as: UTF8.self)
    }

    private func settings(_ text: String) throws {
      let file = try #require(fopen(Self.settings, "w"))
      fputs(text, file)
      fclose(file)
      start("")
      Readline.readSettings(Self.settings)
      prompt.cancel()
      unlink(Self.settings)
    }

    // MARK: Moving

    @Test("^A and Home go to the start of the line, ^E and End to its end")
    func lineEnds() throws {
      for (home, end) in [("<C-a>", "<C-e>"), ("<Home>", "<End>")] {
        start(Self.text)
        try type("<Up><Left>" + home)
        #expect(picture == "one two\n|drei 日本 👩‍👩‍👧 vier\nlast")
        // At the start it stays there.
        try type(home + end)
        #expect(picture == "one two\ndrei 日本 👩‍👩‍👧 vier|\nlast")
        try type(end + "<Up>" + home)
        #expect(picture == "|one two\ndrei 日本 👩‍👩‍👧 vier\nlast")
      }
    }

    @Test("Alt-< and Alt-> go to the ends of the text")
    func textEnds() throws {
      start(Self.text)
      try type("<Up><A-<>")
      #expect(picture == "|" + Self.text)
      try type("<A->>")
      #expect(picture == Self.text + "|")
    }

    // MARK: Killing

    @Test("^K kills to the end of the line, there the line feed, and ^Y brings all of it back")
    func killing() throws {
      start(Self.text)
      try type("<A-<><A-f><C-k>")
      #expect(picture == "one|\ndrei 日本 👩‍👩‍👧 vier\nlast")
      try type("<C-k>")
      #expect(picture == "one|drei 日本 👩‍👩‍👧 vier\nlast")
      try type("<C-k><C-k><C-k><C-k>")
      #expect(picture == "one|")
      try type("<C-y>")
      #expect(picture == Self.text + "|")
      for _ in 0..<6 { try type("<C-_>") }
      #expect(prompt.line == Self.text)
    }

    @Test("^U kills to the start of the line, there the line feed before it")
    func killingBackward() throws {
      start("one\ntwo\nthree")
      try type("<Up><C-u>")
      #expect(picture == "one\n|\nthree")
      try type("<C-u>")
      #expect(picture == "one|\nthree")
      try type("<C-u><C-u>")
      #expect(picture == "|\nthree")
      try type("<C-y>")
      #expect(picture == "one\ntwo|\nthree")
    }

    @Test("^W kills a word before the cursor, but not one of the line above")
    func killingWords() throws {
      start("one\ntwo  do/3\n日本 drei-4")
      try type("<C-w>")
      #expect(picture == "one\ntwo  do/3\n日本 |")
      try type("<C-w>")
      #expect(picture == "one\ntwo  do/3\n|")
      try type("<C-w>")
      #expect(picture == "one\ntwo  do/3|")
      try type("<A-2><C-w>")
      #expect(picture == "one\n|")
      try type("<C-w><C-w><C-w>")
      #expect(picture == "|")
      try type("<C-y>")
      // A number begins a new kill.
      #expect(picture == "one\ntwo  do/3|")
      try settings("\"\\C-o\": unix-filename-rubout\n")
      start("one\ntwo do/3")
      try type("<C-o>")
      #expect(picture == "one\ntwo do/|")
      try type("<C-o><C-o>")
      #expect(picture == "one\n|")
      try settings("\"\\C-o\": operate-and-get-next\n")
    }

    @Test("a number turns the direction of ^K, as before")
    func killingWithNumber() throws {
      start("one\ntwo")
      try type("<A--><C-k>")
      #expect(picture == "one\n|")
      try type("<C-y><C-a><A--><C-k>")
      #expect(picture == "one|two")
    }

    @Test("keys that the user bound to the same commands act on lines, too")
    func userBindings() throws {
      try settings(
        "\"\\C-o\": kill-line\n\"\\C-xh\": beginning-of-line\n\"\\C-xw\": kill-whole-line\n")
      start("one two\nthree four\nfive")
      try type("<Up><C-x>h<A-f><C-o>")
      #expect(picture == "one two\nthree|\nfive")
      try type("<C-x>w")
      #expect(picture == "one two\n|five")
      try type("<C-x>w")
      #expect(picture == "|one two")
      try type("<C-y>")
      #expect(prompt.line.hasPrefix("\nfive"))
      try settings("\"\\C-o\": operate-and-get-next\n")
    }

    @Test("an answer of one line has readline's own commands", arguments: PromptKind.allCases)
    func oneLine(_ kind: PromptKind) throws {
      start("one two", kind: kind)
      try type("<C-a><A-f><C-k>")
      #expect(picture == "one|")
      try type("<C-y><C-u>")
      #expect(picture == "|")
      try type("<C-y><C-a>x<C-e>y")
      #expect(picture == "xone twoy|")
    }

    // MARK: vi

    @Test("vi's 0, $, ^, I, A, D, C and S act on the line")
    func viLines() throws {
      try settings("set editing-mode vi\n")
      start("one two\n  three four\nfive")
      try type("<Up><Esc>0")
      #expect(picture == "one two\n|  three four\nfive")
      try type("^")
      #expect(picture == "one two\n  |three four\nfive")
      try type("$")
      #expect(picture == "one two\n  three fou|r\nfive")
      try type("bD")
      #expect(picture == "one two\n  three| \nfive")
      try type("Ax<Esc>I-<Esc>")
      #expect(prompt.line == "one two\n-  three x\nfive")
      try type("0Cnew<Esc>")
      #expect(prompt.line == "one two\nnew\nfive")
      try type("kSold<Esc>")
      #expect(prompt.line == "old\nnew\nfive")
      try type("0d$")
      #expect(prompt.line == "\nnew\nfive")
      try settings("set editing-mode emacs\n")
    }

    @Test("vi's dd, cc and yy act on the line, with a number and again by a dot")
    func viOperators() throws {
      try settings("set editing-mode vi\n")
      start("one\ntwo\nthree\nfour\nfive")
      try type("<Up><Up><Esc>dd")
      #expect(picture == "one\ntwo\n|four\nfive")
      try type(".")
      #expect(picture == "one\ntwo\n|five")
      try type("k0ccnew<Esc>")
      #expect(prompt.line == "one\nnew\nfive")
      try type("<Up>0yyP")
      #expect(prompt.line == "oneone\nnew\nfive")
      try type("02dd")
      #expect(prompt.line == "five")
      try type("ddp")
      #expect(prompt.line == "five")
      // An operator with a motion is readline's own.
      try type("A one two<Esc>0dw")
      #expect(prompt.line == "one two")
      try settings("set editing-mode emacs\n")
    }

    // MARK: Undo

    /// What undo leaves, step by step.
    private func undone() throws -> [String] {
      var texts: [String] = []
      while texts.count < 50 {
        let before = prompt.line
        try type("<C-_>")
        if prompt.line == before { break }
        texts.append(prompt.line)
      }
      return texts
    }

    @Test("undo takes back a word at a time, whether keys come one by one or at once")
    func undoByWords() throws {
      let text = "It rained, all day\nthen  sun"
      let steps = [
        "It rained, all day\nthen  ", "It rained, all day\n", "It rained, all ", "It rained, ",
        "It ", "",
      ]
      start("")
      for character in text { try type(character == "\n" ? "<C-j>" : String(character)) }
      #expect(prompt.line == text)
      #expect(try undone() == steps)
      start("")
      let strokes = "one two three four five six".utf8.map {
        KeyStroke(name: String(UnicodeScalar($0)), bytes: [$0])
      }
      #expect(prompt.type(strokes[...]).taken == strokes.count)
      #expect(try undone().first == "one two three four five ")
      #expect(prompt.line == "")
    }

    @Test("undo takes back about a word of a script without spaces, never part of a character")
    func undoIdeographs() throws {
      start("")
      try type("今日は晴れ。明日は雨。")
      #expect(try undone() == ["今日は晴れ。", ""])
      let family = "👩‍👩‍👧‍👦"
      try type(family + family + "x " + family)
      for text in try undone() {
        #expect(text.allSatisfy { ["👩‍👩‍👧‍👦", "x", " "].contains($0) }, "\(text)")
      }
    }

    @Test("the undo of a text that was left comes back with it, and fits no other text")
    func undoOfLeftText() throws {
      start("")
      try type("one two three")
      let first = prompt.takeUndo()
      prompt.replace("another text")
      #expect(try undone() == [])
      try type(" and<C-w>or")
      let second = prompt.takeUndo()
      prompt.replace("one two three", undo: first)
      try type(" four")
      #expect(try undone() == ["one two three ", "one two ", "one ", ""])
      prompt.replace("another text or", undo: second)
      #expect(try undone().last == "another text")
      // A text that is never shown again, and one that begins a prompt.
      start("")
      try type("left for good")
      _ = prompt.takeUndo()
      try type(" one two")
      let third = prompt.takeUndo()
      start("left for good one two", kind: .entry)
      prompt.start(kind: .entry, label: "", initialText: "left for good one two", undo: third)
      #expect(try undone() == ["left for good one ", "left for good ", "left for good"])
      prompt.cancel()
      #expect(prompt.takeUndo() == nil)
    }

    @Test("a pasted text is one step, and what is typed around it others")
    func undoPaste() throws {
      start("")
      try type("see ")
      _ = prompt.handle(.paste(Array("a pasted text of many words\nand lines".utf8)))
      try type(" end")
      #expect(
        try undone() == [
          "see a pasted text of many words\nand lines ",
          "see a pasted text of many words\nand lines",
          "see ", "",
        ])
    }

    @Test("letters erased one by one come back by words")
    func undoErased() throws {
      start("one two three")
      for _ in 0..<9 { try type("<BS>") }
      #expect(picture == "one |")
      #expect(try undone() == ["one two ", "one two three"])
      try type("<C-a>")
      for _ in 0..<5 { try type("<Del>") }
      #expect(picture == "|wo three")
      #expect(try undone() == ["two three", "one two three"])
    }

    @Test(
      "no undo loses a text, whatever was typed, pasted, killed and erased",
      arguments: SeededGenerator.seeds(40))
    func undoLedger(_ seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let keys = [
        "a", "b", " ", " ", "é", "日", "本", "。", "👩‍👩‍👧", "e\u{301}", "<C-j>", "<BS>", "<BS>", "<Del>",
        "<C-a>", "<C-e>", "<C-k>", "<C-u>", "<C-w>", "<C-y>", "<A-d>", "<A-BS>", "<C-t>", "<A-u>",
        "<Left>", "<Right>", "<Up>", "<Down>", "<A-<>", "<A->>", "<Paste>two words<Enter>x</Paste>",
        "<A-3>z",
      ]
      start(Self.text)
      var texts = [prompt.line]
      for _ in 0..<120 {
        try type(keys.randomElement(using: &generator) ?? "a")
        guard prompt.isActive else { break }
        if texts.last?.utf8.elementsEqual(prompt.line.utf8) != true { texts.append(prompt.line) }
      }
      // Every step of undo is a text that was there, in their order, down to the first one.
      var place = texts.count - 1
      for text in try undoneToStart() {
        let found = texts[...place].lastIndex { $0.utf8.elementsEqual(text.utf8) }
        #expect(found != nil, "seed \(seed): undo made a text that never was")
        place = found ?? place
      }
      #expect(prompt.line.utf8.elementsEqual(Self.text.utf8), "seed \(seed)")
    }

    /// What undo leaves, down to the text of the start.
    private func undoneToStart() throws -> [String] {
      var texts: [String] = []
      var unchanged = 0
      while unchanged < 3, texts.count < 1_000 {
        let before = prompt.line
        try type("<C-_>")
        unchanged = prompt.line == before ? unchanged + 1 : 0
        if prompt.line != before { texts.append(prompt.line) }
      }
      return texts
    }
  }
}
