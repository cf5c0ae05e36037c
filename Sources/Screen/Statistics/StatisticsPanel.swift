import Journal
import TextLayout

/// The statistics view: the counted entries, and the year of the map.
package struct StatisticsView: Equatable, Sendable {
  /// The counted entries; order and sections are irrelevant.
  package var scope: ListScope
  /// The field whose values are summed; `nil` for the entries and their words.
  package var field: String?
  /// The numbers; `nil` before they are counted.
  package var counted: StatisticsCount?
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
  var lineCount: Int { rows.count }

  /// Makes a view without numbers.
  package init(scope: ListScope, today: Day, year: Int? = nil, field: String? = nil) {
    self.scope = ListScope(
      filter: scope.filter, isTrash: scope.isTrash, takesPrefix: scope.takesPrefix)
    self.today = today
    self.year = year
    self.field = field
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
}

/// The numbers of a page.
package enum StatisticsCount: Equatable, Codable, Sendable {
  case entries(Statistics)
  case field(FieldStatistics)
}

/// Events of the statistics.
package enum StatisticsEvent: Equatable, Codable, Sendable {
  /// Entries and words of a scope were counted, of all years or of one; with the years that have
  /// entries and the current day.
  case counted(ListScope, Statistics, today: Day, year: Int? = nil, years: [Int]? = nil)
  /// A field was summed in a scope, in the same way.
  case summed(ListScope, field: String, FieldStatistics, today: Day, year: Int?, years: [Int])
}

/// Statistics of the list, or of a query.
extension State {
  mutating func updateStatistics(_ event: StatisticsEvent) -> [Effect] {
    switch event {
    case .counted(let scope, let statistics, let today, let year, let years):
      take(.entries(statistics), of: scope, today: today, year: year, years: years)
    case .summed(let scope, let field, let sums, let today, let year, let years):
      take(.field(sums), of: scope, field: field, today: today, year: year, years: years)
      if year == nil { return followUnit(of: field, sums) }
    }
    return []
  }

  /// Changes the unit of the sums in the headers to that of most values by now.
  private mutating func followUnit(of field: String, _ sums: FieldStatistics) -> [Effect] {
    guard let measure = list.scope.measure, measure.key == Folding.fold(field),
      let unit = sums.chosen, unit != measure.unit
    else { return [] }
    let isUsual = measure.statistic == .usual(of: measure.unit)
    return self.measure(
      by: FieldMeasure(
        name: measure.name, unit: unit, statistic: isUsual ? nil : measure.statistic))
  }

  /// Opens statistics; they are counted meanwhile.
  mutating func openStatistics(
    of scope: ListScope, year: Int? = nil, field: String? = nil
  ) -> [Effect] {
    let view = StatisticsView(scope: scope, today: journal.today, year: year, field: field)
    open(view)
    return view.refresh
  }

  /// Stores the numbers, unless they belong to a view that was closed.
  mutating func take(
    _ count: StatisticsCount, of scope: ListScope, field: String? = nil, today: Day, year: Int?,
    years: [Int]?
  ) {
    work.queries.finish(.statistics)
    work.word = nil
    guard case .statistics(var view) = pages.mode, view.scope == scope, view.year == year,
      view.field == field
    else { return }
    view.counted = count
    view.countedYear = year
    if let years {
      view.years = years
    } else if case .entries(let statistics) = count {
      view.years = statistics.years.map(\.first.year)
    }
    view.today = today
    pages.mode = .statistics(view)
    layOutPage()
  }

  /// Reports a failure, and closes a page that waits for its data.
  mutating func fail(_ text: String) {
    status = .failed(text)
    closeWaitingPage()
  }
}

extension StatisticsView: ScrolledPage {
  package var mode: Mode { .statistics(self) }
  package var context: KeyContext { .statistics }

  package func title(in state: State) -> String? {
    let next = year == countedYear ? "" : (year.map { "\($0)…" } ?? "all years…")
    let parts = ["statistics", field ?? "", subject, counted == nil ? "" : next]
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  mutating func layOut(in state: State) {
    guard let counted else { return }
    let isSpoken = state.environment.isLinear
    switch counted {
    case .entries(let statistics):
      let page = page(of: statistics, in: state)
      rows = isSpoken ? page.spokenLines : page.lines
    case .field(let sums):
      let page = page(of: sums, in: state)
      rows = isSpoken ? page.spokenLines : page.lines
    }
    offset = state.clamped(offset, of: lineCount)
  }

  private func page(of sums: FieldStatistics, in state: State) -> FieldPage {
    FieldPage(
      name: field ?? "", statistics: sums, today: today, year: countedYear,
      firstWeekday: state.firstWeekday, dates: state.dates, columns: state.environment.size.columns)
  }

  private func page(of counted: Statistics, in state: State) -> StatisticsPage {
    StatisticsPage(
      statistics: counted, subject: subject, today: today, year: countedYear,
      firstWeekday: state.firstWeekday, dates: state.dates, columns: state.environment.size.columns)
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    switch movement {
    case .previousSection, .left: return turn(by: -(count ?? 1))
    case .nextSection, .right: return turn(by: count ?? 1)
    case .up, .down, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .first, .last:
      offset = state.scrolled(offset, of: lineCount, movement, count)
      return []
    }
  }

  /// Shows all years, with a map of the last weeks.
  mutating func goToToday(in state: State) -> [Effect]? { show(year: nil) }

  var refresh: [Effect] { [.query(.countStatistics(scope, year: year, field: field))] }
  var isWaiting: Bool { counted == nil }

  func emptyText(_ keys: KeyTable, in state: State) -> String? {
    let earlier = "Press \(keys.name(of: .previousSection, in: .statistics)) for earlier years"
    let back = "Press \(keys.name(of: .back, in: .statistics)) to go back"
    switch counted {
    case nil: return nil
    case .field(let sums):
      guard sums.all == nil else { return nil }
      let absence = page(of: sums, in: state).absenceSentence
      return "\(absence) \(countedYear == nil ? back : earlier)."
    case .entries(let counted): return emptyText(of: counted, keys, in: state, earlier, back)
    }
  }

  private func emptyText(
    of counted: Statistics, _ keys: KeyTable, in state: State, _ earlier: String, _ back: String
  ) -> String? {
    guard counted.entries == 0 else { return nil }
    if scope == ListScope(isTrash: true), countedYear == nil {
      return "The trash is empty. \(back)."
    }
    let page = page(of: counted, in: state)
    let hint: String
    if countedYear != nil {
      hint = earlier
    } else if subject.isEmpty {
      let next = counted.trash > 0 ? Action.trash : .newEntry
      hint =
        "Press \(keys.name(of: .back, in: .statistics)), then"
        + " \(keys.name(of: next, in: .list)) to"
        + (counted.trash > 0 ? " see them" : " write the first one")
    } else {
      hint = back
    }
    return "\(page.absence). \(hint)."
  }

  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    RoleLinesView(lines: rows).draw(from: offset, in: rect, on: &canvas)
  }

  /// Shows the map a number of steps later, earlier for a negative number, or the one at that end.
  private mutating func turn(by steps: Int) -> [Effect] {
    let maps = self.maps
    let place = maps.firstIndex(of: year) ?? maps.count - 1
    return show(year: maps[min(max(0, place + steps), maps.count - 1)])
  }

  /// Shows another year, which is counted meanwhile.
  private mutating func show(year: Int?) -> [Effect] {
    guard year != self.year else { return [] }
    self.year = year
    return refresh
  }
}
