import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Markdown")
struct MarkdownSyntaxTests {
  @Test(
    "what only looks like markup stays as it was written",
    arguments: [
      "#tag at the start", "#", "####### seven", ">5 km more", ">_<", ">:(", "-no item",
      "1.5 litres",
      "in 1. mid-sentence", "2*3*4", "5 * 3 * 2", "snake_case_word", "~5 km to ~6 km", "a ~ b",
      "[not a link]", "[a][b]", "[a](two words)", "[a](", "![", "`open", "**open", "*open",
      "closed**", "a <b> c", "<3", "1 < 2 > 0", "C:\\temp", "| a | b |", "=====", "--",
      "Tom & Jerry &amp;",
      "http:// nothing", "[ref]: https://a.org", "*", "日本_語_文", "[]()",
    ])
  func looksLikeMarkup(text: String) {
    #expect(picture(text, 80) == text)
  }

  @Test("emphasis, code and links lose their signs and get their looks")
  func inline() {
    let text = "**bold** *under* __too__ ~~gone~~ `a*b*` ***both*** \\*not\\* **「日本」**です"
    #expect(picture(text, 120) == "bold under too ~~gone~~ a*b* both *not* 「日本」です")
    #expect(parts(text) { $0.bold } == ["bold", "too", "both", "「日本」"])
    #expect(parts(text) { $0.italic } == ["under", "both"])
    #expect(parts(text) { $0.role == .code } == ["a*b*"])
    #expect(parts(text) { $0.dim } == ["~~gone~~", "a*b*"])
    #expect(parts("**a\nb** c") { $0.bold } == ["a", "b"], "from one line to the next")
    #expect(picture("``a ` b`` `c``", 80) == "a ` b `c``")
  }

  @Test(
    "links show their text and where they lead, unless that is the same",
    arguments: [
      ("[map](https://a.org)", "map (https://a.org)"), ("[a.org](a.org)", "a.org"),
      ("[m](<u v>)", "m (u v)"), ("[m](u \"A title\")", "m (u \"A title\")"),
      ("![photo](p.jpg)", "photo (p.jpg)"), ("[**m**](u(1))", "m (u(1))"),
      ("[![p](i)](u)", "p (i) (u)"), ("<https://a.org/x>", "https://a.org/x"),
      ("<me@a.org>", "me@a.org"), ("see https://a.org/a_b_c.", "see https://a.org/a_b_c."),
    ])
  func links(text: String, shown: String) {
    #expect(picture(text, 80) == shown)
  }

  @Test("an address in a sentence ends before its punctuation")
  func addresses() {
    func links(_ text: String) -> [String] { parts(text) { $0.role == .link } }
    #expect(links("(see https://a.org/x_(y)). Or") == ["https://a.org/x_(y)"])
    #expect(links("見https://a.org/x。次") == ["https://a.org/x"])
    #expect(links("**https://a.org/**") == ["https://a.org/"])
    #expect(links("nohttp://a.org") == [])
  }

  @Test("headings, a title that stands alone, and text that is none")
  func headings() {
    func headings(_ text: String, isTitled: Bool) -> [String] {
      MarkdownLayout(text, columns: 80, isTitled: isTitled)
        .filter { $0.cells.first?.style.role == .heading }.map(\.text)
    }
    #expect(headings("# One\n###### Six ##\ntext", isTitled: true) == ["One", "Six"])
    #expect(headings("Title\n\ntext", isTitled: true) == ["Title"])
    #expect(headings("Title\n\ntext", isTitled: false) == [])
    #expect(headings("All there is", isTitled: true) == [])
    #expect(headings("Two\nlines\n\ntext", isTitled: true) == [])
    #expect(headings("- item\n\ntext", isTitled: true) == [])
  }

  @Test("struck text has no tildes where the terminal strikes it out, and is marked for it")
  func struck() {
    let text = "a ~~b *c*~~ d\n\n| ~~x~~ |\n| --- |\n\n`~~code~~` ~"
    let plain = MarkdownLayout(text, columns: 40)
    #expect(plain[0].text == "a ~~b c~~ d")
    #expect(plain.allSatisfy { $0.cells.allSatisfy { !$0.style.struck } })
    let lines = MarkdownLayout(text, columns: 40, strikes: true)
    #expect(lines[0].text == "a b c d")
    let struck = lines.flatMap { $0.cells.filter(\.style.struck).map(\.cluster.text) }
    #expect(struck.joined() == "b cx")
    #expect(lines.map(\.text).joined().contains("~~code~~ ~"))
  }

  @Test("lists nest by their indentation, and their text stands beside the sign")
  func lists() {
    #expect(
      picture("1. a\n  - b\n\n     c\n2) d\n- e\ntext", 80)
        == "1. a\n   • b\n\n     c\n2) d\n• e\ntext")
    #expect(picture("- - a\n- \n-", 80) == "• • a\n•\n-")
    #expect(picture("born in\n1986. A year\n1. one", 80) == "born in\n1986. A year\n1. one")
    #expect(picture("- a long item", 8) == "• a long\n  item")
    #expect(picture("- - - - - deep", 8) == "• • • •\n    •\n    deep")
  }

  @Test("tasks tell their state and the line they stand in")
  func tasks() {
    let lines = MarkdownLayout("a\r\n\n- [ ] b c\n  - [X] d\n- [y] e f", columns: 8)
    let tasks = lines.filter { $0.task != nil }
    #expect(tasks.map(\.task?.state) == [.open, .done])
    #expect(tasks.map(\.sourceLine) == [2, 3])
    #expect(picture(lines) == "a\n\n☐ b c\n  ☑ d\n• [y] e\n  f")
  }

  @Test("quotes have a bar on every line, also on blank ones, and end with their signs")
  func quotes() {
    #expect(picture("> a\n>\n> b\nc", 80) == "│ a\n│\n│ b\nc")
    #expect(picture("> - a b\n>> c", 8) == "│ • a b\n│ │ c")
    #expect(picture("> - a b\n>> c", 7) == "│ • a b\n│ c")
  }

  @Test("code keeps its signs and spaces, also when its fence is never closed")
  func code() {
    #expect(picture("~~~\n# *a*   b\n\n```\n~~~\nc", 80) == "  # *a*   b\n\n  ```\nc")
    #expect(picture("```\nabcd  ef", 8) == "  abcd\n  ef")
    #expect(picture("text\n\n    *a*\n\n\tb", 80) == "text\n\n    *a*\n\n        b")
  }

  @Test("a table needs a line that says so, and loses none of its cells")
  func tables() {
    #expect(picture("a | b\n--|--:\n1 | 2 | 3\nend", 80) == "a │ b │\n──┼───┼──\n1 │ 2 │ 3\nend")
    #expect(picture("a | b\n1 | 2", 80) == "a | b\n1 | 2")
    #expect(picture("|a|\n|-|\n|x\\|y|", 80) == "a\n───\nx|y")
  }

  @Test("tags and what was found keep their places when lines are wrapped")
  func highlighting() {
    let text = "see **#tag** and a long #other/tag-name in"
    let tags = [6..<10, 24..<39]
    let layout = MarkdownLayout(text, columns: 20, tags: tags)
    let tagged = layout.map {
      $0.cells.filter { $0.style.role == .tag }.map(\.cluster.text).joined()
    }
    #expect(tagged == ["#tag", "#other/tag-name"])
    let found = layout.map { line in
      line.highlighting([13..<23]).cells.filter { $0.style.role == .match }.map(\.cluster.text)
        .joined()
    }
    #expect(found.joined() == "and a long")
    let title = StyledLine(field: "日本 Café", columns: 8).highlighting([7..<12])
    #expect(title.text == "日本 Ca…")
    #expect(title.cells.filter { $0.style.role == .match }.map(\.cluster.text) == ["C", "a"])
  }

  @Test("a styled line is drawn with its looks and clipped")
  func drawing() {
    var canvas = Canvas(width: 8, height: 1)
    let line = MarkdownLayout("a **b** 日本語", columns: 20)[0]
    #expect(canvas.draw(line, at: 1, row: 0) == 7)
    #expect(canvas.plainText() == " a b 日")
    #expect(
      canvas[row: 0].map(\.style.bold) == [false, false, false, true]
        + Array(repeating: false, count: 4))
  }
}
