import Journal
import Testing
import TextLayout

@testable import Screen

/// Both texts of a conflict on one page.
struct ConflictPageTests {
  private static let shown = """
    Trip to 東京タワー
    We walked along the river
    Then home
    👩‍👩‍👦 日本語の長い文章がここに入ります、列に合わせて折り返されるはずです
    The end
    """
  private static let other = """
    Trip to 京都
    It was raining
    We walked along the lake
    👩‍👩‍👧 日本語
    The end
    """

  /// The page of the entry's own text, version 3, or of the other one, version 2.
  private static func page(_ index: Int, columns: Int, inTrash: Bool = false) -> VersionPage {
    let difference =
      index == 3 ? TextDifference(from: other, to: shown) : TextDifference(from: shown, to: other)
    var page = VersionPage(
      number: 7, index: index, count: 3, written: Moment(seconds: 0, offset: 0), base: 99,
      isInTrash: inTrash,
      conflict: VersionPage.Conflict(
        index: index == 3 ? 2 : 3, written: Moment(seconds: 86_400, offset: 0),
        difference: AlignedDifference(difference)),
      difference: MarkedDifference(difference))
    page.layOut(columns: columns)
    return page
  }

  private static func canvas(_ page: VersionPage, columns: Int, lines: Int) -> Canvas {
    var canvas = Canvas(width: columns, height: lines)
    let rect = CanvasRect(column: 0, row: 0, width: columns, height: lines)
    page.layout?.draw(page, dates: DateStyle(), in: rect, on: &canvas)
    return canvas
  }

  /// The text on both sides of the divider, without trailing blanks.
  private static func halves(_ page: VersionPage, columns: Int) -> [[String]] {
    canvas(page, columns: columns, lines: page.lineCount).plainText()
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        line.split(separator: "│", omittingEmptySubsequences: false).map { half in
          let end = half.lastIndex { $0 != " " }
          return end.map { String(half[...$0]) } ?? ""
        }
      }
  }

  @Test("from 100 columns on the entry's text is on the left, the other on the right, aligned")
  func sideBySide() {
    for index in [3, 2] {
      let page = Self.page(index, columns: 100)
      let lines = Self.halves(page, columns: 100)
      let (own, theirs) = index == 3 ? ("+", "-") : ("-", "+")
      let expected = [
        ["\(own) Trip to 東京タワー", " \(theirs) Trip to 京都"],
        ["", " \(theirs) It was raining"],
        ["\(own) We walked along the river", " \(theirs) We walked along the lake"],
        ["\(own) Then home", ""],
        ["\(own) 👩‍👩‍👦 日本語の長い文章がここに入ります、列に合わ", " \(theirs) 👩‍👩‍👧 日本語"],
        ["\(own) せて折り返されるはずです", ""],
        ["  The end", "   The end"],
      ]
      #expect(Array(lines.dropFirst(3)) == expected)
      #expect(lines[0][0].hasPrefix("Version 3 of 3, shown"))
      #expect(lines[0][1].hasPrefix(" Version 2 of 3"))
      #expect(lines[0][index == 3 ? 0 : 1].hasSuffix("m keeps this text"))
      #expect(lines[0][index == 3 ? 1 : 0].hasSuffix("t keeps this one"))
    }
  }

  @Test("below 100 columns the entry's text is above the other one")
  func stacked() {
    let page = Self.page(3, columns: 99)
    let lines = Self.canvas(page, columns: 99, lines: page.lineCount).plainText()
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(!lines.contains { $0.contains("│") })
    #expect(lines[0].hasPrefix("Version 3 of 3, shown  m keeps this text"))
    #expect(lines[2] == "+ Trip to 東京タワー")
    #expect(lines[6] == "  The end")
    #expect(lines[8].hasPrefix("Version 2 of 3  t keeps this one"))
    let below = [
      "- Trip to 京都", "- It was raining", "- We walked along the lake", "- 👩‍👩‍👧 日本語",
      "  The end",
    ]
    #expect(lines.dropFirst(10).map(String.init) == below)
  }

  @Test("the time of each text and where it was written are beside it, at every width")
  func authors() {
    for columns in [40, 60, 80, 99, 100, 120, 200] {
      var page = Self.page(3, columns: columns)
      page.author = "written here"
      page.conflict?.author = "came from another device"
      let text = Self.canvas(page, columns: columns, lines: page.lineCount).plainText()
      let words = [
        "written here", "from another device", "1970 00:00:", "m keeps this", "t keeps this",
      ]
      for words in words {
        #expect(text.contains(words), "\(columns): \(text)")
      }
    }
  }

  @Test("both heads have their dates in one form, at every width")
  func oneForm() {
    for columns in 40...200 {
      var page = Self.page(3, columns: columns)
      page.author = "written here"
      page.conflict?.author = "came from another device"
      let text = Self.canvas(page, columns: columns, lines: page.lineCount).plainText()
      let forms = ["Thursday 1 January 1970", "Friday 2 January 1970"].map(text.contains)
      #expect(forms[0] == forms[1], "\(columns): \(text)")
      #expect(forms[0] || text.contains("1 Jan 1970") && text.contains("2 Jan 1970"))
    }
  }

  @Test("the keys that choose between two texts are hints, in the help and in the table of keys")
  func keys() throws {
    var state = TestStore([3]).state
    state.pages.mode = .versions(Self.page(3, columns: 80))
    let renderer = ScreenRenderer { _ in nil }
    let lines = renderer.frame(of: state).canvas.plainText().split(separator: "\n")
    #expect(lines.last?.hasPrefix("m this text  t the other  b both  e edit both  ") == true)
    for word in ["older", "newer", "restore"] { #expect(lines.last?.contains(word) == false) }
    _ = update(&state, .key("?"))
    guard case .help(let help) = state.pages.mode else { return #expect(Bool(false)) }
    let end = try #require(help.layout.lines.firstIndex(of: .title("Keys elsewhere")))
    let uses = KeyTable.standard.help()
    for (key, action) in [
      ("m", Action.keepShown), ("t", .keepOther), ("b", .keepBoth), ("e", .editBoth),
    ] {
      #expect(help.layout.lines[..<end].contains(.keys(key, action.help)))
      #expect(uses.contains { $0.keys == key && $0.action == action && $0.places == "conflicts" })
    }
    // A version without another text knows none of them.
    state.pages.mode = .versions(VersionTests.page(2, of: 3))
    #expect(update(&state, .key("t")).isEmpty)
    #expect(state.status?.text.hasPrefix("t works ") == true)
    #expect(update(&state, .key("b")).isEmpty && state.status == nil)
  }

  @Test("braces go from one difference to the next, and back")
  func jumps() {
    for columns in [40, 80, 120] {
      var store = TestStore([3], columns: columns, lines: 10)
      let difference = TextDifference(
        from: (1...60).map { $0 % 15 == 0 ? "old \($0)" : "line \($0)" }.joined(separator: "\n"),
        to: (1...60).map { $0 % 15 == 0 ? "new \($0)" : "line \($0)" }.joined(separator: "\n"))
      var page = VersionPage(
        number: 7, index: 2, count: 2, written: Moment(seconds: 0, offset: 0), base: 99,
        difference: MarkedDifference(difference))
      if columns > 40 {
        page.conflict = VersionPage.Conflict(
          index: 1, written: page.written, difference: AlignedDifference(difference))
      }
      _ = update(&store.state, .versions(.opened(page)))
      func offset() -> Int {
        if case .versions(let page) = store.state.pages.mode { page.offset } else { -1 }
      }
      var seen: [Int] = []
      while seen.last != offset(), seen.count < 20 {
        seen.append(offset())
        _ = update(&store.state, .key("}"))
      }
      #expect(seen.count >= 4, "\(columns): \(seen)")
      #expect(seen == seen.sorted())
      var back = [offset()]
      while back.last != 0, back.count < 20 {
        _ = update(&store.state, .key("{"))
        back.append(offset())
      }
      #expect(back.reversed() == seen, "\(columns)")
    }
  }

  @Test("wide characters and emoji stay in their columns at every width and offset")
  func columns() {
    for columns in Array(98...140) + [200, 250] {
      var page = Self.page(3, columns: columns)
      let width = columns < 100 ? nil : Optional(min((columns - 3) / 2, 90))
      for offset in 0..<page.lineCount {
        page.offset = offset
        let canvas = Self.canvas(page, columns: columns, lines: 20)
        for row in 0..<20 {
          let bars = (0..<columns).filter { canvas[$0, row].text == "│" }
          #expect(bars == (width.map { [$0 + 1] } ?? []))
          guard let width else { continue }
          // A wide character never covers the blank columns around the divider.
          #expect(canvas[width, row].text == " ")
          #expect(canvas[width + 2, row].text == " ")
        }
      }
    }
  }

  @Test("the words that differ are underlined, and no other ones")
  func underlined() {
    for (columns, start) in [(100, 51), (80, 0)] {
      let page = Self.page(3, columns: columns)
      let canvas = Self.canvas(page, columns: columns, lines: page.lineCount)
      var words: [String] = []
      for row in 0..<page.lineCount {
        let line = (start..<columns).map { canvas[$0, row] }
        let marked = line.filter { $0.style.underline }.map(\.text).joined()
        if !marked.isEmpty { words.append(marked) }
      }
      #expect(words.contains("都"))
      #expect(words.contains("lake"))
      #expect(!words.contains { $0.contains("walked") || $0.contains("end") })
    }
  }

  @Test("r keeps the text of the page, also the shown one, and an entry in the trash says so")
  func keeping() {
    for index in [2, 3] {
      var store = TestStore([3])
      store.state.pages.mode = .versions(Self.page(index, columns: 80))
      var kept = Self.page(index, columns: 80)
      kept.index = 3
      let other = index == 3 ? 2 : 3
      store.press(
        "r", [.change(.restoreVersion(7, version: index, comparedWith: other, expecting: 99))]
      ) {
        $0.pages.mode = .versions(kept)
      }
    }
    let page = Self.page(3, columns: 120, inTrash: true)
    #expect(Self.canvas(page, columns: 120, lines: 1).plainText().contains("in the trash"))
  }
}
