import Journal
import SectionedResults
import TextLayout

/// The entries of a list by year and month: a line for each year, newest first, with twelve months.
package struct YearGrid: Equatable, Sendable {
  /// A month with entries.
  package struct Month: Equatable, Sendable {
    /// Its first section in the list.
    package var section: Int
    /// The number of its entries.
    package var count: Int
  }

  /// The months with entries, by ``Day/monthNumber``.
  package private(set) var months: [Int: Month] = [:]
  /// The years with entries, newest first.
  package private(set) var years: [Int] = []
  /// The levels of the months' counts.
  package private(set) var levels = AmountLevels([])

  /// Counts the entries of a list with an index of months; `nil` for another list.
  ///
  /// A week counts to the month of its Thursday, as in its title to the year.
  ///
  /// - Complexity: linear in the sections.
  package init?(_ sections: some Collection<ListWidget.Section>, _ grouping: Grouping) {
    guard grouping.description.index == .months else { return nil }
    for (index, section) in sections.enumerated() where section.count > 0 {
      guard let day = grouping.indexDay(ofSection: section.key) else { continue }
      months[day.monthNumber, default: Month(section: index, count: 0)].count += section.count
    }
    guard !months.isEmpty else { return nil }
    years = Set(months.keys.map { $0 / 12 }).sorted(by: >)
    levels = AmountLevels(months.values.map(\.count))
  }

  /// The number of entries of a year.
  package func total(of year: Int) -> Int {
    (0..<12).reduce(0) { $0 + (months[year * 12 + $1]?.count ?? 0) }
  }

  /// The month a number of months later among the displayed years, stopping at their ends.
  func month(_ month: Int, movedBy steps: Int) -> Int {
    guard let line = years.firstIndex(of: month / 12) else { return nearest(to: month) }
    let place = (years.count - 1 - line) * 12 + month % 12
    let moved = min(max(0, place + steps), years.count * 12 - 1)
    return years[years.count - 1 - moved / 12] * 12 + moved % 12
  }

  /// The same month a number of lines further down, or on the last line in that direction.
  func month(_ month: Int, lines: Int) -> Int {
    guard let line = years.firstIndex(of: month / 12) else { return nearest(to: month) }
    return years[min(max(0, line + lines), years.count - 1)] * 12 + month % 12
  }

  /// The month itself, or the same one of the nearest displayed year.
  func nearest(to month: Int) -> Int {
    let year = years.min { abs($0 - month / 12) < abs($1 - month / 12) } ?? month / 12
    return year * 12 + month % 12
  }
}

/// The columns and lines of a year grid, for drawing and for the mouse.
struct YearGridLayout {
  /// The columns of the years' numbers, with the gap after them.
  let label: Int
  /// The columns of a month.
  let cell: Int
  /// The columns of a month's count; 0 if there is only room for its sign.
  let count: Int
  /// The columns before a month's count or sign.
  var gap: Int { count > 0 ? max(1, (cell - count - 1) - (cell - count - 1) / 2) : cell - 1 }
  /// The columns of a year's total, with the gap before it; 0 without room.
  let total: Int
  /// The columns before the grid.
  let margin: Int
  /// The lines above the years: the names of the months, if there is room.
  let head: Int
  /// The index of the first visible year.
  let first: Int
  /// The number of lines for years.
  let lines: Int

  private let grid: YearGrid

  /// Lays a grid out: with counts and totals, without totals, or with signs only.
  init(_ grid: YearGrid, month: Int, width: Int, height: Int) {
    self.grid = grid
    let counts = grid.months.values.map { Numbers.grouped($0.count).count }.max() ?? 1
    let totals = grid.years.map { Numbers.grouped(grid.total(of: $0)).count }.max() ?? 1
    let field = max(3, counts)
    let label = width < 5 + 12 ? 0 : 5
    // The month's cell, its count, and the year's total; the first that fits.
    let forms = [
      (field + 4, field, totals + 3), (field + 3, field, totals + 3),
      (field + 2, field, totals + 2),
      (field + 2, field, 0), (2, 0, totals + 2), (2, 0, 0), (1, 0, 0),
    ]
    let form = forms.first { label + 12 * $0.0 + $0.2 <= width } ?? (1, 0, 0)
    (cell, count, total) = form
    self.label = label
    margin = min(2, max(0, width - label - 12 * cell - total) / 2)
    head = height > 2 ? 1 : 0
    lines = max(0, height - head)
    let line = grid.years.firstIndex(of: month / 12) ?? 0
    first = max(0, min(line - lines / 2, grid.years.count - lines))
  }

  /// The first column of a month from 0 to 11.
  func column(of month: Int) -> Int { margin + label + month * cell }

  /// The month at a cell; `nil` if there is none.
  func month(atColumn column: Int, line: Int) -> Int? {
    let index = line - head + first
    let left = column - margin - label
    guard line >= head, grid.years.indices.contains(index), left >= 0, left < 12 * cell else {
      return nil
    }
    return grid.years[index] * 12 + left / cell
  }
}
