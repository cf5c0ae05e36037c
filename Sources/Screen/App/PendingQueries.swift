import SectionedResults

/// The unanswered long requests to the journal.
///
/// A new request replaces an older one of its kind. A search runs in the requested list, so the
/// list comes first. No key acts on what the calendar counts and lists, so a key does not wait for
/// it; matches are counted when nothing else is pending, and a search is prepared before its text is
/// typed.
package struct PendingQueries: Equatable, Sendable {
  private var show: ListQuery?
  /// The list requested before ``show``, to continue with if that is refused.
  private var replacedShow: ListQuery?
  private var find: ListQuery?
  private var statistics: ListQuery?
  private var titles: ListQuery?
  private var matches: ListQuery?
  private var days: ListQuery?
  private var day: ListQuery?
  /// The counts of the sidebar, on which only a key in the sidebar acts.
  package private(set) var sidebar: ListQuery?
  private var preparation: ListQuery?

  package init() {}

  /// Whether there are no requests.
  package var isEmpty: Bool { next == nil }

  /// The next request to answer.
  package var next: ListQuery? { result ?? days ?? day ?? sidebar ?? matches ?? preparation }

  /// The request to answer before a key that acts on its result: the list, the selection, a page.
  package var result: ListQuery? { show ?? find ?? statistics ?? titles }

  /// Adds a request and replaces an older one of its kind.
  mutating func want(_ query: ListQuery) {
    switch query {
    case .show: (show, replacedShow) = (query, show)
    case .find:
      find = query
      matches = nil
    case .countMatches: matches = query
    case .countStatistics: statistics = query
    case .findTitles: titles = query
    case .countDays: days = query
    case .listDay: day = query
    case .countSidebar: sidebar = query
    case .prepareSearch: preparation = query
    }
  }

  /// Removes a request of the same kind after an answer or a failure.
  mutating func finish(_ query: ListQuery) {
    switch query {
    case .show: finishShow()
    case .find: find = nil
    case .countMatches: matches = nil
    case .countStatistics: statistics = nil
    case .findTitles: titles = nil
    case .countDays: days = nil
    case .listDay: day = nil
    case .countSidebar: sidebar = nil
    case .prepareSearch: preparation = nil
    }
  }

  mutating func finishShow() { (show, replacedShow) = (nil, nil) }

  /// Continues with the list requested before one whose filter cannot be parsed.
  ///
  /// So the result of the last valid text is shown, however fast the user types on.
  mutating func refuseShow() { (show, replacedShow) = (replacedShow, nil) }

  mutating func finishFind() { find = nil }
  mutating func finishStatistics() { statistics = nil }
  mutating func finishTitles() { titles = nil }
  mutating func finishDays() { days = nil }
  mutating func finishDay() { day = nil }
  mutating func finishSidebar() { sidebar = nil }
  mutating func finishPreparation() { preparation = nil }

  /// Whether matches are to be counted.
  var countsMatches: Bool { matches != nil }

  /// Removes the count of matches after an answer or a change of the list.
  mutating func finishMatches() { matches = nil }
}

extension State {
  /// The request to answer before the next key, which acts on its result.
  package var awaitedQuery: ListQuery? {
    queries.result ?? (mode == .sidebar ? queries.sidebar : nil)
  }
}
