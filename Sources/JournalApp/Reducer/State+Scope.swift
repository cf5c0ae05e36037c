import Journal
import SectionedResults

/// What the list shows: the order, the sections, the filter, the trash; and searching in it.
extension State {
  /// Changes order or sections; `nil` if the action is another one.
  mutating func arrange(_ action: Action) -> [Effect]? {
    var next = scope
    switch action {
    case .sortNewest: next.order = .newest
    case .sortOldest: next.order = .oldest
    case .sortModified: next.order = .modified
    case .sortTitle: next.order = .title
    case .sectionDay: next.sectioning = .day
    case .sectionWeek: next.sectioning = .week
    case .sectionMonth: next.sectioning = .month
    case .sectionYear: next.sectioning = .year
    case .sectionTag: next.sectioning = .tag
    case .sectionNone: next.sectioning = .none
    default: return nil
    }
    if mode == .order { mode = .list }
    return next == scope ? [] : [.show(next)]
  }

  /// Goes to the trash, or back to the journal.
  mutating func toggleTrash() -> [Effect] {
    var next = scope.filtered(by: "")
    next.isTrash.toggle()
    marks = []
    return [.show(next)]
  }

  /// Takes in what the list shows now, and keeps the place in it.
  mutating func show(
    _ scope: ListScope, _ sections: [ListSection], _ generation: Generation, _ path: RowPath?
  ) {
    let isOther = scope.sectioning != self.scope.sectioning
    self.scope = scope
    rangeStart = nil
    work = nil
    unseen = nil
    if isOther { list.unfoldAll() }
    list.reload(sections: sections, generation: generation)
    if let path { list.select(path) }
    if mode == .reading, !isSplit { leaveMode() }
  }

  /// Opens the prompts of search and filter, and goes on with the last search.
  mutating func find(_ action: Action) -> [Effect] {
    if pageLines != nil, action != .filter { return findInPage(action) }
    switch action {
    case .search:
      search = Search(text: "", origin: list.selection)
      return [.openPrompt(.search)]
    case .filter:
      scopeBefore = scope
      return [.openPrompt(.filter, text: scope.filter)]
    default:
      guard let search, !search.text.isEmpty else {
        status = .failed("nothing searched for yet; / searches")
        return []
      }
      return next(search, action == .nextMatch ? .forward : .backward)
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
    return [.find(search.text, from: list.selection, direction)]
  }

  /// What follows from each character typed in the prompts of search and filter.
  mutating func typed(_ text: String, in kind: PromptPurpose) -> [Effect] {
    switch kind {
    case .filter: return [.show(scope.filtered(by: text, takesPrefix: true))]
    case .search where pageLines != nil:
      searchPage(for: text)
      return []
    case .search:
      search?.text = text
      if mode == .reading { return matchLines() }
      guard !text.isBlank else {
        returnToOrigin()
        return matchLines()
      }
      return [.find(text, from: search?.origin, .here)]
    default: return []
    }
  }

  /// Goes to the match of a search, unless it is not the search any more, and says when the search
  /// went round the end of the list.
  mutating func goTo(
    match path: RowPath?, of text: String, wrapping: SearchDirection? = nil
  ) -> [Effect] {
    guard search?.text == text else { return [] }
    work = nil
    guard let path else {
      status = .failed("nothing matches \(text)")
      return matchLines()
    }
    let isOnly = list.selection?.path == path
    search?.wrapping = wrapping
    status = prompt == nil ? wrapping.flatMap { Search.wrapped($0, isOnly: isOnly) } : nil
    list.select(path)
    // While one types the next match is on its way; it is counted when the search is settled.
    let count = prompt == nil ? [Effect.countMatches(text, at: path)] : []
    if mode == .reading { return [.read(.row(path))] + count }
    return matchLines() + count
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
      return matchLines()
    }
    defer { scopeBefore = nil }
    guard let before = scopeBefore else { return [] }
    return [.show(before)]
  }

  /// Ends the prompts of search and filter with what stands in them.
  mutating func settle(_ text: String, _ kind: PromptPurpose) -> [Effect] {
    scopeBefore = nil
    if kind == .filter { return [.show(scope.filtered(by: text, takesPrefix: true))] }
    guard !text.isBlank else { return giveUp(.search) }
    if pageLines != nil { return [] }
    if mode == .reading, let pane, let first = pane.matches.first(where: { $0 >= pane.offset }) {
      scrollPane(to: first)
    }
    if let wrapping = search?.wrapping { status = Search.wrapped(wrapping, isOnly: false) }
    guard mode == .list, status?.kind != .failed, let path = list.selection?.path else { return [] }
    return [.countMatches(text, at: path)]
  }

  private mutating func returnToOrigin() {
    switch search?.origin {
    case .row(let path): list.select(path)
    case .header(let section): list.select(section: section)
    case nil: break
    }
  }
}
