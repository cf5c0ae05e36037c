import Journal
import JournalStore
import Screen
import SectionedResults
import Testing

@testable import daybook

/// Requests about the list of a memory journal, and their answers.
struct ListRunnerTests {
  private let rig: RunnerRig
  private let runner: ListRunner

  init() throws {
    let rig = try RunnerRig(["Bread #home", "Milk", "Bread again"])
    self.rig = rig
    runner = ListRunner(rig.journal, work: rig.work) { rig.send($0) }
  }

  @Test("a filter shows its entries, and a text that is no filter leaves the list")
  func show() throws {
    let query = ListQuery.show(ListScope(filter: "bread"))
    #expect(runner.answer(query, in: rig.state) { _ in { false } })
    #expect(rig.state.list.widget.rowCount == 2)
    #expect(rig.state.list.query != nil)
    #expect(
      runner.answer(.show(ListScope(filter: "since:never")), in: rig.state) { _ in { false } })
    #expect(rig.state.list.widget.rowCount == 2)
    #expect(rig.state.status?.kind == .failed)
  }

  @Test("a cancelled query is not answered, and the list stays")
  func cancelled() throws {
    let query = ListQuery.show(ListScope(filter: "bread"))
    let isAnswered = runner.answer(query, in: rig.state) { _ in { true } }
    // A journal that answers before it asks is as good.
    #expect(isAnswered == (rig.state.list.widget.rowCount == 2))
  }

  @Test("a search finds the nearest match, and its matches are counted")
  func find() throws {
    rig.state.search = Search(text: "bread")
    try runner.check(.find("bread", from: nil, .here), in: rig.state)
    #expect(rig.state.highlight != nil)
    #expect(
      runner.answer(.find("bread", from: .row(RowPath(0, 0)), .forward), in: rig.state) { _ in
        { false }
      })
    #expect(rig.state.list.widget.selection == .row(RowPath(0, 2)))
    #expect(
      runner.answer(.countMatches("bread", at: RowPath(0, 2)), in: rig.state) { _ in { false } })
    #expect(rig.state.search?.place?.index == 2)
    #expect(rig.state.search?.place?.count == 2)
    #expect(throws: (any Error).self) {
      try runner.check(.find("since:never", from: nil, .here), in: rig.state)
    }
  }

  @Test("every request that is answered at once is answered with its event")
  func everyRequest() throws {
    let range = RowPath(0, 0)...RowPath(0, 1)
    let requests: [(ListEffect, (Event) -> Bool)] = [
      (.reload, { if case .list(.reloaded) = $0 { true } else { false } }),
      (.findDay("today"), { if case .list(.dayFound(.some, _)) = $0 { true } else { false } }),
      (.markRows(range, .add), { $0 == .list(.rowsMarked([3, 2], .add)) }),
      (.findMarked([1, 99]), { $0 == .list(.rowsMarked([1], .replace)) }),
      (
        .listIndexTitles,
        { if case .jump(.titlesFound(let titles)) = $0 { titles.count == 1 } else { false } }
      ),
      (.countTrash, { $0 == .list(.trashCounted(TrashContents())) }),
      (
        .parseSearch("x"), { if case .list(.searchParsed("x", .some)) = $0 { true } else { false } }
      ),
    ]
    for (request, isAnswer) in requests {
      _ = rig.take()
      try runner.run(request, in: rig.state)
      let events = rig.take()
      #expect(events.count == 1 && events.allSatisfy(isAnswer), "\(request): \(events)")
    }
  }

  @Test("all entries of the list are found, to be marked")
  func markAll() throws {
    _ = rig.take()
    #expect(runner.answer(.markAll, in: rig.state) { _ in { false } })
    let events = rig.take()
    guard events.count == 1, case .list(.allMarked(let numbers))? = events.first else {
      return #expect(events.isEmpty)
    }
    #expect(Set(numbers) == [1, 2, 3])
  }

  @Test("the calendar's days are counted and a day's entries read, also of an empty day")
  func calendar() throws {
    let day = rig.journal.listing.today
    let days = day.adding(days: -400)...day
    _ = rig.take()
    #expect(runner.answer(.countDays(days), in: rig.state) { _ in { false } })
    let counted = rig.take()
    guard case .calendar(.daysCounted(days, let counts))? = counted.first else {
      return #expect(counted.isEmpty)
    }
    #expect(counts.map(\.day) == [day] && counts.map(\.entries) == [3])
    for (day, limit, numbers) in [
      (day, 9, [3, 2, 1]), (day, 2, [3, 2]), (day.adding(days: -1), 9, []),
    ] as [(Day, Int, [Int64])] {
      #expect(runner.answer(.listDay(day, limit: limit), in: rig.state) { _ in { false } })
      let events = rig.take()
      guard case .calendar(.dayListed(day, let rows))? = events.first else {
        return #expect(events.isEmpty)
      }
      #expect(rows.map(\.id.number) == numbers)
    }
  }

  @Test("a search is prepared while its text is typed; a key postpones that")
  func preparing() throws {
    rig.send(.key("/"))
    #expect(rig.state.work.queries.next == .prepareSearch)
    // A journal of three entries is prepared before SQLite asks.
    #expect(runner.answer(.prepareSearch, in: rig.state) { _ in { true } })
    #expect(rig.state.work.queries.isEmpty)
  }

  @Test(
    "a search that is given up is not prepared any longer",
    arguments: [("/", PromptPurpose.search), ("f", .filter)])
  func givenUp(key: String, purpose: PromptPurpose) {
    rig.send(.key(key))
    rig.send(.prompt(.opened(purpose, text: "")))
    #expect(rig.state.work.queries.next == .prepareSearch)
    rig.send(.prompt(.cancelled("")))
    // The list before the filter may have to be shown again.
    while let query = rig.state.work.queries.next, query != .prepareSearch {
      _ = runner.answer(query, in: rig.state) { _ in { false } }
    }
    #expect(rig.state.work.queries.isEmpty)
  }

  @Test("statistics are counted, of all years and of one")
  func statistics() throws {
    _ = update(&rig.state, .key("S"))
    let scope = try #require(rig.state.statistics?.scope)
    #expect(runner.answer(.countStatistics(scope), in: rig.state) { _ in { false } })
    guard case .entries(let counted) = rig.state.statistics?.counted else {
      Issue.record("nothing counted")
      return
    }
    #expect(counted.entries == 3)
  }

  @Test("the statistics of a year name the years with entries of their filter")
  func yearsOfStatistics() throws {
    for (text, date) in [("old bread", "2024-12-31"), ("cake", "2025-06-01")] {
      let written = try #require(Moment("\(date)T10:00:00Z"))
      try rig.journal.store.add([
        NewEntry(text: text, created: written, day: try #require(Day(date)))
      ])
    }
    let all: [(filter: String, years: [Int], count: Int)] = [
      ("", [2024, 2025, 2026], 1), ("bread", [2024, 2026], 1), ("cake", [2025], 0),
    ]
    for (filter, years, count) in all {
      let view = StatisticsView(scope: ListScope(filter: filter), today: .latest, year: 2024)
      rig.state.pages.mode = .statistics(view)
      let query = ListQuery.countStatistics(view.scope, year: 2024)
      #expect(runner.answer(query, in: rig.state) { _ in { false } })
      #expect(rig.state.statistics?.years == years, "\(filter)")
      guard case .entries(let counted) = rig.state.statistics?.counted else {
        Issue.record("nothing counted")
        continue
      }
      #expect(counted.entries == count, "\(filter)")
    }
  }

  @Test("a field is summed in the list's entries, of all years and of one")
  func fieldStatistics() throws {
    for (text, date) in [("a run:: 5 km", "2025-03-01"), ("b run:: 2.5 km", "2026-03-02")] {
      let written = try #require(Moment("\(date)T10:00:00Z"))
      let day = try #require(Day(date))
      try rig.journal.store.add([NewEntry(text: text, created: written, day: day)])
    }
    for (year, sum) in [(nil, 7_500_000), (2025, 5_000_000)] as [(Int?, Int128)] {
      let view = StatisticsView(
        scope: ListScope(), today: .latest, year: year, field: "run")
      rig.state.pages.mode = .statistics(view)
      let query = ListQuery.countStatistics(view.scope, year: year, field: "run")
      #expect(runner.answer(query, in: rig.state) { _ in { false } })
      guard case .field(let sums) = rig.state.statistics?.counted else {
        Issue.record("nothing summed")
        return
      }
      #expect(sums.all?.sum == sum && rig.state.statistics?.years == [2025, 2026])
    }
  }
}
