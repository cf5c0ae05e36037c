import Journal
import TextLayout

/// The statistics view: the counted entries, and the year of the map.
package struct StatisticsView: Equatable, Sendable {
  /// The counted entries; order and sections are irrelevant.
  package var scope: ListScope
  /// The statistics; `nil` before they are counted.
  package var counted: Statistics?
  /// The reference day of the current streak, by the rule for the end of days.
  package var today: Day
  /// The year; `nil` for all entries, and a map of the last 53 weeks.
  package var year: Int?
  /// The year of the displayed numbers, until those of ``year`` are counted.
  package var countedYear: Int?
  /// The years with entries.
  package var years: [Int] = []
  /// The first line shown.
  package var offset = 0
  /// The page at the current width.
  package var rows: [RoleLine] = []
  /// The number of lines of the page.
  package var lines: Int { rows.count }

  /// Makes a view without numbers.
  package init(scope: ListScope, today: Day, year: Int? = nil) {
    self.scope = ListScope(
      filter: scope.filter, isTrash: scope.isTrash, takesPrefix: scope.takesPrefix)
    self.today = today
    self.year = year
    rows = [RoleLine("counting…", .hint)]
  }

  /// The counted entries, in a few words; empty for all.
  package var subject: String { scope.summary }

  /// The possible maps in order: this year, the displayed one and those with entries, then the last
  /// weeks.
  var maps: [Int?] {
    let years = Set(self.years + [today.year] + (year.map { [$0] } ?? []))
    return years.sorted() + [nil]
  }

  /// The map a number of steps later, earlier for a negative number, or the one at that end.
  mutating func turn(by steps: Int) {
    let maps = self.maps
    let place = maps.firstIndex(of: year) ?? maps.count - 1
    year = maps[min(max(0, place + steps), maps.count - 1)]
  }
}

/// Events of the statistics.
package enum StatisticsEvent: Equatable, Sendable {
  /// Entries and words of a scope were counted, of all years or of one; with the years that have
  /// entries and the current day.
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

  /// Opens statistics; they are counted meanwhile.
  mutating func openStatistics(of scope: ListScope, year: Int? = nil) -> [Effect] {
    let view = StatisticsView(scope: scope, today: today, year: year)
    mode = .statistics(view)
    return [.query(.countStatistics(view.scope, year: year))]
  }

  /// Stores the numbers, unless they belong to a view that was closed.
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

  /// Requests a new count after a change of the journal or the day.
  func recounted() -> [Effect] {
    guard case .statistics(let view) = mode else { return [] }
    return [.query(.countStatistics(view.scope, year: view.year))]
  }

  /// Lays the page out after a change of its numbers, the width or the settings.
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

  /// Shows the statistics at another offset or of another year, which is counted meanwhile.
  mutating func show(_ view: StatisticsView) -> [Effect] {
    let isTurned = statistics?.year != view.year
    mode = .statistics(view)
    return isTurned ? [.query(.countStatistics(view.scope, year: view.year))] : []
  }

  /// Closes statistics that cannot be counted.
  mutating func fail(_ text: String) {
    status = .failed(text)
    if case .statistics(let view) = mode, view.counted == nil { leaveMode() }
  }
}
