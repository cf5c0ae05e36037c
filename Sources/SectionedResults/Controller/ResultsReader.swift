// SPDX-License-Identifier: MIT

/// Reads a snapshot as it was at an earlier stamp.
///
/// The snapshot may be newer than the state shown, because another process has committed. The
/// reader replaces the rows that later commits wrote by their earlier images, so that lazy reads
/// match the state shown.
struct ResultsReader<Row: ResultsRow> {
  typealias Key = ResultsKey<Row.ID>

  let request: ResultsRequest<Row>
  let snapshot: any ResultsSnapshot<Row>
  /// The commits after the state shown, oldest first.
  let commits: [StoreCommit<Row>]
  /// The stamp of the snapshot.
  let stamp: StoreStamp
  /// The rows written since the state shown, with their values in that state.
  private(set) var images: [Row.ID.Exact: Row?] = [:]
  /// The number of unprocessed commits that write each row.
  private var pending: [Row.ID.Exact: Int] = [:]
  private var imageKeys = SortedKeys()

  /// The sorted keys of the written rows, computed for the first range.
  ///
  /// There may be many ranges, and none of them must scan all images.
  private final class SortedKeys {
    /// The keys in the state shown.
    var earlier: [Key]?
    /// The keys in the snapshot.
    var present: [Key]?
  }

  init(
    request: ResultsRequest<Row>, snapshot: any ResultsSnapshot<Row>, since stamp: StoreStamp,
    at now: StoreStamp? = nil
  ) throws {
    self.request = request
    self.snapshot = snapshot
    self.stamp = try now ?? snapshot.stamp()
    commits = self.stamp == stamp ? [] : try snapshot.commits(after: stamp, for: request)
    for commit in commits {
      for change in commit.changes {
        if images[change.id.exact] == nil {
          images.updateValue(change.before, forKey: change.id.exact)
        }
        pending[change.id.exact, default: 0] += 1
      }
    }
  }

  /// Advances the state that is read past the next of `commits`.
  mutating func advance(past commit: StoreCommit<Row>) {
    imageKeys = SortedKeys()
    for change in commit.changes {
      let rest = (pending[change.id.exact] ?? 1) - 1
      if rest == 0 {
        pending[change.id.exact] = nil
        images.removeValue(forKey: change.id.exact)
      } else {
        pending[change.id.exact] = rest
        images.updateValue(change.after, forKey: change.id.exact)
      }
    }
  }

  /// The keys in a range, in order, at the state shown.
  func keys(in range: ResultsKeyRange) throws -> [Key] {
    try shown(snapshot.keys(of: request, in: range), in: range)
  }

  /// The groups of a range at the state shown; `nil` if the store does not divide it.
  func outline(in range: ResultsKeyRange, count: Int) throws -> [OutlineGroup<Row.ID>]? {
    guard let groups = try snapshot.outline(of: request, in: range, count: count) else {
      return nil
    }
    guard !images.isEmpty else { return groups }
    return groups.indices.compactMap { index in
      var group = groups[index]
      let part = ResultsKeyRange(
        lower: index == 0 ? range.lower : group.bound,
        upper: index + 1 < groups.count ? groups[index + 1].bound : range.upper)
      group.count += earlierKeys(in: part).count - presentKeys(in: part).count
      group.keys = group.keys.map { shown($0, in: part) }
      return group.count == 0 ? nil : group
    }
  }

  /// The keys in a range in the state shown, computed from those of the snapshot.
  func shown(_ keys: [Key], in range: ResultsKeyRange) -> [Key] {
    guard !images.isEmpty else { return keys }
    return request.merged(keys.filter { images[$0.id.exact] == nil }, earlierKeys(in: range))
  }

  /// The number of rows in a range at the state shown.
  func count(in range: ResultsKeyRange) throws -> Int {
    let stored = try snapshot.count(of: request, in: range)
    guard SectionedList.Section.possibleCounts.contains(stored) else {
      throw ResultsError.inconsistentStore("a range has \(stored) rows")
    }
    guard !images.isEmpty else { return stored }
    return stored - presentKeys(in: range).count + earlierKeys(in: range).count
  }

  /// The sorted keys of the images in a range; O(log k) for k images after the first call.
  private func earlierKeys(in range: ResultsKeyRange) -> ArraySlice<Key> {
    let keys = imageKeys.earlier ?? sortedKeys(images.values)
    imageKeys.earlier = keys
    return slice(of: keys, in: range)
  }

  /// The keys of the same rows in the snapshot, in the same way as ``earlierKeys(in:)``.
  private func presentKeys(in range: ResultsKeyRange) -> ArraySlice<Key> {
    let keys = imageKeys.present ?? sortedPresentKeys()
    imageKeys.present = keys
    return slice(of: keys, in: range)
  }

  private func sortedPresentKeys() -> [Key] {
    var present: [Row.ID.Exact: Row?] = [:]
    for change in commits.lazy.flatMap({ $0.changes }) where images[change.id.exact] != nil {
      present.updateValue(change.after, forKey: change.id.exact)
    }
    return sortedKeys(present.values)
  }

  private func sortedKeys(_ rows: some Sequence<Row?>) -> [Key] {
    request.sorted(rows.compactMap { $0.map { request.key(of: $0) } })
  }

  private func slice(of keys: [Key], in range: ResultsKeyRange) -> ArraySlice<Key> {
    let start = range.lower.map { firstIndex(of: keys, from: $0) } ?? 0
    let end = range.upper.map { firstIndex(of: keys, from: $0) } ?? keys.count
    return keys[start..<max(start, end)]
  }

  private func firstIndex(of keys: [Key], from bound: [SortValue]) -> Int {
    partitionPoint(keys.count) { request.compare(bound, keys[$0].values) > 0 }
  }

  /// The rows with these identities at the state shown, by identity.
  func rows(_ ids: [Row.ID]) throws -> [Row.ID.Exact: Row] {
    var rows: [Row.ID.Exact: Row] = [:]
    var unwritten: [Row.ID] = []
    for id in ids {
      if let image = images[id.exact] { rows[id.exact] = image } else { unwritten.append(id) }
    }
    guard !unwritten.isEmpty else { return rows }
    for row in try snapshot.rows(of: request, ids: unwritten) { rows[row.id.exact] = row }
    return rows
  }
}

/// Adjacent keys in a long leaf, from one position on.
struct LeafExcerpt<ID: ResultsID> {
  /// The number of the leaf's rows before the position.
  var rank: Int
  /// The keys from the position on, in order.
  var keys: [ResultsKey<ID>]
  /// The start of the rows after them; `nil` when the leaf ends with them.
  var next: [SortValue]?
}

extension ResultsReader {
  /// The minimum ratio of a leaf to its excerpts, since each statement has its own cost.
  private static var leastShare: Int { 2 }

  /// The keys around a key in an unloaded leaf; `nil` when reading the whole leaf is cheaper.
  ///
  /// No excerpt begins or ends inside a run of equal sort values.
  ///
  /// - Parameter written: the number of keys to find in the leaf.
  func excerpt(
    of leaf: ResultsTree<Row>.Leaf, from key: Key, written: Int
  ) throws -> LeafExcerpt<Row.ID>? {
    guard let size = snapshot.excerptSize, size > 0 else { return nil }
    let (least, isHuge) = size.multipliedReportingOverflow(by: Self.leastShare * written)
    guard !isHuge, leaf.count > least,
      let start = leaf.range.lower, request.compare(start, key.values) <= 0
    else { return nil }
    let rest = ResultsKeyRange(lower: key.values, upper: leaf.range.upper)
    guard let stored = try snapshot.keys(of: request, in: rest, limit: size) else { return nil }
    var result = LeafExcerpt<Row.ID>(rank: 0, keys: stored, next: nil)
    if stored.count < size {
      result.keys = shown(stored, in: rest)
    } else {
      let end = stored[stored.count - 1].values
      let whole = stored.filter { request.compare($0.values, end) < 0 }
      result.keys = shown(whole, in: ResultsKeyRange(lower: key.values, upper: end))
      guard !result.keys.isEmpty else { return nil }
      result.next = end
    }
    result.rank = try count(in: ResultsKeyRange(lower: start, upper: key.values))
    return result
  }
}

/// The contents of recently read rows.
struct ContentCache<Row: ResultsRow> {
  /// The maximum number of rows.
  private static var capacity: Int { 4_096 }

  private var rows: [Row.ID.Exact: Row] = [:]

  subscript(id: Row.ID) -> Row? { rows[id.exact] }

  mutating func insert(_ new: [Row.ID.Exact: Row]) {
    // Dropping all costs one page read for the visible rows; keeping an order would cost every
    // access.
    if rows.count + new.count > Self.capacity { rows.removeAll(keepingCapacity: true) }
    rows.merge(new) { _, new in new }
  }

  /// Replaces cached rows by their new images.
  ///
  /// A small commit adds its new rows too: they are likely to be read next.
  mutating func update(_ changes: [RowImages<Row>]) {
    let keepsNew = changes.count <= 16
    for change in changes where keepsNew || rows[change.id.exact] != nil {
      rows[change.id.exact] = change.after
    }
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
  }
}
