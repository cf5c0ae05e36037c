// SPDX-License-Identifier: MIT

/// Tells of the rows that commits insert, delete and update among those that match a filter.
///
/// One call per kind and commit, never an empty one. A delete is judged by the row's last values; a row
/// that begins to match counts as inserted, one that ceases to match as deleted.
public final class ResultsObserver<Row: ResultsRow> {
  /// What is called; a kind nobody asked for costs nothing.
  public struct Handlers {
    /// Rows that have come.
    public var inserted: (([Row]) -> Void)?
    /// Rows that are gone, as they last were.
    public var deleted: (([Row]) -> Void)?
    /// Rows that changed.
    public var updated: (([Row]) -> Void)?
    /// The store could not be read, or its history was lost; commits before now are not told.
    public var failed: ((any Error) -> Void)?

    /// Makes handlers; set those you need.
    public init(
      inserted: (([Row]) -> Void)? = nil, deleted: (([Row]) -> Void)? = nil,
      updated: (([Row]) -> Void)? = nil, failed: ((any Error) -> Void)? = nil
    ) {
      self.inserted = inserted
      self.deleted = deleted
      self.updated = updated
      self.failed = failed
    }
  }

  private let store: any ResultsStore<Row>
  private let request: FetchRequest<Row>
  private let handlers: Handlers
  private var stamp: StoreStamp
  private var observation: CommitObservation?
  private var isTelling = false

  /// Starts observing commits after this moment.
  ///
  /// - Throws: what the store throws.
  public init(
    store: any ResultsStore<Row>, filter: Row.Filter?, handlers: Handlers
  ) throws {
    self.store = store
    self.handlers = handlers
    request = FetchRequest(filter: filter, sortKeys: [])
    stamp = try store.read { try $0.stamp() }
    observation = store.observeCommits { [weak self] in self?.tellCommits() }
  }

  private func tellCommits() {
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    do {
      while let commits = try newCommits() { commits.forEach(tell) }
    } catch {
      stamp = (try? store.read { try $0.stamp() }) ?? stamp
      handlers.failed?(error)
    }
  }

  /// The commits since the last ones told; a handler may have made more.
  private func newCommits() throws -> [StoreCommit<Row>]? {
    try store.read { snapshot in
      let now = try snapshot.stamp()
      guard now != stamp else { return nil }
      let commits = try snapshot.commits(after: stamp, for: request)
      stamp = now
      return commits
    }
  }

  private func tell(_ commit: StoreCommit<Row>) {
    let written = commit.changes.filter { $0.before != $0.after }
    call(handlers.inserted, written.filter { $0.before == nil }.compactMap(\.after))
    call(handlers.deleted, written.filter { $0.after == nil }.compactMap(\.before))
    call(handlers.updated, written.filter { $0.before != nil }.compactMap(\.after))
  }

  private func call(_ handler: (([Row]) -> Void)?, _ rows: [Row]) {
    guard let handler, !rows.isEmpty else { return }
    handler(rows)
  }
}
