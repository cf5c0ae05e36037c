import Journal

/// Statistics to be looked through: which entries they are about, and which year the map shows.
public struct StatisticsView: Equatable, Sendable {
  /// Which entries; order and sections make no difference.
  public var scope: ListScope
  /// What they come to; `nil` before they are counted.
  public var counted: Statistics?
  /// The day that the current streak leads to, after the rule of when days end.
  public var today: Day
  /// The year they are about; `nil` for all entries, and a map of the last 53 weeks.
  public var year: Int?
  /// The year of the numbers that are shown, until those of ``year`` are counted.
  public var countedYear: Int?
  /// The years in which something was written.
  public var years: [Int] = []
  /// The first line shown.
  public var offset = 0
  /// How many lines there are at the present width.
  public var lines = 0

  /// Makes a view that waits for its numbers.
  public init(scope: ListScope, today: Day, year: Int? = nil) {
    self.scope = ListScope(
      filter: scope.filter, isTrash: scope.isTrash, takesPrefix: scope.takesPrefix)
    self.today = today
    self.year = year
  }

  /// Which entries they are about, in a few words; empty for all.
  public var subject: String { scope.summary }

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
