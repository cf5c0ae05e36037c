// SPDX-License-Identifier: MIT

/// A listener of a results controller, or of a composite list, which calls the same methods.
///
/// Swift cannot see which optional methods a delegate implements, so each ability is a protocol of
/// its own (rule 50): conform to the ones you need. A delegate without change abilities switches
/// tracking off (rule 15). All callbacks may throw: an error is reported once, followed by a
/// reload, and never affects the save (rule 49).
///
/// A list needs only table batches:
///
/// ```swift
/// final class Screen: ResultsBatchDelegate {
///   typealias Row = Note
///   var list = SectionedList()
///   func controller(_ controller: any ResultsList<Note>, didChangeContentWith batch: ResultsBatch)
///     throws
///   {
///     try list.apply(batch)
///   }
/// }
/// ```
public protocol ResultsControllerDelegate<Row>: AnyObject {
  /// The rows of the lists that it listens to.
  associatedtype Row: ResultsRow
}

/// Receives a call before results change, while the controller still shows the old ones (rule 28).
///
/// A composite list calls it before each commit that may change it.
public protocol ResultsWillChangeDelegate<Row>: ResultsControllerDelegate {
  /// The next calls describe changes.
  func controllerWillChangeContent(_ controller: any ResultsList<Row>) throws
}

/// Receives deleted and inserted sections.
public protocol ResultsSectionChangeDelegate<Row>: ResultsControllerDelegate {
  /// A section was deleted or inserted; the controller already shows the new results.
  func controller(
    _ controller: any ResultsList<Row>, didChangeSection change: ResultsBatch.SectionChange)
    throws
}

/// Receives each changed row.
///
/// A delegate that follows the rows of a list one by one must follow its sections, too, or the list would be
/// wrong from the first new section on; without sections the other method is never called.
public protocol ResultsRowChangeDelegate<Row>: ResultsSectionChangeDelegate {
  /// A row changed; the controller already shows the new results.
  func controller(_ controller: any ResultsList<Row>, didChangeRow change: ResultsRowChange<Row>)
    throws
}

/// Receives a call after the last change of a commit.
public protocol ResultsDidChangeDelegate<Row>: ResultsControllerDelegate {
  /// All changes of one commit have been delivered.
  func controllerDidChangeContent(_ controller: any ResultsList<Row>) throws
}

/// Receives each commit as one batch in table form, for lists.
public protocol ResultsBatchDelegate<Row>: ResultsControllerDelegate {
  /// One commit, ready to apply to a list as a whole.
  func controller(
    _ controller: any ResultsList<Row>, didChangeContentWith batch: ResultsBatch) throws
}

/// Takes each commit as one value: the batch, and every changed row with its contents.
///
/// It is meant for a host that passes commits on, because the value is not copied row by row.
public protocol ResultsContentDelegate<Row>: ResultsControllerDelegate {
  /// One commit; the controller already shows the new results.
  func controller(
    _ controller: any ResultsList<Row>, didChangeContentWith change: ResultsChange<Row>) throws
}

/// Names the index titles of sections (rule 11).
public protocol ResultsIndexTitleDelegate<Row>: ResultsControllerDelegate {
  /// The index title of a section; `nil` for the default, its first letter capitalised.
  func controller(
    _ controller: any ResultsList<Row>, indexTitleForSectionKey key: String
  ) -> String?
}

/// Receives errors and reload requests.
public protocol ResultsErrorDelegate<Row>: ResultsControllerDelegate {
  /// An operation failed; the controller shows the last valid results.
  func controller(_ controller: any ResultsList<Row>, didFailWith error: any Error)

  /// The list must be reloaded: a callback threw, the history was lost, or all results were
  /// invalidated (rules 49, 51 and 52).
  func controllerNeedsReload(_ controller: any ResultsList<Row>)
}

/// The change protocols that a delegate conforms to (rule 50).
///
/// Determined once when a delegate is set: a cast to a protocol costs microseconds, and a commit
/// would need dozens of them.
struct DelegateAbilities: OptionSet {
  let rawValue: Int

  static let willChange = DelegateAbilities(rawValue: 1)
  static let sectionChange = DelegateAbilities(rawValue: 2)
  static let rowChange = DelegateAbilities(rawValue: 4)
  static let didChange = DelegateAbilities(rawValue: 8)
  static let batch = DelegateAbilities(rawValue: 16)
  static let snapshot = DelegateAbilities(rawValue: 32)
  static let difference = DelegateAbilities(rawValue: 64)
  static let content = DelegateAbilities(rawValue: 128)

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The abilities of a delegate; none for `nil`.
  ///
  /// Any of them requires tracking (rule 15).
  init<Row: ResultsRow>(of delegate: (any ResultsControllerDelegate<Row>)?) {
    self = []
    if delegate is any ResultsWillChangeDelegate<Row> { insert(.willChange) }
    if delegate is any ResultsSectionChangeDelegate<Row> { insert(.sectionChange) }
    if delegate is any ResultsRowChangeDelegate<Row> { insert(.rowChange) }
    if delegate is any ResultsDidChangeDelegate<Row> { insert(.didChange) }
    if delegate is any ResultsBatchDelegate<Row> { insert(.batch) }
    if delegate is any ResultsSnapshotDelegate<Row> { insert(.snapshot) }
    if delegate is any ResultsDifferenceDelegate<Row> { insert(.difference) }
    if delegate is any ResultsContentDelegate<Row> { insert(.content) }
  }
}
