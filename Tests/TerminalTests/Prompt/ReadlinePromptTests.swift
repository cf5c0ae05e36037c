import Glibc
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests {
  @Suite("The prompt")
  struct ReadlinePromptTests {
    private let turn = ReadlineTurn()
    private let prompt: ReadlinePrompt
    /// The user's settings: empty unless a test writes them and has them read again.
    private static let settings = "/tmp/daybook-inputrc-\(getpid())"

    init() {
      // The tests must not depend on the settings of the user who runs them.
      setenv("INPUTRC", Self.settings, 1)
      prompt = ReadlinePrompt()
    }

    /// Types keys in the notation of key files.
    @discardableResult
    private func type(_ keys: String) throws -> [ReadlineEvent] {
      var events: [ReadlineEvent] = []
      // A number sign at the start of a line would be a comment.
      for step in try KeyScript.parse("<Wait 0s>" + keys) {
        guard case .event(let event) = step else { continue }
        events = prompt.handle(event)
      }
      return events
    }

    private func start(
      _ kind: PromptKind = .entry, _ text: String = "", history: [String] = [],
      completions: @escaping PromptCompletions.Source = { _, _, _ in PromptCompletions() }
    ) {
      prompt.start(
        kind: kind, label: "> ", initialText: text, history: history, completions: completions)
    }

    @Test("takes any text byte by byte, and its line is whole after each byte")
    func typing() throws {
      start()
      let text = "日本語 👩‍👩‍👧 é e\u{301}"
      var seen: [String] = []
      for byte in text.utf8 {
        #expect(prompt.feed([byte]) == [.changed])
        #expect(text.hasPrefix(prompt.line) || text.utf8.starts(with: prompt.line.utf8))
        #expect(!prompt.line.contains("\u{FFFD}"))
        seen.append(prompt.line)
      }
      #expect(prompt.line == text)
      #expect(prompt.point == text.utf8.count)
      #expect(prompt.draft == text)
      #expect(prompt.displayPrompt == "> ")
      #expect(try type("<Enter>") == [.accepted(text)])
      #expect(!prompt.isActive)
      #expect(prompt.handle(.stroke(.escape)).isEmpty)
    }

    @Test("repeats a key a thousand times at the most, whatever number was typed before it")
    func numericArgument() {
      start()
      _ = prompt.feed([0x1b, UInt8(ascii: "9")])
      _ = prompt.feed(Array("99999a".utf8))
      #expect(prompt.line == String(repeating: "a", count: 1_000))
    }

    @Test("edits with the keys of readline")
    func editing() throws {
      start()
      try type("one two<C-a>X<C-e>Y")
      #expect(prompt.line == "Xone twoY")
      try type("<C-w>")
      #expect(prompt.line == "Xone ")
      try type("<C-a><C-k>")
      #expect(prompt.line == "")
      try type("<C-y><C-y>")
      #expect(prompt.line == "Xone Xone ")
      try type("<Home>é<End>ü<Left><Del><C-_>")
      #expect(prompt.line == "éXone Xone ü")
      try type("<C-Left>|<Home><C-Right>+<A-Right>-")
      #expect(prompt.line == "éXone+ Xone- |ü")
    }

    @Test("moves by characters, not bytes")
    func moving() throws {
      start(.entry, "a日e\u{301}b")
      #expect(prompt.point == 8)
      try type("<Left>")
      #expect(prompt.point == 7)
      try type("<Left>")
      #expect(prompt.point == 4)
      try type("<Left>")
      #expect(prompt.point == 1)
      try type("<C-e><BS><BS>")
      #expect(prompt.line == "a日")
    }

    @Test(
      "Enter with a modifier is a new line, however a terminal or a script says it",
      arguments: enterWithModifiers)
    func newLine(_ key: String) throws {
      start()
      var events: [ReadlineEvent] = []
      if let stroke = KeyStroke(named: key) {
        try type("a")
        events = prompt.handle(.stroke(stroke))
        try type("b")
      } else {
        var decoder = KeyDecoder()
        for event in decoder.feed(Array("a\(key)b".utf8)) { events += prompt.handle(event) }
      }
      #expect(prompt.line == "a\nb")
      #expect(events.allSatisfy { $0 == .changed })
      #expect(try type("<Enter>") == [.accepted("a\nb")])
    }

    @Test(
      "where the answer is one line, Enter with a modifier answers", arguments: PromptKind.allCases)
    func oneLine(_ kind: PromptKind) throws {
      guard !kind.isMultiline else { return }
      for key in ["<S-Enter>", "<A-Enter>", "<C-Enter>"] {
        start(kind)
        #expect(try type("old\(key)") == [.accepted("old")])
      }
    }

    @Test(
      "keys that type characters do the same at once as one by one",
      arguments: [
        "plain text of many characters", "日本語 👩‍👩‍👧 é e\u{301} text", "<lt>tag> #home @anna",
      ])
    func atOnce(_ text: String) throws {
      let strokes = text.unicodeScalars.map {
        KeyStroke(name: String($0), bytes: Array(String(Character($0)).utf8))
      }
      start(.entry, "before ")
      for stroke in strokes { _ = prompt.handle(.stroke(stroke)) }
      let (line, point) = (prompt.line, prompt.point)
      start(.entry, "before ")
      let typed = prompt.type(strokes[...])
      #expect(typed.taken == strokes.count && typed.events == [.changed])
      #expect(prompt.line == line && prompt.point == point && prompt.draft == line)
      try type("<BS>")
      #expect(prompt.line.count == line.count - 1)
    }

    @Test("in the search through the history keys are taken one by one")
    func notAtOnce() throws {
      let strokes = (0..<20).map { _ in KeyStroke(name: "l", bytes: [0x6C]) }
      start(.command, history: ["list"])
      try type("<C-r>")
      #expect(prompt.type(strokes[...]).taken == 0)
      prompt.cancel()
    }

    @Test("a text of several lines is left at its first and last rows, by each key that does it")
    func leaving() throws {
      for (up, down) in [("<Up>", "<Down>"), ("<C-p>", "<C-n>")] {
        start(.entry, "one\ntwo\nthree")
        #expect(try type(up) == [.changed])
        #expect(try type(up) == [.changed])
        #expect(try type(up) == [.leftText(-1)])
        #expect(prompt.line == "one\ntwo\nthree" && prompt.point == 3)
        try type(down + down)
        #expect(try type(down) == [.leftText(1)])
        prompt.replace("other\ntext")
        #expect(prompt.line == "other\ntext" && prompt.point == 10 && prompt.draft == prompt.line)
        try type("!<C-_>")
        #expect(prompt.line == "other\ntext", "undo stays within a text")
      }
    }

    @Test("no command for the history takes a text of several lines away, whatever key it has")
    func noHistory() throws {
      try settings(
        """
        "\\C-p": history-search-backward
        "\\e[A": history-search-backward
        "\\eOA": previous-history
        """)
      let keys = [
        "<Up>", "<C-p>", "<PageUp>", "<PageDown>", "<A-lt>", "<A->>", "<C-r>", "<C-s>", "<A-p>",
        "<A-n>", "<A-.>", "<Down>", "<C-n>",
      ]
      for key in keys {
        start(.command, history: ["words of an earlier command"])
        try type("<Up><Enter>")
        start(.entry)
        _ = prompt.insert("words")
        _ = prompt.insert(" to keep")
        try type(key)
        #expect(prompt.line == "words to keep", "\(key)")
        // What is typed next is text, and no search.
        try type("!")
        let isAtStart = key == "<A-lt>"
        #expect(prompt.line == (isAtStart ? "!words to keep" : "words to keep!"), "\(key)")
        #expect(prompt.displayPrompt == "> ", "\(key)")
        prompt.cancel()
      }
      try settings(
        """
        "\\C-p": previous-history
        "\\e[A": previous-history
        "\\eOA": previous-history
        """)
    }

    @Test("a key with Alt is one key where readline has a command for it, else Esc and a key")
    func alt() throws {
      start(.entry, "one two")
      for (key, isTaken) in [
        ("<A-b>", true), ("<A-B>", true), ("<A-3>", true), ("<A-Enter>", true), ("<A-q>", false),
        ("<A-:>", false), ("<A-Q>", false), ("<A-é>", false),
      ] {
        let stroke = try #require(KeyStroke(named: key))
        #expect(prompt.takes(alt: stroke) == isTaken, "\(key)")
      }
    }

    @Test("begins with a text that undo does not take away")
    func initialText() throws {
      start(.entry, "first\nsecond")
      #expect(prompt.line == "first\nsecond")
      try type("<C-_><C-_>x<C-_>")
      #expect(prompt.line == "first\nsecond")
      #expect(try type("!<Enter>") == [.accepted("first\nsecond!")])
    }

    @Test("brings earlier answers back")
    func history() throws {
      start(.command, history: ["list 東京", "stats"])
      try type("new<Up>")
      #expect(prompt.line == "stats")
      try type("<Up>")
      #expect(prompt.line == "list 東京")
      try type("<Down><Down>")
      #expect(prompt.line == "new")
      #expect(try type("<Enter>") == [.accepted("new")])
      start(.command, history: ["other"])
      try type("<Up>x<Up>")
      #expect(prompt.line == "otherx")
    }

    @Test("searches the history, also for letters of two bytes")
    func search() throws {
      start(.command, history: ["list café", "list thé", "stats"])
      try type("typed<C-r>é")
      #expect(prompt.line == "list thé")
      #expect(prompt.displayPrompt.contains("é"))
      #expect(prompt.draft == "typed")
      try type("<C-r>")
      #expect(prompt.line == "list café")
      #expect(try type("<Enter>") == [.accepted("list café")])
      #expect(prompt.displayPrompt != "> " || prompt.line == "list café")
    }

    @Test("is cancelled by Esc and ^C, also inside a search, and keeps what was typed")
    func cancelling() throws {
      for keys in ["<Esc>", "<C-c>", "<C-r>o<Esc>", "<C-r>x<C-c>", "<C-x><Esc>", "<A-3><Esc>"] {
        start(.search, history: ["other"])
        #expect(try type("日本" + keys) == [.cancelled])
        #expect(prompt.draft == "日本")
        #expect(!prompt.isActive)
        start(.search, history: ["other"])
        #expect(prompt.line == "")
        #expect(prompt.displayPrompt == "> ")
        try type("<Up>")
        #expect(prompt.line == "other")
        prompt.cancel()
      }
    }

    @Test("ends with ^D on an empty line only")
    func endOfFile() throws {
      start()
      #expect(try type("a<C-d>") == [.changed])
      #expect(prompt.line == "a")
      #expect(try type("<BS><C-d>") == [.cancelled])
      #expect(!prompt.isActive)
    }

    @Test("makes new lines with Alt-Enter, and with ^J of a terminal")
    func newLines() throws {
      start()
      try type("one<A-Enter>two")
      _ = prompt.handle(.stroke(KeyStroke(name: "<Enter>", bytes: [0x0A])))
      try type("three")
      #expect(prompt.line == "one\ntwo\nthree")
      let enter = KeyEvent.stroke(KeyStroke(name: "<Enter>", bytes: [0x0A]))
      start(.command, "a")
      #expect(prompt.handle(enter) == [.accepted("a")])
    }

    @Test("moves between the lines of a text before it leaves it")
    func upAndDown() throws {
      start(.entry, "日本語\nab\nlonger")
      try type("<Up>")
      #expect(prompt.point == 12)
      try type("<Up>")
      #expect(prompt.point == 9)
      try type("<Down><Down>")
      #expect(prompt.point == 19)
      #expect(try type("<Up><Up><Up>") == [.leftText(-1)])
    }

    @Test("moves by the rows in which a long line is shown, and keeps its column")
    func screenRows() throws {
      prompt.width = 10
      start(.entry, "12345678abcdefghijXYZ")
      // "> 12345678" "  abcdefgh" "  ijXYZ"
      #expect(prompt.point == 21)
      try type("<Up>")
      #expect(prompt.point == 13)
      try type("<Up>")
      #expect(prompt.point == 5)
      try type("<End><Left><Up><Right>日<Down>")
      #expect(prompt.line == "12345678abcde日fghijXYZ")
      try type("<Up><Up><Down><Down><Down>")
      #expect(prompt.line == "12345678abcde日fghijXYZ")
      prompt.width = 80
    }

    @Test("takes a paste as text, whatever it holds")
    func paste() throws {
      start(.entry, "ab")
      try type("<Left>")
      let pasted = "\u{1B}[31m\u{3}\u{4}x\r\ny\rz\0\t\u{17}"
      #expect(prompt.handle(.paste(Array(pasted.utf8) + [0xFF])) == [.changed])
      let expected = "a\u{1B}[31m\u{3}\u{4}x\ny\nz\u{FFFD}\t\u{17}\u{FFFD}b"
      #expect(prompt.line == expected)
      #expect(prompt.point == expected.utf8.count - 1)
      try type("<C-_>")
      #expect(prompt.line == "ab")
      start(.command)
      _ = prompt.handle(.paste(Array("one\ntwo\r\n".utf8)))
      #expect(prompt.line == "one two")
    }

    @Test("pastes into the search of the history as what is searched")
    func pasteIntoSearch() throws {
      start(.command, history: ["list thé", "stats"])
      try type("<C-r>")
      _ = prompt.insert("thé\n")
      #expect(prompt.line == "list thé")
    }

    @Test("takes a paste of a megabyte and goes on")
    func longPaste() throws {
      start()
      let text = String(repeating: "日本語 text\n", count: 70_000)
      #expect(prompt.insert(text) == [.changed])
      #expect(prompt.line == text)
      try type("<A-<>x<A->>y")
      #expect(prompt.line == "x" + text + "y")
      #expect(try type("<Enter>") == [.accepted("x" + text + "y")])
    }

    @Test("shows ill-formed bytes as U+FFFD")
    func illFormed() throws {
      start()
      for byte: UInt8 in [0x61, 0xFF, 0xE2, 0x82, 0x62, 0xED, 0xA0, 0x80, 0x63] {
        _ = prompt.feed([byte])
      }
      #expect(prompt.line == "a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}c")
    }

    @Test("does not type the rest of a key that it does not know")
    func unknownKeys() throws {
      start()
      try type("a<F5><S-F12><C-A-PageUp><A-Insert>b")
      #expect(prompt.line == "ab")
    }

    @Test("hands the text over to an editor at ^X^E")
    func editor() throws {
      start()
      #expect(try type("some text<C-x><C-e>") == [.externalEditor("some text")])
      #expect(!prompt.isActive)
      #expect(prompt.draft == "some text")
    }

    @Test("completes the word at the cursor, and lists the ways when there are several")
    func completion() throws {
      let tags = ["#home", "#house", "#日本/東京", "@Ann"]
      var asked: [String] = []
      start(
        .search, "is:starred ",
        completions: { text, start, line in
          asked.append("\(text) \(start) \(line)")
          return PromptCompletions(
            tags.filter { $0.lowercased().hasPrefix(text.lowercased()) })
        })
      try type("#日<Tab>")
      #expect(prompt.line == "is:starred #日本/東京 ")
      #expect(asked == ["#日 11 is:starred #日"])
      #expect(try type("#h<Tab>").contains(.completions(["#home", "#house"])))
      #expect(prompt.line == "is:starred #日本/東京 #ho")
      try type("u<Tab>")
      #expect(prompt.line == "is:starred #日本/東京 #house ")
      try type("@a<Tab>(#HO<Tab>x<Tab>")
      #expect(prompt.line == "is:starred #日本/東京 #house @Ann (#hox")
    }

    @Test("lists choices best first with what tells them apart, and leaves a field open")
    func choices() throws {
      start(
        .search,
        completions: { text, _, _ in
          text == "s"
            ? PromptCompletions(["since:"], isFinished: false)
            : PromptCompletions(["#zoo", "#a"], labels: ["#zoo 12", "#a 1"])
        })
      try type("s<Tab>")
      #expect(prompt.line == "since:")
      #expect(try type("<Space>#<Tab>").contains(.completions(["#zoo 12", "#a 1"])))
      #expect(prompt.line == "since: #")
    }

    @Test("has one prompt at a time")
    func oneAtATime() {
      let other = ReadlinePrompt()
      start()
      _ = prompt.insert("mine")
      other.start(kind: .command, label: ":")
      #expect(prompt.insert("lost").isEmpty)
      #expect(prompt.cancel().isEmpty)
      #expect(other.insert("x") == [.changed])
      #expect(other.line == "x")
      other.cancel()
    }

    @Test("keeps editing by vi's keys, where Esc cancels from the command mode")
    func viMode() throws {
      try settings("set editing-mode vi\n")
      start(.entry, "word")
      #expect(try type("x<Esc>") == [.changed])
      try type("0iA<Esc>")
      #expect(prompt.line == "Awordx")
      #expect(try type("<Esc>") == [.cancelled])
      start(.entry)
      try type("one two<Esc>bcwzwei<A-0>D")
      #expect(prompt.line == "")
      try settings("set editing-mode emacs\n")
      start(.entry)
      try type("ab<C-a>c")
      #expect(prompt.line == "cab")
    }

    @Test("follows the user's settings, but for those that would break it")
    func userSettings() throws {
      try settings("\"\\C-t\": \"typed by a macro\"\nset convert-meta on\nset bell-style audible\n")
      start(.entry)
      try type("<C-t> é")
      #expect(prompt.line == "typed by a macro é")
      try settings("\"\\C-t\": transpose-chars\n")
    }

    /// Writes the user's settings and has readline read them again.
    private func settings(_ text: String) throws {
      let file = try #require(fopen(Self.settings, "w"))
      fputs(text, file)
      fclose(file)
      start(.entry)
      // In emacs mode by ^X^R; vi's modes have no key for it.
      Readline.readSettings(Self.settings)
      prompt.cancel()
      unlink(Self.settings)
    }

    @Test("stays whole under random keys")
    func random() throws {
      var generator = SeededGenerator(seed: 7)
      let keys = [
        "a", "日", "👩", "\u{301}", " ", "#", "\n", "<Enter>", "<Esc>", "<C-r>", "<C-s>", "<C-a>",
        "<C-e>", "<C-k>", "<C-y>", "<A-y>", "<C-w>", "<C-u>", "<C-_>", "<C-x>", "<C-u>", "<A-3>",
        "<C-v>", "<C-]>", "<A-<>", "<Up>", "<Down>", "<Tab>", "<BS>", "<Del>", "<C-t>", "<A-t>",
        "<A-u>", "<A-b>", "<A-f>", "<A-d>", "<C-g>", "<C-c>", "<A-Enter>", "<PageUp>", "<C-@>",
        "<A-#>", "<A-r>", "<A-.>", "<A-p>", "<C-d>", "<C-l>", "<A-*>", "<A-?>", "<C-x><C-r>",
        "<C-x>(", "<C-x>)", "<C-x>e", "<C-o>", "<C-q>", "<A-\\>", "<A-~>",
      ].compactMap { text in (try? KeyScript.parse(text)) }
      for round in 0..<300 {
        let kind = PromptKind.allCases.randomElement(using: &generator) ?? .entry
        start(
          kind, "é日\u{301}👩‍👩‍👧", history: kind.isMultiline ? [] : ["one", "twé\nlines", "日本語"],
          completions: { text, _, _ in PromptCompletions([text + "é", text + "日"]) })
        for _ in 0..<60 where prompt.isActive {
          for case .event(let event) in keys.randomElement(using: &generator) ?? [] {
            _ = prompt.handle(event)
          }
          #expect(!prompt.line.contains("\u{FFFD}"), "round \(round)")
          let utf8 = prompt.line.utf8
          let index = utf8.index(utf8.startIndex, offsetBy: prompt.point)
          #expect(index.samePosition(in: prompt.line.unicodeScalars) != nil, "round \(round)")
        }
      }
      prompt.cancel()
    }
  }
}

/// Enter with a modifier, as key scripts name it and as terminals report it.
private let enterWithModifiers = [
  "<A-Enter>", "<S-Enter>", "<C-Enter>", "<C-S-Enter>", "<A-S-Enter>", "<C-A-S-Enter>",
  "\u{0A}",
  "\u{1B}\r", "\u{1B}\n", "\u{1B}[27;2;13~", "\u{1B}[13;2u", "\u{1B}[27;5;13~", "\u{1B}[13;5u",
  "\u{1B}[13;2:1u", "\u{1B}[27;3;13~", "\u{1B}[27;5;106~", "\u{1B}[57414;2u", "\u{1B}O2M",
]
