import Journal
import SectionedResults

/// Makes groups of one day, or of one period where the order begins with it, from counts per day that
/// come in the list's order.
struct DayGrouping {
  let key: SQLSortKey
  let section: Sectioning?
  private(set) var groups: [OutlineGroup<EntryRowID>] = []

  init(key: SQLSortKey, section: Sectioning?) {
    self.key = key
    self.section = section
  }

  /// - Parameter text: the day as text, where it is at hand.
  mutating func add(_ day: Day, _ count: Int, text: String? = nil) {
    let bound = [DayFields.value(of: key.field, day)]
    if key.field != .day, groups.last?.bound == bound {
      groups[groups.count - 1].count += count
    } else {
      groups.append(OutlineGroup(section: name(of: day, text), bound: bound, count: count))
    }
  }

  /// A day's own section has the day's text for a key, which need not be made anew.
  private func name(of day: Day, _ text: String?) -> String {
    if section == .day, let text { return text }
    return section.map { Day.sectionKey(for: day, $0) } ?? ""
  }
}
