import Journal
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
  /// The sum or the mean of a field in a section, in words; `nil` without values.
  var total: (Int) -> String? = { _ in nil }
  /// The excerpt of an entry's text for a title without a match.
  var excerpt: (EntryRow) -> Excerpts.Excerpt? = { _ in nil }

  func header(section: Int) -> HeaderContent {
    let item = state.list.widget.sections[section]
    return HeaderContent(
      titles: titles(of: item, in: section),
      count: item.count == 0
        ? "nothing yet" : item.count == 1 && !item.folded ? "" : Numbers.grouped(item.count),
      total: state.list.scope.measure == nil ? "" : total(section) ?? "",
      folded: item.folded,
      isToday: state.list.scope.grouping == .day && item.key == state.journal.today.description)
  }

  func row(at path: RowPath) -> RowContent {
    guard let entry = entry(path) else { return RowContent(time: "", title: "(unreadable)") }
    let title = Self.withoutLastTags(Entry.plainTitle(of: entry.title))
    var content = RowContent(
      time: isOfOtherYear(path) ? "\(entry.day.year)" : when(entry), starred: entry.starred,
      title: title, tags: entry.tags,
      marked: isMarked(entry, path), tagPlaces: Tag.places(in: title),
      matches: highlighter.places(in: title))
    content.inConflict = entry.isInConflict
    content.hasFiles = !entry.files.isEmpty
    content.matchedTags = Set(
      entry.tags.filter { !highlighter.places(in: Tag.typed($0)).isEmpty })
    if content.matches.isEmpty, let excerpt = excerpt(entry) {
      (content.excerpt, content.excerptMatches) = (excerpt.text, excerpt.matches)
    }
    return content
  }

  /// A title without the tags at its end, which are at the right edge of the row.
  ///
  /// A title of tags only is kept, and so is a name after words, such as `@anna` in `Lunch with @anna`,
  /// which is a part of its sentence; after a tag it is one more.
  static func withoutLastTags(_ title: String) -> String {
    let bytes = title.utf8
    var end = bytes.count
    var start = end
    for place in Tag.places(in: title).reversed() {
      let rest = bytes.dropFirst(place.upperBound).prefix(start - place.upperBound)
      guard rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { break }
      start = place.lowerBound
      if bytes.dropFirst(start).first == UInt8(ascii: "#") { end = start }
    }
    guard end < bytes.count else { return title }
    let kept = String(decoding: bytes.prefix(end), as: UTF8.self)
    let last = kept.lastIndex { !$0.isWhitespace }
    return last.map { String(kept[...$0]) } ?? title
  }

  private func titles(
    of item: ListWidget.Section, in section: Int
  ) -> [HeaderContent.Title] {
    let (key, grouping) = (item.key, state.list.scope.grouping)
    if grouping == .none { return [.init(state.list.scope.isTrash ? "Trash" : "All entries")] }
    if key == Grouping.onThisDayKey {
      return [.init("On this day", " in other years"), .init("On this day")]
    }
    guard grouping == .day, let day = Day(key) else {
      // A folded section shows no row, and reading one may read all of its keys.
      let isNamed = grouping.period == nil && !item.folded
      let names = isNamed ? entry(RowPath(section, 0)).map { grouping.names(of: $0) } : nil
      return [.init(grouping.title(ofSection: key, style: dates, names: names ?? []))]
    }
    return dates.headings(of: day, today: state.journal.today).map { .init($0.lead, $0.rest) }
  }

  /// When it was written: the part that is not in the section's title.
  private func when(_ entry: EntryRow) -> String {
    let time = dates.text(of: entry.created, on: entry.day, offsets)
    return switch state.list.scope.grouping.description.time {
    case .clock: time
    case .weekdayAndClock: "\(dates.names.shortWeekdays[entry.day.weekday - 1]) \(time)"
    case .date: entry.day.description
    }
  }

  /// Whether a row shows an entry of this day in another year.
  private func isOfOtherYear(_ path: RowPath) -> Bool {
    state.list.widget.sections[path.section].key == Grouping.onThisDayKey
  }

  private func isMarked(_ entry: EntryRow, _ path: RowPath) -> Bool {
    if state.marks.numbers.contains(entry.id.number) { return true }
    guard let start = state.marks.rangeStart, let end = state.list.widget.selection?.path else {
      return false
    }
    return (min(start, end)...max(start, end)).contains(path)
  }
}

/// The contents of the trash while the list is empty.
package struct TrashContents: Equatable, Codable, Sendable {
  /// The number of entries.
  package var count = 0
  /// Whether an undo restores the last deleted ones.
  package var isUndone = false

  package init(count: Int = 0, isUndone: Bool = false) {
    self.count = count
    self.isUndone = isUndone
  }
}
