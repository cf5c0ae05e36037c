import Journal
import JournalStore
import Screen

extension SidebarContents {
  /// Counts the entries of tags and months, which a journal keeps counted.
  ///
  /// - Throws: `StoreError`.
  init(of store: any EntryStore) throws {
    let tags = try store.tagCounts().sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    var months: [Month] = []
    for day in try store.dayCounts(in: .earliest ... .latest).reversed() {
      let first = day.day.adding(days: 1 - day.day.civil.day)
      if months.last?.day == first {
        months[months.count - 1].count += day.entries
      } else {
        months.append(Month(day: first, count: day.entries))
      }
    }
    self.init(
      entries: months.reduce(0) { $0 + $1.count },
      tags: tags.prefix(Sidebar.mostTags).map { TagUse(tag: $0.tag, count: $0.count) },
      months: Array(months.prefix(Sidebar.mostMonths)))
  }
}
