import Journal
import Screen
import SectionedResults
import Testing

/// Finding an entry by letters of its title.
struct TitleFinderTests {
  private static let found = (1...5).map {
    FoundTitle(number: Int64($0), title: "title \($0)", day: Day.latest.adding(days: -$0))
  }

  @Test("^P opens the finder with the newest titles, and each letter finds again")
  func typing() {
    var store = TestStore([3])
    #expect(send(.key("<C-p>"), &store) == [.prompt(.open(.titles)), .query(.findTitles(""))])
    _ = send(.prompt(.opened(.titles, text: "")), &store)
    _ = send(.menu(.titlesFound("", Self.found)), &store)
    #expect(type("a", &store) == [.query(.findTitles("a"))])
    #expect(type("ab", &store) == [.query(.findTitles("ab"))])
    // An answer for older letters is dropped.
    let before = store.state.pages.mode
    _ = send(.menu(.titlesFound("a", [])), &store)
    #expect(store.state.pages.mode == before)
  }

  @Test(
    "Enter goes to the selected title, whether its titles are known or still sought",
    arguments: [true, false])
  func choosing(isKnown: Bool) {
    var store = TestStore([3])
    open(&store)
    _ = type("ti", &store)
    if isKnown { _ = send(.menu(.titlesFound("ti", Self.found)), &store) }
    _ = send(.prompt(.selectionMoved(1)), &store)
    _ = send(.prompt(.selectionMoved(1)), &store)
    _ = send(.prompt(.selectionMoved(-1)), &store)
    var effects = send(.prompt(.submitted("ti")), &store)
    if !isKnown {
      #expect(effects.isEmpty)
      effects = send(.menu(.titlesFound("ti", Self.found)), &store)
    }
    #expect(effects.last == .list(.findEntry(2)))
    #expect(store.state.pages.mode == .list && store.state.prompt.open == nil)
  }

  @Test("the matched letters stand out, and a list that is cut says so")
  func marked() {
    var store = TestStore([3])
    open(&store)
    _ = type("tl", &store)
    let most = TitleFinder.most
    for (count, position) in [(5, "1/5"), (most, "1/\(most)+")] {
      let titles = (1...count).map { FoundTitle(number: Int64($0), title: "*title*", day: .latest) }
      _ = send(.menu(.titlesFound("tl", titles)), &store)
      let canvas = ScreenRenderer { _ in nil }.frame(of: store.state).canvas
      let lines = canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.contains { $0.contains(position) && (count < most) == !$0.contains("+") })
      let row = lines.firstIndex { $0.contains("› title") } ?? 0
      let marked = (0..<10).filter { canvas[$0, row].style.underline }
      #expect(marked == [2, 5])
    }
  }

  @Test("every date has its year, in one form for all titles", arguments: [40, 60, 80, 120])
  func dates(columns: Int) {
    var store = TestStore([3], columns: columns)
    open(&store)
    let titles = [
      FoundTitle(
        number: 1, title: String(repeating: "long title ", count: 8),
        day: Day(daysSinceEpoch: 20_782)),
      FoundTitle(number: 2, title: "May", day: Day(daysSinceEpoch: 20_000)),
    ]
    _ = send(.menu(.titlesFound("", titles)), &store)
    let text = ScreenRenderer { _ in nil }.frame(of: store.state).canvas.plainText()
    #expect(text.contains("25 Nov 2026") != text.contains("Wednesday 25 November 2026"), "\(text)")
    #expect(
      text.contains("25 Nov 2026")
        ? text.contains("4 Oct 2024") : text.contains("4 October 2024"), "\(text)")
  }

  @Test("with a filter the whole list shows the entry")
  func filtered() {
    var store = TestStore([3])
    store.state.list.scope.filter = "bread"
    open(&store)
    _ = send(.menu(.titlesFound("", Self.found)), &store)
    let effects = send(.prompt(.submitted("")), &store)
    #expect(effects == [.query(.show(ListScope(), .entry(1)))])
  }

  @Test("letters that no title contains say so, and Esc goes back to where it began")
  func nothing() {
    var store = TestStore([3])
    open(&store)
    _ = type("zz", &store)
    _ = send(.menu(.titlesFound("zz", [])), &store)
    #expect(send(.prompt(.submitted("zz")), &store).isEmpty)
    #expect(store.state.status == .failed("no title matches zz"))
    #expect(store.state.pages.mode == .list)
    _ = send(.reader(.opened(TestStore.entry(7, "text"))), &store)
    open(&store)
    _ = send(.prompt(.cancelled("")), &store)
    #expect(store.state.pages.mode == .reading)
  }

  private func open(_ store: inout TestStore) {
    _ = send(.key("<C-p>"), &store)
    _ = send(.prompt(.opened(.titles, text: "")), &store)
  }

  private func type(_ text: String, _ store: inout TestStore) -> [Effect] {
    send(.prompt(.changed(label: "find: ", text: text, point: text.utf8.count)), &store)
  }

  private func send(_ event: Event, _ store: inout TestStore) -> [Effect] {
    update(&store.state, event)
  }
}

/// Links of an entry: found by their addresses, opened by a key.
struct LinkTests {
  @Test("the links that are safe to open are found, in their order, with words and address")
  func found() {
    let text = """
      See [the *manual*](https://example.org/a "t") and <me@example.org>, https://b.example/x).
      ![photo](./x.jpg) [script](javascript:alert(1)) `https://code.example`
      | a | b |
      |---|---|
      | [c](http://c.example) | d |
      """
    #expect(
      Reading.links(of: text).map { "\($0.text) \($0.address)" } == [
        "the *manual* https://example.org/a", "mailto:me@example.org mailto:me@example.org",
        "https://b.example/x https://b.example/x", "c http://c.example",
      ])
    for plain in ["", "no links: none", "a@b", "x://y", "http:/x"] {
      #expect(Reading.links(of: plain).isEmpty, "\(plain)")
    }
  }

  @Test("gx opens the only link, a count another one, and several are a menu")
  func opening() {
    var store = TestStore([3])
    store.press("gx", [.read(.links(.row(RowPath(0, 0)), count: nil))])
    store.press("2gx", [.read(.links(.row(RowPath(0, 0)), count: 2))])
    let links = Reading.links(of: "https://a.example https://b.example")
    #expect(
      update(&store.state, .reader(.linksFound(links, count: 2)))
        == [.program(.openLink("https://b.example"))])
    #expect(update(&store.state, .reader(.linksFound(links, count: 3))).isEmpty)
    #expect(store.state.status == .failed("this entry has 2 links"))
    _ = update(&store.state, .reader(.linksFound([], count: nil)))
    #expect(store.state.status == .failed("this entry has no links"))
    _ = update(&store.state, .reader(.linksFound(links, count: nil)))
    for key in ["j"] { _ = update(&store.state, .key(key)) }
    #expect(update(&store.state, .key("<Enter>")) == [.program(.openLink("https://b.example"))])
    #expect(store.state.pages.mode == .list)
  }

  @Test("while reading, the visible links come first, and the menu leads back to the entry")
  func reading() {
    var store = TestStore([3], lines: 12)
    let text =
      "https://a.example\n" + String(repeating: "\n", count: 40)
      + "https://b.example https://c.example"
    _ = update(&store.state, .reader(.opened(TestStore.entry(7, text))))
    store.press("gx", [.program(.openLink("https://a.example"))])
    _ = update(&store.state, .key("G"))
    _ = update(&store.state, .key("g"))
    #expect(update(&store.state, .key("x")).isEmpty)
    let effects = update(&store.state, .key("<Enter>"))
    #expect(effects.last == .program(.openLink("https://b.example")))
    #expect(store.state.pages.mode == .reading)
  }

  @Test("the cells of links are marked on the canvas, where they are wrapped too")
  func marked() {
    var state = TestStore([3], columns: 30, lines: 12).state
    let text = "日本 [a link of several words that wraps](https://a.example) end"
    _ = update(&state, .reader(.opened(TestStore.entry(7, text))))
    let frame = ScreenRenderer { _ in nil }.frame(of: state)
    let links = frame.canvas.links
    #expect(links.count > 1)
    #expect(Set(links.map(\.address)) == ["https://a.example"])
    let words = links.map { link in
      frame.canvas[row: link.row].dropFirst(link.columns.lowerBound).prefix(link.columns.count)
        .map(\.text).joined()
    }.joined(separator: " ")
    #expect(words.hasPrefix("a link of several"))
    #expect(words.contains("https://a.example") && !words.contains("end") && !words.contains("日"))
  }
}
