import Journal
import SectionedResults

/// Going to dates: by words, in the month calendar, by the jump bar.
extension State {
  mutating func go(_ action: Action) -> [Effect] {
    switch (action, mode) {
    case (.calendar, _): return openCalendar()
    case (.jump, _): return [.listIndexTitles]
    case (.goToToday, .calendar(var calendar)):
      calendar.day = today
      return show(calendar)
    case (.goToToday, .statistics(let view)): return move(action, count: nil, in: view)
    default: return [.findDay("today")]
    }
  }

  /// Goes to the first row of a date, or to the nearest one if the note says that it has none.
  ///
  /// A section that begins with the row is shown from the top of the screen on.
  mutating func goTo(day path: RowPath?, note: String?) {
    guard let path, list.sections.indices.contains(path.section) else {
      status = .failed("no such date in this list; it has to be ordered by date")
      return
    }
    leaveMode()
    if path.row == 0 {
      list.showAtTop(section: path.section)
    } else {
      list.select(path)
    }
    if let note { status = .done(note) }
  }

  // MARK: The month calendar

  /// Opens the calendar on the day of the selection, where the list is by day.
  private mutating func openCalendar() -> [Effect] {
    let key = list.selection.map { list.sections[$0.section].key } ?? ""
    return show(MonthCalendar(day: Day(key) ?? today))
  }

  mutating func show(_ calendar: MonthCalendar) -> [Effect] {
    mode = .calendar(calendar)
    return calendar.counted == calendar.month ? [] : [.countDays(calendar.range)]
  }

  mutating func count(_ counts: [Day: Int], month: Day) {
    guard case .calendar(var calendar) = mode, calendar.month == month else { return }
    calendar.counts = counts
    calendar.counted = month
    mode = .calendar(calendar)
  }

  mutating func move(
    _ action: Action, count: Int?, in calendar: MonthCalendar
  ) -> [Effect] {
    var calendar = calendar
    let times = count ?? 1
    let day = calendar.day
    switch action {
    case .moveLeft: calendar.day = day.adding(days: -times)
    case .moveRight: calendar.day = day.adding(days: times)
    case .moveUp: calendar.day = day.adding(days: -7 * times)
    case .moveDown: calendar.day = day.adding(days: 7 * times)
    case .pageUp: calendar.day = day.adding(months: -times)
    case .pageDown: calendar.day = day.adding(months: times)
    case .first: calendar.day = calendar.month
    case .last: calendar.day = calendar.month.adding(months: 1).adding(days: -1)
    default: return []
    }
    calendar.day = min(max(calendar.day, Self.firstDay), Self.lastDay)
    return show(calendar)
  }

  /// The calendar ends a little before the dates do, so that it can look at the months beside.
  private static let firstDay = Day.earliest.adding(months: 2)
  private static let lastDay = Day.latest.adding(months: -3)

  /// Goes from the calendar to a day of the list.
  mutating func open(_ day: Day) -> [Effect] {
    leaveMode()
    return [.findDay(day.description)]
  }

  // MARK: The jump bar

  mutating func openJumpBar(_ titles: [IndexTitle]) {
    guard let section = list.selection?.section, !titles.isEmpty else {
      status = .failed("no sections to jump to")
      return
    }
    let selected = titles.lastIndex { $0.section <= section } ?? 0
    var bar = JumpBar(titles: titles, selected: selected, columns: 1)
    bar.columns = columns(of: bar)
    mode = .jump(bar)
  }

  /// How many titles fit beside one another, a year's months in a row where they do.
  func columns(of bar: JumpBar) -> Int {
    let room = max(1, (size.columns - 2) / max(1, bar.cellWidth))
    return room >= 12 ? 12 : room >= 6 ? 6 : room
  }

  mutating func move(_ action: Action, count: Int?, in bar: JumpBar) {
    var bar = bar
    let times = count ?? 1
    let step: Int =
      switch action {
      case .moveLeft: -times
      case .moveRight: times
      case .moveUp: -times * bar.columns
      case .moveDown: times * bar.columns
      case .pageUp: -layout.main.count * bar.columns
      case .pageDown: layout.main.count * bar.columns
      case .first: -bar.titles.count
      case .last: bar.titles.count
      default: 0
      }
    bar.selected = min(max(0, bar.selected + step), bar.titles.count - 1)
    mode = .jump(bar)
  }

  mutating func open(_ bar: JumpBar) -> [Effect] {
    leaveMode()
    list.showAtTop(section: min(bar.titles[bar.selected].section, list.sections.count - 1))
    return []
  }
}
