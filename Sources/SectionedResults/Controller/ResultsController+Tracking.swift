// Following commits. Each commit is computed inside one read of the store and delivered outside of
// it, so that delegates may read and write.

/// Keeps a closure observation of a controller alive.
public final class ResultsObservation {
  private var onCancel: (() -> Void)?

  init(onCancel: @escaping () -> Void) {
    self.onCancel = onCancel
  }

  deinit { cancel() }

  /// Ends the observation.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

extension ResultsController {
  /// Who is told of changes; held weakly.
  public var delegate: (any ResultsControllerDelegate<Row>)? { delegateReference }

  /// Sets who is told of changes; `nil` for nobody.
  ///
  /// - Throws: `ResultsError.delegateIgnoresSections` for a delegate that follows the rows of a
  ///   sectioned controller one by one, but not its sections.
  public func setDelegate(_ delegate: (any ResultsControllerDelegate<Row>)?) throws {
    if request.sectionField != nil, delegate is any ResultsRowChangeDelegate<Row>,
      !(delegate is any ResultsSectionChangeDelegate<Row>)
    {
      throw ResultsError.delegateIgnoresSections
    }
    delegateReference = delegate
    updateTracking()
  }

  /// Whether commits are followed: somebody has to listen (rules 14 and 15).
  public var isTracking: Bool {
    guard let delegate else { return !observers.isEmpty }
    return !observers.isEmpty || delegate is any ResultsWillChangeDelegate<Row>
      || delegate is any ResultsSectionChangeDelegate<Row>
      || delegate is any ResultsRowChangeDelegate<Row>
      || delegate is any ResultsDidChangeDelegate<Row>
      || delegate is any ResultsBatchDelegate<Row>
  }

  /// Fetches, and calls `onChange` after each later commit that changed the results.
  ///
  /// - Returns: a token; the observation ends when it is cancelled or released.
  /// - Throws: what ``performFetch()`` throws.
  public func fetch(
    onChange: @escaping (ResultsChange<Row>) -> Void
  ) throws -> ResultsObservation {
    try performFetch()
    let number = nextObserver
    nextObserver += 1
    observers[number] = onChange
    updateTracking()
    return ResultsObservation { [weak self] in
      self?.observers[number] = nil
      self?.updateTracking()
    }
  }

  func updateTracking() {
    guard isTracking, state != nil else {
      observation = nil
      return
    }
    guard observation == nil else { return }
    observation = store.observeCommits { [weak self] in self?.processPendingChanges() }
  }

  /// Takes in the commits since the state shown and tells them, one callback pair each (rule 24).
  ///
  /// Called by the store after each commit; calling it again costs one look at the stamp. Errors are
  /// told to a ``ResultsErrorDelegate`` and leave the last good results in place (rule 52).
  public func processPendingChanges() {
    guard isTracking, state != nil else { return }
    guard !isDelivering else {
      hasMissedCommits = true
      return
    }
    isDelivering = true
    defer { isDelivering = false }
    repeat {
      hasMissedCommits = false
      do {
        while let steps = try nextSteps() { deliver(steps) }
      } catch {
        recover(from: error)
      }
    } while hasMissedCommits
  }
}

// MARK: - Steps

extension ResultsController {
  /// One commit taken in: the state after it, and what it changed of what is shown.
  struct Step {
    let state: ResultsState<Row>
    let change: ResultsChange<Row>?
    let images: [RowImages<Row>]
  }

  /// The most commits taken in by one read, so that states in waiting stay few.
  private static var stepsPerRead: Int { 16 }

  /// The next commits, or `nil` when the state shown is up to date.
  private func nextSteps() throws -> [Step]? {
    guard let current = state else { return nil }
    return try store.read { snapshot in
      var reader = try ResultsReader(request: request, snapshot: snapshot, since: current.stamp)
      guard reader.stamp != current.stamp else { return nil }
      var working = current
      var steps: [Step] = []
      for commit in reader.commits.prefix(Self.stepsPerRead) {
        let change = try working.apply(commit, with: reader)
        reader.advance(past: commit)
        steps.append(Step(state: working, change: change, images: commit.changes))
      }
      if steps.count == reader.commits.count {
        working.stamp = reader.stamp
        steps.append(Step(state: working, change: nil, images: []))
      }
      return steps
    }
  }

  private func deliver(_ steps: [Step]) {
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
        if fetch == fetches, state?.generation != step.state.generation { show(step) }
        report(error, needsReload: true)
      }
    }
  }

  private func deliver(_ change: ResultsChange<Row>, _ step: Step) throws {
    let fetch = fetches
    let delegate = delegate
    try (delegate as? any ResultsWillChangeDelegate<Row>)?.controllerWillChangeContent(self)
    guard fetch == fetches else { return }
    show(step)
    if let delegate = delegate as? any ResultsSectionChangeDelegate<Row> {
      for section in change.sections where fetch == fetches {
        try delegate.controller(self, didChangeSection: section)
      }
    }
    if let delegate = delegate as? any ResultsRowChangeDelegate<Row> {
      for row in change.rows where fetch == fetches {
        try delegate.controller(self, didChangeRow: row)
      }
    }
    guard fetch == fetches else { return }
    try (delegate as? any ResultsBatchDelegate<Row>)?.controller(
      self, didChangeContentWith: change.batch)
    try (delegate as? any ResultsDidChangeDelegate<Row>)?.controllerDidChangeContent(self)
    for observer in observers.sorted(by: { $0.key < $1.key }) where fetch == fetches {
      observer.value(change)
    }
  }

  private func show(_ step: Step) {
    state = step.state
    contents.update(step.images)
  }

  /// After a failure: results stay; where the log cannot tell what happened, they are fetched anew.
  private func recover(from error: any Error) {
    switch error as? ResultsError {
    case .historyLost, .inconsistentStore:
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
