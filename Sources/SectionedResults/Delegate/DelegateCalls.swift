// SPDX-License-Identifier: MIT

/// A delegate, held weakly, with its abilities: one of this row type, or a shared one.
struct WeakDelegate<Row: ResultsRow> {
  /// The delegate of this row type.
  private(set) weak var own: (any ResultsControllerDelegate<Row>)?
  private let adapter: SharedDelegateAdapter<Row>?
  private let known: DelegateAbilities

  init(_ delegate: (any ResultsControllerDelegate<Row>)? = nil) {
    own = delegate
    adapter = nil
    known = DelegateAbilities(of: delegate)
  }

  init(shared delegate: (any SharedResultsDelegate)?) {
    adapter = delegate.map(SharedDelegateAdapter.init)
    known = adapter?.abilities ?? []
  }

  /// The shared delegate.
  var shared: (any SharedResultsDelegate)? { adapter?.target }

  /// The delegate to call; `nil` when there is none, or it was released.
  var delegate: (any ResultsControllerDelegate<Row>)? { shared == nil ? own : adapter }

  /// The change protocols of the delegate; empty when it was released.
  var abilities: DelegateAbilities { delegate == nil ? [] : known }

  /// The calls of the delegate for a list; `nil` when it was released.
  ///
  /// - Parameter isSectioned: whether the request of the list has sections.
  func calls(for list: any ResultsList<Row>, isSectioned: Bool) -> DelegateCalls<Row>? {
    delegate.map {
      DelegateCalls(delegate: $0, abilities: known, list: list, isSectioned: isSectioned)
    }
  }
}

/// The calls of a delegate: with a snapshot or a difference, or else the methods that it has (rule 50).
///
/// A controller and a composite list make the same ones.
struct DelegateCalls<Row: ResultsRow> {
  let delegate: any ResultsControllerDelegate<Row>
  let abilities: DelegateAbilities
  let list: any ResultsList<Row>
  let isSectioned: Bool

  /// Whether the delegate receives a snapshot or a difference instead of single changes.
  private var takesWholeState: Bool {
    abilities.contains(.snapshot) || abilities.contains(.difference) && !isSectioned
  }

  /// Announces a change, while the list shows the state before.
  ///
  /// - Throws: the error of the delegate.
  func willChange() throws {
    guard abilities.contains(.willChange), !takesWholeState else { return }
    try (delegate as? any ResultsWillChangeDelegate<Row>)?.controllerWillChangeContent(list)
  }

  /// Delivers a change, which the list shows.
  ///
  /// - Parameter isCurrent: whether no call has fetched the list again: that cancels the rest (rule 53).
  /// - Throws: the error of the delegate.
  func change(_ change: ResultsChange<Row>, while isCurrent: () -> Bool) throws {
    if abilities.contains(.snapshot), let delegate = delegate as? any ResultsSnapshotDelegate<Row> {
      var snapshot = try list.snapshot()
      snapshot.reloaded = change.reloadedRows
      return try delegate.controller(list, didChangeContentWith: snapshot)
    }
    if abilities.contains(.difference),
      let delegate = delegate as? any ResultsDifferenceDelegate<Row>,
      let difference = change.difference(isSectioned: isSectioned)
    {
      return try delegate.controller(list, didChangeContentWith: difference)
    }
    try changes(change, while: isCurrent)
  }

  /// The four classic methods, as far as the delegate has them, and those that take a whole commit.
  private func changes(_ change: ResultsChange<Row>, while isCurrent: () -> Bool) throws {
    if abilities.contains(.sectionChange),
      let delegate = delegate as? any ResultsSectionChangeDelegate<Row>
    {
      for section in change.sections where isCurrent() {
        try delegate.controller(list, didChangeSection: section)
      }
    }
    if abilities.contains(.rowChange),
      let delegate = delegate as? any ResultsRowChangeDelegate<Row>
    {
      for row in change.rows where isCurrent() {
        try delegate.controller(list, didChangeRow: row)
      }
    }
    guard isCurrent() else { return }
    if abilities.contains(.batch) {
      try (delegate as? any ResultsBatchDelegate<Row>)?.controller(
        list, didChangeContentWith: change.batch)
    }
    guard isCurrent() else { return }
    if abilities.contains(.content) {
      try (delegate as? any ResultsContentDelegate<Row>)?.controller(
        list, didChangeContentWith: change)
    }
    if isCurrent() { try didChange() }
  }

  /// Ends a change.
  ///
  /// - Throws: the error of the delegate.
  func didChange() throws {
    guard abilities.contains(.didChange), !takesWholeState else { return }
    try (delegate as? any ResultsDidChangeDelegate<Row>)?.controllerDidChangeContent(list)
  }

  /// Reports an error.
  func failed(_ error: any Error) {
    (delegate as? any ResultsErrorDelegate<Row>)?.controller(list, didFailWith: error)
  }

  /// Asks for a reload of what the delegate shows.
  func needsReload() {
    (delegate as? any ResultsErrorDelegate<Row>)?.controllerNeedsReload(list)
  }
}
