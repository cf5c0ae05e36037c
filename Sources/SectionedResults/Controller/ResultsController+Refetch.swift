// Fetching again and telling the difference, and forgetting rows that are known to be invalid.

extension ResultsController {
  /// Fetches, and tells listeners the difference to what was shown, as one change (rule 22).
  ///
  /// Meant for a changed request: no commit tells what changed, so all rows are compared, O(n log n).
  /// Before a first fetch, without anybody who listens, and inside a callback it is a plain fetch.
  ///
  /// - Throws: what ``performFetch()`` throws; the last good results stay.
  public func performFetch(notifyingChanges: Bool) throws {
    guard notifyingChanges, state != nil, trackingMode != .none, !isDelivering else {
      return try performFetch()
    }
    let before = try contentsShown()
    var next = try fetchState()
    let after = try store.read { snapshot in
      let reader = try ResultsReader(request: request, snapshot: snapshot, since: next.stamp)
      return try next.contents(with: reader)
    }
    var comparison = ListComparison(old: before, new: after)
    let change = comparison.change(from: generation)
    fetches += 1
    if change.batch.isEmpty {
      next.generation = generation
      state = next
    } else {
      isDelivering = true
      deliver([Step(state: next, change: change, images: change.images)])
      isDelivering = false
    }
    contents.removeAll()
    saveCache()
    settle()
  }

  /// Takes rows that are no longer valid out of the results, as deletes (rule 51).
  ///
  /// The store is not written. A row comes back with its next commit or fetch. Inside a callback the
  /// rows wait until the callbacks of that commit are done (rule 48).
  public func invalidate(_ ids: Set<Row.ID>) {
    guard state != nil else { return }
    invalidated.formUnion(ids)
    settle()
  }

  func takeOutInvalidated() {
    let ids = invalidated
    invalidated = []
    guard var working = state else { return }
    do {
      let step = try store.read { snapshot in
        let reader = try ResultsReader(
          request: working.tree.request, snapshot: snapshot, since: working.stamp)
        let images = try reader.rows(Array(ids)).values.map {
          RowImages<Row>(id: $0.id, before: $0, after: nil)
        }
        let commit = StoreCommit(stamp: working.stamp, changes: images.sorted { $0.id < $1.id })
        let change = try working.apply(commit, with: reader)
        working.invalid.formUnion(images.map(\.id))
        return Step(state: working, change: change, images: images)
      }
      deliver([step])
    } catch {
      recover(from: error)
    }
  }

  /// Drops all results without telling rows: fetch again and read the list anew (rule 51).
  public func invalidateAll() {
    fetches += 1
    lastGeneration = generation
    invalidated = []
    state = nil
    contents.removeAll()
    updateTracking()
    (delegate as? any ResultsErrorDelegate<Row>)?.controllerNeedsReload(self)
  }

  private func contentsShown() throws -> ListComparison<Row>.Shown {
    try reading { state, reader in try state.contents(with: reader) }
  }
}

extension ResultsState {
  fileprivate mutating func contents(
    with reader: ResultsReader<Row>
  ) throws -> ListComparison<Row>.Shown {
    let snapshot = try snapshot(with: reader)
    let rows = try reader.rows(snapshot.rowIDs)
    return snapshot.sections.map { section in
      (section.key, section.rows.compactMap { rows[$0] })
    }
  }
}

extension ResultsChange {
  /// The rows as they are afterwards, for whoever keeps contents.
  fileprivate var images: [RowImages<Row>] {
    rows.map { change in
      guard case .delete = change.kind else {
        return RowImages(id: change.row.id, before: nil, after: change.row)
      }
      return RowImages(id: change.row.id, before: change.row, after: nil)
    }
  }
}
