import Journal
import SectionedResults
import Testing
import TextLayout

@testable import Screen

/// The prompt as a place to write: its size, its pages, the styles of its text.
struct WritingTests {
  private func opened(_ kind: PromptPurpose = .newEntry, columns: Int = 80, lines: Int = 24)
    -> TestStore
  {
    var store = TestStore([30], columns: columns, lines: lines)
    _ = update(&store.state, .prompt(.opened(kind, text: "")))
    return store
  }

  // MARK: The whole screen

  @Test("^X f gives the text all lines but the status and the keys, and takes them back")
  func fullScreen() {
    var store = opened()
    let before = store.state
    store.send(.prompt(.fullScreenToggled)) { $0.prompt.open?.isFull = true }
    let layout = store.state.layout
    #expect(layout.main.isEmpty && layout.header.isEmpty)
    #expect(layout.status == 0..<1 && layout.foot == 1..<23 && layout.keys == 23..<24)
    #expect(store.state.promptPage == 20)
    store.send(.prompt(.fullScreenToggled)) { $0.prompt.open?.isFull = false }
    // The list below it stays where it was.
    #expect(store.state == before)
  }

  @Test("a full prompt fits every screen", arguments: 1...30)
  func everySize(_ lines: Int) {
    for columns in [1, 10, 40, 80] {
      var store = opened(columns: columns, lines: lines)
      _ = update(&store.state, .prompt(.fullScreenToggled))
      let text = (1...50).map { "line \($0)" }.joined(separator: "\n")
      _ = update(&store.state, .prompt(.changed(label: "new: ", text: text, point: 40)))
      let layout = store.state.layout
      #expect(layout.foot.count >= 1)
      #expect(layout.status.count + layout.foot.count + layout.keys.count == lines)
      let frame = ScreenRenderer { _ in nil }.frame(of: store.state)
      let cursor = frame.cursor
      #expect(cursor.map { layout.foot.contains($0.row) && $0.column < columns } == true)
    }
  }

  @Test("where lines are hidden the place of the cursor is beside the number of words")
  func place() {
    for (count, words) in [(3, "3 words"), (30, "line 30 of 30  30 words")] {
      var store = opened()
      let text = (1...count).map { "l\($0)" }.joined(separator: "\n")
      _ = update(
        &store.state,
        .prompt(.changed(label: "new: ", text: text, point: text.utf8.count, index: 0)))
      #expect(store.state.prompt.open?.countedWords == words)
      guard count > 3 else { continue }
      _ = update(&store.state, .prompt(.changed(label: "new: ", text: text, point: 0, index: 0)))
      #expect(store.state.prompt.open?.countedWords == "line 1 of 30  30 words")
    }
  }

  @Test("a prompt of one line never fills the screen")
  func oneLine() {
    for kind in [PromptPurpose.command, .search, .tags, .redate, .pipe] {
      var store = opened(kind)
      let before = store.state
      store.send(.prompt(.fullScreenToggled))
      #expect(store.state == before)
    }
  }

  @Test("PgUp and PgDn scroll the list, and neither text nor cursor change")
  func pages() {
    var store = opened()
    let text = store.state.prompt.open?.text
    _ = update(&store.state, .prompt(.pageTurned(1)))
    #expect(store.state.list.widget.offset > 0)
    #expect(store.state.prompt.open?.text == text)
    _ = update(&store.state, .prompt(.pageTurned(-1)))
    #expect(store.state.list.widget.offset == 0)
  }

  @Test("the wheel scrolls while one writes, but not under a prompt for the selected entry")
  func wheel() {
    var store = opened()
    _ = update(&store.state, .mouse(MouseAction(.wheel(3), column: 2, line: 5)))
    #expect(store.state.list.widget.offset == 3)
    var tags = opened(.tags)
    tags.send(.mouse(MouseAction(.wheel(3), column: 2, line: 5)))
    tags.send(.prompt(.pageTurned(1)))
    var clicked = opened()
    clicked.send(.mouse(MouseAction(.click, column: 2, line: 5)))
  }

  // MARK: Styles

  /// A letter a character: `.` text, `m` a marker, `h` a heading, `c` code, `t` a tag, `l` a link, `b`
  /// bold, `i` italic, `w` a wrong word.
  private func picture(
    _ text: String, from start: Int = 0, misspelled: [Range<Int>] = []
  ) -> String {
    let visible = start..<text.utf8.count
    let styles = WritingStyles(of: text, in: visible, misspelled: misspelled)
    var offset = 0
    var letters = ""
    for character in text {
      defer { offset += String(character).utf8.count }
      guard offset >= start else { continue }
      guard character != "\n" else {
        letters += "\n"
        continue
      }
      letters += letter(styles[offset])
    }
    return letters
  }

  private func letter(_ style: Style) -> String {
    switch style.role {
    case .hint: "m"
    case .heading: "h"
    case .code: "c"
    case .tag: "t"
    case .link: "l"
    default: style.underline ? "w" : style.bold ? "b" : style.italic ? "i" : "."
    }
  }

  @Test("markers are dim, and what they mark has the style of the reading pane")
  func styles() {
    #expect(picture("# Big one") == "mmhhhhhhh")
    #expect(picture("a **b** *c* `d`") == "..mmbmm.mim.mcm")
    #expect(picture("- [ ] buy #milk") == "mmmmmm....ttttt")
    #expect(picture("> so") == "mm..")
    #expect(picture("see [[Home]] now") == "....mmllllmm....")
    #expect(picture("```\nlet x\n```") == "mmm\nccccc\nmmm")
    #expect(picture("日本 **語** 👩‍👩‍👧") == "...mmbmm..")
    #expect(picture("`#no` #yes") == "mcccm.tttt")
  }

  @Test("an unfinished marker is text, as it is in the reading pane")
  func unfinished() {
    #expect(picture("a **b") == ".....")
    #expect(picture("#") == "m" || picture("#") == ".")
    #expect(picture("[[Ho") == "....")
  }

  @Test("wrong words are underlined, also in bold text")
  func misspelled() {
    #expect(picture("a teh b", misspelled: [2..<5]) == "..www..")
    // A place beyond the text, of a text before, changes nothing.
    #expect(picture("ab", misspelled: [1..<9]) == ".w")
  }

  @Test("the styles of a part are those of the whole text")
  func part() {
    let paragraph = "Some *words* of `prose`, a #tag and a [[Link]].\n\n"
    let text = String(repeating: paragraph, count: 3_000) + "**the end** 日本"
    #expect(picture(text, from: text.utf8.count - 18) == "mmbbbbbbbmm...")
    // Also in a block of code that began long before.
    let code = "```\n" + String(repeating: "let x = **2**\n", count: 3_000)
    #expect(picture(code + "**x**", from: code.utf8.count) == "ccccc")
    #expect(picture(code + "```\n**x**", from: code.utf8.count + 4) == "mmbmm")
  }

  // MARK: Words to spell

  private func words(_ text: String) -> [String] {
    SpelledWords.words(of: text, near: text.utf8.count).map(\.text)
  }

  @Test("words of prose are spelled; code, links, tags, fields, addresses and names are not")
  func spelledWords() {
    #expect(words("One two, three.") == ["One", "two", "three"])
    #expect(words("it's the dogs' \u{2018}word\u{2019}") == ["it's", "the", "dogs", "word"])
    #expect(words("**bold** and _this_") == ["bold", "and", "this"])
    #expect(words("# Head\n\n- [ ] item\n\n> quote") == ["Head", "item", "quote"])
    #expect(words("`code` x1 foo_bar #tag @anna mood:: good") == ["good"])
    #expect(words("[[Other entry]] https://example.org a@b.org example.org /usr/share") == [])
    #expect(words("[shown](http://x.org) rest") == ["rest"])
    #expect(words("```\ncode\n```\nprose") == ["prose"])
    #expect(words("camelCase NATO a") == [])
    #expect(words("日本語 ไทย русский") == ["русский"])
    #expect(words("Straße e\u{301}tude naïve") == ["Straße", "e\u{301}tude", "naïve"])
  }

  @Test("the places of words are their bytes, also far into a long text")
  func places() {
    let text = String(repeating: "日本 words here\n", count: 5_000) + "the **last** wörd"
    let bytes = Array(text.utf8)
    let found = SpelledWords.words(of: text, near: bytes.count)
    #expect(found.suffix(3).map(\.text) == ["the", "last", "wörd"])
    for word in found {
      #expect(String(decoding: bytes[word.range], as: UTF8.self) == word.text)
    }
    #expect(found.count < 4_000)
  }
}
