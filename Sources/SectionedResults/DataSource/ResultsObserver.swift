// SPDX-License-Identifier: MIT

/// Reports the rows that commits insert, delete and update among those that match a filter.
///
/// One call per kind and commit, never an empty one. A delete is matched by the row's last values.
/// A row that begins to match counts as inserted, one that no longer matches as deleted.
public final class ResultsObserver<Row: ResultsRow> {
  /// The closures to call; a kind without a closure costs nothing.
  public struct Handlers {
    /// Receives inserted rows.
    public var inserted: (([Row]) -> Void)?
    /// Receives deleted rows, with their last values.
    public var deleted: (([Row]) -> Void)?
    /// Receives updated rows, with their new values.
    public var updated: (([Row]) -> Void)?
    /// Receives the error when the store cannot be read or its history is lost; earlier commits are
    /// then skipped.
    public var failed: ((any Error) -> Void)?

    /// Makes handlers; set the ones you need.
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
  private var request: ResultsRequest<Row>
  private let handlers: Handlers
  private var stamp: StoreStamp
  private var observation: ResultsObservation?
  private var isTelling = false

  /// Starts to observe commits after this moment.
  ///
  /// - Throws: the error of the store.
  public init(
    store: any ResultsStore<Row>, filter: Row.Filter?, handlers: Handlers
  ) throws {
    self.store = store
    self.handlers = handlers
    request = ResultsRequest(filter: filter, sortKeys: [])
    stamp = try store.read { try $0.stamp() }
    observation = store.observeCommits { [weak self] in self?.tellCommits() }
  }

  /// The filter of the rows to report; `nil` for all.
  ///
  /// Another one applies to later commits. Those made before are reported by the filter before; inside
  /// a handler, also those that were noticed together with the one that is being reported.
  public var filter: Row.Filter? {
    get { request.filter }
    set {
      tellCommits()
      request.filter = newValue
    }
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

  /// The commits since the last call; a handler may have made more.
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
    call(handlers.inserted, written.filter { $0.before == nil }.compactMap { $0.after })
    call(handlers.deleted, written.filter { $0.after == nil }.compactMap { $0.before })
    call(handlers.updated, written.filter { $0.before != nil }.compactMap { $0.after })
  }

  private func call(_ handler: (([Row]) -> Void)?, _ rows: [Row]) {
    guard let handler, !rows.isEmpty else { return }
    handler(rows)
  }
}
