// SPDX-License-Identifier: MIT

/// The listeners to a store's commits: its controllers, and closures.
///
/// A store has one as a stored property, and calls ``notify()`` after each commit. All controllers of
/// the store then process the commit in one read, and show it before any of their listeners is called.
public final class CommitObservers<Row: ResultsRow> {
  private var observers: [Int: () -> Void] = [:]
  private var next = 0
  /// The controllers of the store.
  let controllers = ControllerGroup<Row>()

  /// Makes an empty list of observers.
  public init() {}

  /// Calls `observer` after each commit, in the order of registration.
  ///
  /// - Returns: a token; the observation ends when it is cancelled or released.
  public func add(_ observer: @escaping () -> Void) -> ResultsObservation {
    let number = next
    next += 1
    observers[number] = observer
    return ResultsObservation { [weak self] in self?.observers[number] = nil }
  }

  /// Calls every observer that existed at the commit and was not cancelled since.
  ///
  /// Call it on the store's thread, outside any transaction: observers read and write.
  public func notify() {
    for number in observers.keys.sorted() { observers[number]?() }
  }
}

extension ResultsStore {
  /// Calls `observer` after each commit: at once for the store's own commits, and for those of
  /// another process as soon as they are noticed.
  ///
  /// The observer runs outside any transaction and may read and write.
  ///
  /// - Returns: a token; the observation ends when it is cancelled or released.
  public func observeCommits(_ observer: @escaping () -> Void) -> ResultsObservation {
    commitObservers.add(observer)
  }
}
