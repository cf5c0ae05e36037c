// SPDX-License-Identifier: MIT

/// A store over an array in memory, for small data, for tests, and as the shortest example of a store.
///
/// ```swift
/// let store = MemoryResultsStore(rows: items)
/// store.write { $0.put(item) }
/// store.replaceRows(with: newItems)
/// ```
///
/// It keeps all commits since it was made, so every stamp can be read. A fetch costs O(n log n), and
/// O(groups) if the last one was of an equal request without a commit since; a commit costs O(rows
/// written).
public final class MemoryResultsStore<Row: ResultsRow>: ResultsStore {
  private var rows: [Row.ID.Exact: Row] = [:]
  private var log: [StoreCommit<Row>] = []
  /// That of all stamps, so that a cache of another store, or of an earlier process, is not believed.
  package var token = Int64.random(in: 1...Int64(Int32.max))
  /// The listeners to commits.
  public let commitObservers = CommitObservers<Row>()
  /// The last outline read; controllers of equal requests then share its keys.
  private var outline: Outline?
  private let matches: ((Row, Row.Filter) -> Bool)?

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - rows: the initial rows.
  ///   - matches: whether a row passes a filter.
  public init(rows: [Row] = [], matches: @escaping (Row, Row.Filter) -> Bool) {
    self.matches = matches
    for row in rows { self.rows[row.id.exact] = row }
  }

  /// All rows, by identity, for example to write them into a file; O(n log n).
  public var allRows: [Row] { rows.sorted { $0.key < $1.key }.map { $0.value } }

  /// Makes a store of rows without filters.
  public init(rows: [Row] = []) where Row.Filter == Never {
    matches = nil
    for row in rows { self.rows[row.id.exact] = row }
  }

  /// Runs `body`, which must not write, on the current state.
  public func read<Value>(
    _ body: (any ResultsSnapshot<Row>) throws -> Value
  ) throws -> Value {
    try body(
      Snapshot(
        rows: rows, log: log, token: token, matches: matches, lastOutline: { self.outline },
        keep: { self.outline = $0 }))
  }

  /// Runs one transaction: all writes of `body` are committed together, or none if it throws.
  ///
  /// Observers are called before it returns, unless nothing was written. `body` may read the store,
  /// which still returns the state before; it must not start another write.
  ///
  /// - Throws: the error of `body`.
  public func write<Value>(_ body: (inout Transaction) throws -> Value) rethrows -> Value {
    try write(body) { _ in }
  }

  /// Makes the rows of the store equal to an array, in one transaction: rows that are not in it are deleted,
  /// others are inserted and replaced; a row that is equal is left alone.
  ///
  /// Of rows with one identity the last counts. O(n).
  public func replaceRows(with rows: [Row]) { write { $0.replaceRows(with: rows) } }

  /// Runs one transaction that lasts when `save` has returned; if it throws, nothing is written.
  package func write<Value>(
    _ body: (inout Transaction) throws -> Value, save: (Transaction) throws -> Void
  ) rethrows -> Value {
    var transaction = Transaction(base: rows)
    let value = try body(&transaction)
    let written = transaction.written.sorted { $0.key < $1.key }
    if written.contains(where: { $0.value.row != nil || rows[$0.key] != nil }) {
      try save(transaction)
    }
    // Released, so that the rows are changed in place.
    transaction = Transaction(base: [:])
    let changes = written.compactMap { exact, write -> RowImages<Row>? in
      let images = RowImages(id: write.id, before: rows[exact], after: write.row)
      // An equal row may have another place, see ``ResultsRequest/isChanged(_:)``.
      return images.before == nil && images.after == nil ? nil : images
    }
    guard !changes.isEmpty else { return value }
    outline = nil
    for change in changes { rows[change.id.exact] = change.after }
    let stamp = StoreStamp(sequence: Int64(log.count + 1), token: token)
    log.append(StoreCommit(stamp: stamp, changes: changes))
    commitObservers.notify()
    return value
  }

  /// The writes of one transaction; copy it for a savepoint, assign the copy to roll back.
  public struct Transaction {
    private let base: [Row.ID.Exact: Row]
    fileprivate private(set) var written: [Row.ID.Exact: (id: Row.ID, row: Row?)] = [:]

    fileprivate init(base: [Row.ID.Exact: Row]) {
      self.base = base
    }

    /// The row with an identity, including the writes of the transaction.
    public subscript(id: Row.ID) -> Row? {
      if let write = written[id.exact] { return write.row }
      return base[id.exact]
    }

    /// All rows, including the writes of the transaction, by identity; O(n log n).
    public var allRows: [Row] {
      var rows = base
      for (exact, write) in written { rows[exact] = write.row }
      return rows.sorted { $0.key < $1.key }.map { $0.value }
    }

    /// Deletes, inserts and replaces rows, so that they are those of an array; see
    /// ``MemoryResultsStore/replaceRows(with:)``.
    public mutating func replaceRows(with rows: [Row]) {
      let kept = Set(rows.lazy.map { $0.id.exact })
      for row in allRows where !kept.contains(row.id.exact) { delete(row.id) }
      for row in rows where self[row.id] != row { put(row) }
    }

    /// Inserts a row or replaces the row with its identity.
    public mutating func put(_ row: Row) {
      written[row.id.exact] = (row.id, row)
    }

    /// Deletes a row if it exists.
    public mutating func delete(_ id: Row.ID) {
      written[id.exact] = (id, nil)
    }
  }
}

extension MemoryResultsStore {
  /// The outline of a request in the present state.
  private struct Outline {
    let request: ResultsRequest<Row>
    let groups: [OutlineGroup<Row.ID>]
  }

  private struct Snapshot: ResultsSnapshot {
    let rows: [Row.ID.Exact: Row]
    let log: [StoreCommit<Row>]
    let token: Int64
    let matches: ((Row, Row.Filter) -> Bool)?
    let lastOutline: () -> Outline?
    let keep: (Outline) -> Void

    /// The number of rows in a group.
    private static var groupSize: Int { 512 }

    func stamp() -> StoreStamp {
      log.last?.stamp ?? StoreStamp(sequence: 0, token: token)
    }

    func outline(of request: ResultsRequest<Row>) -> [OutlineGroup<Row.ID>] {
      if let last = lastOutline(), last.request == request { return last.groups }
      let groups = groups(of: request)
      keep(Outline(request: request, groups: groups))
      return groups
    }

    private func groups(of request: ResultsRequest<Row>) -> [OutlineGroup<Row.ID>] {
      var groups: [OutlineGroup<Row.ID>] = []
      for key in sortedKeys(of: request) {
        if let last = groups.indices.last, groups[last].section.hasBytes(of: key.section),
          groups[last].count < Self.groupSize
        {
          groups[last].count += 1
          groups[last].keys?.append(key)
        } else {
          groups.append(
            OutlineGroup(section: key.section, bound: key.values, count: 1, keys: [key]))
        }
      }
      return groups
    }

    func keys(of request: ResultsRequest<Row>, in range: ResultsKeyRange) -> [ResultsKey<Row.ID>] {
      sortedKeys(of: request).filter { key in
        (range.lower.map { request.compare($0, key.values) <= 0 } ?? true)
          && (range.upper.map { request.compare($0, key.values) > 0 } ?? true)
      }
    }

    func rows(of request: ResultsRequest<Row>, ids: [Row.ID]) -> [Row] {
      ids.compactMap { present(rows[$0.exact], in: request) }
    }

    func commits(
      after stamp: StoreStamp, for request: ResultsRequest<Row>
    ) throws -> [StoreCommit<Row>] {
      guard stamp.token == token, stamp.sequence >= 0, stamp.sequence <= log.count else {
        throw ResultsError.historyLost
      }
      return log[Int(stamp.sequence)...].map { commit in
        StoreCommit(
          stamp: commit.stamp,
          changes: commit.changes.compactMap { images in
            let before = present(images.before, in: request)
            let after = present(images.after, in: request)
            let images = RowImages(id: images.id, before: before, after: after)
            return request.isChanged(images) ? images : nil
          })
      }
    }

    private func present(_ row: Row?, in request: ResultsRequest<Row>) -> Row? {
      guard let row, let filter = request.filter, let matches else { return row }
      return matches(row, filter) ? row : nil
    }

    private func sortedKeys(of request: ResultsRequest<Row>) -> [ResultsKey<Row.ID>] {
      var keys: [ResultsKey<Row.ID>] = []
      if request.filter == nil { keys.reserveCapacity(rows.count) }
      for row in rows.values {
        if let row = present(row, in: request) { keys.append(request.key(of: row)) }
      }
      return request.sorted(keys)
    }
  }
}

extension MemoryResultsStore: EditableResultsStore {
  /// Makes edits in one transaction.
  ///
  /// - Throws: `ResultsError.rowExists` or `rowIsGone`; nothing is then written.
  public func commit(_ edits: [ResultsEdit<Row, Row>]) throws {
    try write { transaction in
      for edit in edits { try transaction.make(edit) }
    }
  }
}

extension MemoryResultsStore.Transaction {
  package mutating func make(_ edit: ResultsEdit<Row, Row>) throws {
    switch edit {
    case .insert(let row):
      try checkIsNew(row.id)
      put(row)
    case .update(let id, let row):
      guard self[id] != nil else { throw ResultsError.rowIsGone("\(id)") }
      if row.id.exact != id.exact {
        try checkIsNew(row.id)
        delete(id)
      }
      put(row)
    case .delete(let id):
      guard self[id] != nil else { throw ResultsError.rowIsGone("\(id)") }
      delete(id)
    }
  }

  private func checkIsNew(_ id: Row.ID) throws {
    guard self[id] == nil else { throw ResultsError.rowExists("\(id)") }
  }
}
