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

  /// How commits are followed (rules 14 to 16).
  public var trackingMode: TrackingMode {
    guard !observers.isEmpty || delegate?.tracksChanges == true else { return .none }
    return cacheName == nil ? .memoryOnly : .fullPersistent
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
    guard !isDelivering else {
      hasMissedCommits = true
      return
    }
    isDelivering = true
    defer { isDelivering = false }
    repeat {
      hasMissedCommits = false
      do {
        while let steps = try nextSteps() {
          deliver(steps)
          if steps.contains(where: { $0.change != nil }) { saveCache() }
        }
      } catch {
        recover(from: error)
      }
    } while hasMissedCommits
  }
}
