// SPDX-License-Identifier: MIT

// Processing commits, a few at a time, and delivering their changes.

extension ResultsController {
  /// One processed commit: the state after it, and the changes to the rows shown.
  struct Step {
    let state: ResultsState<Row>
    let change: ResultsChange<Row>?
    let images: [RowImages<Row>]
    /// Whether its read returned no further commits.
    var isLast = false
  }

  /// The maximum number of commits per read, which bounds the number of undelivered states.
  private static var stepsPerRead: Int { 16 }

  /// The next commits; `nil` when the state shown is up to date.
  func nextSteps() throws -> [Step]? {
    guard let current = state, trackingMode != .none else { return nil }
    return try store.read { snapshot in
      let reader = try ResultsReader(
        request: current.tree.request, snapshot: snapshot, since: current.stamp)
      guard reader.stamp != current.stamp else { return nil }
      return try steps(from: current, with: reader)
    }
  }

  /// Processes a reader's commits, one step each.
  ///
  /// A commit that splits a section cannot be shown (rule 7). It is merged with the following
  /// commits until the section is whole again, and compared with the last valid state (rule 52).
  private func steps(
    from current: ResultsState<Row>, with reader: ResultsReader<Row>
  ) throws -> [Step] {
    var reader = reader
    var working = current
    var steps: [Step] = []
    var waiting: [StoreCommit<Row>] = []
    for commit in reader.commits where steps.count < Self.stepsPerRead {
      waiting.append(commit)
      let merged = StoreCommit(merging: waiting, last: commit)
      do {
        let change = try working.apply(merged, with: reader)
        for commit in waiting { reader.advance(past: commit) }
        waiting = []
        steps.append(Step(state: working, change: change, images: merged.changes))
      } catch ResultsError.splitSection(let row, let section) {
        guard commit == reader.commits.last, steps.isEmpty else { continue }
        throw ResultsError.splitSection(row: row, section: section)
      }
    }
    if waiting.isEmpty, steps.count < Self.stepsPerRead {
      working.stamp = reader.stamp
      steps.append(Step(state: working, change: nil, images: [], isLast: true))
    }
    return steps
  }

  func deliver(_ steps: [Step]) {
    let fetch = fetches
    for step in steps where fetch == fetches {
      guard let change = step.change else {
        state = step.state
        contents.update(step.images)
        continue
      }
      do {
        try deliver(change, step)
      } catch {
        if fetch == fetches, state?.generation != step.state.generation {
          show(step)
          tellObservers(change)
        }
        report(error, needsReload: true)
      }
    }
  }

  private func deliver(_ change: ResultsChange<Row>, _ step: Step) throws {
    let fetch = fetches
    let delegate = delegate
    let abilities = abilities
    if abilities.contains(.snapshot), let delegate = delegate as? any ResultsSnapshotDelegate<Row> {
      return try tellSnapshot(change, step, delegate)
    }
    if abilities.contains(.difference),
      let delegate = delegate as? any ResultsDifferenceDelegate<Row>,
      let difference = change.difference(isSectioned: step.state.isSectioned)
    {
      show(step)
      tellObservers(change)
      guard fetch == fetches else { return }
      return try delegate.controller(self, didChangeContentWith: difference)
    }
    if abilities.contains(.willChange) {
      try (delegate as? any ResultsWillChangeDelegate<Row>)?.controllerWillChangeContent(self)
    }
    guard fetch == fetches else { return }
    show(step)
    tellObservers(change)
    guard fetch == fetches else { return }
    try tell(change, delegate, abilities)
  }

  private func tellSnapshot(
    _ change: ResultsChange<Row>, _ step: Step, _ delegate: any ResultsSnapshotDelegate<Row>
  ) throws {
    let fetch = fetches
    show(step)
    tellObservers(change)
    guard fetch == fetches else { return }
    var snapshot = try snapshot()
    snapshot.reloaded = change.reloadedRows
    try delegate.controller(self, didChangeContentWith: snapshot)
  }

  /// Calls the closures; before the delegate, so that an error of the delegate does not skip them.
  private func tellObservers(_ change: ResultsChange<Row>) {
    let fetch = fetches
    for observer in observers.sorted(by: { $0.key < $1.key }) where fetch == fetches {
      observer.value(change)
    }
    if fetch == fetches { tellStreams(change) }
  }

  /// Calls the delegate's four classic methods, as far as it has them, and its batch method.
  private func tell(
    _ change: ResultsChange<Row>, _ delegate: (any ResultsControllerDelegate<Row>)?,
    _ abilities: DelegateAbilities
  ) throws {
    let fetch = fetches
    if abilities.contains(.sectionChange),
      let delegate = delegate as? any ResultsSectionChangeDelegate<Row>
    {
      for section in change.sections where fetch == fetches {
        try delegate.controller(self, didChangeSection: section)
      }
    }
    if abilities.contains(.rowChange),
      let delegate = delegate as? any ResultsRowChangeDelegate<Row>
    {
      for row in change.rows where fetch == fetches {
        try delegate.controller(self, didChangeRow: row)
      }
    }
    guard fetch == fetches else { return }
    if abilities.contains(.batch) {
      try (delegate as? any ResultsBatchDelegate<Row>)?.controller(
        self, didChangeContentWith: change.batch)
    }
    guard fetch == fetches else { return }
    if abilities.contains(.content) {
      try (delegate as? any ResultsContentDelegate<Row>)?.controller(
        self, didChangeContentWith: change)
    }
    guard fetch == fetches, abilities.contains(.didChange) else { return }
    try (delegate as? any ResultsDidChangeDelegate<Row>)?.controllerDidChangeContent(self)
  }

  private func show(_ step: Step) {
    state = step.state
    contents.update(step.images)
  }

  /// Handles an error: results stay; if the log cannot describe the changes, they are fetched
  /// again.
  func recover(from error: any Error) {
    switch error as? ResultsError {
    case .historyLost, .inconsistentStore:
      // A cache that does not match the store would fail again.
      if let cacheName { try? caches?.deleteCache(withName: cacheName) }
      do {
        try performFetch()
        report(error, needsReload: true)
      } catch {
        report(error, needsReload: false)
      }
    default:
      report(error, needsReload: false)
    }
  }

  private func report(_ error: any Error, needsReload: Bool) {
    // A delegate that throws is no failure of the results; after a reload they are whole again.
    if !needsReload { endStreams(throwing: error) }
    guard let delegate = delegate as? any ResultsErrorDelegate<Row> else { return }
    delegate.controller(self, didFailWith: error)
    if needsReload { delegate.controllerNeedsReload(self) }
  }
}

extension StoreCommit {
  /// The net effect of consecutive commits, the last of which is given (rule 41).
  fileprivate init(merging commits: [StoreCommit<Row>], last: StoreCommit<Row>) {
    self = last
    guard commits.count > 1 else { return }
    var places: [Row.ID.Exact: Int] = [:]
    changes = []
    for images in commits.lazy.flatMap(\.changes) {
      if let place = places[images.id.exact] {
        changes[place].after = images.after
      } else {
        places[images.id.exact] = changes.count
        changes.append(images)
      }
    }
  }
}

extension ResultsController {
  /// The state shown as one batch over an empty list: the initial contents of a list, and its
  /// contents after a reload.
  public func currentBatch() -> ResultsBatch {
    var batch = ResultsBatch(from: 0, to: generation, sectionCountsAfter: sectionCounts)
    batch.insertedSections = Array(batch.sectionCountsAfter.indices)
    batch.insertedSectionKeys = sectionKeys
    return batch
  }
}

// Fetching with a difference, and removing rows that are known to be invalid.

extension ResultsController {
  /// Fetches, and delivers the difference to the earlier results as one change (rule 22).
  ///
  /// For a changed request: no commit describes the difference, so all rows are compared, O(n log
  /// n). Before a first fetch, without listeners, and inside a callback it is a plain fetch.
  ///
  /// - Throws: the errors of ``performFetch()``; the last valid results stay.
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

  /// Removes rows that are no longer valid from the results, as deletes (rule 51).
  ///
  /// The store does not change. A row returns with its next commit or fetch. Inside a callback the
  /// removal waits until the callbacks of that commit have returned (rule 48).
  public func invalidate(_ ids: some Sequence<Row.ID>) {
    guard state != nil else { return }
    for id in ids { invalidated[id.exact] = id }
    settle()
  }

  func takeOutInvalidated() {
    let ids = Array(invalidated.values)
    invalidated = [:]
    guard var working = state else { return }
    do {
      let step = try store.read { snapshot in
        let reader = try ResultsReader(
          request: working.tree.request, snapshot: snapshot, since: working.stamp)
        let images = try reader.rows(ids).values.map {
          RowImages<Row>(id: $0.id, before: $0, after: nil)
        }
        let commit = StoreCommit(
          stamp: working.stamp, changes: images.sorted { $0.id.exact < $1.id.exact })
        let change = try working.apply(commit, with: reader)
        working.invalid.formUnion(images.map(\.id.exact))
        return Step(state: working, change: change, images: images)
      }
      deliver([step])
    } catch {
      recover(from: error)
    }
  }

  /// Drops all results without row callbacks: fetch again and reload the list (rule 51).
  public func invalidateAll() {
    fetches += 1
    lastGeneration = generation
    invalidated = [:]
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
      (section.key, section.rows.compactMap { rows[$0.exact] })
    }
  }
}

extension ResultsChange {
  /// The rows as they are after the change, for the content cache.
  fileprivate var images: [RowImages<Row>] {
    rows.map { change in
      guard case .delete = change.kind else {
        return RowImages(id: change.row.id, before: nil, after: change.row)
      }
      return RowImages(id: change.row.id, before: change.row, after: nil)
    }
  }
}
