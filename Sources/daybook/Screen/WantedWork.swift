import Screen

/// Reads of the journal that may take long: only the newest of a kind is wanted, and any key is heard
/// before they are finished.
struct WantedWork {
  private(set) var show: Effect?
  private(set) var find: Effect?
  private(set) var count: Effect?
  private(set) var matches: Effect?

  /// Whether nothing is wanted.
  var isEmpty: Bool { show == nil && find == nil && count == nil && matches == nil }

  /// Wants an effect instead of an older one of its kind.
  mutating func want(_ effect: Effect) {
    switch effect {
    case .show: show = effect
    case .find:
      find = effect
      matches = nil
    case .countMatches: matches = effect
    case .countStatistics: count = effect
    default: break
    }
  }

  /// What to do next; a search looks through the list that is wanted, and its matches are counted when
  /// nothing else is to be done.
  var next: Effect? { result ?? matches }

  /// What is to be done before a key that acts on what it leads to: the list, the selection, a page.
  var result: Effect? { show ?? find ?? count }

  /// Forgets a search that is not wanted any more.
  mutating func finishFind() { find = nil }

  /// Forgets to count the matches in a list that has changed since.
  mutating func forgetMatches() { matches = nil }

  /// Notes that an effect is done.
  mutating func finish(_ effect: Effect) {
    if show == effect { show = nil }
    if find == effect { find = nil }
    if count == effect { count = nil }
    if matches == effect { matches = nil }
  }
}
