import Journal
import SectionedResults
import Testing
import TextLayout

@testable import Screen

/// The month calendar, the index and the mouse.
struct GoingTests {
  private let today = Day(daysSinceEpoch: 20_778)

  @Test(
    "the calendar opens on the selected day, moves, counts its months and reads its day once, and leads to a day"
  )
  func calendar() {
    var store = TestStore()
    let day = today.adding(days: -3)
    let sections = [ListWidget.Section(key: day.description, count: 2)]
    _ = update(&store.state, .list(.reloaded(sections, generation: 1)))
    var calendar = MonthCalendar(day: day)
    // Two by two months, the selected one in the last row.
    (calendar.top, calendar.monthCount, calendar.showsDay) = (2026 * 12 + 8, 4, true)
    #expect("\(calendar.range)" == "\(Day("2026-09-01")!...Day("2026-12-31")!)")
    func list(_ day: Day) -> Effect {
      .query(.listDay(day, limit: MonthCalendar.mostRows))
    }
    store.press("M", [.query(.countDays(calendar.range)), list(day)]) {
      $0.pages.mode = .calendar(calendar)
    }
    let counts = [DayCount(day: day, entries: 2, words: 9)]
    calendar.take(counts)
    store.send(.calendar(.daysCounted(calendar.range, counts))) {
      $0.pages.mode = .calendar(calendar)
    }
    let row = TestStore.entry(5, lines: 9).row()
    (calendar.rows, calendar.listed) = ([row], day)
    store.send(.calendar(.dayListed(day, [row]))) { $0.pages.mode = .calendar(calendar) }
    // Within the counted months only the entries of the day are read.
    calendar.day = day.adding(days: 7)
    store.press("j", [list(calendar.day)]) { $0.pages.mode = .calendar(calendar) }
    calendar.day = calendar.day.adding(days: -1)
    store.press("h", [list(calendar.day)]) { $0.pages.mode = .calendar(calendar) }
    calendar.day = calendar.day.adding(months: 1)
    store.press("}", [list(calendar.day)]) { $0.pages.mode = .calendar(calendar) }
    // The next row of months scrolls in.
    calendar.day = calendar.day.adding(months: 1)
    calendar.top = 2026 * 12 + 10
    store.press("}", [.query(.countDays(calendar.range)), list(calendar.day)]) {
      $0.pages.mode = .calendar(calendar)
    }
    store.press("<Enter>", [.list(.findDay(calendar.day.description))]) { $0.pages.mode = .list }
  }

  @Test("counts of months and entries of a day that were left meanwhile are dropped")
  func lateCounts() {
    var store = TestStore([1])
    _ = update(&store.state, .key("M"))
    let other = today.adding(months: -9)
    store.send(
      .calendar(
        .daysCounted(other...other.adding(days: 9), [DayCount(day: other, entries: 1, words: 1)])))
    store.send(.calendar(.dayListed(other, [TestStore.entry(5, lines: 9).row()])))
  }

  @Test("a small calendar reads no entries until the screen has room for them")
  func resized() {
    var store = TestStore([1], columns: 40, lines: 10)
    let effects = update(&store.state, .key("M"))
    guard case .calendar(let small) = store.state.pages.mode else { return #expect(Bool(false)) }
    #expect(effects == [.query(.countDays(small.range))])
    #expect(small.monthCount == 1)
    let more = update(&store.state, .terminal(.resized(Size(columns: 80, lines: 24))))
    guard case .calendar(let large) = store.state.pages.mode else { return #expect(Bool(false)) }
    #expect(large.monthCount == 4 && large.day == small.day)
    #expect(
      more == [
        .query(.countDays(large.range)),
        .query(.listDay(large.day, limit: MonthCalendar.mostRows)),
      ])
  }

  @Test("the calendar stops at the ends of time")
  func ends() {
    var store = TestStore([1])
    _ = update(&store.state, .key("M"))
    for key in ["999999j", "999999}", "999999k", "999999{"] {
      for stroke in KeySequence(key).keys { _ = update(&store.state, .key(stroke)) }
      guard case .calendar(let calendar) = store.state.pages.mode else { return }
      #expect(calendar.range.lowerBound >= .earliest)
      #expect(calendar.range.upperBound <= .latest)
    }
  }

  @Test("the index of letters begins at the selected section, moves in its lines, and jumps")
  func jump() {
    var store = TestStore([1, 1, 1, 1], columns: 26)
    store.press("2j") { $0.list.widget.moveSelection(by: 2) }
    store.press("gi", [.list(.listIndexTitles)])
    let titles = ["A", "B", "C"].enumerated().map {
      IndexTitle(title: $0.element, section: $0.offset + ($0.offset == 2 ? 1 : 0))
    }
    func bar(_ selected: Int) -> Mode {
      .jump(JumpBar(titles: titles, counts: [1, 2, 1], selected: selected, columns: 3))
    }
    store.send(.jump(.titlesFound(titles))) { $0.pages.mode = bar(1) }
    store.press("l") { $0.pages.mode = bar(2) }
    store.press("k") { $0.pages.mode = bar(0) }
    store.press("G") { $0.pages.mode = bar(2) }
    store.press("<Enter>") {
      $0.pages.mode = .list
      $0.list.widget.showAtTop(section: 3)
    }
  }

  /// A list by day with entries in three years, the newest first.
  private static let days = [
    ListWidget.Section(key: "2026-11-21", count: 2),
    ListWidget.Section(key: "2026-11-02", count: 3),
    ListWidget.Section(key: "2026-01-31", count: 1),
    ListWidget.Section(key: "2025-12-24", count: 7),
    ListWidget.Section(key: "2023-11-11", count: 1_234),
  ]

  @Test("the index of a list by date has a line a year, moves in time and by years, and jumps")
  func yearGrid() throws {
    let titles = [IndexTitle(title: "Nov 2026", section: 0)]
    // Keys that arrive together and one by one are the same events.
    for (keys, month, section) in [
      ("", "2026-11", 0), ("h", "2026-10", nil), ("10h", "2026-01", 2), ("11h", "2025-12", 3),
      ("j", "2025-11", nil), ("jj", "2023-11", 4), ("9j", "2023-11", 4), ("9jk", "2025-11", nil),
      ("l", "2026-12", nil), ("9l", "2026-12", nil), ("jl", "2025-12", 3), ("G", "2023-11", 4),
      ("Ggg", "2026-11", 0), ("99h", "2023-01", nil), ("j2l", "2026-01", 2),
    ] as [(KeySequence, String, Int?)] {
      var store = TestStore()
      _ = update(&store.state, .list(.reloaded(Self.days, generation: 1)))
      _ = update(&store.state, .key("gi"))
      _ = update(&store.state, .jump(.titlesFound(titles)))
      for key in keys.keys { _ = update(&store.state, .key(key)) }
      guard case .jump(let bar) = store.state.pages.mode else { return #expect(Bool(false)) }
      let first = try #require(Day(month + "-01"))
      #expect(bar.month == first.monthNumber, "\(keys)")
      let effects = update(&store.state, .key("<Enter>"))
      #expect(store.state.pages.mode == .list)
      if let section {
        #expect(store.state.list.widget.selection == .row(RowPath(section, 0)), "\(keys)")
        #expect(effects.allSatisfy { $0 != .list(.findDay(month)) })
      } else {
        #expect(effects.contains(.list(.findDay(month))), "\(keys)")
      }
    }
  }

  @Test("a week counts to the month of its Thursday, a month to itself, a tag to none")
  func yearGridOfOthers() throws {
    let weeks = [
      ListWidget.Section(key: "2026-W01", count: 4),
      ListWidget.Section(key: "2025-W52", count: 1),
    ]
    let byWeek = try #require(YearGrid(weeks, .week))
    #expect(byWeek.months.mapValues(\.count) == [2026 * 12: 4, 2025 * 12 + 11: 1])
    #expect(byWeek.years == [2026, 2025] && byWeek.total(of: 2026) == 4)
    let byMonth = try #require(YearGrid([ListWidget.Section(key: "2026-02", count: 9)], .month))
    #expect(byMonth.months == [2026 * 12 + 1: .init(section: 0, count: 9)])
    for grouping in Grouping.allCases where ![.day, .week, .month].contains(grouping) {
      #expect(YearGrid([ListWidget.Section(key: "2026", count: 9)], grouping) == nil)
    }
  }

  @Test(
    "a click selects, a click on the selected opens, a click on a header folds, the wheel scrolls")
  func mouse() {
    var store = TestStore([3, 60])
    store.send(.mouse(MouseAction(.click, column: 5, line: 3))) {
      $0.list.widget.select(RowPath(0, 1))
    }
    store.send(
      .mouse(MouseAction(.click, column: 5, line: 3)), [.read(.entry(.row(RowPath(0, 1))))])
    store.send(.mouse(MouseAction(.click, column: 0, line: 1))) {
      $0.list.widget.toggleFold(section: 0)
    }
    store.send(.mouse(MouseAction(.wheel(3), column: 0, line: 1))) { $0.list.widget.scroll(by: 3) }
    store.send(.mouse(MouseAction(.click, column: 5, line: 23)))
  }

  @Test("a click on each hint of the last line presses its keys, a click between them nothing")
  func hints() {
    let fresh = TestStore([3, 60])
    let hints = KeyTable.standard.hints(in: .list)
    var column = 0
    for hint in hints.prefix(4) {
      for place in [column, column + hint.keys.count + hint.word.count] {
        var clicked = fresh.state
        var pressed = fresh.state
        let made = update(&clicked, .mouse(MouseAction(.click, column: place, line: 23)))
        var expected: [Effect] = []
        for key in hint.sequence.keys { expected += update(&pressed, .key(key)) }
        #expect(made == expected && clicked == pressed, "\(hint.word)")
      }
      column += hint.keys.count + 1 + hint.word.count
      var between = fresh
      between.send(.mouse(MouseAction(.click, column: column, line: 23)))
      column += 2
    }
  }

  @Test("under a pane the wheel scrolls the pane, beside it the list")
  func wheelOverPane() {
    var store = TestStore([60], columns: 130, lines: 20)
    _ = update(&store.state, .list(.reloaded(TestStore.sections([60]), generation: 1)))
    _ = update(&store.state, .reader(.previewed(TestStore.entry(5, lines: 90))))
    store.send(.mouse(MouseAction(.wheel(3), column: 100, line: 3))) { $0.pane.reading?.offset = 3 }
    let offset = store.state.list.widget.offset
    _ = update(&store.state, .mouse(MouseAction(.wheel(3), column: 3, line: 3)))
    #expect(store.state.list.widget.offset == offset + 3)
    #expect(store.state.pane.reading?.offset == 3)
  }

  @Test("the calendar and the index follow the commits of other processes")
  func commits() {
    var store = TestStore([3, 2])
    _ = update(&store.state, .key("M"))
    guard case .calendar(let calendar) = store.state.pages.mode else { return #expect(Bool(false)) }
    store.send(
      .journal(.changed),
      [
        .query(.countDays(calendar.range)),
        .query(.listDay(calendar.day, limit: MonthCalendar.mostRows)),
      ])
    let titles = ["B", "C", "D"].enumerated().map {
      IndexTitle(title: $0.element, section: $0.offset)
    }
    store.state.pages.mode = .jump(JumpBar(titles: titles, selected: 1, columns: 12))
    store.send(.journal(.changed), [.list(.listIndexTitles)])
    let new = [IndexTitle(title: "A", section: 0)] + titles
    store.send(.jump(.titlesFound(new))) {
      $0.pages.mode = .jump(JumpBar(titles: new, counts: [0, 3, 2, 0], selected: 2, columns: 11))
    }
    store.send(.jump(.titlesFound([titles[0]]))) {
      $0.pages.mode = .jump(JumpBar(titles: [titles[0]], counts: [5], selected: 0, columns: 11))
    }
    store.send(.jump(.titlesFound([]))) {
      $0.pages.mode = .list
      $0.status = .failed("this list has no index")
    }
  }

  @Test("a commit changes the counts of the year grid and keeps its month")
  func gridCommits() {
    var store = TestStore()
    let titles = [IndexTitle(title: "Nov 2026", section: 0)]
    for event in [
      Event.list(.reloaded(Self.days, generation: 1)), .key("gi"), .jump(.titlesFound(titles)),
      .key("j"), .list(.reloaded([Self.days[0], Self.days[3]], generation: 2)),
      .jump(.titlesFound(titles)),
    ] { _ = update(&store.state, event) }
    guard case .jump(let bar) = store.state.pages.mode else { return #expect(Bool(false)) }
    #expect(bar.month == 2025 * 12 + 10)
    #expect(bar.grid?.years == [2026, 2025])
    #expect(bar.grid?.months[2026 * 12 + 10]?.count == 2)
  }
}
