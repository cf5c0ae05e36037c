import Journal

/// Statistics of what the list shows, or of a query.
extension State {
  /// Shows statistics; they are counted meanwhile.
  mutating func openStatistics(of scope: ListScope, year: Int? = nil) -> [Effect] {
    let view = StatisticsView(scope: scope, today: today, year: year)
    mode = .statistics(view)
    return [.countStatistics(view.scope, year: year)]
  }

  /// Takes numbers in, unless they are of something that is not shown any more.
  mutating func take(
    _ statistics: Statistics, of scope: ListScope, today: Day, year: Int?, years: [Int]?
  ) -> [Effect] {
    work = nil
    guard case .statistics(var view) = mode, view.scope == scope, view.year == year else {
      return []
    }
    view.counted = statistics
    view.countedYear = year
    view.years = years ?? statistics.years.map(\.first.year)
    view.today = today
    mode = .statistics(view)
    return [.measure]
  }

  /// Counts again, because the journal or the day is another one.
  func recounted() -> [Effect] {
    guard case .statistics(let view) = mode else { return [] }
    return [.countStatistics(view.scope, year: view.year)]
  }

  /// Takes in how many lines there are, and keeps to them.
  mutating func measure(statisticsLines lines: Int) {
    guard case .statistics(var view) = mode else { return }
    view.lines = lines
    view.offset = clamped(view.offset, of: lines)
    mode = .statistics(view)
  }

  mutating func move(
    _ action: Action, count: Int?, in view: StatisticsView
  ) -> [Effect] {
    var view = view
    switch action {
    case .previousSection, .moveLeft: view.turn(by: -(count ?? 1))
    case .nextSection, .moveRight: view.turn(by: count ?? 1)
    case .goToToday: view.year = nil
    default: view.offset = scrolled(view.offset, of: view.lines, action, count)
    }
    guard mode != .statistics(view) else { return [] }
    let isTurned = statistics?.year != view.year
    mode = .statistics(view)
    return isTurned ? [.countStatistics(view.scope, year: view.year)] : [.measure]
  }

  /// Leaves statistics that cannot be had, so that nobody waits for them.
  mutating func fail(_ text: String) {
    status = .failed(text)
    if case .statistics(let view) = mode, view.counted == nil { leaveMode() }
  }
}
