import Journal
import Screen
import SectionedResults
import Testing

/// The views, tags and months beside the list.
struct SidebarTests {
  private static let contents = SidebarContents(
    entries: 1234,
    tags: [
      .init(tag: "home", count: 700), .init(tag: "日記", count: 30),
      .init(tag: "home/kitchen", count: 9),
    ],
    months: [
      .init(day: Day("2026-11-01") ?? .earliest, count: 20),
      .init(day: Day("2026-10-01") ?? .earliest, count: 4),
      .init(day: Day("2025-03-01") ?? .earliest, count: 1210),
    ])

  @Test("gs shows and focuses the sidebar, gs in it hides it, Esc only leaves it")
  func toggling() {
    var store = wide()
    #expect(press("gs", &store) == [.query(.countSidebar)])
    #expect(store.state.pages.mode == .sidebar && store.state.showsSidebar)
    _ = press("<Esc>", &store)
    #expect(store.state.pages.mode == .list && store.state.showsSidebar)
    #expect(press("gs", &store).isEmpty)
    _ = press("gs", &store)
    #expect(store.state.pages.mode == .list && store.state.sidebar == nil)
    #expect(store.state.layout.list.lowerBound == 0)
  }

  @Test("a key in the sidebar waits for its counts, and no other key does")
  func waiting() {
    var store = wide()
    _ = press("gs", &store)
    #expect(store.state.awaitedQuery == .countSidebar)
    _ = press("<Esc>", &store)
    #expect(store.state.awaitedQuery == nil && store.state.work.queries.next == .countSidebar)
    _ = update(&store.state, .sidebar(.contentsFound(Self.contents)))
    // The views are counted after all else.
    #expect(store.state.work.queries.next == .countViews(["#work -done"]))
    #expect(store.state.awaitedQuery == nil)
    _ = press("gs", &store)
    #expect(store.state.awaitedQuery == nil)
    _ = update(&store.state, .sidebar(.viewsCounted(["#work -done": 77])))
    #expect(store.state.work.queries.isEmpty)
    #expect(screen(store).contains(#/work +77 /#))
    // The numbers stay until they are counted again.
    _ = update(&store.state, .sidebar(.contentsFound(Self.contents)))
    #expect(screen(store).contains(#/work +77 /#))
  }

  @Test("on a narrow screen it says where its contents are, and comes back with the width")
  func narrow() {
    var store = TestStore([3])
    _ = press("gs", &store)
    #expect(store.state.status?.kind == .failed)
    #expect(store.state.sidebar == nil)
    var wide = shown()
    _ = update(&wide.state, .terminal(.resized(Size(columns: 60, lines: 24))))
    #expect(!wide.state.showsSidebar && wide.state.layout.list == 0..<60)
    _ = update(&wide.state, .terminal(.resized(Size(columns: 120, lines: 24))))
    #expect(wide.state.showsSidebar)
  }

  @Test("every line filters the list, by a key and by a click")
  func choosing() {
    let filters = [
      "", "#work -done", "#home", "#home/kitchen", "#日記", "on:2026", "on:2026-11", "on:2026-10",
      "on:2025",
    ]
    for (index, filter) in filters.enumerated() {
      var store = shown()
      store.state.list.scope.filter = "other"
      for _ in 0..<index { _ = press("j", &store) }
      let landing: Landing = filter.isEmpty ? .nearest : .top
      let wanted: [Effect] = [.query(.show(ListScope(filter: filter), landing))]
      #expect(press("<Enter>", &store) == wanted)
      #expect(store.state.pages.mode == .list)
      var clicked = shown()
      clicked.state.list.scope.filter = "other"
      let lines = screen(clicked).split(separator: "\n", omittingEmptySubsequences: false)
      let names = [
        "All entries", "work", "#home", "kitchen", "#日記", "2026", "Nov", "Oct", "2025",
      ]
      let line = lines.firstIndex { $0.prefix(24).contains(names[index]) } ?? 0
      let action = MouseAction(.click, column: 4, line: line)
      #expect(update(&clicked.state, .mouse(action)) == wanted, "\(filter)")
    }
  }

  @Test("it is drawn in its columns, the shown filter marked")
  func drawn() {
    var store = shown()
    store.state.list.scope.filter = "#home"
    store.state.pages.mode = .list
    let canvas = ScreenRenderer { _ in nil }.frame(of: store.state).canvas
    let lines = (1...15).map { row in canvas[row: row].prefix(25).map(\.text).joined() }
    #expect(
      lines.joined(separator: "\n") == """
          All entries     1,234 │
                                │
         Views                  │
          work                  │
                                │
         Tags                   │
        · #home             700 │
            kitchen           9 │
          #日記              30 │
                                │
         Months                 │
          2026               24 │
            Nov              20 │
            Oct               4 │
          2025            1,210 │
        """)
  }

  @Test("the months of another year are shown while the list is filtered by it")
  func years() {
    var store = shown()
    #expect(!screen(store).contains("Mar"))
    let scope = ListScope(filter: "on:2025")
    _ = update(
      &store.state,
      .list(.shown(scope, store.state.list.widget.sections, generation: 2, selection: nil)))
    #expect(screen(store).contains("· 2025") && screen(store).contains("    Mar           1,210"))
  }

  @Test("before its counts are there it shows none, also when the list changes")
  func waitingList() {
    var store = wide()
    _ = press("gs", &store)
    let sections = store.state.list.widget.sections
    _ = update(
      &store.state,
      .list(.shown(ListScope(filter: "#a"), sections, generation: 2, selection: nil)))
    #expect(!screen(store).contains("All entries"))
  }

  @Test("a year far down stays in sight when its months appear")
  func farYear() {
    var store = wide()
    _ = press("gs", &store)
    var contents = Self.contents
    contents.months = (0..<60).map {
      .init(day: Day("\(2026 - $0)-03-01") ?? .earliest, count: 1)
    }
    _ = update(&store.state, .sidebar(.contentsFound(contents)))
    _ = press("G", &store)
    _ = update(
      &store.state,
      .list(
        .shown(
          ListScope(filter: "on:1967"), store.state.list.widget.sections, generation: 2,
          selection: nil)))
    #expect(screen(store).contains("› 1967") && screen(store).contains("    Mar "))
  }

  @Test("tags that have no parent among them get one, and a single one needs none")
  func tree() {
    var store = wide()
    _ = press("gs", &store)
    let tags = ["work/api", "x/y", "Work/ops/db", "a"].map {
      SidebarContents.TagUse(tag: $0, count: 1)
    }
    _ = update(&store.state, .sidebar(.contentsFound(SidebarContents(entries: 4, tags: tags))))
    let lines = screen(store).split(separator: "\n").map { $0.prefix(24).drop { $0 == " " } }
    #expect(
      lines.contains { $0.hasPrefix("#work  ") } && lines.contains { $0.hasPrefix("api") }
        && lines.contains { $0.hasPrefix("ops/db") } && lines.contains { $0.hasPrefix("#x/y") })
  }

  @Test("h goes into the sidebar and l back to the list; the cursor is on the screen once")
  func cursor() {
    var store = shown()
    for (key, mode) in [
      ("l", Mode.list), ("h", .sidebar), ("<Right>", .list), ("<Left>", .sidebar),
    ] {
      _ = press(key, &store)
      #expect(store.state.pages.mode == mode)
      #expect(screen(store).count { $0 == "›" } == 1)
    }
    var hidden = wide()
    _ = press("h", &hidden)
    var narrow = TestStore([3])
    _ = press("h", &narrow)
    #expect(narrow.state.status?.text.hasPrefix("too narrow for the sidebar") == true)
    #expect(hidden.state.status?.text == "gs shows the sidebar")
  }

  @Test("a commit counts again, and the selection stays at its line")
  func live() {
    var store = shown()
    for _ in 0..<2 { _ = press("j", &store) }
    #expect(update(&store.state, .journal(.changed)).contains(.query(.countSidebar)))
    var next = Self.contents
    next.tags.insert(.init(tag: "new", count: 900), at: 0)
    _ = update(&store.state, .sidebar(.contentsFound(next)))
    #expect(
      press("<Enter>", &store) == [.query(.show(ListScope(filter: "#home"), .top))])
  }

  @Test("list and pane share the rest, at every width")
  func widths() {
    for columns in Sidebar.leastColumns...240 {
      var store = TestStore([3], columns: columns)
      store.state.sidebar = Sidebar()
      let layout = store.state.layout
      #expect(layout.sidebar == 0..<Sidebar.columns)
      #expect(layout.list.lowerBound == Sidebar.columns + 2)
      #expect(layout.list.count >= 28)
      #expect((layout.isSplit ? layout.pane : layout.list).upperBound == columns)
    }
  }

  private func wide() -> TestStore {
    var store = TestStore([3], columns: 120, lines: 24)
    store.state.pane.isWanted = false
    store.state.views = [SavedView(name: "work", query: "#work -done")]
    return store
  }

  private func shown() -> TestStore {
    var store = wide()
    _ = press("gs", &store)
    _ = update(&store.state, .sidebar(.contentsFound(Self.contents)))
    return store
  }

  private func press(_ keys: String, _ store: inout TestStore) -> [Effect] {
    KeySequence(keys).keys.flatMap { update(&store.state, .key($0)) }
  }

  private func screen(_ store: TestStore) -> String {
    ScreenRenderer { _ in nil }.frame(of: store.state).canvas.plainText()
  }
}
