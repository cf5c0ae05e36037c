import Journal
import SectionedResults

/// Makes groups of neighbours from all keys of a request, one after the other.
///
/// Keys of one section and one first value, a day for example, stay together up to a number; an order
/// that begins with something finer is cut into pieces of that number.
struct KeyGrouping {
  private(set) var groups: [OutlineGroup<EntryRowID>] = []
  private let keepsKeys: Bool
  private let isCoarse: Bool
  private let limit: Int

  init(_ request: EntryRequest, keepsKeys: Bool, limit: Int = 512) {
    self.keepsKeys = keepsKeys
    self.limit = limit
    isCoarse =
      switch request.sortKeys.first?.field {
      case .day, .week, .month, .year, .tag: true
      default: false
      }
  }

  static func groups(
    of keys: [RowKey<EntryRowID>], _ request: EntryRequest
  ) -> [OutlineGroup<EntryRowID>] {
    var grouping = KeyGrouping(request, keepsKeys: true)
    for key in keys { grouping.add(key) }
    return grouping.groups
  }

  mutating func add(_ key: RowKey<EntryRowID>) {
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

  private func belongs(_ key: RowKey<EntryRowID>, to group: OutlineGroup<EntryRowID>) -> Bool {
    isCoarse ? group.bound.first == key.values.first : group.count < limit
  }
}
