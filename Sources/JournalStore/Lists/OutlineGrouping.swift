import Journal
import SectionedResults

/// Groups all keys of a request, given one after the other.
///
/// Keys of one section and one first value, a day for example, stay together up to a maximum; an
/// order that begins with a finer value is cut into groups of that size, or ends with a longer one.
struct KeyGrouping {
  private(set) var groups: [OutlineGroup<EntryRowID>] = []
  private let keepsKeys: Bool
  private let isCoarse: Bool
  private let limit: Int

  init(_ request: EntryRequest, keepsKeys: Bool, limit: Int = 512) {
    self.keepsKeys = keepsKeys
    self.limit = limit
    isCoarse = request.sortKeys.first.map { $0.field.period != nil || $0.field == .tag } ?? false
  }

  static func groups(
    of keys: [ResultsKey<EntryRowID>], _ request: EntryRequest
  ) -> [OutlineGroup<EntryRowID>] {
    var grouping = KeyGrouping(request, keepsKeys: true)
    for key in keys { grouping.add(key) }
    return grouping.groups
  }

  mutating func add(_ key: ResultsKey<EntryRowID>) {
    guard let last = groups.last, last.section == key.section, belongs(key, to: last) else {
      let bound = isCoarse ? Array(key.values.prefix(1)) : key.values
      groups.append(
        OutlineGroup(
          section: key.section, bound: bound, count: 1, keys: keepsKeys ? [key] : nil))
      return
    }
    groups[groups.count - 1].count += 1
    if keepsKeys { groups[groups.count - 1].keys?.append(key) }
  }

  /// Counts all further keys to the last group.
  ///
  /// - Parameter total: the number of keys in all groups.
  mutating func fillLast(upTo total: Int) {
    guard !groups.isEmpty else { return }
    groups[groups.count - 1].count = total - groups.dropLast().reduce(0) { $0 + $1.count }
  }

  private func belongs(_ key: ResultsKey<EntryRowID>, to group: OutlineGroup<EntryRowID>) -> Bool {
    isCoarse ? group.bound.first == key.values.first : group.count < limit
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
