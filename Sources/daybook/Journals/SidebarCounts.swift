import Journal
import JournalStore
import Screen

extension SidebarContents {
  /// Counts the entries of tags and months, which a journal keeps counted.
  ///
  /// - Throws: `StoreError`.
  init(of store: any EntryStore) throws {
    let tags = try store.tagTotals().map { (tag: $0, count: $0.total ?? $0.count) }
      .sorted { ($1.count, $0.tag.key) < ($0.count, $1.tag.key) }
    var months: [Month] = []
    for day in try store.entriesByDay().reversed() {
      let first = day.day.adding(days: 1 - day.day.civil.day)
      if months.last?.day == first {
        months[months.count - 1].count += day.entries
      } else {
        months.append(Month(day: first, count: day.entries))
      }
    }
    self.init(
      entries: months.reduce(0) { $0 + $1.count },
      tags: tags.prefix(Sidebar.mostTags).map { TagUse(tag: $0.tag.tag, count: $0.count) },
      months: Array(months.prefix(Sidebar.mostMonths)))
  }
}
