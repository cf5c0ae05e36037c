import Journal
import SectionedResults
import Testing

@testable import Screen

/// Statistics on the screen: what they are about, turning years, scrolling, and following changes.
struct StatisticsViewTests {
  private let today = Day(daysSinceEpoch: 20_778)

  /// An entry in 2024 and one today.
  private var statistics: Statistics {
    var statistics = Statistics()
    statistics.days = [
      DayCount(day: today.adding(days: -900), entries: 1, words: 2),
      DayCount(day: today, entries: 1, words: 3),
    ]
    return statistics
  }

  private func view(_ change: (inout StatisticsView) -> Void = { _ in }) -> StatisticsView {
    var view = StatisticsView(scope: ListScope(), today: today)
    change(&view)
    return view
  }

  /// The page at 80 columns.
  private func rows(year: Int? = nil) -> [RoleLine] {
    StatisticsPage(
      statistics: statistics, subject: "", today: today, year: year, firstWeekday: 1,
      dates: TestStore().state.dates, columns: 80
    ).lines
  }

  private func opened(_ store: inout TestStore) {
    for event in [
      Event.key("S"), .statistics(.counted(ListScope(), statistics, today: today)),
    ] { _ = update(&store.state, event) }
  }

  @Test("S asks for the numbers of what the list shows, and shows them when they come")
  func open() {
    var store = TestStore([1])
    store.state.list.scope = ListScope(filter: "#home", order: .title, grouping: .tag)
    let scope = ListScope(filter: "#home")
    var view = StatisticsView(scope: scope, today: today)
    store.press("S", [.query(.countStatistics(scope))]) { $0.pages.mode = .statistics(view) }
    #expect(view.subject == "#home")
    store.state.work.word = "counting"
    view.counted = .entries(statistics)
    view.years = [2024, 2026]
    _ = update(&store.state, .statistics(.counted(scope, statistics, today: today)))
    view.rows = store.state.statistics?.rows ?? []
    #expect(store.state.pages.mode == .statistics(view))
    #expect(store.state.work.word == nil)
    store.press("q") { $0.pages.mode = .list }
  }

  @Test("numbers that come too late, or are of something else, change nothing")
  func late() {
    var store = TestStore([1])
    store.send(.statistics(.counted(ListScope(), statistics, today: today)))
    store.press("S", [.query(.countStatistics(ListScope()))]) {
      $0.pages.mode = .statistics(view())
    }
    store.send(.statistics(.counted(ListScope(filter: "x"), statistics, today: today)))
  }

  @Test("braces and arrows turn to years with entries and this one, and stop at the ends")
  func years() {
    var store = TestStore([1])
    opened(&store)
    for (key, year) in [
      ("{", 2026), ("h", 2024), ("{", 2024), ("}", 2026), ("l", nil), ("}", nil), ("{", 2026),
      ("gt", nil), ("{", 2026),
    ] as [(KeySequence, Int?)] {
      let before = store.state.statistics?.year
      turn(&store, key, from: before, to: year)
    }
    turn(&store, "9{", from: 2026, to: 2024)
  }

  /// Turns to another year, whose numbers are shown when they have been counted.
  private func turn(_ store: inout TestStore, _ key: KeySequence, from before: Int?, to year: Int?)
  {
    var turned = view {
      $0.counted = .entries(statistics)
      $0.years = [2024, 2026]
      $0.rows = rows(year: before)
      $0.year = year
      $0.countedYear = before
    }
    let isTurned = before != year
    store.press(key, isTurned ? [.query(.countStatistics(ListScope(), year: year))] : []) {
      $0.pages.mode = .statistics(turned)
    }
    guard isTurned else { return }
    turned.countedYear = year
    turned.rows = rows(year: year)
    let counted = Event.statistics(
      .counted(
        ListScope(), statistics, today: today, year: year, years: [2024, 2026]))
    store.send(counted) { $0.pages.mode = .statistics(turned) }
  }

  @Test("numbers of a year that was turned away from meanwhile change nothing")
  func lateYear() {
    var store = TestStore([1])
    opened(&store)
    _ = update(&store.state, .key("{"))
    store.send(.statistics(.counted(ListScope(), statistics, today: today)))
    #expect(store.state.statistics?.countedYear == nil)
    #expect(store.state.statistics?.year == 2026)
  }

  @Test("it scrolls like a page, and stays within its lines when they become fewer")
  func scrolling() {
    var store = TestStore([1], lines: 12)
    opened(&store)
    let rows = rows()
    let end = rows.count - 10
    for (key, offset) in [("j", 1), ("3j", 4), ("k", 3), ("G", end), ("gg", 0)]
      as [(KeySequence, Int)]
    {
      store.press(key) {
        $0.pages.mode = .statistics(
          view {
            $0.counted = .entries(statistics)
            $0.years = [2024, 2026]
            $0.rows = rows
            $0.offset = offset
          })
      }
    }
    _ = update(&store.state, .key("G"))
    _ = update(&store.state, .terminal(.resized(Size(columns: 80, lines: 22))))
    #expect(store.state.statistics?.offset == rows.count - 19)
    _ = update(&store.state, .mouse(MouseAction(.wheel(-3), column: 0, line: 1)))
    #expect(store.state.statistics?.offset == rows.count - 22)
  }

  @Test("a commit and a new day count again while they are shown, and only then")
  func live() {
    var store = TestStore([1])
    store.send(.journal(.changed))
    store.press("S", [.query(.countStatistics(ListScope()))]) {
      $0.pages.mode = .statistics(view())
    }
    store.send(.journal(.changed), [.query(.countStatistics(ListScope()))])
    store.send(
      .journal(.dayChanged(today.adding(days: 1))), [.query(.countStatistics(ListScope()))]
    ) {
      $0.journal.today = today.adding(days: 1)
    }
  }

  @Test("a query that makes no sense leads back and says why")
  func failure() {
    var store = TestStore([1])
    _ = update(&store.state, .prompt(.opened(.command, text: "")))
    let effects = update(&store.state, .prompt(.submitted("stats foo:bar")))
    #expect(effects == [.query(.countStatistics(ListScope(filter: "foo:bar")))])
    store.send(.journal(.failed("column 1"))) {
      $0.pages.mode = .list
      $0.status = .failed("column 1")
    }
  }

  @Test("onthisday shows what was written on a day in every year, today unless told otherwise")
  func onThisDay() throws {
    #expect(try Command("onthisday", in: TestStore.catalog) == .show("on:*-today"))
    #expect(try Command("onthisday 11-21", in: TestStore.catalog) == .show("on:*-11-21"))
    #expect(try Command("onthisday yesterday", in: TestStore.catalog) == .show("on:*-yesterday"))
  }

  @Test("the command takes a query and a year; what the page cannot show runs as in a shell")
  func command() throws {
    #expect(try Command("stats", in: TestStore.catalog) == .statistics("", year: nil))
    #expect(
      try Command("stats \"a b\" -c", in: TestStore.catalog) == .statistics("\"a b\" -c", year: nil)
    )
    #expect(
      try Command("stats --year 2025 #x", in: TestStore.catalog) == .statistics("#x", year: 2025))
    #expect(try Command("stats --year 2025", in: TestStore.catalog) == .statistics("", year: 2025))
    #expect(
      try Command("stats --format svg", in: TestStore.catalog)
        == .run(["stats", "--format", "svg"]))
    #expect(throws: Command.Failure.self) { try Command("stats --year x", in: TestStore.catalog) }
  }
}
