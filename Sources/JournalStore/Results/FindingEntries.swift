import Journal
import SectionedResults

/// Finding rows of a list by time, by a query or by a date.
///
/// Each search is a look-up in the store by the order of the list, so its cost does not grow with the
/// list.
extension EntryResults {
  // MARK: Time

  /// The path of a row of another list, or of the row nearest to it in time of writing; in an order by
  /// change, nearest in time of change.
  ///
  /// - Returns: `nil` if this list is empty.
  /// - Throws: the error of the store.
  package func path(nearestTo row: EntryRow) throws -> RowPath? {
    if let path = try path(of: row.id) { return path }
    let isByChange = self.request.sortKeys.contains { $0.field == .modified }
    let request = ResultsRequest<EntryRow>.entries(
      query: filter, order: isByChange ? .modified : .newest, grouping: .none)
    // In a damaged journal the distance of two instants may exceed Int64.
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
    /// Its path; `nil` if nothing matches.
    package var path: RowPath?
    /// Whether the search wrapped at the end of the list.
    package var isWrapped = false
  }

  /// The nearest match of a query from a row on; the search wraps at the end of the list.
  ///
  /// - Parameters:
  ///   - row: the start of the search; without it, the search begins at an end of the list.
  ///   - isBackward: whether to search towards the beginning.
  ///   - isHereEnough: whether `row` itself may be the match.
  /// - Returns: `nil` if the search was cancelled.
  /// - Throws: the error of the store.
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
        return Match(path: try firstPath(of: next))
      }
      guard start != nil, let first = try store.firstRow(of: request, after: nil) else {
        return Match()
      }
      return Match(path: try firstPath(of: first), isWrapped: true)
    }
  }

  /// The number of matches of a query before a row, and in the whole list.
  ///
  /// - Returns: `nil` if the count was cancelled, or the row matches no more.
  /// - Throws: the error of the store.
  package func matches(
    of query: Query, before row: EntryRow, isCancelled: @escaping () -> Bool
  ) throws -> (before: Int, all: Int)? {
    let request = request(matching: query)
    let before = ResultsKeyRange(lower: nil, upper: request.key(of: row).values)
    let counts = try store.cancellable(isCancelled) {
      try store.read { snapshot -> (before: Int, all: Int)? in
        guard try !snapshot.rows(of: request, ids: [row.id]).isEmpty else { return nil }
        return (
          try snapshot.count(of: request, in: before),
          try snapshot.count(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
        )
      }
    }
    return counts ?? nil
  }

  /// The request of the list, limited to the matches of a query.
  private func request(matching query: Query) -> ResultsRequest<EntryRow> {
    var request = request
    request.filter = request.filter.map { .and([$0, query]) } ?? query
    return request
  }

  /// The store answers from its index of words where it has one, without the text.
  private func matches(_ id: EntryRowID, _ request: ResultsRequest<EntryRow>) throws -> Bool {
    try !store.read { try $0.rows(of: request, ids: [id]) }.isEmpty
  }

  // MARK: Dates

  /// A row of a date, or the row nearest to it.
  package struct DayPlace: Equatable {
    /// The row.
    package var path: RowPath
    /// Whether the row is of the requested days.
    package var isOfDays: Bool
  }

  /// The first row of a range of days, or the row nearest in time.
  ///
  /// - Returns: `nil` if the list has no sections by date, or no row.
  /// - Throws: the error of the store.
  package func place(of days: ClosedRange<Day>) throws -> DayPlace? {
    guard let path = firstPath, let first = list.sectionKey(at: path.section),
      request.sectionField?.days(ofSection: first) != nil
    else { return nil }
    let filter = filter.map { [$0] } ?? []
    var request = request
    request.filter = .and(filter + [.since(days.lowerBound), .until(days.upperBound)])
    if let id = try store.firstRow(of: request, after: nil),
      let path = try firstPath(of: id)
    {
      return DayPlace(path: path, isOfDays: true)
    }
    // There is no row of these days, so the last row up to them is the one before.
    let before = try row(.and(filter + [.until(days.upperBound)]), .newest)
    let after = try row(.and(filter + [.since(days.lowerBound)]), .oldest)
    let distances = [
      before.map { ($0.path, days.lowerBound.daysSinceEpoch - $0.day.daysSinceEpoch) },
      after.map { ($0.path, $0.day.daysSinceEpoch - days.upperBound.daysSinceEpoch) },
    ]
    let nearest = distances.compactMap(\.self).min { $0.1 < $1.1 }
    return nearest.map { DayPlace(path: $0.0, isOfDays: false) }
  }

  /// The first match of a query in an order by date, if this list contains it.
  private func row(_ query: Query, _ order: ListOrder) throws -> (path: RowPath, day: Day)? {
    let request = ResultsRequest.entries(query: query, order: order, grouping: .none)
    guard let id = try store.firstRow(of: request, after: nil), let path = try path(of: id) else {
      return nil
    }
    return (path, try list.object(at: path).day)
  }
}
