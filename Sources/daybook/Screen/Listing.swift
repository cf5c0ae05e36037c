import Journal
import JournalStore
import Screen
import SectionedResults

/// The scope on the screen over the results that the store module hosts: makes requests and queries of
/// typed text, and selections of rows.
final class Listing {
  private let store: any EntryStore
  /// When a day ends.
  var rule: DayRule
  /// Receives the changes of the list.
  var receive: (EntryResultsNews) -> Void = { _ in } { didSet { results.receive = receive } }
  private var failure: (any Error)?
  /// The present scope.
  private(set) var scope: ListScope
  /// The host of the present results.
  private(set) var results: EntryResults

  /// The day that is called "Today".
  var today: Day { rule.day(of: store.clock.moment()) }

  /// Makes a listing; nothing is read before ``fetch()``.
  ///
  /// - Throws: what the results controller throws.
  init(store: any EntryStore, scope: ListScope = ListScope(), rule: DayRule) throws {
    self.store = store
    self.rule = rule
    self.scope = scope
    results = try EntryResults(store, try Self.request(for: scope, store, rule))
  }

  /// Fetches the list, for the first time or again.
  ///
  /// - Parameter selection: the present selection.
  /// - Returns: its path after the fetch.
  /// - Throws: what the store throws.
  @discardableResult
  func fetch(selection: ListPosition? = nil) throws -> RowPath? {
    let selected = selectedRow(selection)
    try results.fetch()
    return try selected.flatMap { try results.path(of: $0.id) }
  }

  /// The result of showing another scope.
  struct Shown {
    /// The row to select.
    var selection: RowPath?
    /// The number of the entry that was selected before.
    var leaving: Int64?
  }

  /// Shows another scope, and goes on with the old one if that fails or is given up.
  ///
  /// - Parameters:
  ///   - selection: what is selected now.
  ///   - landing: what to select in the new list.
  ///   - isCancelled: whether to give up.
  /// - Returns: `nil` if it was given up.
  /// - Throws: `QueryError`, and what the store throws.
  func show(
    _ scope: ListScope, from selection: ListPosition?, _ landing: Landing,
    isCancelled: @escaping () -> Bool
  ) throws -> Shown? {
    let selected = selectedRow(selection)
    let next = try EntryResults(store, try Self.request(for: scope, store, rule))
    let shown = try store.cancellable(isCancelled) {
      try next.fetch()
      let path = try path(of: landing, selected, in: next)
      return Shown(selection: path, leaving: selected?.id.number)
    }
    guard let shown else { return nil }
    try results.end()
    next.receive = receive
    results = next
    self.scope = scope
    return shown
  }

  /// Whether a scope can be shown.
  ///
  /// - Throws: `QueryError`.
  func check(_ scope: ListScope) throws {
    _ = try Self.query(of: scope, store, rule)
  }

  private static func request(
    for scope: ListScope, _ store: any EntryStore, _ rule: DayRule
  ) throws -> FetchRequest<EntryRow> {
    .entries(
      query: try query(of: scope, store, rule), order: scope.order, sectioning: scope.sectioning)
  }

  /// Which entries a scope holds; `nil` for all outside the trash.
  private static func query(
    of scope: ListScope, _ store: any EntryStore, _ rule: DayRule
  ) throws -> Query? {
    let isEmpty = scope.filter.allSatisfy(\.isWhitespace)
    var query =
      isEmpty
      ? nil
      : try Query.parse(
        scope.filter, now: store.clock.moment(), clock: store.clock, rule: rule,
        prefixLastWord: scope.takesPrefix)
    if scope.isTrash {
      query = query.map { .and([$0, .flag(.deleted)]) } ?? .flag(.deleted)
    }
    return query
  }

  /// How much was written when in what a scope holds, ever or in a year.
  ///
  /// - Returns: `nil` if it was given up.
  /// - Throws: `QueryError`, and what the store throws.
  func statistics(
    of scope: ListScope, year: Int? = nil, isCancelled: @escaping () -> Bool
  ) throws -> Statistics? {
    let query = Query.of(year: year, try Self.query(of: scope, store, rule))
    return try store.cancellable(isCancelled) { try store.statistics(of: query) }
  }

  /// Whether a filter is one that can be shown.
  static func canShow(_ filter: String, _ store: any EntryStore, _ rule: DayRule) -> Bool {
    (try? request(for: ListScope(filter: filter), store, rule)) != nil
  }

  /// The filter of a scope as it can be written down: what was typed as the beginning of a word says
  /// so itself.
  ///
  /// - Throws: `QueryError`.
  func written(_ scope: ListScope) throws -> String {
    let filter = scope.filter.split(separator: " ").joined(separator: " ")
    guard scope.takesPrefix else { return filter }
    let now = store.clock.moment()
    let wanted = try parsed(filter)
    let variants = [filter, filter + "*"]
    return try variants.first {
      try Query.parse($0, now: now, clock: store.clock, rule: rule) == wanted
    } ?? filter
  }

  /// What a filter means once it is typed to its end: whole words, unless only words that begin so are
  /// found; then it says so with a star.
  ///
  /// - Throws: `QueryError`.
  func settled(_ scope: ListScope) throws -> ListScope {
    guard scope.takesPrefix else { return scope }
    let exact = scope.filtered(by: scope.filter)
    if try hasRows(exact) { return exact }
    // Where neither finds anything what was typed stays.
    let prefix = scope.filtered(by: try written(scope))
    return try hasRows(prefix) ? prefix : exact
  }

  private func hasRows(_ scope: ListScope) throws -> Bool {
    let request = try Self.request(for: scope, store, rule)
    return try store.firstRow(of: request, after: nil) != nil
  }

  /// A query as a person types it.
  ///
  /// - Throws: `QueryError`.
  func parsed(_ text: String, takesPrefix: Bool = true) throws -> Query {
    try Query.parse(
      text, now: store.clock.moment(), clock: store.clock, rule: rule, prefixLastWord: takesPrefix)
  }
}

// MARK: - Rows

extension Listing {
  /// The row at a path; `nil` if the store cannot read it, which ``takeFailure()`` then tells.
  func row(at path: RowPath) -> EntryRow? {
    do {
      return try results.controller.object(at: path)
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// The first error since the last call that left a row unread.
  func takeFailure() -> (any Error)? {
    defer { failure = nil }
    return failure
  }

  /// The selected row; the first one of a folded section.
  private func selectedRow(_ selection: ListPosition?) -> EntryRow? {
    guard let selection else { return nil }
    return try? results.controller.object(at: selection.path ?? RowPath(selection.section, 0))
  }

  /// The path that a landing means in another list; `nil` where that list is empty.
  private func path(
    of landing: Landing, _ selected: EntryRow?, in next: EntryResults
  ) throws -> RowPath? {
    let wanted: EntryRow?
    switch landing {
    case .top: return next.sections.first.map { _ in RowPath(0, 0) }
    case .nearest: wanted = selected
    case .entry(let number) where number == selected?.id.number: wanted = selected
    case .entry(let number):
      wanted = try store.entries([number]).first?.row() ?? selected
    }
    return try wanted.flatMap { try next.path(nearestTo: $0) }
  }
}

// MARK: - Finding

extension Listing {
  /// The nearest row that matches a query as it was typed, from a row on, round the end of the list.
  ///
  /// - Returns: `nil` if the search was given up.
  /// - Throws: `QueryError`, and what the store throws.
  func find(
    _ text: String, from path: RowPath?, _ direction: SearchDirection,
    isCancelled: @escaping () -> Bool
  ) throws -> EntryResults.Match? {
    let start = path.flatMap { path in row(at: path).map { (row: $0, path: path) } }
    return try results.match(
      of: try parsed(text), from: start, isBackward: direction == .backward,
      isHereEnough: direction == .here, isCancelled: isCancelled)
  }

  /// Which of all matches of a query a row is.
  ///
  /// - Returns: `nil` if the count was given up, or the row is gone.
  /// - Throws: `QueryError`, and what the store throws.
  func matchPlace(
    of text: String, at path: RowPath, isCancelled: @escaping () -> Bool
  ) throws -> MatchPlace? {
    let query = try parsed(text)
    let sections = results.controller.numberOfSections ?? 0
    guard path.section < sections,
      results.controller.numberOfRows(inSection: path.section) > path.row, let row = row(at: path)
    else { return nil }
    return try results.matches(of: query, before: row, isCancelled: isCancelled).map {
      MatchPlace(
        index: $0.before + 1, count: $0.all, path: path, generation: results.generation)
    }
  }

  /// The first row of a date in words, or the nearest one in time.
  ///
  /// - Returns: the days that the words mean, and the place; no place where the list has no dates to
  ///   go by, or no row.
  /// - Throws: `WhenError`, and what the store throws.
  func place(of words: String) throws -> (days: ClosedRange<Day>, place: EntryResults.DayPlace?) {
    let now = store.clock.moment()
    let when = try When.parse(words, now: now, clock: store.clock, rule: rule)
    let days = when.firstDay...when.lastDay
    return (days, try results.place(of: days))
  }

  /// What is in the trash, for a list that has nothing.
  func trashContents() -> TrashContents {
    let request = FetchRequest.entries(query: .flag(.deleted), sectioning: .none)
    let everything = KeyRange(lower: nil, upper: nil)
    let count = try? store.read { try $0.count(of: request, in: everything) }
    guard let count, count > 0 else { return TrashContents() }
    let last = (try? store.pendingSteps())?.undo
    return TrashContents(count: count, isUndone: last?.kind == .delete && !store.isReadOnly)
  }

  /// How many entries the days of a range have.
  ///
  /// - Throws: what the store throws.
  func counts(_ days: ClosedRange<Day>) throws -> [Day: Int] {
    let query = Query.and([.since(days.lowerBound), .until(days.upperBound)])
    let groups = try store.read { try $0.outline(of: .entries(query: query)) }
    var counts: [Day: Int] = [:]
    for group in groups {
      if let day = Day(group.section) { counts[day, default: 0] += group.count }
    }
    return counts
  }
}
