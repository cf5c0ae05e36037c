import Journal
import SectionedResults
import TextLayout

/// The list's order, sections, filter and trash, and searching in it.
extension State {
  /// Changes order or sections.
  mutating func arrange(_ arrangement: Arrangement) -> [Effect] {
    var next = list.scope
    switch arrangement {
    case .order(let order): next.order = order
    case .sections(let grouping): next.grouping = grouping
    }
    if pages.mode == .order { pages.mode = .list }
    return next == list.scope ? [] : [.query(.show(next))]
  }

  /// Shows the sum or the mean of a field in the header of each section.
  mutating func measure(by measure: FieldMeasure?) -> [Effect] {
    var next = list.scope
    next.measure = measure
    return next == list.scope ? [] : [.query(.show(next))]
  }

  /// Shows no sums in the headers.
  mutating func endMeasure() -> [Effect] {
    guard list.scope.measure != nil else {
      status = .failed("field: give a name; :fields lists them")
      return []
    }
    status = .done("section totals are off")
    return measure(by: nil)
  }

  /// Waits for the key of an order or of a kind of section.
  mutating func askForOrder() -> [Effect] {
    pages.mode = .order
    return []
  }

  /// Goes to show or leave the trash to the journal.
  mutating func toggleTrash() -> [Effect] {
    var next = list.scope.filtered(by: "")
    next.isTrash.toggle()
    marks.numbers = []
    return [.query(.show(next, list.landing(in: next)))]
  }

  /// Updates the state for the list's new scope.
  ///
  /// - Parameters:
  ///   - path: the row to select.
  ///   - number: the entry that was selected before.
  mutating func show(
    _ scope: ListScope, _ sections: [ListWidget.Section], _ generation: Int, _ path: RowPath?,
    leaving number: Int64? = nil
  ) {
    let isSameList = scope.differsOnlyInMeasure(from: list.scope)
    list.show(
      scope, sections, generation, path, leaving: number,
      staysFiltered: prompt.open?.kind == .filter)
    work.word = nil
    if isSameList { return }
    marks.rangeStart = nil
    search?.place = nil
    // It is another list, even if its generation and the selected path are equal to the old ones.
    pane.source = nil
    let state = self
    sidebar?.follow(state)
    // An open page is about another list.
    if pages.mode != .sidebar, pages.mode != .list { leaveMode() }
  }

  /// Records that the user moved the selection, as opposed to a commit or another list.
  mutating func noteMovement(from selection: ListWidget.Position?, by event: Event) {
    guard list.widget.selection != selection, !event.movesList else { return }
    list.hidden = nil
    list.leaveCovered()
  }

  /// Reports why a scope cannot be shown.
  ///
  /// While a filter is being typed the list keeps its last valid result. A submitted filter, and the command
  /// for an order or sections by an unknown field, is offered again to a person; a script continues with the
  /// earlier list.
  mutating func keepList(insteadOf scope: ListScope, _ reason: String) -> [Effect] {
    work.word = nil
    status = .failed(reason)
    guard prompt.open == nil else { return [] }
    if environment.keysAreTyped, let command = scope.fieldCommand(insteadOf: list.scope) {
      return [.prompt(.open(.command, text: command))]
    }
    if environment.keysAreTyped, !scope.filter.isBlank {
      return [.prompt(.open(.filter, text: scope.filter))]
    }
    return returnToList()
  }

  /// Reports why a search cannot run, and returns to its start.
  mutating func failSearch(_ reason: String) {
    work.word = nil
    if prompt.open?.kind == .search { returnToOrigin() }
    status = .failed(reason)
  }

  /// Continues without the cancelled list, match or count.
  mutating func cancelWork() -> [Effect] {
    work.word = nil
    status = .failed("cancelled")
    closeWaitingPage()
    return returnToList()
  }

  /// Restores the list before the failed filter.
  private mutating func returnToList() -> [Effect] {
    defer { list.filtering = nil }
    return giveUp(.filter)
  }

  /// Opens the prompts of search and filter, and continues the last search.
  mutating func find(_ action: SearchAction) -> [Effect] {
    if isPageSearchable, action != .filter { return findInPage(action) }
    if isMenuOpen { return [.prompt(.open(.search))] }
    switch action {
    case .search:
      search = Search(text: "", origin: list.widget.selection, offset: list.widget.offset)
      // A count for the search before would look like one for the same text now.
      work.queries.finish(.matches)
      return [.prompt(.open(.search)), .query(.prepareSearch)]
    case .filter:
      return [.prompt(.open(.filter, text: list.scope.continuedFilter)), .query(.prepareSearch)]
    case .titles: return openTitles()
    case .next, .previous:
      guard let search, !search.text.isEmpty else {
        status = .failed("no search yet; / searches")
        return []
      }
      return next(search, action == .next ? .forward : .backward)
    }
  }

  /// The next match in the open entry, else in the list.
  private mutating func next(_ search: Search, _ direction: SearchDirection) -> [Effect] {
    if pages.mode == .reading, let pane = pane.reading {
      // The bar covers the first line.
      let line = pane.offset + 1
      let next =
        direction == .forward
        ? pane.matches.first { $0 > line } : pane.matches.last { $0 < line }
      if let next, clamped(next - 1, of: pane.lines) != pane.offset {
        scrollPane(to: next - 1)
        return []
      }
    }
    return [.query(.find(search.text, from: list.widget.selection, direction))]
  }

  /// The effects of each character typed in the prompts of search and filter.
  mutating func typed(_ text: String, in kind: PromptPurpose) -> [Effect] {
    switch kind {
    case .filter:
      return [
        .query(
          .show(
            list.scope.filtered(by: text, takesPrefix: true), list.filtering?.landing ?? .nearest))
      ]
    case .search where isMenuOpen:
      narrowMenu(to: text)
      return []
    case .search where isPageSearchable:
      searchPage(for: text)
      return []
    case .search:
      search?.text = text
      search?.query = nil
      if pages.mode == .reading { return [.list(.parseSearch(text))] }
      guard !text.isBlank else {
        returnToOrigin()
        highlightPane()
        return []
      }
      return [.query(.find(text, from: search?.origin, .here))]
    case .titles: return typeTitle(text)
    case .newEntry, .edit, .question, .command, .date, .tags, .redate, .pipe, .attachment:
      return []
    }
  }

  /// Selects the match of the current search, and reports when the search wrapped around.
  mutating func goTo(
    match path: RowPath?, of text: String, wrapping: SearchDirection? = nil
  ) -> [Effect] {
    guard search?.text == text else { return [] }
    work.word = nil
    search?.found = path.map { _ in text }
    guard let path else {
      if prompt.open?.kind == .search { returnToOrigin() }
      status = .failed("nothing matches \(text)")
      return []
    }
    let isOnly = list.widget.selection?.path == path
    if prompt.open?.kind == .search { returnToOrigin() }
    search?.wrapping = wrapping
    status = prompt.open == nil ? wrapping.flatMap { Search.wrapped($0, isOnly: isOnly) } : nil
    list.widget.select(path)
    // During typing the next match is pending; matches are counted after Enter.
    let count = prompt.open == nil ? [Effect.query(.countMatches(text, at: path))] : []
    if pages.mode == .reading { return [.read(.entry(.row(path)))] + count }
    return count
  }

  /// Cancels the prompts of search and filter.
  mutating func giveUp(_ kind: PromptPurpose) -> [Effect] {
    // Nobody types a search that would need it.
    work.queries.finish(.preparation)
    if kind == .titles { return leaveFinder() }
    if kind == .search, isMenuOpen {
      narrowMenu(to: "")
      return []
    }
    if kind == .search, isPageSearchable {
      giveUpPageSearch()
      return []
    }
    if kind == .search {
      returnToOrigin()
      search = nil
      highlightPane()
      return []
    }
    guard let filtering = list.filtering else { return [] }
    return [.query(.show(filtering.scope, filtering.landing))]
  }

  /// Submits the prompts of search and filter.
  mutating func settle(_ text: String, _ kind: PromptPurpose) -> [Effect] {
    if kind == .filter {
      // Enter alone leaves the filter as it was.
      let text = text == list.scope.continuedFilter ? list.scope.filter : text
      return [
        .query(
          .show(
            list.scope.filtered(by: text, takesPrefix: true), list.filtering?.landing ?? .nearest))
      ]
    }
    if isMenuOpen { return settleMenu() }
    guard !text.isBlank else { return giveUp(.search) }
    if isPageSearchable { return [] }
    if pages.mode == .reading, let pane = pane.reading,
      let first = pane.matches.first(where: { $0 >= pane.offset })
    {
      scrollPane(to: first - 1)
    }
    if let wrapping = search?.wrapping { status = Search.wrapped(wrapping, isOnly: false) }
    // If the match is not found yet, it is counted later.
    guard pages.mode == .list, search?.found == text, let path = list.widget.selection?.path else {
      return []
    }
    return [.query(.countMatches(text, at: path))]
  }

  /// Restores selection and scroll offset of the start of the search.
  private mutating func returnToOrigin() {
    switch search?.origin {
    case .row(let path): list.widget.select(path)
    case .header(let section): list.widget.select(section: section)
    case nil: return
    }
    if list.widget.height > 1 { list.widget.scroll(by: (search?.offset ?? 0) - list.widget.offset) }
  }
}

/// The last search: its matches are highlighted, and `n` and `N` select them in turn.
package struct Search: Equatable, Sendable {
  /// The query as it was typed.
  package var text: String
  /// The selection before; cancelling the search restores it.
  package var origin: ListWidget.Position?

  /// The list's scroll offset before, in lines.
  package var offset: Int
  /// The parsed text; `nil` until it is parsed, and if it is not a query.
  package var query: Query?
  /// The text whose match is selected; `nil` before one is found.
  var found: String?
  /// The position of the current match, once the matches are counted.
  package var place: MatchPlace?
  /// The direction in which the search wrapped around while it was typed.
  var wrapping: SearchDirection?

  package init(text: String, origin: ListWidget.Position? = nil, offset: Int = 0) {
    self.text = text
    self.origin = origin
    self.offset = offset
  }
}

/// The position of a match among all matches of a search, in one state of the list.
package struct MatchPlace: Equatable, Codable, Sendable {
  /// Its index, from 1.
  package var index: Int
  /// The number of matches.
  package var count: Int
  /// Its row.
  package var path: RowPath
  /// The state of the list.
  package var generation: Int

  package init(index: Int, count: Int, path: RowPath, generation: Int) {
    self.index = index
    self.count = count
    self.path = path
    self.generation = generation
  }
}

extension Search {
  /// The message after the search wrapped around; `nil` during typing.
  static func wrapped(_ direction: SearchDirection, isOnly: Bool) -> Status? {
    switch direction {
    case .here: nil
    case _ where isOnly: .done("this is the only match")
    case .forward: .done("search hit bottom, continuing at the top")
    case .backward: .done("search hit top, continuing at the bottom")
    }
  }
}

/// The direction of a search for the next match; it wraps around at the end of the list.
package enum SearchDirection: Equatable, Codable, Sendable {
  /// Towards the end, including the start position.
  case here
  /// Towards the end.
  case forward
  /// Towards the beginning.
  case backward
}

extension Event {
  /// Whether this event moves the selection without the user: a commit or another list.
  fileprivate var movesList: Bool {
    if case .list(let event) = self {
      switch event {
      case .batchArrived, .reloaded, .shown, .placeRestored: return true
      case .notShown, .searchParsed, .searchPrepared, .searchFailed, .workCancelled,
        .highlightEnded, .deletionSettled, .dayFound, .matchFound, .matchesCounted, .rowsMarked,
        .allMarked,
        .trashCounted,
        .placeFound, .entryFound, .measured:
        return false
      }
    }
    return if case .journal(.opened) = self { true } else { false }
  }
}
