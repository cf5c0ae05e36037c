import TextLayout

/// The unfinished work.
package struct WorkState: Equatable, Sendable {
  /// The word for it: `searching`.
  package var word: String?
  /// The unanswered long requests to the journal.
  package var queries = PendingQueries()
}

/// The unanswered long requests to the journal.
///
/// A new request replaces an older one of its kind.
package struct PendingQueries: Equatable, Sendable {
  private var queries: [ListQuery.Kind: ListQuery] = [:]
  /// The list requested before the present one, to continue with if that is refused.
  private var replacedShow: ListQuery?

  package init() {}

  /// Whether there are no requests.
  package var isEmpty: Bool { queries.isEmpty }

  /// The next request to answer.
  package var next: ListQuery? { first(of: ListQuery.Kind.allCases) }

  /// The unanswered request of a kind.
  package subscript(_ kind: ListQuery.Kind) -> ListQuery? { queries[kind] }

  /// The first request of some kinds.
  package func first(of kinds: [ListQuery.Kind]) -> ListQuery? {
    kinds.lazy.compactMap { queries[$0] }.first
  }

  /// Adds a request and replaces an older one of its kind.
  mutating func want(_ query: ListQuery) {
    if query.kind == .show { replacedShow = queries[.show] }
    if query.kind == .find { queries[.matches] = nil }
    queries[query.kind] = query
  }

  /// Removes the requests of some kinds after an answer, a failure, or a change of what they are about.
  mutating func finish(_ kinds: ListQuery.Kind...) {
    for kind in kinds { queries[kind] = nil }
    if kinds.contains(.show) { replacedShow = nil }
  }

  /// Continues with the list requested before one whose filter cannot be parsed.
  ///
  /// So the result of the last valid text is shown, however fast the user types on.
  mutating func refuseShow() { (queries[.show], replacedShow) = (replacedShow, nil) }
}

extension PendingQueries {
  /// A request for links is not compared: nothing on the screen says that it waits.
  package static func == (a: PendingQueries, b: PendingQueries) -> Bool {
    var (a, b) = (a, b)
    (a.queries[.links], b.queries[.links]) = (nil, nil)
    return a.queries == b.queries && a.replacedShow == b.replacedShow
  }
}

extension ListQuery {
  /// The kinds of requests, in the order in which they are answered.
  ///
  /// A search runs in the requested list, so the list comes first. No key acts on what the calendar
  /// counts and lists, and none in the list on the links of its entry; matches are counted when
  /// nothing else is pending, and a search is prepared before its text is typed.
  package enum Kind: CaseIterable, Sendable {
    case show, find, marks, statistics, titles, pictures, days, day, sidebar, links, matches, views,
      preparation

    /// The kinds whose results keys act on: the list, the selection, a page.
    static let awaited: [Kind] = [.show, .find, .marks] + ofPages

    /// The kinds whose results fill a page that is open already.
    static let ofPages: [Kind] = [.statistics, .titles, .pictures]
  }

  package var kind: Kind {
    switch self {
    case .show: .show
    case .find: .find
    case .countMatches: .matches
    case .countStatistics: .statistics
    case .findTitles: .titles
    case .markAll: .marks
    case .findPictures: .pictures
    case .countDays: .days
    case .listDay: .day
    case .countSidebar: .sidebar
    case .findLinks: .links
    case .countViews: .views
    case .prepareSearch: .preparation
    }
  }
}

extension State {
  /// The request whose answer the next key may act on.
  package var awaitedQuery: ListQuery? {
    // Only a key in the sidebar acts on its counts, and one in the reading pane on its links.
    work.queries.first(
      of: ListQuery.Kind.awaited + (pages.mode == .sidebar ? [.sidebar] : [])
        + (pages.mode == .reading ? [.links] : []))
  }

  /// The request to answer before a key, which acts on its result; `nil` for a key that does not.
  ///
  /// While the contents of a page are counted, a letter in a prompt does not, nor the first key of a sequence, a
  /// key that is not bound, one that opens the command line or the help, or one that leaves the page. Nor do keys
  /// that move in the list act on marks. Every key may act on the list and on a match.
  package func awaitedQuery(before key: KeyStroke, _ keys: KeyTable) -> ListQuery? {
    guard let query = awaitedQuery,
      query.kind == .marks || ListQuery.Kind.ofPages.contains(query.kind), !isGoingToTitle
    else { return awaitedQuery }
    if prompt.open != nil { return key.text == nil ? query : nil }
    guard !isAsking else { return query }
    var pressed = pressed
    switch pressed.press(key.name, keys, in: context) {
    case .incomplete, .givenUp, .unbound: return nil
    case .action(let action, _):
      let kind = action.row.kind
      return (query.kind == .marks ? kind.needsMarks : kind.needsPage) ? query : nil
    }
  }
}

extension ActionKind {
  /// Whether the action acts on marked entries, or on the list whose entries are marked.
  fileprivate var needsMarks: Bool {
    switch self {
    case .move, .fold, .scroll, .program(.command), .program(.redraw), .open(.page): false
    case .open, .go, .arrange, .search, .mark, .entry, .entries, .version, .write, .view, .place,
      .link, .file, .speech, .program:
      true
    }
  }

  /// Whether the action acts on the contents of the open page.
  fileprivate var needsPage: Bool {
    switch self {
    case .program(.command), .program(.redraw), .program(.quit), .open(.page), .view(.back),
      .view(.escape):
      false
    case .move, .fold, .open, .go, .arrange, .search, .mark, .entry, .entries, .version, .write,
      .view, .scroll, .place, .link, .file, .speech, .program:
      true
    }
  }
}
