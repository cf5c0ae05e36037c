import Journal
import SectionedResults

/// What the list shows: the order, the sections, the filter, the trash; and searching in it.
extension State {
  /// Changes order or sections.
  mutating func arrange(_ arrangement: Arrangement) -> [Effect] {
    var next = scope
    switch arrangement {
    case .order(let order): next.order = order
    case .sections(let sectioning): next.sectioning = sectioning
    }
    if mode == .order { mode = .list }
    return next == scope ? [] : [.query(.show(next))]
  }

  /// Goes to the trash, or back to the journal.
  mutating func toggleTrash() -> [Effect] {
    var next = scope.filtered(by: "")
    next.isTrash.toggle()
    marks = []
    return [.query(.show(next, landing(in: next)))]
  }

  /// Takes in what the list shows now.
  ///
  /// - Parameters:
  ///   - path: the row to select.
  ///   - number: the entry that was selected before.
  mutating func show(
    _ scope: ListScope, _ sections: [ListSection], _ generation: Generation, _ path: RowPath?,
    leaving number: Int64? = nil
  ) {
    let isOther = scope.sectioning != self.scope.sectioning
    let uncovered = cover(with: scope, leaving: number)
    self.scope = scope
    rangeStart = nil
    work = nil
    unseen = nil
    search?.place = nil
    let filtered = filtering?.list
    if filtering != nil, filtering?.entry == nil { filtering?.entry = number }
    if prompt?.kind != .filter { filtering = nil }
    let height = list.height
    if let before = uncovered?.list ?? filtered { list = before }
    if isOther { list.unfoldAll() }
    list.reload(sections: sections, generation: generation)
    list.resize(height: height)
    if let path { list.select(path) }
    // Another list, although its generation and the selected path may be equal to the old ones.
    previewed = nil
    if mode == .reading { leaveMode() }
  }

  /// Remembers the list that a filter or the trash covers, or forgets the one that is back.
  ///
  /// - Returns: the memory of the list that is back.
  private mutating func cover(with next: ListScope, leaving number: Int64?) -> CoveredList? {
    let coverage = next.coverage
    guard coverage != scope.coverage else { return nil }
    if let index = coveredLists.lastIndex(where: { $0.scope.coverage == coverage }) {
      defer { coveredLists.removeSubrange(index...) }
      return coveredLists[index]
    }
    if coverage.isWhole {
      coveredLists = []
    } else if scope.coverage.isWhole || scope.isTrash != next.isTrash || scope.filter.isBlank {
      coveredLists.append(
        CoveredList(
          scope: filtering?.scope ?? scope, entry: filtering?.entry ?? number,
          list: filtering?.list ?? list))
    }
    return nil
  }

  /// Where to go when a covered list is shown again: where the user was, unless he moved since.
  func landing(in next: ListScope) -> Landing {
    guard let covered = coveredLists.last(where: { $0.scope.coverage == next.coverage }),
      let entry = covered.entry, !covered.isLeft || scope.isTrash != next.isTrash
    else { return .nearest }
    return .entry(entry)
  }

  /// Notes that the user moved the selection, as opposed to a commit or another list.
  mutating func noteMovement(from selection: ListPosition?, by event: Event) {
    guard list.selection != selection, !coveredLists.isEmpty else { return }
    if !event.movesList { coveredLists[coveredLists.count - 1].isLeft = true }
  }

  /// Says why a scope cannot be shown.
  ///
  /// While a filter is typed the list keeps its last good result. A filter that was typed to its end
  /// is offered again to a person; a script goes on with the list as it was before.
  mutating func keepList(insteadOf scope: ListScope, _ reason: String) -> [Effect] {
    work = nil
    status = .failed(reason)
    guard prompt == nil else { return [] }
    if keysAreTyped, !scope.filter.isBlank { return [.prompt(.open(.filter, text: scope.filter))] }
    return returnToList()
  }

  /// Says why a search cannot be run, and goes back to where it began.
  mutating func failSearch(_ reason: String) {
    work = nil
    if prompt?.kind == .search { returnToOrigin() }
    status = .failed(reason)
  }

  /// Goes on without the list, match or count that the user did not want to wait for.
  mutating func cancelWork() -> [Effect] {
    work = nil
    status = .failed("cancelled")
    if statistics?.counted == nil, statistics != nil { leaveMode() }
    return returnToList()
  }

  /// Shows what the list showed before the filter that has come to nothing.
  private mutating func returnToList() -> [Effect] {
    defer { filtering = nil }
    return giveUp(.filter)
  }

  /// Opens the prompts of search and filter, and goes on with the last search.
  mutating func find(_ action: SearchAction) -> [Effect] {
    if pageLines != nil, action != .filter { return findInPage(action) }
    switch action {
    case .search:
      search = Search(text: "", origin: list.selection, offset: list.offset)
      return [.prompt(.open(.search))]
    case .filter: return [.prompt(.open(.filter, text: scope.filter))]
    case .next, .previous:
      guard let search, !search.text.isEmpty else {
        status = .failed("nothing searched for yet; / searches")
        return []
      }
      return next(search, action == .next ? .forward : .backward)
    }
  }

  /// The next match in the entry that is read, else in the list.
  private mutating func next(_ search: Search, _ direction: SearchDirection) -> [Effect] {
    if mode == .reading, let pane {
      let line = pane.offset
      let next =
        direction == .forward
        ? pane.matches.first { $0 > line } : pane.matches.last { $0 < line }
      if let next, clamped(next, of: pane.lines) != line {
        scrollPane(to: next)
        return []
      }
    }
    return [.query(.find(search.text, from: list.selection, direction))]
  }

  /// What follows from each character typed in the prompts of search and filter.
  mutating func typed(_ text: String, in kind: PromptPurpose) -> [Effect] {
    switch kind {
    case .filter:
      return [
        .query(.show(scope.filtered(by: text, takesPrefix: true), filtering?.landing ?? .nearest))
      ]
    case .search where pageLines != nil:
      searchPage(for: text)
      return []
    case .search:
      search?.text = text
      search?.query = nil
      if mode == .reading { return [.list(.parseSearch(text))] }
      guard !text.isBlank else {
        returnToOrigin()
        highlightPane()
        return []
      }
      return [.query(.find(text, from: search?.origin, .here))]
    case .newEntry, .edit, .command, .date, .tags, .redate, .pipe: return []
    }
  }

  /// Goes to the match of a search, unless it is not the search any more, and says when the search
  /// went round the end of the list.
  mutating func goTo(
    match path: RowPath?, of text: String, wrapping: SearchDirection? = nil
  ) -> [Effect] {
    guard search?.text == text else { return [] }
    work = nil
    search?.found = path.map { _ in text }
    guard let path else {
      if prompt?.kind == .search { returnToOrigin() }
      status = .failed("nothing matches \(text)")
      return []
    }
    let isOnly = list.selection?.path == path
    if prompt?.kind == .search { returnToOrigin() }
    search?.wrapping = wrapping
    status = prompt == nil ? wrapping.flatMap { Search.wrapped($0, isOnly: isOnly) } : nil
    list.select(path)
    // While one types the next match is on its way; it is counted when the search is settled.
    let count = prompt == nil ? [Effect.query(.countMatches(text, at: path))] : []
    if mode == .reading { return [.read(.entry(.row(path)))] + count }
    return count
  }

  /// Ends the prompts of search and filter without taking what stands in them.
  mutating func giveUp(_ kind: PromptPurpose) -> [Effect] {
    if kind == .search, pageLines != nil {
      giveUpPageSearch()
      return []
    }
    if kind == .search {
      returnToOrigin()
      search = nil
      highlightPane()
      return []
    }
    guard let filtering else { return [] }
    return [.query(.show(filtering.scope, filtering.landing))]
  }

  /// Ends the prompts of search and filter with what stands in them.
  mutating func settle(_ text: String, _ kind: PromptPurpose) -> [Effect] {
    if kind == .filter {
      return [
        .query(.show(scope.filtered(by: text, takesPrefix: true), filtering?.landing ?? .nearest))
      ]
    }
    guard !text.isBlank else { return giveUp(.search) }
    if pageLines != nil { return [] }
    if mode == .reading, let pane, let first = pane.matches.first(where: { $0 >= pane.offset }) {
      scrollPane(to: first)
    }
    if let wrapping = search?.wrapping { status = Search.wrapped(wrapping, isOnly: false) }
    // A match that is not found yet is counted when it is.
    guard mode == .list, search?.found == text, let path = list.selection?.path else { return [] }
    return [.query(.countMatches(text, at: path))]
  }

  /// Selects and scrolls to where the search began.
  private mutating func returnToOrigin() {
    switch search?.origin {
    case .row(let path): list.select(path)
    case .header(let section): list.select(section: section)
    case nil: return
    }
    if list.height > 1 { list.scroll(by: (search?.offset ?? 0) - list.offset) }
  }
}

/// What was searched for last: its matches are highlighted, and `n` and `N` go through them.
package struct Search: Equatable, Sendable {
  /// The query as it was typed.
  package var text: String
  /// What was selected before; a search that is given up leads back there.
  package var origin: ListPosition?

  /// The list's scroll offset before, in lines.
  package var offset: Int
  /// The parsed text; `nil` until it is parsed, and if it is no query.
  package var query: Query?
  /// The text whose match is selected; `nil` before one is found.
  var found: String?
  /// Which match was gone to last, once they are counted.
  package var place: MatchPlace?
  /// Which way the search went round the end of the list while it was typed.
  var wrapping: SearchDirection?

  /// Makes a search.
  package init(text: String, origin: ListPosition? = nil, offset: Int = 0) {
    self.text = text
    self.origin = origin
    self.offset = offset
  }
}

/// A match among all matches of a search, in one state of the list.
package struct MatchPlace: Equatable, Sendable {
  /// Which one it is, from 1.
  package var index: Int
  /// How many there are.
  package var count: Int
  /// Its row.
  package var path: RowPath
  /// The state of the list.
  package var generation: Generation

  /// Makes a place.
  package init(index: Int, count: Int, path: RowPath, generation: Generation) {
    self.index = index
    self.count = count
    self.path = path
    self.generation = generation
  }
}

extension Search {
  /// What the status line says of a search that went round the end; nothing while one types.
  static func wrapped(_ direction: SearchDirection, isOnly: Bool) -> Status? {
    switch direction {
    case .here: nil
    case _ where isOnly: .done("this is the only match")
    case .forward: .done("search hit bottom, continuing at the top")
    case .backward: .done("search hit top, continuing at the bottom")
    }
  }
}

/// Which way a search looks for the next match; it goes round at the end of the list.
package enum SearchDirection: Equatable, Sendable {
  /// Towards the end, beginning with the place itself.
  case here
  /// Towards the end.
  case forward
  /// Towards the beginning.
  case backward
}

extension Event {
  /// Whether a change of the selection by this event is not the user's: a commit or another list.
  fileprivate var movesList: Bool {
    switch self {
    case .list(let event):
      switch event {
      case .batchArrived, .reloaded, .shown, .placeRestored: true
      case .notShown, .searchParsed, .searchFailed, .workCancelled, .highlightEnded, .dayFound,
        .matchFound, .matchesCounted, .rowsMarked, .trashCounted:
        false
      }
    case .journal(let event):
      switch event {
      case .opened: true
      case .saved, .failed, .working, .changed, .dayChanged: false
      }
    case .key, .mouse, .prompt, .question, .reader, .versions, .calendar, .jump, .menu, .statistics,
      .page, .command, .settings, .terminal:
      false
    }
  }
}
