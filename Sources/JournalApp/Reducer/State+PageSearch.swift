/// Searching in the help and in pages: as one types, then with `n` and `N`.
extension State {
  /// The lines of the help or of the page that is open; `nil` while there is neither.
  public var pageLines: [String]? {
    switch mode {
    case .help(let page): page.layout.lines.map(\.text)
    case .page(let page): page.lines
    case .list, .reading, .versions, .menu, .calendar, .jump, .statistics, .order: nil
    }
  }

  /// The first line shown of the help or of the page.
  private var pageOffset: Int {
    get {
      switch mode {
      case .help(let page): page.offset
      case .page(let page): page.offset
      case .list, .reading, .versions, .menu, .calendar, .jump, .statistics, .order: 0
      }
    }
    set {
      if case .help(var page) = mode {
        page.offset = newValue
        mode = .help(page)
      } else if case .page(var page) = mode {
        page.offset = newValue
        mode = .page(page)
      }
    }
  }

  /// Opens the prompt of a search, or goes on with the last one.
  mutating func findInPage(_ action: Action) -> [Effect] {
    guard action != .search else {
      pageSearch = PageSearch(origin: pageOffset)
      return [.openPrompt(.search)]
    }
    guard let search = pageSearch, !search.text.isBlank else {
      status = .failed("nothing searched for yet; / searches")
      return []
    }
    goToPageMatch(action == .nextMatch ? .forward : .backward)
    return []
  }

  /// Searches for what was typed so far, from where the search began.
  mutating func searchPage(for text: String) {
    pageSearch?.text = text
    pageSearch?.line = nil
    if text.isBlank {
      pageOffset = pageSearch?.origin ?? 0
    } else {
      goToPageMatch(.here)
    }
  }

  /// Ends a search that was given up where it began.
  mutating func giveUpPageSearch() {
    if let search = pageSearch { pageOffset = search.origin }
    pageSearch = nil
  }

  private mutating func goToPageMatch(_ direction: SearchDirection) {
    guard let lines = pageLines, let search = pageSearch else { return }
    let matches = search.matches(in: lines)
    guard let first = matches.first, let last = matches.last else {
      status = .failed("nothing matches \(search.text)")
      return
    }
    let next: Int? =
      switch direction {
      case .here: matches.first { $0 >= search.origin }
      case .forward: matches.first { $0 > (search.line ?? pageOffset - 1) }
      case .backward: matches.last { $0 < (search.line ?? pageOffset) }
      }
    if next == nil { status = Search.wrapped(direction, isOnly: matches.count == 1) }
    show(pageLine: next ?? (direction == .backward ? last : first))
  }

  /// Scrolls to a match; one that is shown already stays where it is.
  private mutating func show(pageLine line: Int) {
    pageSearch?.line = line
    let height = layout.main.count
    guard !(pageOffset..<pageOffset + height).contains(line) else { return }
    // Some lines above it are shown too: the heading of a group says what its lines are about.
    pageOffset = clamped(line - height / 3, of: pageLines?.count ?? 0)
  }
}
