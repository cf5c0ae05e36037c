import Journal
import SectionedResults

/// Finding rows of a list by what they are: the nearest in time, the next match of a query, a date.
///
/// Each is a look-up by the order of the list in the store, whatever the list's length.
extension EntryResults {
  // MARK: The nearest in time

  /// The place of a row of another list, or of the row written nearest to it in time; in an order by
  /// change the row changed nearest to it.
  ///
  /// - Returns: `nil` where this list is empty.
  /// - Throws: what the store throws.
  package func path(nearestTo row: EntryRow) throws -> RowPath? {
    if let path = try path(of: row.id) { return path }
    let isByChange = controller.request.sortKeys.contains { $0.field == .modified }
    let request = FetchRequest<EntryRow>.entries(
      query: filter, order: isByChange ? .modified : .newest, sectioning: .none)
    // A damaged journal may hold instants whose distance is no Int64.
    let moment = { (row: EntryRow) in
      Double(isByChange ? row.modified.seconds : row.created.seconds)
    }
    let neighbours = try [request, request.reversed].compactMap { request in
      try store.firstRow(of: request, after: request.key(of: row))
    }
    let nearest = try store.read { try $0.rows(of: request, ids: neighbours) }
      .min { abs(moment($0) - moment(row)) < abs(moment($1) - moment(row)) }
    return try nearest.flatMap { try path(of: $0.id) }
  }

  // MARK: Matches of a query

  /// The nearest match of a query.
  package struct Match: Equatable {
    /// Its place; `nil` if nothing matches.
    package var path: RowPath?
    /// Whether the search went round the end of the list.
    package var isWrapped = false
  }

  /// The nearest row that matches a query, from a row on, round the end of the list.
  ///
  /// - Parameters:
  ///   - row: the row to begin at; the first or last one without it.
  ///   - isBackward: whether to look towards the beginning.
  ///   - isHereEnough: whether `row` itself may be the match.
  /// - Returns: `nil` if the search was given up.
  /// - Throws: what the store throws.
  package func match(
    of query: Query, from row: (row: EntryRow, path: RowPath)?, isBackward: Bool = false,
    isHereEnough: Bool = false, isCancelled: @escaping () -> Bool
  ) throws -> Match? {
    var request = request(matching: query)
    if isBackward { request = request.reversed }
    if isHereEnough, let row, try matches(row.row.id, request) { return Match(path: row.path) }
    let start = row.map { request.key(of: $0.row) }
    return try store.cancellable(isCancelled) {
      if let next = try store.firstRow(of: request, after: start) {
        return Match(path: try controller.indexPath(for: next))
      }
      guard start != nil, let first = try store.firstRow(of: request, after: nil) else {
        return Match()
      }
      return Match(path: try controller.indexPath(for: first), isWrapped: true)
    }
  }

  /// How many matches of a query the list has before a row, and in all.
  ///
  /// - Returns: `nil` if the count was given up.
  /// - Throws: what the store throws.
  package func matches(
    of query: Query, before row: EntryRow, isCancelled: @escaping () -> Bool
  ) throws -> (before: Int, all: Int)? {
    let request = request(matching: query)
    let before = KeyRange(lower: nil, upper: request.key(of: row).values)
    return try store.cancellable(isCancelled) {
      try store.read { snapshot in
        (
          try snapshot.count(of: request, in: before),
          try snapshot.count(of: request, in: KeyRange(lower: nil, upper: nil))
        )
      }
    }
  }

  /// The rows of the list that a query matches.
  private func request(matching query: Query) -> FetchRequest<EntryRow> {
    var request = controller.request
    request.filter = request.filter.map { .and([$0, query]) } ?? query
    return request
  }

  private func matches(_ id: EntryRowID, _ request: FetchRequest<EntryRow>) throws -> Bool {
    guard let filter = request.filter else { return true }
    return try store.entries([id.number]).first.map(filter.matches) ?? false
  }

  // MARK: Dates

  /// A row of a date, or the nearest one to it.
  package struct DayPlace: Equatable {
    /// The row.
    package var path: RowPath
    /// Whether it is of the days that were asked for.
    package var isOfDays: Bool
  }

  /// The first row of some days, or the nearest one in time.
  ///
  /// - Returns: `nil` where the list has no dates to go by, or no row.
  /// - Throws: what the store throws.
  package func place(of days: ClosedRange<Day>) throws -> DayPlace? {
    guard let first = controller.sectionKeys.first,
      Day.range(ofSection: first, controller.request.sectionField ?? .none) != nil
    else { return nil }
    let filter = filter.map { [$0] } ?? []
    var request = controller.request
    request.filter = .and(filter + [.since(days.lowerBound), .until(days.upperBound)])
    if let id = try store.firstRow(of: request, after: nil),
      let path = try controller.indexPath(for: id)
    {
      return DayPlace(path: path, isOfDays: true)
    }
    // Nothing is of the days themselves, so that the last row up to them is the one before.
    let before = try row(.and(filter + [.until(days.upperBound)]), .newest)
    let after = try row(.and(filter + [.since(days.lowerBound)]), .oldest)
    let distances = [
      before.map { ($0.path, days.lowerBound.daysSinceEpoch - $0.day.daysSinceEpoch) },
      after.map { ($0.path, $0.day.daysSinceEpoch - days.upperBound.daysSinceEpoch) },
    ]
    let nearest = distances.compactMap(\.self).min { $0.1 < $1.1 }
    return nearest.map { DayPlace(path: $0.0, isOfDays: false) }
  }

  /// The first row that a query matches in an order by date, where this list has it.
  private func row(_ query: Query, _ order: ListOrder) throws -> (path: RowPath, day: Day)? {
    let request = FetchRequest.entries(query: query, order: order, sectioning: .none)
    guard let id = try store.firstRow(of: request, after: nil), let path = try path(of: id) else {
      return nil
    }
    return (path, try controller.object(at: path).day)
  }
}
