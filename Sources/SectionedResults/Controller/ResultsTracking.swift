// SPDX-License-Identifier: MIT

// Following commits. Each commit is processed inside one read of the store and delivered outside of
// it, so that delegates may read and write.

extension ResultsController {
  /// The listener for changes, held weakly.
  ///
  /// One that is set inside a callback hears of the next commit.
  public var delegate: (any ResultsControllerDelegate<Row>)? {
    get { weakDelegate.own }
    set {
      if newValue !== delegate { userMove = nil }
      follow(with: WeakDelegate(newValue))
    }
  }

  /// The listener for changes that is shared with controllers of other row types, held weakly.
  ///
  /// It takes the place of ``delegate``, and the other way round.
  public var sharedDelegate: (any SharedResultsDelegate)? {
    get { weakDelegate.shared }
    set {
      if newValue !== sharedDelegate { userMove = nil }
      follow(with: WeakDelegate(shared: newValue))
    }
  }

  private func follow(with delegate: WeakDelegate<Row>) {
    weakDelegate = delegate
    updateTracking()
    saveCache()
  }

  /// The calls of the delegate; `nil` without one.
  var delegateCalls: DelegateCalls<Row>? {
    weakDelegate.calls(for: self, isSectioned: state?.isSectioned == true)
  }

  /// The way in which commits are followed (rules 14 to 16).
  public var trackingMode: TrackingMode {
    guard
      !observers.isEmpty || !streams.isEmpty || !weakDelegate.abilities.isEmpty
        || composite?.list != nil
    else { return .none }
    return cacheName == nil ? .memoryOnly : .fullPersistent
  }

  /// Fetches, and calls `onChange` after each later commit that changed the results.
  ///
  /// Closures are called in the order of their registration, before the delegate's change
  /// callbacks. The fetch affects all listeners: earlier ones must reload their lists.
  ///
  /// - Returns: a token that ends the observation when it is cancelled. Without it, the observation
  ///   ends with the controller.
  /// - Throws: the errors of ``performFetch()``.
  @discardableResult
  public func observe(
    onChange: @escaping (ResultsChange<Row>) -> Void
  ) throws -> ResultsObservation {
    let number = nextObserver
    nextObserver += 1
    // Registered before the fetch, so that the fetch counts as followed and keeps its cache (rule
    // 16).
    observers[number] = onChange
    do {
      try performFetch()
    } catch {
      observers[number] = nil
      throw error
    }
    return ResultsObservation(endsWithToken: false) { [weak self] in
      self?.observers[number] = nil
      self?.updateTracking()
    }
  }

  /// Joins the controllers that follow the store, or leaves them.
  func updateTracking() {
    guard trackingMode != .none, let state else {
      leaveSharedStamp()
      if let member { group.leave(member) }
      member = nil
      return
    }
    guard member == nil else { return }
    member = group.join(self, state)
  }

  /// Takes over the stamp of the group, before the group's stamp changes without this controller.
  func leaveSharedStamp() {
    if let stamp { state?.stamp = stamp }
  }

  /// Reports a new state, with its own stamp, to the group.
  func noteFetch() {
    if let member, let state { group.fetched(member, self, state) }
    updateTracking()
  }

  /// Fetches the results as they were at an earlier stamp of the store.
  ///
  /// ``processPendingChanges()`` then delivers every commit since, so that a list that was kept
  /// elsewhere is continued instead of read again. It costs a fetch and O(k log n) for k rows written
  /// since.
  ///
  /// - Throws: `ResultsError.historyLost` if the log does not contain the commits since; the errors of
  ///   ``performFetch()``; the last good results stay.
  public func performFetch(resumingFrom stamp: StoreStamp) throws {
    try show {
      try store.read { snapshot in
        var state = try fetchState(from: snapshot)
        try state.goBack(to: stamp, in: snapshot)
        return state
      }
    }
  }

  /// Processes the commits since the state shown and delivers each one (rule 24).
  ///
  /// All controllers of the store process them. The store calls it after each commit; without new
  /// commits it reads one stamp. Errors go to a ``ResultsErrorDelegate`` and leave the last valid
  /// results unchanged (rule 52).
  public func processPendingChanges() {
    guard trackingMode != .none, state != nil else { return }
    group.commitsHappened()
  }
}

/// The rows that a request's limit and offset select, and their paths.
///
/// Positions count all rows of the request in order; paths count the rows shown. A section that the
/// edge of the window cuts starts at that edge.
struct ResultsWindow {
  /// The positions shown.
  let rows: Range<Int>
  /// The sections of the tree that are shown, completely or in part.
  let sections: Range<Int>
  private let starts: [Int]

  /// Makes the window over sections with these start positions; the last element is the total.
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

  /// The number of rows of a shown section inside the window; `section` counts shown sections.
  func count(inSection section: Int) -> Int {
    let tree = sections.lowerBound + section
    return min(starts[tree + 1], rows.upperBound) - max(starts[tree], rows.lowerBound)
  }

  /// The number of rows of each shown section.
  var counts: [Int] { sections.indices.map { count(inSection: $0 - sections.lowerBound) } }

  /// The position of a row, from its tree section and its index in it.
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

  /// The tree section and the row index in it of a shown path; `nil` if there is no such row.
  func treePlace(of path: RowPath) -> (section: Int, row: Int)? {
    guard path.section >= 0, path.section < sections.count, path.row >= 0,
      path.row < count(inSection: path.section)
    else { return nil }
    let section = sections.lowerBound + path.section
    return (section, path.row + max(0, rows.lowerBound - starts[section]))
  }
}
