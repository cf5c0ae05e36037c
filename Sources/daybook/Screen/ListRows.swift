import Journal
import SectionedResults
import TerminalUI

/// Gives the list widget its words: titles of days from their keys, rows from the results controller.
struct ListRows: ListContent {
  let list: SectionedList
  let today: Day
  let dates: DateStyle
  /// The row at a path; `nil` when the store could not read it.
  let entry: (RowPath) -> EntryRow?

  func header(section: Int) -> HeaderContent {
    let item = list.sections[section]
    let title = dates.title(key: item.key, sectioning: .day, today: today)
    return HeaderContent(title: full(title, item.key), count: item.count, folded: item.folded)
  }

  func row(at path: RowPath) -> RowContent {
    guard let entry = entry(path) else { return RowContent(time: "", title: "(not readable)") }
    return RowContent(
      time: dates.text(of: entry.created), starred: entry.starred, title: entry.title,
      tags: entry.tags)
  }

  /// "Today" and "Yesterday" with the date behind them.
  private func full(_ title: String, _ key: String) -> String {
    guard title == "Today" || title == "Yesterday", let day = Day(key) else { return title }
    return "\(title), \(dates.text(of: day))"
  }
}
