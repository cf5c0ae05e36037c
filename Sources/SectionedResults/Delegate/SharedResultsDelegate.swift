// SPDX-License-Identifier: MIT

/// A delegate of any number of controllers and composite lists, whose rows may be of different types.
///
/// A ``ResultsControllerDelegate`` is one of a single row type. A screen with two lists, as
/// `NSFetchedResultsController` allows it, is shared by both, and tells them apart by identity:
///
/// ```swift
/// final class Screen: SharedResultsBatchDelegate {
///   private(set) var people = SectionedList()
///   private(set) var cars = SectionedList()
///
///   func controller<Row: ResultsRow>(
///     _ controller: any ResultsList<Row>, didChangeContentWith batch: ResultsBatch
///   ) throws {
///     if controller === peopleController { try people.apply(batch) } else { try cars.apply(batch) }
///   }
///   …
/// }
///
/// peopleController.sharedDelegate = screen
/// carsController.sharedDelegate = screen
/// ```
///
/// Conform to ``SharedResultsRowDelegate`` or ``SharedResultsBatchDelegate``, which receive the changes.
public protocol SharedResultsDelegate: AnyObject {
  /// The next calls describe changes of the controller, which still shows the old results; by default nothing.
  func controllerWillChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) throws

  /// All changes of one commit have been delivered; by default nothing.
  func controllerDidChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) throws

  /// The index title of a section; `nil`, the default, for its first letter capitalised.
  func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, indexTitleForSectionKey key: String
  ) -> String?

  /// An operation failed; the controller shows the last valid results.
  func controller<Row: ResultsRow>(_ controller: any ResultsList<Row>, didFailWith error: any Error)

  /// The list of the controller must be reloaded (rules 49, 51 and 52).
  func controllerNeedsReload<Row: ResultsRow>(_ controller: any ResultsList<Row>)
}

/// Receives the changes of several controllers one by one, as the four methods of Apple's class do.
public protocol SharedResultsRowDelegate: SharedResultsDelegate {
  /// A section was deleted or inserted; the controller already shows the new results.
  func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, didChangeSection change: ResultsBatch.SectionChange) throws

  /// A row changed; the controller already shows the new results.
  func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, didChangeRow change: ResultsRowChange<Row>) throws
}

/// Receives the commits of several controllers as batches, for lists.
public protocol SharedResultsBatchDelegate: SharedResultsDelegate {
  /// One commit, ready to apply to the list of the controller.
  func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, didChangeContentWith batch: ResultsBatch) throws
}

extension SharedResultsDelegate {
  /// Does nothing.
  public func controllerWillChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) {}
  /// Does nothing.
  public func controllerDidChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) {}
  /// The default title.
  public func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, indexTitleForSectionKey key: String
  ) -> String? { nil }
}

/// The delegate of one row type that hands on to a shared one, which it holds weakly.
final class SharedDelegateAdapter<Row: ResultsRow>: ResultsWillChangeDelegate,
  ResultsRowChangeDelegate, ResultsBatchDelegate, ResultsDidChangeDelegate,
  ResultsIndexTitleDelegate, ResultsErrorDelegate
{
  private(set) weak var target: (any SharedResultsDelegate)?
  // Cast once: a cast to a protocol costs microseconds.
  private weak var rowTarget: (any SharedResultsRowDelegate)?
  private weak var batchTarget: (any SharedResultsBatchDelegate)?

  init(_ target: any SharedResultsDelegate) {
    self.target = target
    rowTarget = target as? any SharedResultsRowDelegate
    batchTarget = target as? any SharedResultsBatchDelegate
  }

  /// The abilities of the target; none without changes, which switches tracking off (rule 15).
  var abilities: DelegateAbilities {
    var abilities: DelegateAbilities = []
    if rowTarget != nil { abilities.formUnion([.sectionChange, .rowChange]) }
    if batchTarget != nil { abilities.insert(.batch) }
    return abilities.isEmpty ? [] : abilities.union([.willChange, .didChange])
  }

  func controllerWillChangeContent(_ controller: any ResultsList<Row>) throws {
    try target?.controllerWillChangeContent(controller)
  }

  func controller(
    _ controller: any ResultsList<Row>, didChangeSection change: ResultsBatch.SectionChange
  ) throws {
    try rowTarget?.controller(controller, didChangeSection: change)
  }

  func controller(
    _ controller: any ResultsList<Row>, didChangeRow change: ResultsRowChange<Row>
  ) throws {
    try rowTarget?.controller(controller, didChangeRow: change)
  }

  func controller(
    _ controller: any ResultsList<Row>, didChangeContentWith batch: ResultsBatch
  ) throws {
    try batchTarget?.controller(controller, didChangeContentWith: batch)
  }

  func controllerDidChangeContent(_ controller: any ResultsList<Row>) throws {
    try target?.controllerDidChangeContent(controller)
  }

  func controller(
    _ controller: any ResultsList<Row>, indexTitleForSectionKey key: String
  ) -> String? {
    target?.controller(controller, indexTitleForSectionKey: key)
  }

  func controller(_ controller: any ResultsList<Row>, didFailWith error: any Error) {
    target?.controller(controller, didFailWith: error)
  }

  func controllerNeedsReload(_ controller: any ResultsList<Row>) {
    target?.controllerNeedsReload(controller)
  }
}
