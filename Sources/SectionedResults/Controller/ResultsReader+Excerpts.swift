/// Neighbours in a long leaf, from some place on.
struct LeafExcerpt<ID: Hashable & Comparable & Sendable> {
  /// How many rows of the leaf stand before the place.
  var rank: Int
  /// The keys from the place on, in order.
  var keys: [RowKey<ID>]
  /// Where the rows after them start; `nil` when the leaf ends with them.
  var next: [SortValue]?
}

extension ResultsReader {
  /// The most rows written by later commits up to which an excerpt is worth its corrections.
  private static var mostImages: Int { 16 }

  /// The neighbours of a key in a leaf of which nothing is known, or `nil` when it is better read
  /// whole.
  ///
  /// No excerpt begins or ends inside a run of equal sort values.
  func excerpt(
    of leaf: ResultsTree<Row>.Leaf, from key: Key
  ) throws -> LeafExcerpt<Row.ID>? {
    guard let size = snapshot.excerptSize, leaf.count > 2 * size, images.count <= Self.mostImages,
      let start = leaf.range.lower, request.compare(start, key.values) <= 0
    else { return nil }
    let rest = KeyRange(lower: key.values, upper: leaf.range.upper)
    let limit = size + images.count
    guard let stored = try snapshot.keys(of: request, in: rest, limit: limit) else { return nil }
    var result = LeafExcerpt<Row.ID>(rank: 0, keys: stored, next: nil)
    if stored.count < limit {
      result.keys = shown(stored, in: rest)
    } else {
      let end = stored[stored.count - 1].values
      let whole = stored.filter { request.compare($0.values, end) < 0 }
      result.keys = shown(whole, in: KeyRange(lower: key.values, upper: end))
      guard !result.keys.isEmpty else { return nil }
      result.next = end
    }
    result.rank = try count(in: KeyRange(lower: start, upper: key.values))
    return result
  }

  /// How many rows stood in a range at the state shown.
  private func count(in range: KeyRange) throws -> Int {
    let stored = try snapshot.count(of: request, in: range)
    guard !images.isEmpty else { return stored }
    var present: [Row.ID: Row?] = [:]
    for change in commits.lazy.flatMap({ $0.changes }) where images[change.id] != nil {
      present.updateValue(change.after, forKey: change.id)
    }
    let isInside = { (row: Row?) -> Bool in
      row.map { range.contains(request.key(of: $0).values, in: request) } ?? false
    }
    return stored - present.values.count(where: isInside) + images.values.count(where: isInside)
  }
}

extension KeyRange {
  /// Whether sort values stand in the range, in a request's order.
  fileprivate func contains<Row: ResultsRow>(
    _ values: [SortValue], in request: FetchRequest<Row>
  ) -> Bool {
    (lower.map { request.compare($0, values) <= 0 } ?? true)
      && (upper.map { request.compare($0, values) > 0 } ?? true)
  }
}
