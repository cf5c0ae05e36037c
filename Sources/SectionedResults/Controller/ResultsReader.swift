/// Reads a snapshot as it was at an earlier stamp.
///
/// The snapshot may be ahead of what a controller shows, because another process has committed. The
/// reader takes the rows that later commits wrote out of every answer and puts their earlier images
/// back, so that what is read lazily fits what is shown.
struct ResultsReader<Row: ResultsRow> {
  typealias Key = RowKey<Row.ID>

  let request: FetchRequest<Row>
  let snapshot: any ResultsSnapshot<Row>
  /// The commits that the state shown does not know yet, oldest first.
  let commits: [StoreCommit<Row>]
  /// The stamp of the snapshot.
  let stamp: StoreStamp
  /// The rows written since, as they were at the state shown.
  private var images: [Row.ID: Row?] = [:]
  /// How many of `commits` are still to come that write a row.
  private var pending: [Row.ID: Int] = [:]

  /// Makes a reader for a state at `stamp`.
  init(
    request: FetchRequest<Row>, snapshot: any ResultsSnapshot<Row>, since stamp: StoreStamp
  ) throws {
    self.request = request
    self.snapshot = snapshot
    self.stamp = try snapshot.stamp()
    commits = self.stamp == stamp ? [] : try snapshot.commits(after: stamp, for: request)
    for change in commits.lazy.flatMap(\.changes) {
      if images[change.id] == nil { images.updateValue(change.before, forKey: change.id) }
      pending[change.id, default: 0] += 1
    }
  }

  /// Moves the state that is read past the next of `commits`.
  mutating func advance(past commit: StoreCommit<Row>) {
    for change in commit.changes {
      let rest = (pending[change.id] ?? 1) - 1
      if rest == 0 {
        pending[change.id] = nil
        images.removeValue(forKey: change.id)
      } else {
        pending[change.id] = rest
        images.updateValue(change.after, forKey: change.id)
      }
    }
  }

  /// The keys in a range, in order, at the state shown.
  func keys(in range: KeyRange) throws -> [Key] {
    let keys = try snapshot.keys(of: request, in: range)
    guard !images.isEmpty else { return keys }
    let earlier = images.values.lazy.compactMap(\.self).map(request.key(of:)).filter {
      contains(range, $0)
    }
    return (keys.filter { images[$0.id] == nil } + earlier).sorted(by: request.precedes)
  }

  /// The rows with these identities at the state shown, by identity.
  func rows(_ ids: [Row.ID]) throws -> [Row.ID: Row] {
    var rows: [Row.ID: Row] = [:]
    var unwritten: [Row.ID] = []
    for id in ids {
      if let image = images[id] { rows[id] = image } else { unwritten.append(id) }
    }
    guard !unwritten.isEmpty else { return rows }
    for row in try snapshot.rows(of: request, ids: unwritten) { rows[row.id] = row }
    return rows
  }

  private func contains(_ range: KeyRange, _ key: Key) -> Bool {
    (range.lower.map { request.compare($0, key.values) <= 0 } ?? true)
      && (range.upper.map { request.compare($0, key.values) > 0 } ?? true)
  }
}
