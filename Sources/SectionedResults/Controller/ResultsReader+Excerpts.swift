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
  /// How much longer than its excerpts a leaf must be, since two statements have their price too.
  private static var leastShare: Int { 2 }

  /// The neighbours of a key in a leaf of which nothing is known, or `nil` when it is better read
  /// whole.
  ///
  /// No excerpt begins or ends inside a run of equal sort values.
  ///
  /// - Parameter written: how many rows of the leaf will be looked for.
  func excerpt(
    of leaf: ResultsTree<Row>.Leaf, from key: Key, written: Int
  ) throws -> LeafExcerpt<Row.ID>? {
    guard let size = snapshot.excerptSize, leaf.count > Self.leastShare * size * written,
      let start = leaf.range.lower, request.compare(start, key.values) <= 0
    else { return nil }
    let rest = KeyRange(lower: key.values, upper: leaf.range.upper)
    guard let stored = try snapshot.keys(of: request, in: rest, limit: size) else { return nil }
    var result = LeafExcerpt<Row.ID>(rank: 0, keys: stored, next: nil)
    if stored.count < size {
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
}
