import Journal
import TextLayout

/// Statistics to be looked through: which entries they are about, and which year the map shows.
package struct StatisticsView: Equatable, Sendable {
  /// Which entries; order and sections make no difference.
  package var scope: ListScope
  /// What they come to; `nil` before they are counted.
  package var counted: Statistics?
  /// The day that the current streak leads to, after the rule of when days end.
  package var today: Day
  /// The year they are about; `nil` for all entries, and a map of the last 53 weeks.
  package var year: Int?
  /// The year of the numbers that are shown, until those of ``year`` are counted.
  package var countedYear: Int?
  /// The years in which something was written.
  package var years: [Int] = []
  /// The first line shown.
  package var offset = 0
  /// The page at the present width.
  package var rows: [RoleLine] = []
  /// The lines of the page.
  package var lines: Int { rows.count }

  /// Makes a view that waits for its numbers.
  package init(scope: ListScope, today: Day, year: Int? = nil) {
    self.scope = ListScope(
      filter: scope.filter, isTrash: scope.isTrash, takesPrefix: scope.takesPrefix)
    self.today = today
    self.year = year
    rows = [RoleLine("counting…", .hint)]
  }

  /// Which entries they are about, in a few words; empty for all.
  package var subject: String { scope.summary }

  /// What the map can show, in order: this year, the one shown and those with entries, then the last
  /// weeks.
  var maps: [Int?] {
    let years = Set(self.years + [today.year] + (year.map { [$0] } ?? []))
    return years.sorted() + [nil]
  }

  /// The map so many steps later, earlier for a negative number, or the one at that end.
  mutating func turn(by steps: Int) {
    let maps = self.maps
    let place = maps.firstIndex(of: year) ?? maps.count - 1
    year = maps[min(max(0, place + steps), maps.count - 1)]
  }
}

/// News of the statistics.
package enum StatisticsEvent: Equatable, Sendable {
  /// Entries and words of a scope were counted, of all years or of one; with the years that have
  /// entries and the day that is today there.
  case counted(ListScope, Statistics, today: Day, year: Int? = nil, years: [Int]? = nil)
}

/// Statistics of the list, or of a query.
extension State {
  mutating func updateStatistics(_ event: StatisticsEvent) -> [Effect] {
    switch event {
    case .counted(let scope, let statistics, let today, let year, let years):
      queries.finishStatistics()
      take(statistics, of: scope, today: today, year: year, years: years)
    }
    return []
  }

  /// Shows statistics; they are counted meanwhile.
  mutating func openStatistics(of scope: ListScope, year: Int? = nil) -> [Effect] {
    let view = StatisticsView(scope: scope, today: today, year: year)
    mode = .statistics(view)
    return [.query(.countStatistics(view.scope, year: year))]
  }

  /// Takes numbers in, unless they are of something that is not shown any more.
  mutating func take(
    _ statistics: Statistics, of scope: ListScope, today: Day, year: Int?, years: [Int]?
  ) {
    work = nil
    guard case .statistics(var view) = mode, view.scope == scope, view.year == year else { return }
    view.counted = statistics
    view.countedYear = year
    view.years = years ?? statistics.years.map(\.first.year)
    view.today = today
    mode = .statistics(view)
    layOutStatistics()
  }

  /// Counts again, because the journal or the day is another one.
  func recounted() -> [Effect] {
    guard case .statistics(let view) = mode else { return [] }
    return [.query(.countStatistics(view.scope, year: view.year))]
  }

  /// Lays the page out, when its numbers, the width or the settings are others.
  mutating func layOutStatistics() {
    guard case .statistics(var view) = mode, let counted = view.counted else { return }
    view.rows =
      StatisticsPage(
        statistics: counted, subject: view.subject, today: view.today, year: view.countedYear,
        firstWeekday: firstWeekday, dates: dates, columns: size.columns
      ).lines
    view.offset = clamped(view.offset, of: view.lines)
    mode = .statistics(view)
  }

  mutating func move(
    _ movement: Movement, count: Int?, in view: StatisticsView
  ) -> [Effect] {
    var view = view
    switch movement {
    case .previousSection, .left: view.turn(by: -(count ?? 1))
    case .nextSection, .right: view.turn(by: count ?? 1)
    case .up, .down, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .first, .last:
      view.offset = scrolled(view.offset, of: view.lines, movement, count)
    }
    return show(view)
  }

  /// Shows the statistics scrolled or of another year, which is counted meanwhile.
  mutating func show(_ view: StatisticsView) -> [Effect] {
    let isTurned = statistics?.year != view.year
    mode = .statistics(view)
    return isTurned ? [.query(.countStatistics(view.scope, year: view.year))] : []
  }

  /// Leaves statistics that cannot be had, so that nobody waits for them.
  mutating func fail(_ text: String) {
    status = .failed(text)
    if case .statistics(let view) = mode, view.counted == nil { leaveMode() }
  }
}
