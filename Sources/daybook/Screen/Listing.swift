import Journal
import JournalStore
import Screen
import SectionedResults

/// The list's side of the journal: hosts the results controller of the present scope and answers
/// where things stand in it.
final class Listing {
  private let store: any EntryStore
  /// When a day ends.
  var rule: DayRule
  /// Where news of the list go.
  var send: (Event) -> Void = { _ in }
  private var listener: ResultsListener?
  private var failure: (any Error)?
  /// What is shown.
  private(set) var scope: ListScope
  /// The controller of what is shown.
  private(set) var controller: ResultsController<EntryRow>

  /// The day that is called "Today".
  var today: Day { rule.day(of: store.clock.moment()) }

  /// Makes a listing; nothing is read before ``start()``.
  ///
  /// - Throws: what the results controller throws.
  init(store: any EntryStore, scope: ListScope = ListScope(), rule: DayRule) throws {
    self.store = store
    self.rule = rule
    self.scope = scope
    controller = try store.controller(for: try Self.request(for: scope, store, rule))
  }

  /// Fetches for the first time and tells what there is.
  ///
  /// - Throws: what the store throws.
  func start() throws {
    try listen()
    try controller.performFetch()
    send(ResultsListener.reloaded(controller))
  }

  /// Fetches everything again.
  ///
  /// - Parameter selection: what is selected, to be found again.
  /// - Throws: what the store throws.
  func reload(selection: ListPosition?) throws {
    let selected = selectedRow(selection)
    try controller.performFetch()
    let path = try selected.flatMap { try controller.indexPath(for: $0.id) }
    send(
      .list(
        .reloaded(
          ResultsListener.sections(of: controller), generation: controller.generation,
          selection: path, query: controller.request.filter)))
  }

  /// Shows another scope, and goes on with the old one if that fails or is given up.
  ///
  /// - Parameters:
  ///   - selection: what is selected now.
  ///   - landing: what to select in the new list.
  ///   - isCancelled: whether to give up.
  /// - Returns: the news; `nil` if it was given up.
  /// - Throws: `QueryError`, and what the store throws.
  func show(
    _ scope: ListScope, from selection: ListPosition?, _ landing: Landing,
    isCancelled: @escaping () -> Bool
  ) throws -> Event? {
    let selected = selectedRow(selection)
    let next = try store.controller(for: try Self.request(for: scope, store, rule))
    let news = try store.cancellable(isCancelled) {
      try next.performFetch()
      let path = try path(of: landing, selected, in: next, scope)
      let sections = ResultsListener.sections(of: next)
      return Event.list(
        .shown(
          scope, sections, generation: next.generation, selection: path,
          leaving: selected?.id.number, query: next.request.filter))
    }
    guard let news else { return nil }
    try controller.setDelegate(nil)
    controller = next
    self.scope = scope
    try listen()
    return news
  }

  /// Whether a scope can be shown.
  ///
  /// - Throws: `QueryError`.
  func check(_ scope: ListScope) throws {
    _ = try Self.query(of: scope, store, rule)
  }

  private func listen() throws {
    let listener = ResultsListener(sectioning: scope.sectioning, send: send)
    self.listener = listener
    try controller.setDelegate(listener)
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
      return try controller.object(at: path)
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

  /// Where an entry stands: under the same tag if it can, in a list by tag.
  ///
  /// - Throws: what the store throws.
  func path(of number: Int64) throws -> RowPath? {
    try Self.path(of: EntryRowID(number: number), in: controller)
  }

  /// Where a row stands now.
  ///
  /// - Throws: what the store throws.
  func path(of id: EntryRowID) throws -> RowPath? { try controller.indexPath(for: id) }

  /// The numbers of the rows of a range.
  ///
  /// - Throws: what the store throws.
  func numbers(in range: ClosedRange<RowPath>) throws -> [Int64] {
    var numbers: [Int64] = []
    for section in range.lowerBound.section...range.upperBound.section {
      let first = section == range.lowerBound.section ? range.lowerBound.row : 0
      let end =
        section == range.upperBound.section
        ? range.upperBound.row + 1 : controller.numberOfRows(inSection: section)
      for row in first..<max(first, end) {
        numbers.append(try controller.identity(at: RowPath(section, row)).number)
      }
    }
    return numbers
  }

  /// The numbers of all entries that the list shows.
  ///
  /// - Throws: what the store throws.
  func allNumbers() throws -> [Int64] {
    try store.numbers(matching: controller.request.filter)
  }

  /// A row of another list in this one; sections by tag have rows of their own.
  private static func path(
    of id: EntryRowID, in controller: ResultsController<EntryRow>
  ) throws -> RowPath? {
    if let path = try controller.indexPath(for: id) { return path }
    guard controller.request.sectionField == .tag || !id.tag.isEmpty else { return nil }
    if let path = try controller.indexPath(for: EntryRowID(number: id.number)) { return path }
    for tag in try controller.store.read({ try tags(of: id.number, $0, controller.request) }) {
      let row = EntryRowID(number: id.number, tag: tag)
      if let path = try controller.indexPath(for: row) { return path }
    }
    return nil
  }

  private static func tags(
    of number: Int64, _ snapshot: any ResultsSnapshot<EntryRow>, _ request: FetchRequest<EntryRow>
  ) throws -> [String] {
    let request = EntryRequest.entries(query: request.filter)
    let rows = try snapshot.rows(of: request, ids: [EntryRowID(number: number)])
    return rows.flatMap(\.tags).map { Tag.key(of: $0) }
  }
}

// MARK: - Landing

extension Listing {
  /// The selected row; the first one of a folded section.
  private func selectedRow(_ selection: ListPosition?) -> EntryRow? {
    guard let selection else { return nil }
    return try? controller.object(at: selection.path ?? RowPath(selection.section, 0))
  }

  /// The path that a landing means in another list; `nil` where that list is empty.
  private func path(
    of landing: Landing, _ selected: EntryRow?, in next: ResultsController<EntryRow>,
    _ scope: ListScope
  ) throws -> RowPath? {
    let wanted: EntryRow?
    switch landing {
    case .top: return next.sectionCounts.first.map { _ in RowPath(0, 0) }
    case .nearest: wanted = selected
    case .entry(let number) where number == selected?.id.number: wanted = selected
    case .entry(let number):
      wanted = try store.entries([number]).first?.row() ?? selected
    }
    guard let wanted else { return nil }
    return try Self.path(of: wanted.id, in: next) ?? nearestPath(to: wanted, in: next, scope)
  }

  /// The row of another list that was written, or under its order changed, nearest to a row in time.
  private func nearestPath(
    to row: EntryRow, in next: ResultsController<EntryRow>, _ scope: ListScope
  ) throws -> RowPath? {
    let isByChange = scope.order == .modified
    let request = FetchRequest<EntryRow>.entries(
      query: next.request.filter, order: isByChange ? .modified : .newest, sectioning: .none)
    // A damaged journal may hold instants whose distance is no Int64.
    let moment = { (row: EntryRow) in
      Double(isByChange ? row.modified.seconds : row.created.seconds)
    }
    let neighbours = try [request, request.reversed].compactMap { request in
      try store.firstRow(of: request, after: request.key(of: row))
    }
    let nearest = try store.read { try $0.rows(of: request, ids: neighbours) }
      .min { abs(moment($0) - moment(row)) < abs(moment($1) - moment(row)) }
    return try nearest.flatMap { try Self.path(of: $0.id, in: next) }
  }
}

// MARK: - Finding

extension Listing {
  /// The nearest row that matches a query, from a row on, round the end of the list.
  ///
  /// - Returns: the news; `nil` if the search was given up.
  /// - Throws: `QueryError`, and what the store throws.
  func find(
    _ text: String, from path: RowPath?, _ direction: SearchDirection,
    isCancelled: @escaping () -> Bool
  ) throws -> Event? {
    var request = try request(matching: text)
    if direction == .backward { request = request.reversed }
    let start = path.flatMap(row(at:)).map { request.key(of: $0) }
    if direction == .here, let path, let id = start?.id, try matches(id, request) {
      return .list(.matchFound(text, path))
    }
    return try store.cancellable(isCancelled) {
      if let next = try store.firstRow(of: request, after: start) {
        return .list(.matchFound(text, try controller.indexPath(for: next)))
      }
      guard start != nil, let first = try store.firstRow(of: request, after: nil) else {
        return .list(.matchFound(text, nil))
      }
      return .list(
        .matchFound(
          text, try controller.indexPath(for: first),
          wrapping: direction == .backward ? .backward : .forward))
    }
  }

  /// Which of all matches of a query a row is.
  ///
  /// - Returns: `nil` if the count was given up, or the row is gone.
  /// - Throws: `QueryError`, and what the store throws.
  func matchPlace(
    of text: String, at path: RowPath, isCancelled: @escaping () -> Bool
  ) throws -> MatchPlace? {
    let request = try request(matching: text)
    guard path.section < controller.numberOfSections ?? 0,
      controller.numberOfRows(inSection: path.section) > path.row, let row = row(at: path)
    else { return nil }
    let before = KeyRange(lower: nil, upper: request.key(of: row).values)
    let counts = try store.cancellable(isCancelled) {
      try store.read { snapshot in
        (
          try snapshot.count(of: request, in: before),
          try snapshot.count(of: request, in: KeyRange(lower: nil, upper: nil))
        )
      }
    }
    return counts.map {
      MatchPlace(index: $0 + 1, count: $1, path: path, generation: controller.generation)
    }
  }

  /// The rows of the list that a query matches.
  private func request(matching text: String) throws -> FetchRequest<EntryRow> {
    let query = try parsed(text)
    var request = controller.request
    request.filter = request.filter.map { .and([$0, query]) } ?? query
    return request
  }

  private func matches(_ id: EntryRowID, _ request: FetchRequest<EntryRow>) throws -> Bool {
    guard let filter = request.filter else { return true }
    return try store.entries([id.number]).first.map(filter.matches) ?? false
  }

  /// A row of a date, or the nearest one to it.
  struct DayPlace: Equatable {
    /// The row.
    var path: RowPath
    /// The days that were asked for, if no row is of them.
    var missing: ClosedRange<Day>?
  }

  /// The first row of a date in words, or the nearest one in time.
  ///
  /// - Returns: `nil` where the list has no dates to go by, or no row.
  /// - Throws: `WhenError`, and what the store throws.
  func place(of words: String) throws -> DayPlace? {
    let now = store.clock.moment()
    let when = try When.parse(words, now: now, clock: store.clock, rule: rule)
    let days = when.firstDay...when.lastDay
    guard let first = controller.sectionKeys.first,
      Day.range(ofSection: first, scope.sectioning) != nil
    else { return nil }
    let filter = controller.request.filter.map { [$0] } ?? []
    var request = controller.request
    request.filter = .and(filter + [.since(days.lowerBound), .until(days.upperBound)])
    if let id = try store.firstRow(of: request, after: nil),
      let path = try controller.indexPath(for: id)
    {
      return DayPlace(path: path)
    }
    // Nothing is of the days themselves, so that the last row up to them is the one before.
    let before = try row(.and(filter + [.until(days.upperBound)]), .newest)
    let after = try row(.and(filter + [.since(days.lowerBound)]), .oldest)
    let distances = [
      before.map { ($0.path, days.lowerBound.daysSinceEpoch - $0.day.daysSinceEpoch) },
      after.map { ($0.path, $0.day.daysSinceEpoch - days.upperBound.daysSinceEpoch) },
    ]
    let nearest = distances.compactMap(\.self).min { $0.1 < $1.1 }
    return nearest.map { DayPlace(path: $0.0, missing: days) }
  }

  /// The first row that a query matches in an order by date, where this list has it.
  private func row(_ query: Query, _ order: ListOrder) throws -> (path: RowPath, day: Day)? {
    let request = FetchRequest.entries(query: query, order: order, sectioning: .none)
    guard let id = try store.firstRow(of: request, after: nil),
      let path = try Self.path(of: id, in: controller), let row = row(at: path)
    else { return nil }
    return (path, row.day)
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

  /// The index titles, each with its first section: months for days and weeks, years for months.
  func indexTitles() -> [IndexTitle] {
    var titles: [IndexTitle] = []
    for (section, key) in controller.sectionKeys.enumerated() {
      guard let title = controller.sectionIndexTitle(forSectionKey: key) else { continue }
      if titles.last?.title != title { titles.append(IndexTitle(title: title, section: section)) }
    }
    return titles
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
