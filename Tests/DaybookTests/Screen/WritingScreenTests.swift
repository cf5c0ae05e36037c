import Foundation
import Glibc
import Journal
import Screen
import TestSupport
import Testing
import TextLayout

@testable import daybook

/// Writing in the prompt of the whole program: its size, spelling, and what the two meet.
@Suite(.readline)
struct WritingScreenTests {
  private typealias Arrival = ScriptedScreen.Arrival

  /// Some words, and letters that were swapped.
  private struct FakeDictionary: SpellingDictionary {
    let words: Set<String>
    func knows(_ word: String) -> Bool { words.contains(word.lowercased()) }
    func suggestions(for word: String) -> [String] {
      words.filter { $0.sorted() == word.lowercased().sorted() }.sorted()
    }
  }

  private static let words: Set<String> = ["the", "house", "is", "red", "haus", "rot", "mine"]

  /// A directory for the user's own words.
  private let directory =
    FileManager.default.temporaryDirectory.path + "/words-\(UUID().uuidString)"

  private func screen(
    columns: Int = 80, lines: Int = 24, drafts: DraftStore? = nil, spells: Bool = true,
    entries: [(seconds: Int64, text: String)] = []
  ) throws -> ScriptedScreen {
    let screen = try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines, entries: entries, drafts: drafts)
    let spelling = screen.runner.prompt.spelling
    let directory = directory
    spelling.directory = { directory }
    spelling.languages = { spells ? ["en_GB"] : [] }
    spelling.open = { languages, own in
      languages.isEmpty
        ? (nil, []) : (SpellChecker([FakeDictionary(words: Self.words)], own: own), [])
    }
    return screen
  }

  /// The underlined text of the prompt.
  private func underlined(_ screen: ScriptedScreen) -> String {
    guard let canvas = screen.picture?.canvas else { return "" }
    return screen.runner.state.layout.foot.flatMap { row in
      canvas[row: row].filter { $0.style.underline && $0.style.role != .link }.map(\.text)
    }.joined()
  }

  private func open(_ screen: ScriptedScreen) -> OpenPrompt? { screen.runner.state.prompt.open }

  // MARK: Undo

  @Test("undo comes back with a text after Up and Down, and after the question about a file")
  func undoOfRecalledTexts() throws {
    for arrival in Arrival.allCases {
      for (key, start) in [("a", ""), ("e", "zero ")] {
        let drafts = DraftStore(
          directory: directory + key + "\(arrival)", journal: ":memory:"
        ) { DraftName.make() }
        let screen = try screen(
          drafts: drafts, spells: false, entries: [(ScriptedScreen.now, "zero ")])
        try screen.press(key + "an earlier draft<Esc>", arrival)
        try screen.press(key + "one two three", arrival)
        for way in ["<Up><Down>", "<C-x>a<Esc>", "<Up><C-_><Down>"] {
          try screen.press(way, arrival)
          #expect(open(screen)?.text == start + "one two three", "\(key) \(way)")
          try screen.press("<C-_>", arrival)
          #expect(open(screen)?.text == start + "one two ", "\(key) \(way)")
          try screen.press("three", arrival)
        }
        // What is typed in the recalled draft is undone there.
        try screen.press("<Up> more<Down><Up>", arrival)
        #expect(open(screen)?.text == start + "an earlier draft more")
        try screen.press("<C-_><C-_>", arrival)
        #expect(open(screen)?.text == start + "an earlier draft")
        try screen.press("<Esc>", arrival)
      }
    }
  }

  @Test("undo comes back with the answer to a question of a template")
  func undoOfAnswers() throws {
    let screen = try screen(spells: false)
    screen.runner.send(.prompt(.formFound(try #require(Form("? What went well\n? What did not")))))
    try screen.press("one two<Down>three<Up><C-_>")
    #expect(open(screen)?.text == "one ")
    try screen.press("<Down><C-_>")
    #expect(open(screen)?.text == "")
    try screen.press("<Esc>")
  }

  // MARK: Spelling

  @Test("a wrong word is underlined when it is finished, whether keys come at once or one by one")
  func underlining() throws {
    for arrival in Arrival.allCases {
      let screen = try screen()
      try screen.press("athe huose", arrival)
      #expect(underlined(screen) == "")
      try screen.press(" is", arrival)
      #expect(underlined(screen) == "huose")
      try screen.press("<Left><Left><Left><BS><BS><BS><BS>ouse ", arrival)
      #expect(underlined(screen) == "")
      try screen.press("<Esc>", arrival)
    }
  }

  @Test("^X s offers words; a digit or Enter takes one as one step of undo")
  func suggestions() throws {
    for key in ["1", "<Enter>"] {
      for arrival in Arrival.allCases {
        let screen = try screen()
        try screen.press("athe huose is red<C-x>s", arrival)
        #expect(screen.text.contains("1 house"), "\(screen.text)")
        #expect(open(screen)?.text == "the huose is red")
        try screen.press(key, arrival)
        #expect(open(screen)?.text == "the house is red")
        #expect(open(screen)?.point == 16)
        #expect(!screen.text.contains("1 house"))
        try screen.press("<C-_>", arrival)
        #expect(open(screen)?.text == "the huose is red")
        try screen.press("<Esc>", arrival)
      }
    }
  }

  @Test("every other key closes the offer and has its usual effect: no typed letter is lost")
  func otherKeys() throws {
    for arrival in Arrival.allCases {
      let screen = try screen()
      try screen.press("athe huose <C-x>sa7 more words that are many keys at once", arrival)
      #expect(open(screen)?.text == "the huose a7 more words that are many keys at once")
      try screen.press("<C-x>s<Paste>pasted</Paste><C-x>s<Left>y", arrival)
      #expect(open(screen)?.text.hasSuffix("pasteyd") == true)
      // Esc closes the offer alone.
      try screen.press("<C-x>s<Esc>", arrival)
      #expect(open(screen) != nil)
      try screen.press("<Esc>", arrival)
      #expect(open(screen) == nil)
    }
  }

  @Test("the key +, and no other, writes a word into the user's file")
  func ownWords() throws {
    let screen = try screen()
    try screen.press("athe kat <C-x>s")
    #expect(!FileManager.default.fileExists(atPath: directory))
    try screen.press("+")
    let path = directory + "/" + PersonalWords.file
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kat\n")
    #expect(underlined(screen) == "")
    #expect(open(screen)?.text == "the kat ")
    try screen.press("Kat <C-x>s")
    #expect(screen.runner.state.prompt.spelling == nil)
    // A word that another program added stays.
    try "kat\nfoo\n".write(toFile: path, atomically: true, encoding: .utf8)
    try screen.press("bar <C-x>s+")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kat\nfoo\nbar\n")
    try screen.press("<Esc>")
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test("without languages nothing is underlined, and ^X s says how to set them")
  func withoutLanguages() throws {
    let screen = try screen(spells: false)
    try screen.press("azzzz qqqq <C-x>s")
    #expect(underlined(screen) == "")
    #expect(screen.text.contains("spell.languages"))
    #expect(open(screen)?.text == "zzzz qqqq ")
    try screen.press("<Esc>")
  }

  @Test("a missing dictionary is named once with its package, and writing goes on")
  func missingDictionary() throws {
    let screen = try screen()
    screen.runner.prompt.spelling.open = { SpellChecker.open($0, own: $1) }
    screen.runner.prompt.spelling.languages = { ["xx_XX"] }
    try screen.press("a")
    #expect(screen.text.contains("apt install"), "\(screen.text)")
    try screen.press("text<Esc>a")
    #expect(!screen.text.contains("apt install"))
    try screen.press("<Esc>")
  }

  /// With the real library, where it and a dictionary are installed.
  @Test("libhunspell knows right words and offers others", .enabled(if: Self.hasHunspell))
  func library() throws {
    let language = try #require(Self.installed.first)
    let dictionary = try HunspellDictionary(language: language)
    #expect(dictionary.knows("in"))
    #expect(!dictionary.knows("qwzxqk"))
    #expect(!dictionary.knows("日本"))
  }

  private static let installed = ["en_GB", "en_US", "de_DE"].filter {
    (try? HunspellDictionary(language: $0)) != nil
  }
  private static let hasHunspell = !installed.isEmpty

  @Test("a language is a name, never a path")
  func languageNames() {
    for name in ["../../etc/passwd", "", "en GB", "/usr/x", "en.GB"] {
      #expect(!HunspellDictionary.isName(name))
    }
    #expect(HunspellDictionary.isName("de_DE-frami"))
  }

  // MARK: The screen

  @Test("a full prompt keeps its text through sizes, editing, and the way back")
  func fullScreen() throws {
    for arrival in Arrival.allCases {
      let screen = try screen(entries: [(ScriptedScreen.now, "an entry")])
      try screen.press("aone<C-j>two<C-x>f", arrival)
      #expect(!screen.text.contains("an entry"))
      for (columns, lines) in [(40, 10), (10, 3), (1, 1), (120, 50), (80, 24)] {
        screen.resize(columns: columns, lines: lines)
        try screen.press("x", arrival)
      }
      #expect(open(screen)?.text == "one\ntwoxxxxx")
      try screen.press("<PageUp>A<PageDown>Z", arrival)
      #expect(open(screen)?.text == "oneA\ntwoxxxxxZ" || open(screen)?.text == "Aone\ntwoxxxxxZ")
      try screen.press("<C-x>f", arrival)
      #expect(screen.text.contains("an entry"))
      try screen.press("<C-x>f<Enter>", arrival)
      #expect(try screen.journal().contains { $0.contains("twoxxxxxZ") })
      #expect(screen.text.contains("an entry"))
    }
  }

  @Test("40x10 shows the text, its words and the keys")
  func small() throws {
    let screen = try screen(columns: 40, lines: 10, spells: false)
    try screen.press("aone two<C-j>three")
    #expect(screen.text.contains("3 words"), "\(screen.text)")
    #expect(screen.text.contains("three"))
    try screen.press("<C-x>f<C-j>four")
    #expect(screen.text.contains("4 words"), "\(screen.text)")
    try screen.press("<Esc>")
  }

  // MARK: Drafts

  private func store() -> DraftStore { DraftStore(directory: directory) { DraftName.make() } }

  @Test("the same text left again and again is one draft")
  func equalDrafts() throws {
    for arrival in Arrival.allCases {
      let drafts = store()
      let screen = try screen(drafts: drafts, spells: false)
      for _ in 0..<4 { try screen.press("asame text<Esc>", arrival) }
      #expect(drafts.abandoned().compactMap(drafts.text(of:)) == ["same text"])
      try screen.press("aother<Esc>asame text<Esc>", arrival)
      #expect(
        Set(drafts.abandoned().compactMap(drafts.text(of:))) == ["same text", "other"])
      try FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test("the message about a kept draft of an edit names its entry")
  func editDraft() throws {
    let screen = try screen(
      drafts: store(), spells: false,
      entries: [(ScriptedScreen.now - 60, "first"), (ScriptedScreen.now, "second")])
    try screen.press("e more<Esc>")
    let number = try #require(screen.selected)
    #expect(
      screen.text.contains("draft of entry \(number) kept: :drafts opens it"), "\(screen.text)")
    try FileManager.default.removeItem(atPath: directory)
  }

  // MARK: The editor and back

  /// A shell script that changes the file of its last argument; it waits, as an editor in a terminal.
  private func editing(_ script: String) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: store(),
      editor: "sleep 1.1; for f; do :; done; \(script); true")
  }

  @Test("the text comes back from the editor with its cursor, and Enter saves it once")
  func editorAndBack() throws {
    let screen = try editing("sed -i 's/^one/eins/' \"$f\"")
    try screen.press("aone<C-j>two three<Left><Left><C-x><C-e>")
    #expect(open(screen)?.text == "eins\ntwo three")
    #expect(open(screen)?.point == 12)
    #expect(try screen.journal().count == 1)
    #expect(screen.text.contains("Enter saves"))
    try screen.press("X<Enter>")
    #expect(try screen.journal().count == 2)
    #expect(try screen.journal()[1].hasSuffix("eins\ntwo thrXee"))
    #expect(store().abandoned() == [])
  }

  @Test("an edit comes back as an edit")
  func editAndBack() throws {
    let screen = try editing("echo more >> \"$f\"")
    try screen.press("e!<C-x><C-e>")
    #expect(open(screen)?.kind == .edit(1) && open(screen)?.text == "old!\nmore")
    try screen.press("<Enter>")
    #expect(try screen.journal().map { $0.hasSuffix("old!\nmore") } == [true])
    #expect(store().abandoned() == [])
  }

  @Test(
    "an editor that fails, is killed, empties or removes its file loses no text",
    arguments: ["false; exit 3", "kill -9 $$", ": > \"$f\"", "rm \"$f\""])
  func failingEditor(_ script: String) throws {
    for keys in ["aprecious", "e precious"] {
      let screen = try editing(script)
      try screen.press(keys + "<C-x><C-e>")
      let text = try #require(open(screen)?.text, "\(screen.text)")
      #expect(text.hasSuffix("precious"))
      #expect(screen.runner.state.status?.kind == .failed)
      try screen.press("<Esc>")
      #expect(store().abandoned().compactMap(store().text(of:)) == [text])
      try screen.press(":drafts<Enter><Enter><Enter>")
      #expect(try screen.journal().contains { $0.hasSuffix(text) })
      try? FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test(
    "what a failed editor left is a draft beside the text, which is in the prompt",
    arguments: [
      ("echo other > \"$f\"; exit 3", ["other"]), ("printf 'a\\0b' > \"$f\"", ["a\0b"]),
      ("echo other > \"$f\"; kill -9 $$", ["other"]),
    ])
  func failedAfterWriting(_ script: String, _ left: [String]) throws {
    for keys in ["aprecious<C-j>words", "e precious<C-j>words"] {
      let screen = try editing(script)
      try screen.press(keys + "<C-x><C-e>")
      let text = try #require(open(screen)?.text, "\(screen.text)")
      #expect(text.hasSuffix("precious\nwords"))
      #expect(screen.runner.state.status?.kind == .failed)
      try screen.press("<Esc>")
      #expect(Set(store().abandoned().compactMap(store().text(of:))) == Set([text] + left))
      try? FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test("no key of readline takes a whole text away for good")
  func reverting() throws {
    let screen = try editing("true")
    try screen.press("aone<C-j>two<A-r>")
    #expect(open(screen)?.text == "one\ntwo")
  }

  @Test("the cursor stays at its words when others change")
  func places() {
    func place(_ old: String, _ point: Int, _ new: String) -> Int {
      LeftPrompt(text: old, point: point).place(in: new)
    }
    #expect(place("one two", 3, "one two three") == 3)
    #expect(place("one two", 7, "one two three") == 7)
    #expect(place("one two", 5, "zero one two") == 10)
    #expect(place("one two", 5, "") == 0)
    #expect(place("a日c", 4, "a本c") == 4)
    for point in 0...5 { #expect((0...1).contains(place("12345", point, "x"))) }
    #expect(LeftPrompt(text: "a\nb\nc", point: 3).line == 2)
  }

  // MARK: Completion

  @Test(
    "Tab completes in the middle of a text of any script, and the rest of it stays",
    arguments: [
      ("#ho", "#home "), ("@an", "@anna "), ("[[Some ti", "[[Some title]]"),
      ("2026-11-2", "2026-11-2"), ("2026-11-21", "2026-11-21 "), ("yester", "2026-11-20 "),
    ])
  func completion(_ typed: String, _ completed: String) throws {
    for arrival in Arrival.allCases {
      let screen = try screen(
        spells: false,
        entries: [
          (ScriptedScreen.now - 9, "Some title"), (ScriptedScreen.now, "x #home @anna mood:: 3"),
        ])
      try screen.press("a日本語 👩‍👩‍👧 before<C-j>middle  <C-j>after 語<Up><End><Left>", arrival)
      try screen.press(typed + "<Tab>", arrival)
      // A blank that follows is not made again; the cursor stays before it.
      let word = completed.hasSuffix(" ") ? String(completed.dropLast()) : completed
      let rest = " \nafter 語"
      #expect(open(screen)?.text == "日本語 👩‍👩‍👧 before\nmiddle \(word)\(rest)")
      try screen.press("!", arrival)
      #expect(open(screen)?.text == "日本語 👩‍👩‍👧 before\nmiddle \(word)!\(rest)")
      try screen.press("<Esc>", arrival)
    }
  }

  @Test("Tab completes the name of a field at the start of a line only")
  func fieldName() throws {
    let screen = try screen(spells: false, entries: [(ScriptedScreen.now, "x\nmood:: 3")])
    try screen.press("aone<C-j>moo<Tab>4<C-j>a moo<Tab>")
    #expect(open(screen)?.text == "one\nmood:: 4\na moo")
    // Undo takes the completion back as one step.
    try screen.press("<Esc>")
  }
}
