// SPDX-License-Identifier: MIT

/// Reads, filters and edits a request's rows: a controller with write access, which it hides.
///
/// It works over every ``EditableResultsStore``:
///
/// ```swift
/// let notes = try ResultsDataProvider(request: request, store: store)
/// notes.delegate = screen
/// try notes.reload()
/// try notes.delete(at: RowPath(0, 2))
/// ```
///
/// A path is converted to an identity before the write, so an intermediate commit cannot redirect
/// it. The provider follows its own edits and those of others, also without a delegate.
public final class ResultsDataProvider<Row: ResultsRow, Contents> {
  /// The listener, held weakly.
  public weak var delegate: (any ResultsDataProviderDelegate<Row, Contents>)?

  private let controller: ResultsController<Row>
  private let store: any EditableResultsStore<Row, Contents>
  private let follower = ProviderFollower<Row, Contents>()

  /// Makes a provider; it reads nothing before ``reload()``.
  ///
  /// - Throws: `ResultsError.noSortKey` or `invalidRange`.
  public init(
    request: ResultsRequest<Row>, store: any EditableResultsStore<Row, Contents>
  ) throws {
    self.store = store
    controller = try ResultsController(request: request, store: store)
    follower.provider = self
    controller.delegate = follower
  }

  /// Fetches everything again; ``ResultsDataProviderDelegate/providerDidReload(_:)`` follows.
  ///
  /// - Throws: the error of the store; the last good results stay.
  public func reload() throws {
    try controller.performFetch()
    delegate?.providerDidReload(self)
  }

  /// The filter of the rows shown; `nil` for all.
  public var filter: Row.Filter? { controller.request.filter }

  /// Shows the rows that match another filter; ``ResultsDataProviderDelegate/providerDidFilter(_:)``
  /// follows.
  ///
  /// - Throws: the error of the store; the filter is then unchanged.
  public func filter(_ filter: Row.Filter?) throws {
    var request = controller.request
    request.filter = filter
    try controller.performFetch(request)
    delegate?.providerDidFilter(self)
  }
}

/// Receives the changes of a ``ResultsDataProvider``.
public protocol ResultsDataProviderDelegate<Row, Contents>: AnyObject {
  /// The rows of the provider.
  associatedtype Row: ResultsRow
  /// The rows to insert and update.
  associatedtype Contents = Row

  /// The next call describes a change; the provider still shows the old rows. By default nothing happens.
  func providerWillChangeContent(_ provider: ResultsDataProvider<Row, Contents>) throws

  /// A commit changed the rows; the provider already shows the new ones.
  ///
  /// Its errors are reported to ``provider(_:didFailWith:)``, and a reload follows (rule 49).
  func provider(
    _ provider: ResultsDataProvider<Row, Contents>, didChangeContentWith change: ResultsChange<Row>
  ) throws

  /// The rows were fetched again, or a change could not be described: the list must be reloaded.
  func providerDidReload(_ provider: ResultsDataProvider<Row, Contents>)

  /// The filter changed, and the list must be reloaded; by default as after a reload.
  func providerDidFilter(_ provider: ResultsDataProvider<Row, Contents>)

  /// A commit could not be followed; the last good rows stay (rule 52). By default nothing happens.
  func provider(_ provider: ResultsDataProvider<Row, Contents>, didFailWith error: any Error)

  /// The index title of a section; `nil`, the default, for its first letter capitalised.
  func provider(
    _ provider: ResultsDataProvider<Row, Contents>, indexTitleForSectionKey key: String
  ) -> String?
}

extension ResultsDataProviderDelegate {
  /// Does nothing.
  public func providerWillChangeContent(_ provider: ResultsDataProvider<Row, Contents>) {}

  /// The default title.
  public func provider(
    _ provider: ResultsDataProvider<Row, Contents>, indexTitleForSectionKey key: String
  ) -> String? { nil }

  /// Reloads.
  public func providerDidFilter(_ provider: ResultsDataProvider<Row, Contents>) {
    providerDidReload(provider)
  }

  /// Does nothing.
  public func provider(
    _ provider: ResultsDataProvider<Row, Contents>, didFailWith error: any Error
  ) {}
}

/// The delegate of a provider's controller, so that the controller stays hidden.
private final class ProviderFollower<Row: ResultsRow, Contents>: ResultsWillChangeDelegate,
  ResultsContentDelegate, ResultsIndexTitleDelegate, ResultsErrorDelegate
{
  weak var provider: ResultsDataProvider<Row, Contents>?

  func controllerWillChangeContent(_ controller: any ResultsList<Row>) throws {
    guard let provider else { return }
    try provider.delegate?.providerWillChangeContent(provider)
  }

  func controller(
    _ controller: any ResultsList<Row>, indexTitleForSectionKey key: String
  ) -> String? {
    provider.flatMap { $0.delegate?.provider($0, indexTitleForSectionKey: key) }
  }

  func controller(
    _ controller: any ResultsList<Row>, didChangeContentWith change: ResultsChange<Row>
  ) throws {
    guard let provider else { return }
    try provider.delegate?.provider(provider, didChangeContentWith: change)
  }

  func controller(_ controller: any ResultsList<Row>, didFailWith error: any Error) {
    guard let provider else { return }
    provider.delegate?.provider(provider, didFailWith: error)
  }

  func controllerNeedsReload(_ controller: any ResultsList<Row>) {
    guard let provider else { return }
    provider.delegate?.providerDidReload(provider)
  }
}

// MARK: - Reading

extension ResultsDataProvider {
  /// All rows in order; reads every row, O(n).
  ///
  /// - Throws: what the store throws.
  public func objects() throws -> [Row] { try controller.fetchedObjects() ?? [] }

  /// The row at a path.
  ///
  /// - Throws: the errors of ``ResultsController/object(at:)``.
  public func object(at path: RowPath) throws -> Row { try controller.object(at: path) }

  /// The identity of the row at a path.
  ///
  /// - Throws: the errors of ``ResultsController/identity(at:)``.
  public func identity(at path: RowPath) throws -> Row.ID { try controller.identity(at: path) }

  /// The path of a row; `nil` if it is not among the results.
  ///
  /// - Throws: the error of the store.
  public func indexPath(for id: Row.ID) throws -> RowPath? { try controller.indexPath(for: id) }

  /// The number of the state shown: 0 before the first reload, plus one for each reload and change.
  public var generation: Int { controller.generation }

  /// The number of rows shown.
  public var numberOfRows: Int { controller.numberOfRows }

  /// The state shown as one batch over an empty list.
  public func currentBatch() -> ResultsBatch { controller.currentBatch() }

  /// The identities of the sections, in order.
  public var sectionKeys: [String] { controller.sectionKeys }

  /// The identity of a section; `nil` if the section does not exist.
  public func sectionKey(at section: Int) -> String? { controller.sectionKey(at: section) }

  /// The number of rows of each section, in order.
  public var sectionCounts: [Int] { controller.sectionCounts }

  /// The index titles of the sections, without duplicates.
  public var sectionIndexTitles: [String] { controller.sectionIndexTitles }

  /// The index title of a section, which the delegate may choose.
  public func sectionIndexTitle(forSectionKey key: String) -> String? {
    controller.sectionIndexTitle(forSectionKey: key)
  }

  /// The first section with an index title; see ``ResultsController/section(forSectionIndexTitle:at:)``.
  public func section(forSectionIndexTitle title: String, at index: Int? = nil) -> Int? {
    controller.section(forSectionIndexTitle: title, at: index)
  }
}

// MARK: - Writing

extension ResultsDataProvider {
  /// Makes several edits in one transaction, which comes back as one change.
  ///
  /// - Throws: the errors of ``EditableResultsStore/commit(_:)``; nothing is then written.
  public func commit(_ edits: [ResultsEdit<Row, Contents>]) throws { try store.commit(edits) }

  /// Inserts a row.
  ///
  /// - Throws: `ResultsError.rowExists`, or the error of the store.
  public func insert(_ contents: Contents) throws { try store.insert(contents) }

  /// Replaces the contents of a row.
  ///
  /// - Throws: `ResultsError.rowIsGone`, `rowExists`, or the error of the store.
  public func update(_ id: Row.ID, to contents: Contents) throws {
    try store.update(id, to: contents)
  }

  /// Replaces the contents of the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the errors of ``update(_:to:)``.
  public func update(at path: RowPath, to contents: Contents) throws {
    try update(controller.identity(at: path), to: contents)
  }

  /// Deletes a row.
  ///
  /// - Throws: `ResultsError.rowIsGone`, or the error of the store.
  public func delete(_ id: Row.ID) throws { try store.delete(id) }

  /// Deletes a row that was read before.
  ///
  /// - Throws: `ResultsError.rowIsGone`, or the error of the store.
  public func delete(_ row: Row) throws { try delete(row.id) }

  /// Deletes the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the errors of
  ///   ``EditableResultsStore/delete(_:)``.
  public func delete(at path: RowPath) throws {
    try delete(controller.identity(at: path))
  }

  /// Deletes the rows at several paths in one transaction.
  ///
  /// - Throws: the errors of ``delete(at:)``; nothing is then deleted.
  public func delete(at paths: some Sequence<RowPath>) throws {
    try commit(paths.map { .delete(try controller.identity(at: $0)) })
  }

  /// Writes a move that the user has made in the delegate's list; the delegate does not receive it again.
  ///
  /// - Parameters:
  ///   - source: the path of the row in the state shown.
  ///   - target: its path after the move, with the row taken out first.
  ///   - edits: the edits that give the row its new place.
  /// - Throws: the errors of ``ResultsController/performUserReordering(moving:to:write:)``.
  public func reorder(
    from source: RowPath, to target: RowPath,
    edits: (Row) throws -> [ResultsEdit<Row, Contents>]
  ) throws {
    try controller.performUserReordering(moving: source, to: target) { row in
      try commit(edits(row))
    }
  }
}

extension ResultsDataProvider where Contents == Row {
  /// Replaces a row by one with the same identity.
  ///
  /// - Throws: `ResultsError.rowIsGone`, or the error of the store.
  public func update(_ row: Row) throws { try update(row.id, to: row) }
}

extension ResultsDataProvider: SectionedDataSource {
  /// The number of sections shown.
  public var numberOfSections: Int { controller.numberOfSections }

  /// The number of rows shown in a section.
  public func numberOfRows(inSection section: Int) -> Int {
    controller.numberOfRows(inSection: section)
  }
}
