import SectionedResults

/// The long requests to the journal that wait for their answers.
///
/// Only the newest of a kind is wanted. A search looks through the list that is wanted, so that the
/// list comes first; matches are counted when nothing else is to be done.
package struct PendingQueries: Equatable, Sendable {
  private var show: ListQuery?
  /// The list that was wanted before ``show``, to go on with if that is refused.
  private var replacedShow: ListQuery?
  private var find: ListQuery?
  private var statistics: ListQuery?
  private var matches: ListQuery?

  /// Makes an empty set of requests.
  package init() {}

  /// Whether nothing is wanted.
  package var isEmpty: Bool { next == nil }

  /// The request to answer next.
  package var next: ListQuery? { result ?? matches }

  /// The request to answer before a key that acts on its result: the list, the selection, a page.
  package var result: ListQuery? { show ?? find ?? statistics }

  /// Adds a request in place of an older one of its kind.
  mutating func want(_ query: ListQuery) {
    switch query {
    case .show: (show, replacedShow) = (query, show)
    case .find:
      find = query
      matches = nil
    case .countMatches: matches = query
    case .countStatistics: statistics = query
    }
  }

  /// Removes a request of the same kind: it was answered, or it failed.
  mutating func finish(_ query: ListQuery) {
    switch query {
    case .show: finishShow()
    case .find: find = nil
    case .countMatches: matches = nil
    case .countStatistics: statistics = nil
    }
  }

  mutating func finishShow() { (show, replacedShow) = (nil, nil) }

  /// Goes on with the list that was wanted before one whose filter cannot be parsed: the result of the
  /// last text that can be parsed is shown, however fast the rest is typed.
  mutating func refuseShow() { (show, replacedShow) = (replacedShow, nil) }

  mutating func finishFind() { find = nil }
  mutating func finishStatistics() { statistics = nil }

  /// Removes the count of matches: it was answered, or the list has changed since.
  mutating func finishMatches() { matches = nil }
}
