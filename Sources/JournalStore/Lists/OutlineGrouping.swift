import Journal
import SectionedResults
import SectionedResultsSQL

extension KeyGrouping where ID == EntryRowID {
  /// Groups of one day, or of another first value that many rows have; an order that begins with a finer
  /// value is cut into groups of the same number of rows.
  init(_ request: EntryRequest, keeping: Keeping) {
    let isCoarse =
      request.sortKeys.first.map { $0.field.period != nil || $0.field == .tag } ?? false
    self.init(request, size: 512, isByFirstValue: isCoarse, keeping: keeping)
  }

  static func groups(
    of keys: [ResultsKey<EntryRowID>], _ request: EntryRequest
  ) -> [OutlineGroup<EntryRowID>] {
    var grouping = KeyGrouping(request, keeping: .all)
    for key in keys { grouping.add(key) }
    return grouping.groups
  }
}

/// Makes groups of one day, or of one period if the order begins with it, from counts per day in
/// the list's order.
struct DayGrouping {
  /// The first sort key of the list.
  let period: Period
  let section: Grouping?
  private(set) var groups: [OutlineGroup<EntryRowID>] = []

  /// - Parameter text: the day as text, if available.
  mutating func add(_ day: Day, _ count: Int, text: String? = nil) {
    let bound = [SortValue.integer(period.number(of: day))]
    if period != .day, groups.last?.bound == bound {
      groups[groups.count - 1].count += count
    } else {
      groups.append(OutlineGroup(section: name(of: day, text), bound: bound, count: count))
    }
  }

  /// A day's own section uses the day's text as its key, which need not be formatted again.
  private func name(of day: Day, _ text: String?) -> String {
    if section == .day, let text { return text }
    return section?.key(of: day) ?? ""
  }
}
