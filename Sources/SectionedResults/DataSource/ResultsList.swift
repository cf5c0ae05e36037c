// SPDX-License-Identifier: MIT

/// The results of one request or of several, for a list that shows them.
///
/// A program whose lists have different hosts reads all of them through this protocol.
///
/// It is what the methods of a delegate get, as `controller`.
public protocol ResultsList<Row>: SectionedDataSource, AnyObject where Object == Row {
  /// The rows.
  associatedtype Row: ResultsRow

  /// The number of the state shown, at which the next batch starts.
  var generation: Int { get }
  /// The position in the store's log up to which commits are shown; `nil` before a fetch.
  var stamp: StoreStamp? { get }
  /// The identity of each section, in order; O(sections).
  var sectionKeys: [String] { get }
  /// The number of rows of each section, in order; O(sections).
  var sectionCounts: [Int] { get }

  /// The identity of a section; `nil` if the section does not exist.
  func sectionKey(at section: Int) -> String?

  /// The identity of the row at a path, without its contents.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the error of the store.
  func identity(at path: RowPath) throws -> Row.ID

  /// The paths of a row: at most one for each request.
  ///
  /// - Throws: the error of the store.
  func indexPaths(for id: Row.ID) throws -> [RowPath]

  /// The aggregate of a field over the rows shown in a section; `nil` if the section's request does not
  /// aggregate the field.
  func aggregate(of field: Row.SortField, inSection section: Int) -> ResultsAggregate?

  /// Calls `body` with the rows of a section in order, a page at a time, in the state shown.
  ///
  /// - Throws: the errors of ``ResultsController/forEachPage(inSection:_:)``.
  func forEachPage(inSection section: Int, _ body: ([Row]) throws -> Void) throws

  /// The identities of all sections and rows shown; reads every key, O(n).
  ///
  /// - Throws: `ResultsError.notFetched`, or the error of the store.
  func snapshot() throws -> SectionedSnapshot<Row.ID>

  /// The state shown as one batch over an empty list.
  func currentBatch() -> ResultsBatch

  /// Processes the commits that are not shown yet.
  func processPendingChanges()
}

extension ResultsController: ResultsList {
  /// The path of a row, as an array.
  ///
  /// - Throws: the error of ``indexPath(for:)``.
  public func indexPaths(for id: Row.ID) throws -> [RowPath] {
    try indexPath(for: id).map { [$0] } ?? []
  }
}

extension CompositeResults: ResultsList {}
