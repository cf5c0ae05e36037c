import Journal
import SectionedResults
import TerminalUI

/// Gives the list widget its words: titles of days from their keys, rows from the results controller.
struct ListRows: ListContent {
  let list: SectionedList
  let today: Day
  /// The row at a path; `nil` when the store could not read it.
  let entry: (RowPath) -> EntryRow?

  func header(section: Int) -> HeaderContent {
    let item = list.sections[section]
    let title = SectionTitle.text(
      key: item.key, sectioning: .day, today: today, names: .ofUser)
    return HeaderContent(title: Self.full(title, item.key), count: item.count, folded: item.folded)
  }

  func row(at path: RowPath) -> RowContent {
    guard let entry = entry(path) else { return RowContent(time: "", title: "(not readable)") }
    return RowContent(
      time: entry.created.clockText, starred: entry.starred, title: entry.title, tags: entry.tags)
  }

  /// "Today" and "Yesterday" with the date behind them.
  private static func full(_ title: String, _ key: String) -> String {
    guard title == "Today" || title == "Yesterday", let day = Day(key) else { return title }
    return "\(title), \(SectionTitle.long(day, names: .ofUser))"
  }
}
