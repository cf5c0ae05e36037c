import Journal
import Screen
import SectionedResults
import Testing

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

  private func opened(_ store: inout TestStore) {
    for intent in [
      Intent.keyPressed("S"), .statisticsCounted(ListScope(), statistics, today: today),
      .statisticsMeasured(lines: 60),
    ] { _ = reduce(&store.state, intent) }
  }

  @Test("S asks for the numbers of what the list shows, and shows them when they come")
  func open() {
    var store = TestStore([1])
    store.state.scope = ListScope(filter: "#home", order: .title, sectioning: .tag)
    let scope = ListScope(filter: "#home")
    var view = StatisticsView(scope: scope, today: today)
    store.press("S", [.countStatistics(scope)]) { $0.mode = .statistics(view) }
    #expect(view.subject == "#home")
    store.state.work = "counting"
    view.counted = statistics
    view.years = [2024, 2026]
    store.send(.statisticsCounted(scope, statistics, today: today), [.measure]) {
      $0.mode = .statistics(view)
      $0.work = nil
    }
    view.lines = 60
    store.send(.statisticsMeasured(lines: 60)) { $0.mode = .statistics(view) }
    store.press("q") { $0.mode = .list }
  }

  @Test("numbers that come too late, or are of something else, change nothing")
  func late() {
    var store = TestStore([1])
    store.send(.statisticsCounted(ListScope(), statistics, today: today))
    store.press("S", [.countStatistics(ListScope())]) { $0.mode = .statistics(view()) }
    store.send(.statisticsCounted(ListScope(filter: "x"), statistics, today: today))
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
      $0.counted = statistics
      $0.years = [2024, 2026]
      $0.lines = 60
      $0.year = year
      $0.countedYear = before
    }
    let isTurned = before != year
    store.press(key, isTurned ? [.countStatistics(ListScope(), year: year)] : []) {
      $0.mode = .statistics(turned)
    }
    guard isTurned else { return }
    turned.countedYear = year
    let counted = Intent.statisticsCounted(
      ListScope(), statistics, today: today, year: year, years: [2024, 2026])
    store.send(counted, [.measure]) { $0.mode = .statistics(turned) }
  }

  @Test("numbers of a year that was turned away from meanwhile change nothing")
  func lateYear() {
    var store = TestStore([1])
    opened(&store)
    _ = reduce(&store.state, .keyPressed("{"))
    store.send(.statisticsCounted(ListScope(), statistics, today: today))
    #expect(store.state.statistics?.countedYear == nil)
    #expect(store.state.statistics?.year == 2026)
  }

  @Test("it scrolls like a page, and stays within its lines when they become fewer")
  func scrolling() {
    var store = TestStore([1])
    opened(&store)
    for (key, offset) in [("j", 1), ("3j", 4), ("k", 3), ("G", 38), ("gg", 0)]
      as [(KeySequence, Int)]
    {
      store.press(key, [.measure]) {
        $0.mode = .statistics(
          view {
            $0.counted = statistics
            $0.years = [2024, 2026]
            $0.lines = 60
            $0.offset = offset
          })
      }
    }
    _ = reduce(&store.state, .keyPressed("G"))
    _ = reduce(&store.state, .statisticsMeasured(lines: 30))
    #expect(store.state.statistics?.offset == 8)
    _ = reduce(&store.state, .mouse(MouseIntent(.wheel(-3), column: 0, line: 0)))
    #expect(store.state.statistics?.offset == 5)
  }

  @Test("a commit and a new day count again while they are shown, and only then")
  func live() {
    var store = TestStore([1])
    store.send(.journalChanged)
    store.press("S", [.countStatistics(ListScope())]) { $0.mode = .statistics(view()) }
    store.send(.journalChanged, [.countStatistics(ListScope())])
    store.send(.dayChanged(today.adding(days: 1)), [.countStatistics(ListScope())]) {
      $0.today = today.adding(days: 1)
    }
  }

  @Test("a query that makes no sense leads back and says why")
  func failure() {
    var store = TestStore([1])
    _ = reduce(&store.state, .promptOpened(.command, text: ""))
    let effects = reduce(&store.state, .promptSubmitted("stats foo:bar"))
    #expect(effects == [.countStatistics(ListScope(filter: "foo:bar"))])
    store.send(.failed("column 1")) {
      $0.mode = .list
      $0.status = .failed("column 1")
    }
  }

  @Test("onthisday shows what was written on a day in every year, today unless told otherwise")
  func onThisDay() throws {
    #expect(try Command("onthisday") == .show("on:*-today"))
    #expect(try Command("onthisday 11-21") == .show("on:*-11-21"))
    #expect(try Command("onthisday yesterday") == .show("on:*-yesterday"))
  }

  @Test("the command takes a query and a year; what the page cannot show runs as in a shell")
  func command() throws {
    #expect(try Command("stats") == .statistics("", year: nil))
    #expect(try Command("stats \"a b\" -c") == .statistics("\"a b\" -c", year: nil))
    #expect(try Command("stats --year 2025 #x") == .statistics("#x", year: 2025))
    #expect(try Command("stats --year 2025") == .statistics("", year: 2025))
    #expect(try Command("stats --format svg") == .run(["stats", "--format", "svg"]))
    #expect(throws: Command.Failure.self) { try Command("stats --year x") }
  }
}
