// Taking commits in, a few at a time, and telling what they changed.

extension ResultsController {
  /// One commit taken in: the state after it, and what it changed of what is shown.
  struct Step {
    let state: ResultsState<Row>
    let change: ResultsChange<Row>?
    let images: [RowImages<Row>]
    /// Whether the read that it comes from had no more commits.
    var isLast = false
  }

  /// The most commits taken in by one read, so that states in waiting stay few.
  private static var stepsPerRead: Int { 16 }

  /// The next commits, or `nil` when the state shown is up to date.
  func nextSteps() throws -> [Step]? {
    guard let current = state, trackingMode != .none else { return nil }
    return try store.read { snapshot in
      let reader = try ResultsReader(
        request: current.tree.request, snapshot: snapshot, since: current.stamp)
      guard reader.stamp != current.stamp else { return nil }
      return try steps(from: current, with: reader)
    }
  }

  /// Takes in a reader's commits, one step each.
  ///
  /// A commit that splits a section cannot be shown (rule 7). It is taken in together with those that
  /// follow it, as soon as the section is whole again: against the last good state (rule 52).
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

  /// Calls the closures; before the delegate, since what it throws must not keep a commit from them.
  private func tellObservers(_ change: ResultsChange<Row>) {
    let fetch = fetches
    for observer in observers.sorted(by: { $0.key < $1.key }) where fetch == fetches {
      observer.value(change)
    }
  }

  /// Calls the classic four, as far as the delegate has them, and the batch.
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
    guard fetch == fetches, abilities.contains(.didChange) else { return }
    try (delegate as? any ResultsDidChangeDelegate<Row>)?.controllerDidChangeContent(self)
  }

  private func show(_ step: Step) {
    state = step.state
    contents.update(step.images)
  }

  /// After a failure: results stay; where the log cannot tell what happened, they are fetched anew.
  func recover(from error: any Error) {
    switch error as? ResultsError {
    case .historyLost, .inconsistentStore:
      // A cache that does not fit the store would fail again.
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
    guard let delegate = delegate as? any ResultsErrorDelegate<Row> else { return }
    delegate.controller(self, didFailWith: error)
    if needsReload { delegate.controllerNeedsReload(self) }
  }
}

extension StoreCommit {
  /// The net effect of some commits that follow each other, the last of which is given (rule 41).
  fileprivate init(merging commits: [StoreCommit<Row>], last: StoreCommit<Row>) {
    self = last
    guard commits.count > 1 else { return }
    var places: [Row.ID: Int] = [:]
    changes = []
    for images in commits.lazy.flatMap(\.changes) {
      if let place = places[images.id] {
        changes[place].after = images.after
      } else {
        places[images.id] = changes.count
        changes.append(images)
      }
    }
  }
}
