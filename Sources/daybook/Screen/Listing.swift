import Journal
import JournalStore
import Screen
import SectionedResults
import TextLayout

/// The list on the screen: its scope, and the results of the store for it.
///
/// Turns typed text into requests and queries.
final class Listing {
  private let store: any EntryStore
  /// When a day ends.
  private(set) var rule: DayRule
  /// Whether the list by day shows entries of this day in other years.
  private(set) var showsOtherYears: Bool
  /// The receiver of the changes of the list.
  weak var receiver: (any EntryResultsReceiver)? { didSet { results.receiver = receiver } }
  private var failure: (any Error)?
  /// The present scope.
  private(set) var scope: ListScope
  /// The host of the present results.
  private(set) var results: EntryResults

  /// Today, by the day rule.
  var today: Day { rule.day(of: store.clock.moment()) }

  /// Prepares a listing; nothing is read before ``fetch()``.
  ///
  /// - Throws: the errors of the results controller.
  init(
    store: any EntryStore, scope: ListScope = ListScope(), rule: DayRule,
    showsOtherYears: Bool = true
  ) throws {
    self.store = store
    self.rule = rule
    self.showsOtherYears = showsOtherYears
    self.scope = scope
    results = try EntryResults(
      store, try Self.request(for: scope, store, rule),
      head: Self.head(for: scope, store, rule, showsOtherYears))
  }

  /// The head of a scope: of the list of all entries by day.
  private static func head(
    for scope: ListScope, _ store: any EntryStore, _ rule: DayRule, _ showsOtherYears: Bool
  ) -> DayHead? {
    guard scope.grouping == .day, scope.coverage.isWhole else { return nil }
    return DayHead(day: rule.day(of: store.clock.moment()), showsOtherYears: showsOtherYears)
  }

  /// Uses other settings from now on.
  func use(_ settings: Settings) {
    (rule, showsOtherYears) = (settings.dayRule, settings.onThisDay)
    followTime()
  }

  /// Moves the list on to the present day: its head, and a filter with a relative date.
  ///
  /// A failure is received as one, and the list stays.
  func followTime() {
    do {
      if let head = Self.head(for: scope, store, rule, showsOtherYears) {
        try results.move(to: head)
      } else {
        try results.move(to: try Self.query(of: scope, store, rule))
      }
    } catch {
      receiver?.take(.failed(error))
    }
  }

  /// Fetches the list, the first time or again.
  ///
  /// - Parameter selection: the present selection.
  /// - Returns: the path of the selection after the fetch.
  /// - Throws: the errors of the store.
  @discardableResult
  func fetch(selection: ListWidget.Position? = nil) throws -> RowPath? {
    let selected = selectedRow(selection)
    try results.fetch()
    return try selected.flatMap { try results.path(of: $0.id) }
  }

  /// The result of a change of scope.
  struct Shown {
    /// The row to select.
    var selection: RowPath?
    /// The number of the entry that was selected in the old scope.
    var leaving: Int64?
  }

  /// Shows another scope; keeps the old one on failure or cancellation.
  ///
  /// - Parameters:
  ///   - selection: the present selection.
  ///   - landing: the selection in the new list.
  ///   - isCancelled: whether to stop.
  /// - Returns: `nil` if it was cancelled.
  /// - Throws: `QueryError`, and the errors of the store.
  func show(
    _ scope: ListScope, from selection: ListWidget.Position?, _ landing: Landing,
    isCancelled: @escaping () -> Bool
  ) throws -> Shown? {
    let selected = selectedRow(selection)
    try check(scope)
    let next = try EntryResults(
      store, try Self.request(for: scope, store, rule),
      head: Self.head(for: scope, store, rule, showsOtherYears))
    let shown = try store.cancellable(isCancelled) {
      try next.fetch()
      let path = try path(of: landing, selected, in: next)
      return Shown(selection: path, leaving: selected?.id.number)
    }
    guard let shown else { return nil }
    results.end()
    next.receiver = receiver
    results = next
    self.scope = scope
    return shown
  }

  /// Checks that a scope can be shown; the present filter can, even if its field is in no text any more.
  ///
  /// - Throws: `QueryError`, and ``Failure`` for an order or sections of a field that no text has.
  func check(_ scope: ListScope) throws {
    if scope.order != self.scope.order {
      try FieldArrangement.check(scope.order, "sort", in: store)
    }
    if scope.grouping != self.scope.grouping {
      try FieldArrangement.check(scope.grouping, "section", in: store)
    }
    guard scope.filter != self.scope.filter else { return }
    _ = try Self.query(of: scope, store, rule, store.textFields)
  }

  private static func request(
    for scope: ListScope, _ store: any EntryStore, _ rule: DayRule
  ) throws -> ResultsRequest<EntryRow> {
    .entries(
      query: try query(of: scope, store, rule), order: scope.order, grouping: scope.grouping,
      pageSize: pageSize, measure: scope.measure)
  }

  /// The number of rows that are read at once: a row on the screen waits for its page, and each row may
  /// be on another page of the disk.
  private static let pageSize = 16

  /// The query of a scope; `nil` for all entries outside the trash.
  private static func query(
    of scope: ListScope, _ store: any EntryStore, _ rule: DayRule,
    _ textFields: TextFields = .any
  ) throws -> Query? {
    let isEmpty = scope.filter.allSatisfy(\.isWhitespace)
    var query =
      isEmpty
      ? nil
      : try Query.parse(
        scope.filter, now: store.clock.moment(), clock: store.clock, rule: rule,
        prefixLastWord: scope.takesPrefix, textFields: textFields)
    if scope.isTrash {
      query = query.map { .and([$0, .flag(.deleted)]) } ?? .flag(.deleted)
    }
    return query
  }

  /// The statistics of a scope's entries, of all years or of one.
  ///
  /// - Returns: `nil` if it was cancelled.
  /// - Throws: `QueryError`, and the errors of the store.
  func statistics(
    of scope: ListScope, year: Int? = nil, isCancelled: @escaping () -> Bool
  ) throws -> Statistics? {
    let query = Query.of(year: year, try Self.query(of: scope, store, rule))
    return try store.cancellable(isCancelled) { try store.statistics(of: query) }
  }

  /// The years with entries in a scope, in order.
  ///
  /// - Returns: `nil` if it was cancelled.
  /// - Throws: `QueryError`, and the errors of the store.
  func years(of scope: ListScope, isCancelled: @escaping () -> Bool) throws -> [Int]? {
    let request = try Self.request(
      for: ListScope(
        filter: scope.filter, grouping: .year, isTrash: scope.isTrash,
        takesPrefix: scope.takesPrefix), store, rule)
    return try store.cancellable(isCancelled) {
      let groups = try store.read { try $0.outline(of: request) }
      return Set(
        groups.compactMap { Grouping.year.days(ofSection: $0.section)?.lowerBound.year }
      ).sorted()
    }
  }

  /// The pictures that a scope's entries show, for the gallery.
  ///
  /// - Returns: `nil` if it was cancelled.
  /// - Throws: `QueryError`, and the errors of the store.
  func pictures(
    of scope: ListScope, isCancelled: @escaping () -> Bool
  ) throws -> GalleryEvent? {
    let query = try Self.query(of: scope, store, rule)
    let found = try store.cancellable(isCancelled) {
      try store.inspect { try $0.pictures(matching: query, limit: Gallery.most) }
    }
    return found.map { found in
      .found(scope, found.first.map(Gallery.Picture.init), count: found.count)
    }
  }

  /// The sums of a field in a scope, in all years or in one.
  ///
  /// - Returns: `nil` if it was cancelled.
  /// - Throws: `QueryError`, and the errors of the store.
  func sums(
    of field: String, in scope: ListScope, year: Int?, isCancelled: @escaping () -> Bool
  ) throws -> StatisticsEvent? {
    let query = try Self.query(of: scope, store, rule)
    func sums(_ year: Int?) throws -> FieldStatistics? {
      try store.cancellable(isCancelled) {
        try store.statistics(
          ofField: field, matching: Query.of(year: year, query),
          by: FieldPage.grouping(year: year))
      }
    }
    guard let all = try sums(nil), let shown = year == nil ? all : try sums(year) else {
      return nil
    }
    return .summed(
      scope, field: field, shown, today: today, year: year,
      years: Set(all.days.map(\.day.year)).sorted())
  }

  /// Whether a filter is valid.
  static func canShow(_ filter: String, _ store: any EntryStore, _ rule: DayRule) -> Bool {
    (try? request(for: ListScope(filter: filter), store, rule)) != nil
  }

  /// The filter of a scope in a form that can be saved: a prefix has a star.
  ///
  /// - Throws: `QueryError`.
  func written(_ scope: ListScope) throws -> String {
    let filter = scope.filter.split(separator: " ").joined(separator: " ")
    guard scope.takesPrefix else { return filter }
    let now = store.clock.moment()
    let wanted = try Query.parse(
      filter, now: now, clock: store.clock, rule: rule, prefixLastWord: true, textFields: .any)
    // In a value in quotation marks the star is before the last one.
    let quoted = filter.hasSuffix("\"") ? ["\(filter.dropLast())*\""] : []
    return ([filter, filter + "*"] + quoted).first {
      (try? Query.parse($0, now: now, clock: store.clock, rule: rule, textFields: .any)) == wanted
    } ?? filter
  }

  /// The scope for a completely typed filter: it matches whole words, unless only words with the
  /// prefix are found; then the filter has a star.
  ///
  /// - Throws: `QueryError`.
  func settled(_ scope: ListScope) throws -> ListScope {
    guard scope.takesPrefix else { return scope }
    try check(scope)
    let exact = scope.filtered(by: scope.filter)
    if try hasRows(exact) { return exact }
    // If neither finds anything the typed filter stays.
    let prefix = scope.filtered(by: try written(scope))
    return try hasRows(prefix) ? prefix : exact
  }

  private func hasRows(_ scope: ListScope) throws -> Bool {
    let request = try Self.request(for: scope, store, rule)
    return try store.firstRow(of: request, after: nil) != nil
  }

  /// Parses a typed query.
  ///
  /// - Parameter isTyped: whether somebody is still typing it, so that its last word may be only begun.
  /// - Throws: `QueryError`.
  func parsed(_ text: String, takesPrefix: Bool = true, isTyped: Bool = false) throws -> Query {
    try Query.parse(
      text, now: store.clock.moment(), clock: store.clock, rule: rule, prefixLastWord: takesPrefix,
      leavesOutBegun: isTyped, textFields: store.textFields)
  }
}

// MARK: - Rows

extension Listing {
  /// The row at a path; `nil` if the store cannot read it, see ``takeFailure()``.
  func row(at path: RowPath) -> EntryRow? {
    do {
      return try results.list.object(at: path)
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// The days among these with several offsets from UTC; none if the store cannot read them.
  func daysWithSeveralOffsets(among days: Set<Day>) -> Set<Day> {
    do {
      return try store.daysWithSeveralOffsets(among: days)
    } catch {
      failure = failure ?? error
      return []
    }
  }

  /// The first read error of a row since the last call.
  func takeFailure() -> (any Error)? {
    defer { failure = nil }
    return failure
  }

  /// The selected row; for a folded section its first row.
  private func selectedRow(_ selection: ListWidget.Position?) -> EntryRow? {
    guard let selection else { return nil }
    return try? results.list.object(at: selection.path ?? RowPath(selection.section, 0))
  }

  /// The path of a landing in another list; `nil` for an empty list.
  private func path(
    of landing: Landing, _ selected: EntryRow?, in next: EntryResults
  ) throws -> RowPath? {
    let wanted: EntryRow?
    switch landing {
    case .top: return next.firstPath
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
  /// The nearest row from a row on that matches a typed query; the search wraps round the end.
  ///
  /// - Returns: `nil` if the search was cancelled.
  /// - Throws: `QueryError`, and the errors of the store.
  func find(
    _ text: String, from path: RowPath?, _ direction: SearchDirection,
    isCancelled: @escaping () -> Bool
  ) throws -> EntryResults.Match? {
    let start = path.flatMap { path in row(at: path).map { (row: $0, path: path) } }
    return try results.match(
      of: try parsed(text, isTyped: direction == .here), from: start,
      isBackward: direction == .backward,
      isHereEnough: direction == .here, isCancelled: isCancelled)
  }

  /// The index of a row among all matches of a query.
  ///
  /// - Returns: `nil` if the count was cancelled, or the row is deleted.
  /// - Throws: `QueryError`, and the errors of the store.
  func matchPlace(
    of text: String, at path: RowPath, isCancelled: @escaping () -> Bool
  ) throws -> MatchPlace? {
    let query = try parsed(text)
    guard results.list.numberOfRows(inSection: path.section) > path.row, let row = row(at: path)
    else { return nil }
    return try results.matches(of: query, before: row, isCancelled: isCancelled).map {
      MatchPlace(
        index: $0.before + 1, count: $0.all, path: path, generation: results.generation)
    }
  }

  /// The first row of a date in words, or the nearest one in time.
  ///
  /// - Returns: the days of the words, and the row's place; no place if the list has no rows or no
  ///   order by date.
  /// - Throws: `WhenError`, and the errors of the store.
  func place(of words: String) throws -> (days: ClosedRange<Day>, place: EntryResults.DayPlace?) {
    let days = try days(of: words)
    return (days, try results.place(of: days))
  }

  /// The days that words mean.
  ///
  /// - Throws: `WhenError`.
  func days(of words: String) throws -> ClosedRange<Day> {
    let now = store.clock.moment()
    let when = try When.parse(words, now: now, clock: store.clock, rule: rule)
    return when.firstDay...when.lastDay
  }

  /// The contents of the trash, for an empty list.
  func trashContents() -> TrashContents {
    let request = ResultsRequest.entries(query: .flag(.deleted), grouping: .none)
    let everything = ResultsKeyRange(lower: nil, upper: nil)
    let count = try? store.read { try $0.count(of: request, in: everything) }
    guard let count, count > 0 else { return TrashContents() }
    let last = (try? store.pendingSteps(.session))?.undo
    return TrashContents(count: count, isUndone: last?.kind == .delete && !store.isReadOnly)
  }

  /// The number of entries of each query; none of what is no query.
  ///
  /// - Returns: `nil` if the count was cancelled.
  /// - Throws: the errors of the store.
  func counts(
    ofViews queries: [String], isCancelled: @escaping () -> Bool
  ) throws -> [String: Int]? {
    try store.cancellable(isCancelled) {
      var counts: [String: Int] = [:]
      for text in Set(queries) {
        guard let request = try? Self.request(for: ListScope(filter: text), store, rule) else {
          continue
        }
        counts[text] = try store.read {
          try $0.count(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
        }
      }
      return counts
    }
  }

  /// The days with entries in a range of days, in order.
  ///
  /// - Returns: `nil` if the count was cancelled.
  /// - Throws: the errors of the store.
  func counts(
    _ days: ClosedRange<Day>, isCancelled: @escaping () -> Bool
  ) throws -> [DayCount]? {
    try store.cancellable(isCancelled) { try store.dayCounts(in: days) }
  }

  /// The first rows of a day, the newest first, as in the list; in a list of the oldest first as there.
  ///
  /// - Complexity: linear in the entries of the day.
  /// - Throws: the errors of the store.
  func rows(of day: Day, limit: Int) throws -> [EntryRow] {
    let request = ResultsRequest.entries(
      query: .and([.since(day), .until(day)]),
      order: scope.order == .oldest ? .oldest : .newest)
    return try store.read { snapshot in
      let keys = try snapshot.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil)).prefix(
        limit)
      let rows = try snapshot.rows(of: request, ids: keys.map(\.id))
      let byID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      return keys.compactMap { byID[$0.id] }
    }
  }
}
