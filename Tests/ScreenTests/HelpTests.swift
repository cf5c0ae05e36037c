import Journal
import SectionedResults
import Testing

@testable import Screen

/// The help lies over what was there.
struct HelpTests {
  private static let menu = Menu(
    title: "tags",
    items: (0..<30).map {
      Menu.Item("#t\($0)", effect: .query(.show(ListScope(filter: "#t\($0)"))))
    },
    selected: 7, offset: 2)

  private static let calendar: Mode = {
    var calendar = MonthCalendar(day: Day(daysSinceEpoch: 20_778))
    calendar.layOut(in: TestStore([3]).state)
    return .calendar(calendar)
  }()

  private static let modes: [Mode] = [
    .menu(menu), .output(OutputPage(title: "list", lines: ["a", "b"])),
    .versions(VersionTests.page(2, of: 3)),
    calendar,
    .jump(JumpBar(titles: [IndexTitle(title: "2026", section: 0)], selected: 0, columns: 7)),
    .statistics(StatisticsView(scope: ListScope(), today: Day(daysSinceEpoch: 20_778))),
  ]

  @Test("? shows the help from anywhere, and leaving it comes back", arguments: modes)
  func comesBack(mode: Mode) {
    for key in ["q", "<Esc>", "<Enter>", "?"] {
      var store = TestStore([3])
      store.state.pages.mode = mode
      _ = update(&store.state, .key("?"))
      guard case .output = mode else {
        #expect(Self.page(store.state)?.listed == mode.context)
        _ = update(&store.state, .key("j"))
        let effects = update(&store.state, .key(key))
        #expect(store.state.pages.mode == mode, "\(key)")
        #expect(store.state.pages.covered.isEmpty)
        #expect(effects == mode.page?.refresh)
        continue
      }
      // A page is left by the key that shows the help elsewhere.
      #expect(store.state.pages.mode == .list)
    }
  }

  private static func page(_ state: State) -> HelpPage? {
    if case .help(let page) = state.pages.mode { page } else { nil }
  }

  @Test(
    "the help begins with the keys of the view it was opened in, the other keys name their views")
  func beginsWithTheView() throws {
    var store = TestStore([3])
    _ = update(&store.state, .reader(.opened(TestStore.entry(5, lines: 9))))
    _ = update(&store.state, .key("?"))
    let reading = try #require(Self.page(store.state)).layout.lines
    #expect(reading.first == .title("Keys while reading"))
    let split = try #require(reading.firstIndex(of: .title("Keys elsewhere")))
    #expect(reading[..<split].contains(.keys("J", "next entry")))
    #expect(reading[..<split].contains(.keys("^F PageDown Space", "a screen down")))
    #expect(reading[split...].contains(.keys("V", "\(Action.markRange.help) (list)")))
    #expect(!reading[..<split].contains { $0.text.hasPrefix("V") })
    for key in ["q", "q", "?"] { _ = update(&store.state, .key(key)) }
    let list = try #require(Self.page(store.state)).layout.lines
    #expect(list.first == .title("Keys in the list"))
    let end = try #require(list.firstIndex(of: .title("Keys elsewhere")))
    #expect(list[..<end].contains(.keys("V", Action.markRange.help)))
    #expect(list[end...].contains(.keys("J", "next entry (reading)")))
    #expect(list[..<end].contains(.keys("o w", Action.sectionWeek.help)))
  }

  @Test(
    "the help has a column, two from 80 columns on and three from 120 on, with every word in them")
  func columns() {
    for (columns, count) in [(20, 1), (40, 1), (78, 1), (80, 2), (119, 2), (120, 3), (200, 4)] {
      for context in KeyContext.allCases {
        let layout = HelpLayout(.standard, in: context, columns: columns)
        // A few keys need fewer columns.
        let used = layout.rows.map(\.count).max() ?? 0
        #expect(context == .list ? used == count : (1...count).contains(used), "\(columns)")
        #expect(count * layout.width + (count - 1) * HelpLayout.gap <= columns)
        for line in layout.rows.joined() where count > 1 {
          let (keys, text): (String, String)
          switch line {
          case .keys(let first, let second), .more(let first, let second):
            (keys, text) = (first, second)
          case .title, .heading, .blank: continue
          }
          #expect(layout.indent + keys.count < layout.column, "\(keys)")
          #expect(layout.column + text.count <= layout.width, "\(text)")
        }
        // Every word once, however the lines are divided.
        let words = layout.rows.joined().flatMap { $0.text.split(separator: " ") }
        let whole = layout.lines.flatMap { $0.text.split(separator: " ") }
        #expect(words.sorted() == whole.sorted(), "\(context) at \(columns)")
        // A heading has its first keys below it.
        for column in 0..<count {
          let lines = layout.rows.map { column < $0.count ? $0[column] : .blank }
          for (line, next) in zip(lines, lines.dropFirst()) {
            guard case .heading = line else { continue }
            guard case .keys(let keys, _) = next else { return #expect(Bool(false), "\(line)") }
            #expect(!keys.isEmpty)
          }
        }
      }
    }
  }

  @Test("on a screen of 120 by 53 the keys of every view are all visible at once")
  func onOneScreen() {
    for context in KeyContext.allCases {
      let rows = HelpLayout(.standard, in: context, columns: 120).rows
      let end = rows.firstIndex { $0.first == .title("Keys elsewhere") } ?? rows.count
      #expect(end <= 50, "\(context): \(end)")
    }
  }

  @Test("a search in columns goes to the rows with a match, each once, and finds none across them")
  func searchInColumns() throws {
    var store = TestStore([3], columns: 120, lines: 14)
    for key in ["?", "/"] { _ = update(&store.state, .key(key)) }
    type("trash", &store.state)
    _ = update(&store.state, .prompt(.submitted("trash")))
    let rows = try #require(store.state.pageLines)
    let matches = rows.indices.filter { rows[$0].lowercased().contains("trash") }
    try #require(matches.count > 1)
    for match in matches {
      #expect(store.state.pages.search?.line == match && isShown(match, store.state))
      _ = update(&store.state, .key("n"))
    }
    #expect(store.state.pages.search?.line == matches.first)
    #expect(rows.contains { $0.contains("\n") })
  }

  @Test("in every view the help has every key once, those that work there first")
  func isComplete() {
    for context in KeyContext.allCases {
      let lines = KeyTable.standard.helpLines(in: context)
      let keys = lines.flatMap { line -> [Substring] in
        if case .keys(let keys, _) = line { keys.split(separator: " ") } else { [] }
      }
      let all = KeyTable.standard.help().flatMap { $0.keys.split(separator: " ") }
      #expect(keys.sorted() == all.sorted(), "\(context)")
      let end = lines.firstIndex(of: .title("Keys elsewhere")) ?? lines.endIndex
      for binding in KeyTable.standard.bindings
      where binding.contexts.contains(context) && context != .order && binding.action != .restore {
        let key = KeyTable.display(binding.sequence)
        let isHere = lines[..<end].contains { line in
          guard case .keys(let keys, let text) = line else { return false }
          return text == binding.action.help(in: [context])
            && keys.split(separator: " ").contains { $0 == key }
        }
        #expect(isHere, "\(key) in \(context)")
      }
    }
  }

  @Test("a search in the help goes to lines as one types, n and N go on and say when they wrap")
  func search() throws {
    var store = TestStore([3], lines: 10)
    _ = update(&store.state, .key("?"))
    #expect(update(&store.state, .key("/")) == [.prompt(.open(.search))])
    #expect(store.state.search == nil, "the list's search is another one")
    type("TRÁSH", &store.state)
    let lines = try #require(store.state.pageLines)
    let matches = lines.indices.filter { lines[$0].lowercased().contains("trash") }
    try #require(matches.count > 1)
    #expect(store.state.pages.search?.line == matches[0])
    #expect(isShown(matches[0], store.state))
    _ = update(&store.state, .prompt(.submitted("TRÁSH")))
    for match in matches.dropFirst() {
      _ = update(&store.state, .key("n"))
      #expect(store.state.status == nil)
      #expect(store.state.pages.search?.line == match && isShown(match, store.state))
    }
    _ = update(&store.state, .key("n"))
    #expect(store.state.status == .done("search hit bottom, continuing at the top"))
    #expect(store.state.pages.search?.line == matches[0] && isShown(matches[0], store.state))
    _ = update(&store.state, .key("N"))
    #expect(store.state.status == .done("search hit top, continuing at the bottom"))
    #expect(store.state.pages.search?.line == matches.last)
    // Esc takes the search away, then the help.
    _ = update(&store.state, .key("<Esc>"))
    #expect(store.state.pages.search == nil && store.state.pages.mode != .list)
    _ = update(&store.state, .key("<Esc>"))
    #expect(store.state.pages.mode == .list)
  }

  @Test("a search that is given up leads back, one without a match says so, n without one too")
  func searchGivenUp() {
    var store = TestStore([3], lines: 10)
    store.state.pages.mode = .output(
      OutputPage(title: "list", lines: (0..<50).map { "line \($0)" }, offset: 5))
    _ = update(&store.state, .key("n"))
    #expect(store.state.status == .failed("no search yet; / searches"))
    _ = update(&store.state, .key("/"))
    type("line 40", &store.state)
    #expect(isShown(40, store.state))
    type("line 400", &store.state)
    #expect(store.state.status == .failed("nothing matches line 400"))
    _ = update(&store.state, .prompt(.cancelled("line 400")))
    #expect(
      store.state.pages.mode
        == .output(OutputPage(title: "list", lines: (0..<50).map { "line \($0)" }, offset: 5)))
    #expect(store.state.pages.search == nil && store.state.prompt.open == nil)
  }

  @Test("what is found in a line is told in bytes, whatever folds into more or fewer of them")
  func places() {
    let found = { (text: String, line: String) in
      PageSearch(text: text, origin: 0).places(in: line).map {
        String(decoding: Array(line.utf8)[$0], as: UTF8.self)
      }
    }
    #expect(found("cafe", "a Café, CAFÉ") == ["Café", "CAFÉ"])
    #expect(found("strasse", "Straße") == ["Straße"])
    #expect(found("東", "東京 東") == ["東", "東"])
    #expect(found("aa", "aaaa") == ["aa", "aa"])
    #expect(found("", "text") == [])
    #expect(found("x", "") == [])
  }

  private func type(_ text: String, _ state: inout State) {
    if state.prompt.open == nil { _ = update(&state, .prompt(.opened(.search, text: ""))) }
    _ = update(
      &state, .prompt(.changed(label: "/", text: text, point: text.utf8.count)))
  }

  private func isShown(_ line: Int, _ state: State) -> Bool {
    let offset: Int
    switch state.pages.mode {
    case .help(let page): offset = page.offset
    case .output(let page): offset = page.offset
    default: return false
    }
    return (offset..<offset + state.layout.main.count).contains(line)
  }

  @Test("what opens over the help closes to it, and the help to what it covers")
  func stacked() {
    var store = TestStore([3])
    store.state.pages.mode = .menu(Self.menu)
    _ = update(&store.state, .key("?"))
    #expect(store.state.pages.covered == [.menu(Self.menu)])
    let help = store.state.pages.mode
    _ = update(&store.state, .output(.opened(OutputPage(title: "x", lines: ["y"]))))
    #expect(store.state.pages.covered == [.menu(Self.menu), help])
    for mode in [help, .menu(Self.menu), .list] {
      _ = update(&store.state, .key("q"))
      #expect(store.state.pages.mode == mode)
    }
    #expect(store.state.pages.covered.isEmpty)
  }

  @Test("every page opens over every view and closes to it", arguments: modes, modes)
  func everyPair(below: Mode, above: Mode) throws {
    let page = try #require(above.page)
    for view in [below, .reading, .sidebar] {
      var store = TestStore([3])
      store.state.pages.mode = view
      store.state.open(page)
      #expect(store.state.pages.mode.context == above.context)
      let isSame = view == above
      #expect(store.state.pages.covered == (isSame ? [] : [view]))
      _ = store.state.closePage()
      #expect(store.state.pages.mode.context == (isSame ? .list : view.context))
    }
  }

  @Test("pages of one kind lie on the stack; only the same page, as its next version, is replaced")
  func oneKind() {
    var store = TestStore([3])
    store.state.pages.mode = .reading
    let (first, other) = (VersionTests.page(2, of: 3), VersionTests.page(1, of: 3))
    var second = other
    second.number += 1
    for page in [first, other] { store.state.open(page) }
    #expect(store.state.pages.covered == [.reading])
    store.state.open(second)
    for title in ["x", "z"] { store.state.open(OutputPage(title: title, lines: ["y"])) }
    store.state.open(OutputPage(title: "z", lines: ["new"]))
    for title in ["one", "two"] { store.state.open(Menu(title: title, items: Self.menu.items)) }
    #expect(store.state.pages.covered.count == 6)
    let titles = (0..<6).map { _ in
      defer { _ = store.state.closePage() }
      return store.state.pages.mode.page?.title(in: store.state) ?? "none"
    }
    #expect(
      titles == [
        "two", "one", "z", "x", "entry \(second.number)  version 1 of 3",
        "entry \(first.number)  version 1 of 3",
      ])
    #expect(store.state.pages.mode == .reading)
  }

  @Test("help over a page that was opened from the help closes to that page")
  func helpOverHelp() {
    var store = TestStore([3])
    _ = update(&store.state, .key("?"))
    let help = store.state.pages.mode
    store.state.open(VersionTests.page(2, of: 3))
    let versions = store.state.pages.mode
    _ = update(&store.state, .key("?"))
    #expect(store.state.pages.covered == [help, versions])
  }

  @Test("a command acts on the entry that is shown, never on one behind a page of others")
  func target() {
    var store = TestStore([3])
    let selected = store.state.target
    #expect(selected != nil)
    let versions = VersionTests.page(2, of: 3)
    store.state.open(versions)
    #expect(store.state.target == .entry(versions.number))
    store.state.open(HelpPage(of: .versions, layout: HelpLayout()))
    #expect(store.state.target == .entry(versions.number))
    store.state.open(MonthCalendar(day: store.state.journal.today))
    #expect(store.state.target == nil)
    for _ in 0..<3 { _ = store.state.closePage() }
    #expect(store.state.target == selected)
  }

  @Test("another list closes the pages over the one before")
  func anotherList() {
    for view in [Self.calendar, .menu(Self.menu), .reading] {
      var store = TestStore([3])
      store.state.pages.mode = view
      store.state.open(OutputPage(title: "x", lines: ["y"]))
      _ = update(
        &store.state,
        .list(
          .shown(
            ListScope(grouping: .kind(.quarter)), store.state.list.widget.sections, generation: 2,
            selection: nil, leaving: nil, query: nil)))
      #expect(store.state.pages.mode == .list && store.state.pages.covered.isEmpty)
    }
  }
}
