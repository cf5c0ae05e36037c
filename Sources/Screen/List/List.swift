import Journal
import SectionedResults
import TextLayout

/// Events of the list: from the results controller, and answers to requests for its rows.
package enum ListEvent: Equatable, Codable, Sendable {
  /// The results controller delivered a batch; the keys are those of its inserted sections, in order.
  case batchArrived(ResultsBatch)
  /// The results controller fetched everything again.
  case reloaded(
    [ListWidget.Section], generation: Int, selection: RowPath? = nil, query: Query? = nil)
  /// The list shows another scope, whose filter is parsed as `query`, and selects `selection`; the
  /// entry with the number `leaving` was selected before.
  case shown(
    ListScope, [ListWidget.Section], generation: Int, selection: RowPath?, leaving: Int64? = nil,
    query: Query? = nil)
  /// The list cannot show a scope, with the reason; refused if its filter cannot be parsed.
  case notShown(ListScope, String, isRefused: Bool = false)
  /// The text of a search was parsed; `nil` if it is not a query.
  case searchParsed(String, Query?)
  /// The index for the first search is read.
  case searchPrepared
  /// A search cannot run, with the reason.
  case searchFailed(String)
  /// The request that blocked the keys was cancelled.
  case workCancelled
  /// The list's folds, selection and scroll offset of the last run were restored.
  case placeRestored(folded: Set<String>, selection: RowPath?, screenLine: Int)
  /// The highlight of changed rows ended.
  case highlightEnded
  /// A moment has passed since a key deleted entries.
  case deletionSettled
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
  /// The numbers of all entries in the list, to mark them.
  case allMarked([Int64])
  /// The entries in the trash were counted.
  case trashCounted(TrashContents)
  /// The number of the entry at a requested place was read.
  case placeFound(Int64, PlaceUse)
  /// The row of a requested entry; `nil` if the list does not show it.
  case entryFound(RowPath?)
  /// The unit of a field was found: the measure of the headers; `nil` without numbers and durations.
  case measured(FieldMeasure?)
}

extension ListEvent {
  /// Whether rows of the list may have changed, even if the state is equal to the one before.
  package var bringsRows: Bool {
    switch self {
    case .batchArrived, .reloaded, .shown: true
    case .notShown, .searchParsed, .searchPrepared, .searchFailed, .workCancelled, .placeRestored,
      .highlightEnded, .deletionSettled,
      .dayFound, .matchFound, .matchesCounted, .rowsMarked, .allMarked, .trashCounted, .placeFound,
      .entryFound, .measured:
      false
    }
  }
}

extension State {
  mutating func updateList(_ event: ListEvent) -> [Effect] {
    switch event {
    case .batchArrived(let batch):
      // A count that is under way for a row from which the selection has moved on is dropped.
      let counted: RowPath? =
        if case .countMatches(_, let path)? = work.queries[.matches] { path } else {
          search?.place?.path
        }
      let isCounted = counted == list.widget.selection?.path
      work.queries.finish(.matches)
      let lost = batch.deletedRows.isEmpty && batch.deletedSections.isEmpty ? [] : lostMarks()
      // The report of the change counts the trash, so that it is counted once for each key.
      return apply(batch) + lost + (isCounted ? countMatches() : [])
    case .reloaded(let sections, let generation, let selection, let query):
      work.queries.finish(.matches)
      list.query = query
      list.widget.reload(sections: sections, generation: generation)
      if let selection { list.widget.select(selection) }
      pane.source = nil
      return refreshedReading() + refreshedSidebar() + trashCount() + lostMarks()
    case .shown(let scope, let sections, let generation, let selection, let leaving, let query):
      work.queries.finish(.show)
      work.queries.finish(.matches)
      list.query = query
      show(scope, sections, generation, selection, leaving: leaving)
      return trashCount() + lostMarks() + readingAgain()
    case .notShown(let scope, let reason, let isRefused):
      if isRefused { work.queries.refuseShow() } else { work.queries.finish(.show) }
      return keepList(insteadOf: scope, reason)
    case .searchParsed(let text, let query):
      if search?.text == text {
        search?.query = query
        highlightPane()
      }
    case .searchPrepared: work.queries.finish(.preparation)
    case .searchFailed(let reason):
      work.queries.finish(.find)
      failSearch(reason)
    case .workCancelled:
      work.queries = PendingQueries()
      return cancelWork()
    case .placeRestored(let folded, let selection, let line):
      list.restorePlace(folded: folded, selection: selection, screenLine: line)
    case .highlightEnded: list.widget.clearChanges()
    case .deletionSettled: pressed.hasJustDeleted = false
    case .dayFound(let path, let note): goTo(day: path, note: note)
    case .matchFound(let text, let path, let wrapping):
      work.queries.finish(.find)
      return goTo(match: path, of: text, wrapping: wrapping)
    case .matchesCounted(let text, let place):
      work.queries.finish(.matches)
      if search?.text == text { search?.place = place }
    case .rowsMarked(let numbers, let change, let action):
      guard let action else {
        marks.change(numbers, change)
        return []
      }
      return actOnRange(numbers, action)
    case .allMarked(let numbers):
      work.queries.finish(.marks)
      work.word = nil
      marks.change(numbers, .toggle)
    case .trashCounted(let trash): self.list.trash = trash
    case .placeFound(let number, let use): return remember(number, for: use)
    case .entryFound(let path):
      // The pane shows an entry that the list does not.
      if path.map({ list.widget.select($0) }) != true, pages.mode != .reading {
        status = .failed("that entry is no longer in this list")
      }
    case .measured(let measure):
      // The page of the field says why it has no sum.
      if let measure { return self.measure(by: measure) }
    }
    return []
  }

  /// Counts the matches of the search again, since a commit may have added some.
  private func countMatches() -> [Effect] {
    guard let search, search.place != nil || search.found == search.text,
      prompt.open?.kind != .search,
      let path = list.widget.selection?.path
    else { return [] }
    return [.query(.countMatches(search.text, at: path))]
  }

  /// Requests the marked entries that have left the list.
  ///
  /// A filter being typed may still be cancelled with Esc, which restores the list.
  private func lostMarks() -> [Effect] {
    marks.numbers.isEmpty || prompt.open?.kind == .filter
      ? [] : [.list(.findMarked(marks.numbers.sorted()))]
  }

  /// Requests the count of the trash when the list of all entries is empty, to explain where they
  /// are.
  func trashCount() -> [Effect] {
    list.isJournalEmpty ? [.list(.countTrash)] : []
  }
}

extension State {
  /// Sets the heights of the list, the entry and the help by the layout.
  mutating func fit() {
    let height = listHeight
    if list.widget.height != height { list.widget.resize(height: height) }
    if let offset = pane.reading?.offset { scrollPane(to: offset) }
    scroll(by: 0)
  }

  /// Moves in the focused view.
  mutating func move(_ movement: Movement, count: Int?) -> [Effect] {
    if let effects = changePage({ $0.move(movement, count: count, in: $1) }) { return effects }
    if pages.mode == .sidebar {
      if movement == .right {
        leaveMode()
      } else {
        let height = layout.main.count
        sidebar?.move(movement, count: count, height: height)
      }
      return []
    }
    guard pages.mode == .reading else {
      if movement == .right { return target.map { [.read(.entry($0))] } ?? [] }
      if movement == .left { goIntoSidebar() }
      list.move(movement, count: count)
      return []
    }
    if movement == .left {
      leaveMode()
    } else if let pane = pane.reading {
      scrollPane(to: scrolled(pane.offset, of: pane.lines, movement, count))
    }
    return []
  }

  /// Scrolls by a key: a line, or the selection to a place on the screen.
  mutating func scroll(_ action: ScrollAction, _ count: Int?) -> [Effect] {
    switch action {
    case .lineDown: return scroll(by: count ?? 1)
    case .lineUp: return scroll(by: -(count ?? 1))
    case .toTop: list.widget.scrollSelection(to: .top)
    case .toMiddle: list.widget.scrollSelection(to: .middle)
    case .toBottom: list.widget.scrollSelection(to: .bottom)
    }
    return []
  }

  /// Scrolls the view in the main part, with minimal movement of its selection.
  @discardableResult
  mutating func scroll(by lines: Int) -> [Effect] {
    if let effects = changePage({ $0.scroll(by: lines, in: $1) }) { return effects }
    if pages.mode == .sidebar {
      let height = layout.main.count
      sidebar?.scroll(by: lines, height: height)
    } else if pages.mode == .reading {
      scrollPane(to: (pane.reading?.offset ?? 0) + lines)
    } else if lines != 0 {
      list.widget.scroll(by: lines)
    }
    return []
  }

  /// Folds sections of the list; other views have none.
  mutating func fold(_ action: FoldAction) {
    if pages.mode == .list || pages.mode == .order { list.fold(action) }
  }

  /// Applies a commit to the list as one block of section and row updates, and moves the range and the
  /// search's origin with their rows.
  mutating func apply(_ batch: ResultsBatch) -> [Effect] {
    let selected = list.widget.selection?.path
    let places: PathMapping?
    do {
      places = try list.widget.apply(batch)
    } catch {
      status = .failed("\(error)")
      return [.list(.reload)]
    }
    list.hasLostSelection = selected.map { places?.map($0).path == nil } ?? false
    marks.rangeStart = marks.rangeStart.flatMap { places?.map($0).path }
    if case .row(let path)? = search?.origin {
      search?.origin =
        places?.map(path).path.map(ListWidget.Position.row) ?? list.widget.selection
    }
    let isSeen = list.widget.changedRows.isEmpty && list.widget.changedSections.isEmpty
    return refreshedReading() + (isSeen ? [] : [.list(.armHighlightTimer)])
  }

  mutating func report(_ saved: Saved) {
    status = .done((list.note(saved) ?? saved.text) + (saved.hiding ?? ""))
    // A change of the selected row leaves the selection there, also when its entry has another row.
    guard pages.mode == .list, saved.twin == nil || list.widget.selection?.path != saved.twin else {
      return
    }
    if let path = saved.path ?? (saved.showsChange ? list.firstChange : nil) {
      list.widget.select(path)
    }
  }

  mutating func resize(_ size: Size) {
    self.environment.size = size
    // A sidebar without room has no focus.
    if pages.mode == .sidebar, !showsSidebar, !environment.isLinear { leaveMode() }
    if size.columns < Sidebar.leastColumns, !environment.isLinear {
      pages.covered.removeAll { $0 == .sidebar }
    }
    prompt.measure(on: environment.size)
    layOutPage()
    fit()
  }
}
