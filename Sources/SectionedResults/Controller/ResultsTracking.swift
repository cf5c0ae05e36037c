// SPDX-License-Identifier: MIT

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

/// The part of all rows that a request's limit and offset let through, and its paths.
///
/// Positions count all rows of the request in order; paths count only what is shown. A section that
/// the window's edge cuts starts at the edge.
struct ResultsWindow {
  /// The positions shown.
  let rows: Range<Int>
  /// The sections of the tree that are shown, also in part.
  let sections: Range<Int>
  private let starts: [Int]

  /// Makes the window over sections that start at these positions; the last element is the total.
  init(starts: [Int], offset: Int, limit: Int?, isSectioned: Bool) {
    self.starts = starts
    let total = starts[starts.count - 1]
    let lower = min(offset, total)
    rows = lower..<(lower + min(limit ?? total, total - lower))
    if !isSectioned {
      sections = 0..<1
    } else if rows.isEmpty {
      sections = 0..<0
    } else {
      let (first, end) = (rows.lowerBound, rows.upperBound)
      let firstSection = partitionPoint(starts.count) { starts[$0] <= first } - 1
      sections = firstSection..<partitionPoint(starts.count - 1) { starts[$0] < end }
    }
  }

  /// The rows of a shown section that are let through; `section` counts shown sections.
  func count(inSection section: Int) -> Int {
    let tree = sections.lowerBound + section
    return min(starts[tree + 1], rows.upperBound) - max(starts[tree], rows.lowerBound)
  }

  /// The rows of each shown section.
  var counts: [Int] { sections.indices.map { count(inSection: $0 - sections.lowerBound) } }

  /// The position of a row given by its tree section and its row inside it.
  func position(section: Int, row: Int) -> Int {
    starts[section] + row
  }

  /// The path of a shown position in a tree section.
  func path(position: Int, section: Int) -> RowPath {
    RowPath(
      section - sections.lowerBound, position - max(starts[section], rows.lowerBound))
  }

  /// The tree section that a position belongs to.
  func section(ofPosition position: Int) -> Int {
    partitionPoint(starts.count) { starts[$0] <= position } - 1
  }

  /// The tree section and the row inside it of a shown path; `nil` when nothing stands there.
  func treePlace(of path: RowPath) -> (section: Int, row: Int)? {
    guard path.section >= 0, path.section < sections.count, path.row >= 0,
      path.row < count(inSection: path.section)
    else { return nil }
    let section = sections.lowerBound + path.section
    return (section, path.row + max(0, rows.lowerBound - starts[section]))
  }
}
