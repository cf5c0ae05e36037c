import Journal
import Screen
import SectionedResults
import Testing

/// The month calendar, the jump bar and the mouse.
struct GoingTests {
  private let today = Day(daysSinceEpoch: 20_778)

  @Test("the calendar opens on the selected day, moves, counts each month once, and leads to a day")
  func calendar() {
    var store = TestStore()
    let day = today.adding(days: -3)
    let sections = [ListSection(key: day.description, count: 2)]
    _ = update(&store.state, .list(.reloaded(sections, generation: 1)))
    var calendar = MonthCalendar(day: day)
    store.press("M", [.list(.countDays(calendar.range))]) { $0.mode = .calendar(calendar) }
    calendar.counts = [day: 2]
    calendar.counted = calendar.month
    store.send(.calendar(.daysCounted(month: calendar.month, [day: 2]))) {
      $0.mode = .calendar(calendar)
    }
    calendar.day = day.adding(days: 7)
    store.press("j") { $0.mode = .calendar(calendar) }
    calendar.day = calendar.day.adding(days: -1)
    store.press("h") { $0.mode = .calendar(calendar) }
    calendar.day = calendar.day.adding(months: 1)
    store.press("}", [.list(.countDays(calendar.range))]) { $0.mode = .calendar(calendar) }
    store.press("<Enter>", [.list(.findDay(calendar.day.description))]) { $0.mode = .list }
  }

  @Test("counts of a month that was left meanwhile are dropped")
  func lateCounts() {
    var store = TestStore([1])
    store.state.mode = .calendar(MonthCalendar(day: today))
    store.send(.calendar(.daysCounted(month: today.adding(months: -5), [today: 1])))
  }

  @Test("the calendar stops at the ends of time")
  func ends() {
    var store = TestStore([1])
    store.state.mode = .calendar(MonthCalendar(day: today))
    for key in ["999999j", "999999}", "999999k", "999999{"] {
      for stroke in KeySequence(key).keys { _ = update(&store.state, .key(stroke)) }
      guard case .calendar(let calendar) = store.state.mode else { return }
      #expect(calendar.range.lowerBound >= .earliest)
      #expect(calendar.range.upperBound <= .latest)
    }
  }

  @Test("the jump bar begins at the selected section, moves in its grid, and jumps")
  func jump() {
    var store = TestStore([1, 1, 1, 1], columns: 40)
    store.press("2j") { $0.list.moveSelection(by: 2) }
    store.press("gi", [.list(.listIndexTitles)])
    let titles = ["Nov 2026", "Oct 2026", "Sep 2026"].enumerated().map {
      IndexTitle(title: $0.element, section: $0.offset + ($0.offset == 2 ? 1 : 0))
    }
    store.send(.jump(.titlesFound(titles))) {
      $0.mode = .jump(JumpBar(titles: titles, selected: 1, columns: 3))
    }
    store.press("l") { $0.mode = .jump(JumpBar(titles: titles, selected: 2, columns: 3)) }
    store.press("k") { $0.mode = .jump(JumpBar(titles: titles, selected: 0, columns: 3)) }
    store.press("G") { $0.mode = .jump(JumpBar(titles: titles, selected: 2, columns: 3)) }
    store.press("<Enter>") {
      $0.mode = .list
      $0.list.showAtTop(section: 3)
    }
  }

  @Test(
    "a click selects, a click on the selected opens, a click on a header folds, the wheel scrolls")
  func mouse() {
    var store = TestStore([3, 60])
    store.send(.mouse(MouseAction(.click, column: 5, line: 3))) { $0.list.select(RowPath(0, 1)) }
    store.send(
      .mouse(MouseAction(.click, column: 5, line: 3)), [.read(.entry(.row(RowPath(0, 1))))])
    store.send(.mouse(MouseAction(.click, column: 0, line: 1))) { $0.list.toggleFold(section: 0) }
    store.send(.mouse(MouseAction(.wheel(3), column: 0, line: 1))) { $0.list.scroll(by: 3) }
    store.send(.mouse(MouseAction(.click, column: 5, line: 23)))
  }

  @Test("under a pane the wheel scrolls the pane, beside it the list")
  func wheelOverPane() {
    var store = TestStore([60], columns: 130, lines: 20)
    _ = update(&store.state, .list(.reloaded(TestStore.sections([60]), generation: 1)))
    _ = update(&store.state, .reader(.previewed(TestStore.entry(5, lines: 90))))
    store.send(.mouse(MouseAction(.wheel(3), column: 100, line: 3))) { $0.pane?.offset = 3 }
    let offset = store.state.list.offset
    _ = update(&store.state, .mouse(MouseAction(.wheel(3), column: 3, line: 3)))
    #expect(store.state.list.offset == offset + 3)
    #expect(store.state.pane?.offset == 3)
  }

  @Test("the calendar and the jump bar follow the commits of other processes")
  func commits() {
    var store = TestStore([3, 2])
    let calendar = MonthCalendar(day: Day(daysSinceEpoch: 20_778))
    store.state.mode = .calendar(calendar)
    store.send(.journal(.changed), [.list(.countDays(calendar.range))])
    let titles = ["Nov", "Oct", "Sep"].enumerated().map {
      IndexTitle(title: $0.element, section: $0.offset)
    }
    let columns = 12
    store.state.mode = .jump(JumpBar(titles: titles, selected: 1, columns: columns))
    store.send(.journal(.changed), [.list(.listIndexTitles)])
    let new = [IndexTitle(title: "Dec", section: 0)] + titles
    store.send(.jump(.titlesFound(new))) {
      $0.mode = .jump(JumpBar(titles: new, selected: 2, columns: columns))
    }
    store.send(.jump(.titlesFound([titles[0]]))) {
      $0.mode = .jump(JumpBar(titles: [titles[0]], selected: 0, columns: columns))
    }
    store.send(.jump(.titlesFound([]))) {
      $0.mode = .list
      $0.status = .failed("no sections to jump to")
    }
  }
}
