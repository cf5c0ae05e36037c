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

  /// What the delegate can be told; nothing when it is gone.
  var abilities: DelegateAbilities { delegateReference == nil ? [] : delegateAbilities }

  /// Sets who is told of changes; `nil` for nobody.
  ///
  /// - Throws: `ResultsError.delegateIgnoresSections` for a delegate that follows the rows of a
  ///   sectioned controller one by one, but not its sections.
  public func setDelegate(_ delegate: (any ResultsControllerDelegate<Row>)?) throws {
    try Self.check(delegate, follows: request)
    delegateReference = delegate
    delegateAbilities = DelegateAbilities(of: delegate)
    updateTracking()
    saveCache()
  }

  /// - Throws: `ResultsError.delegateIgnoresSections`.
  static func check(
    _ delegate: (any ResultsControllerDelegate<Row>)?, follows request: FetchRequest<Row>
  ) throws {
    if request.sectionField != nil, delegate is any ResultsRowChangeDelegate<Row>,
      !(delegate is any ResultsSectionChangeDelegate<Row>)
    {
      throw ResultsError.delegateIgnoresSections
    }
  }

  /// How commits are followed (rules 14 to 16).
  public var trackingMode: TrackingMode {
    guard !observers.isEmpty || !abilities.isEmpty else { return .none }
    return cacheName == nil ? .memoryOnly : .fullPersistent
  }

  /// Fetches, and calls `onChange` after each later commit that changed the results.
  ///
  /// Several closures are called in the order in which they came, before the delegate's change
  /// callbacks. The fetch is one for all who listen: those before must read their lists anew.
  ///
  /// - Returns: a token; the observation ends when it is cancelled or released.
  /// - Throws: what ``performFetch()`` throws.
  public func fetch(
    onChange: @escaping (ResultsChange<Row>) -> Void
  ) throws -> ResultsObservation {
    let number = nextObserver
    nextObserver += 1
    // Before the fetch, so that the fetch knows it is followed and keeps its cache (rule 16).
    observers[number] = onChange
    do {
      try performFetch()
    } catch {
      observers[number] = nil
      throw error
    }
    return ResultsObservation { [weak self] in
      self?.observers[number] = nil
      self?.updateTracking()
    }
  }

  func updateTracking() {
    guard trackingMode != .none, state != nil else {
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
    guard trackingMode != .none, state != nil else { return }
    hasMissedCommits = true
    settle()
  }

  /// Takes in what waits, unless callbacks are running: then it waits until they are done (rule 48).
  func settle() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while hasMissedCommits || !invalidated.isEmpty {
      if hasMissedCommits { takeInCommits() }
      if !invalidated.isEmpty { takeOutInvalidated() }
    }
  }

  private func takeInCommits() {
    hasMissedCommits = false
    do {
      var isBehind = true
      while isBehind, let steps = try nextSteps() {
        deliver(steps)
        saveCache()
        // A commit made meanwhile is told by the store; to look whether there was one costs a read.
        isBehind = steps.last?.isLast != true
      }
    } catch {
      recover(from: error)
    }
  }
}
