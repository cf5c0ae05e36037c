import Journal
import SectionedResults

/// Events of the list: from the results controller, and answers to requests for its rows.
package enum ListEvent: Equatable, Codable, Sendable {
  /// The results controller delivered a batch; the keys are those of its inserted sections, in order.
  case batchArrived(ResultsBatch)
  /// The results controller fetched everything again.
  case reloaded(
    [SectionedList.Section], generation: Int, selection: RowPath? = nil, query: Query? = nil)
  /// The list shows another scope, whose filter is parsed as `query`, and selects `selection`; the
  /// entry with the number `leaving` was selected before.
  case shown(
    ListScope, [SectionedList.Section], generation: Int, selection: RowPath?, leaving: Int64? = nil,
    query: Query? = nil)
  /// The list cannot show a scope, with the reason; refused if its filter cannot be parsed.
  case notShown(ListScope, String, isRefused: Bool = false)
  /// The text of a search was parsed; `nil` if it is not a query.
  case searchParsed(String, Query?)
  /// What the first search needs is read.
  case searchPrepared
  /// A search cannot run, with the reason.
  case searchFailed(String)
  /// The request that blocked the keys was cancelled.
  case workCancelled
  /// The list's folds, selection and scroll offset of the last run were restored.
  case placeRestored(folded: Set<String>, selection: RowPath?, screenLine: Int)
  /// The highlight of changed rows ended.
  case highlightEnded
  /// The first row of the requested date, or `nil` if the list has no dates; with a note the row is
  /// the nearest one, since no entry has that date.
  case dayFound(RowPath?, note: String? = nil)
  /// The nearest match of a search, or `nil` without a match, and the end of the list at which the
  /// search wrapped around.
  case matchFound(String, RowPath?, wrapping: SearchDirection? = nil)
  /// The position of a row among all matches of a search; `nil` if the count took too long.
  case matchesCounted(String, MatchPlace?)
  /// The numbers of rows to mark, and the pending action on the marked entries.
  case rowsMarked([Int64], MarkChange, then: Action? = nil)
  /// The entries in the trash were counted.
  case trashCounted(TrashContents)
  /// The number of the entry at a requested place was read.
  case placeFound(Int64, PlaceUse)
  /// The row of a requested entry; `nil` if the list does not show it.
  case entryFound(RowPath?)
}

extension ListEvent {
  /// Whether rows of the list may have changed, even if the state is equal to the one before.
  package var bringsRows: Bool {
    switch self {
    case .batchArrived, .reloaded, .shown: true
    case .notShown, .searchParsed, .searchPrepared, .searchFailed, .workCancelled, .placeRestored,
      .highlightEnded,
      .dayFound, .matchFound, .matchesCounted, .rowsMarked, .trashCounted, .placeFound, .entryFound:
      false
    }
  }
}

extension State {
  mutating func updateList(_ event: ListEvent) -> [Effect] {
    switch event {
    case .batchArrived(let batch):
      let isCounted = queries[.matches] != nil || search?.place?.path == list.selection?.path
      queries.finish(.matches)
      let lost = batch.deletedRows.isEmpty && batch.deletedSections.isEmpty ? [] : lostMarks()
      // The report of the change counts the trash, so that it is counted once for each key.
      return apply(batch) + lost + (isCounted ? countMatches() : [])
    case .reloaded(let sections, let generation, let selection, let query):
      queries.finish(.matches)
      filterQuery = query
      list.reload(sections: sections, generation: generation)
      if let selection { list.select(selection) }
      previewed = nil
      return refreshedReading() + refreshedSidebar() + trashCount() + lostMarks()
    case .shown(let scope, let sections, let generation, let selection, let leaving, let query):
      queries.finish(.show)
      queries.finish(.matches)
      filterQuery = query
      show(scope, sections, generation, selection, leaving: leaving)
      return trashCount() + lostMarks()
    case .notShown(let scope, let reason, let isRefused):
      if isRefused { queries.refuseShow() } else { queries.finish(.show) }
      return keepList(insteadOf: scope, reason)
    case .searchParsed(let text, let query):
      if search?.text == text {
        search?.query = query
        highlightPane()
      }
    case .searchPrepared: queries.finish(.preparation)
    case .searchFailed(let reason):
      queries.finish(.find)
      failSearch(reason)
    case .workCancelled:
      queries = PendingQueries()
      return cancelWork()
    case .placeRestored(let folded, let selection, let line):
      restorePlace(folded: folded, selection: selection, screenLine: line)
    case .highlightEnded: list.clearChanges()
    case .dayFound(let path, let note): goTo(day: path, note: note)
    case .matchFound(let text, let path, let wrapping):
      queries.finish(.find)
      return goTo(match: path, of: text, wrapping: wrapping)
    case .matchesCounted(let text, let place):
      queries.finish(.matches)
      if search?.text == text { search?.place = place }
    case .rowsMarked(let numbers, let change, let action):
      guard let action else {
        mark(numbers, change)
        return []
      }
      return actOnRange(numbers, action)
    case .trashCounted(let trash): self.trash = trash
    case .placeFound(let number, let use): return remember(number, for: use)
    case .entryFound(let path):
      if path.map({ list.select($0) }) != true {
        status = .failed("that entry is no longer in this list")
      }
    }
    return []
  }

  /// Counts the matches of the search again, since a commit may have added some.
  private func countMatches() -> [Effect] {
    guard let search, search.place != nil || search.found == search.text, prompt?.kind != .search,
      let path = list.selection?.path
    else { return [] }
    return [.query(.countMatches(search.text, at: path))]
  }

  /// Requests the marked entries that have left the list.
  ///
  /// A filter being typed may still be cancelled with Esc, which restores the list.
  private func lostMarks() -> [Effect] {
    marks.isEmpty || prompt?.kind == .filter ? [] : [.list(.findMarked(marks.sorted()))]
  }

  /// Restores the list's folds, selection and scroll offset.
  mutating func restorePlace(folded: Set<String>, selection: RowPath?, screenLine: Int) {
    if !folded.isEmpty { list.fold(keys: folded) }
    guard let selection, list.select(selection), let line = list.selectionScreenLine else { return }
    list.scroll(by: line - min(max(0, screenLine), max(0, list.height - 1)))
  }

  /// Requests the count of the trash when the list of all entries is empty, to explain where they
  /// are.
  func trashCount() -> [Effect] {
    list.rowCount == 0 && scope.coverage.isWhole ? [.list(.countTrash)] : []
  }
}

extension State {
  /// Sets the heights of the list, the entry and the help by the layout.
  mutating func fit() {
    let height = listHeight
    if list.height != height { list.resize(height: height) }
    if let offset = pane?.offset { scrollPane(to: offset) }
    scroll(by: 0)
  }

  /// Moves in the focused view.
  mutating func move(_ movement: Movement, count: Int?) -> [Effect] {
    if let effects = changePage({ $0.move(movement, count: count, in: $1) }) { return effects }
    if mode == .sidebar {
      if movement == .right {
        leaveMode()
      } else {
        let height = layout.main.count
        sidebar?.move(movement, count: count, height: height)
      }
      return []
    }
    guard mode == .reading else { return moveInList(movement, count: count) }
    if movement == .left {
      leaveMode()
    } else if let pane {
      scrollPane(to: scrolled(pane.offset, of: pane.lines, movement, count))
    }
    return []
  }

  /// Scrolls by a key: a line, or the selection to a place on the screen.
  mutating func scroll(_ action: ScrollAction, _ count: Int?) -> [Effect] {
    switch action {
    case .lineDown: return scroll(by: count ?? 1)
    case .lineUp: return scroll(by: -(count ?? 1))
    case .toTop: list.scrollSelection(to: .top)
    case .toMiddle: list.scrollSelection(to: .middle)
    case .toBottom: list.scrollSelection(to: .bottom)
    }
    return []
  }

  /// Scrolls the view in the main part, with minimal movement of its selection.
  @discardableResult
  mutating func scroll(by lines: Int) -> [Effect] {
    if let effects = changePage({ $0.scroll(by: lines, in: $1) }) { return effects }
    if mode == .sidebar {
      let height = layout.main.count
      sidebar?.scroll(by: lines, height: height)
    } else if mode == .reading {
      scrollPane(to: (pane?.offset ?? 0) + lines)
    } else if lines != 0 {
      list.scroll(by: lines)
    }
    return []
  }

  private mutating func moveInList(_ movement: Movement, count: Int?) -> [Effect] {
    let times = count ?? 1
    switch movement {
    case .down: list.moveSelection(by: times)
    case .up: list.moveSelection(by: -times)
    case .right: return target.map { [.read(.entry($0))] } ?? []
    case .halfPageDown: list.halfPage(by: times)
    case .halfPageUp: list.halfPage(by: -times)
    case .pageDown: list.page(by: times)
    case .pageUp: list.page(by: -times)
    case .first, .last: moveToEnd(movement, count)
    case .previousSection: list.selectSection(offset: -times)
    case .nextSection: list.selectSection(offset: times)
    case .left: break
    }
    return []
  }

  /// Folds sections of the list; other views have none.
  mutating func fold(_ action: FoldAction) {
    guard mode == .list || mode == .order else { return }
    switch action {
    case .toggle: if let section = list.selection?.section { list.toggleFold(section: section) }
    case .all: list.foldAll()
    case .none: list.unfoldAll()
    }
  }

  private mutating func moveToEnd(_ movement: Movement, _ count: Int?) {
    if let count {
      list.selectFirst()
      list.moveSelection(by: count - 1 + rowsSkipped(before: count))
    } else if movement == .first {
      list.selectFirst()
    } else {
      list.selectLast()
    }
  }

  /// The rows of this day in other years above the row with a number: they are in the list a second
  /// time, and have no numbers.
  private func rowsSkipped(before number: Int) -> Int {
    guard let section = list.sectionOfOtherYears, number > list.rowCount(before: section) else {
      return 0
    }
    // A folded section is one line, which has no number either.
    return list.sections[section].folded ? 1 : list.sections[section].count
  }

  /// Applies a commit to the list as one block of section and row updates, and moves the range and the
  /// search's origin with their rows.
  mutating func apply(_ batch: ResultsBatch) -> [Effect] {
    let places: PathMapping?
    do {
      places = try list.apply(batch)
    } catch {
      status = .failed("\(error)")
      return [.list(.reload)]
    }
    rangeStart = rangeStart.flatMap { places?.map($0).path }
    if case .row(let path)? = search?.origin {
      search?.origin = places?.map(path).path.map(SectionedList.Position.row) ?? list.selection
    }
    let isSeen = list.changedRows.isEmpty && list.changedSections.isEmpty
    return refreshedReading() + (isSeen ? [] : [.list(.armHighlightTimer)])
  }

  mutating func report(_ saved: Saved) {
    if !saved.deleted.isEmpty { deletions.add(saved.deleted) }
    status = .done((saved.deleted.isEmpty ? nil : deletions.message) ?? saved.text)
    unseen = saved.unseen
    // A change of the selected row leaves the selection there, also when its entry has another row.
    guard mode == .list, saved.twin == nil || list.selection?.path != saved.twin else { return }
    if let path = saved.path ?? (saved.showsChange ? firstChange : nil) { list.select(path) }
  }

  /// The first row that the last batch inserted or changed.
  private var firstChange: RowPath? {
    let section = list.changedSections.min().map { RowPath($0, 0) }
    return [list.changedRows.min(), section].compactMap(\.self).min()
  }

  mutating func resize(_ size: Size) {
    self.size = size
    // A sidebar without room has no focus.
    if mode == .sidebar, !showsSidebar { leaveMode() }
    if size.columns < Sidebar.leastColumns { covered.removeAll { $0 == .sidebar } }
    measurePrompt()
    layOutPage()
    fit()
  }
}
