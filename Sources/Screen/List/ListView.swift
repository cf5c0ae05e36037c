import Journal
import Markdown
import SectionedResults
import TextLayout

/// The contents of the list widget: titles from the keys of sections, rows from the results
/// controller.
struct ListRows: ListContent {
  let state: State
  /// The format of dates and times.
  let dates: DateStyle
  /// Finds search or filter matches in titles.
  let highlighter: QueryHighlighter
  /// The rule for times with a displayed offset.
  var offsets = OffsetRule.never
  /// The row at a path; `nil` when the store could not read it.
  let entry: (RowPath) -> EntryRow?
  /// The excerpt of an entry's text for a title without a match.
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

  /// When it was written: the part that is not in the section's title.
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

/// The contents of the trash while the list is empty.
package struct TrashContents: Equatable, Sendable {
  /// The number of entries.
  package var count = 0
  /// Whether an undo restores the last deleted ones.
  package var isUndone = false

  package init(count: Int = 0, isUndone: Bool = false) {
    self.count = count
    self.isUndone = isUndone
  }
}

/// The replacement of a list without rows: the reason, and the keys to press.
struct EmptyList {
  private let keys: KeyTable
  private let state: State

  /// Makes the text for a state.
  init(_ keys: KeyTable, _ state: State) {
    self.keys = keys
    self.state = state
  }

  /// Draws the text, wrapped.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = TextFit.wrap(Sanitizer.line(words), columns: rect.width)
    for (index, line) in lines.prefix(rect.height).enumerated() {
      canvas.draw(line, at: rect.column, row: rect.row + index)
    }
  }

  private var words: String {
    // While the user types, keys go to the prompt.
    if let prompt = state.prompt?.kind, prompt != .filter { return promptWords(prompt) }
    if !state.scope.filter.isEmpty {
      return "No entries match. Press \(key(.escape)) to clear the filter."
    }
    if state.scope.isTrash { return "The trash is empty. Press \(key(.trash)) to go back." }
    let trash = state.trash
    if trash.count > 0 {
      let undo = trash.isUndone ? ", \(key(.undo)) restores the last" : ""
      return "No entries; \(trash.count) in the trash (\(key(.trash)) shows them\(undo))."
    }
    return
      "This journal is empty. Press \(key(.newEntry)) to write the first entry, \(key(.help)) for"
      + " the keys; daybook demo is a tour."
  }

  private func promptWords(_ prompt: PromptPurpose) -> String {
    if !state.scope.filter.isEmpty { return "No entries match." }
    if state.scope.isTrash { return "The trash is empty." }
    return prompt == .newEntry
      ? "This journal is empty. Type the first entry below." : "This journal is empty."
  }

  private func key(_ action: Action) -> String {
    keys.sequences(for: action, in: .list).first.map(KeyTable.display) ?? ":\(action.rawValue)"
  }
}
