import SectionedResults

/// The long requests to the journal that wait for their answers.
///
/// Only the newest of a kind is wanted. A search looks through the list that is wanted, so that the
/// list comes first; matches are counted when nothing else is to be done.
package struct PendingQueries: Equatable, Sendable {
  private var show: ListQuery?
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
    case .show: show = query
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
    case .show: show = nil
    case .find: find = nil
    case .countMatches: matches = nil
    case .countStatistics: statistics = nil
    }
  }

  mutating func finishShow() { show = nil }
  mutating func finishFind() { find = nil }
  mutating func finishStatistics() { statistics = nil }

  /// Removes the count of matches: it was answered, or the list has changed since.
  mutating func finishMatches() { matches = nil }
}
