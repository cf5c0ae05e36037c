import Journal
import JournalApp
import SectionedResults
import TerminalUI

/// Gives the list widget its words: titles from the keys of sections, rows from the results controller.
struct ListRows: ListContent {
  let state: State
  /// How dates and times are written.
  let dates: DateStyle
  /// Finds what the search or the filter matches in titles.
  let highlighter: QueryHighlighter
  /// Which times have their offset beside them.
  var offsets = OffsetRule.never
  /// The row at a path; `nil` when the store could not read it.
  let entry: (RowPath) -> EntryRow?
  /// The piece of an entry's text that was found, for a title without a match.
  var excerpt: (EntryRow) -> Excerpts.Excerpt? = { _ in nil }

  func header(section: Int) -> HeaderContent {
    let item = state.list.sections[section]
    return HeaderContent(title: title(of: item.key), count: item.count, folded: item.folded)
  }

  func row(at path: RowPath) -> RowContent {
    guard let entry = entry(path) else { return RowContent(time: "", title: "(not readable)") }
    let title = PlainTitle.text(of: entry.title)
    var content = RowContent(
      time: when(entry), starred: entry.starred, title: title, tags: entry.tags,
      marked: isMarked(entry, path), tagPlaces: Tag.places(in: title),
      matches: highlighter.places(in: title))
    if content.matches.isEmpty, let excerpt = excerpt(entry) {
      (content.excerpt, content.excerptMatches) = (excerpt.text, excerpt.matches)
    }
    return content
  }

  private func title(of key: String) -> String {
    let sectioning = state.scope.sectioning
    if sectioning == .none { return state.scope.isTrash ? "Trash" : "All entries" }
    return dates.fullTitle(key: key, sectioning: sectioning, today: state.today)
  }

  /// When it was written: as much as the section's title does not say already.
  private func when(_ entry: EntryRow) -> String {
    let time = dates.text(of: entry.created, on: entry.day, offsets)
    return switch state.scope.sectioning {
    case .day: time
    case .week: "\(dates.names.shortWeekdays[entry.day.weekday - 1]) \(time)"
    case .month, .year, .tag, .none: entry.day.description
    }
  }

  private func isMarked(_ entry: EntryRow, _ path: RowPath) -> Bool {
    if state.marks.contains(entry.id.number) { return true }
    guard let start = state.rangeStart, let end = state.list.selection?.path else { return false }
    return (min(start, end)...max(start, end)).contains(path)
  }
}
