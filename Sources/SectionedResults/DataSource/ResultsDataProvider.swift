// SPDX-License-Identifier: MIT

/// A store whose rows a list can insert, update and delete.
public protocol EditableResultsStore<Row, Contents>: ResultsStore {
  /// The contents of a row to insert or update.
  associatedtype Contents

  /// Inserts a row with these contents.
  ///
  /// - Throws: when it cannot be saved.
  func insert(_ contents: Contents) throws

  /// Replaces the contents of a row.
  ///
  /// - Throws: when it no longer exists or cannot be saved.
  func update(_ id: Row.ID, to contents: Contents) throws

  /// Deletes a row.
  ///
  /// - Throws: when it no longer exists or cannot be saved.
  func delete(_ id: Row.ID) throws
}

/// Reads, filters and edits a request's rows: a controller with write access, which it hides.
///
/// A path is converted to an identity before the write, so an intermediate commit cannot redirect
/// it. The provider follows its own edits and those of others; they arrive in ``didChange``, as
/// batches. ``reload()`` and ``filter(_:)`` are resets.
public final class ResultsDataProvider<Row: ResultsRow, Contents> {
  /// Called after each commit that changed the rows.
  public var didChange: ((ResultsChange<Row>) -> Void)?
  /// Called after a reload; the list must be reloaded.
  public var didReload: (() -> Void)?
  /// Called after the filter changed; the list must be reloaded.
  public var didFilter: (() -> Void)?

  private let controller: ResultsController<Row>
  private let store: any EditableResultsStore<Row, Contents>

  /// Makes a provider; it reads nothing before ``reload()``.
  ///
  /// - Throws: `ResultsError.noSortKey` or `invalidRange`.
  public init(
    request: ResultsRequest<Row>, store: any EditableResultsStore<Row, Contents>
  ) throws {
    self.store = store
    controller = try ResultsController(request: request, store: store)
  }

  /// Fetches everything again.
  ///
  /// - Throws: the error of the store.
  public func reload() throws {
    try fetch()
    didReload?()
  }

  /// Fetches; the first time it also begins to follow commits.
  private func fetch() throws {
    if controller.trackingMode == .none {
      try controller.observe { [weak self] in self?.didChange?($0) }
    } else {
      try controller.performFetch()
    }
  }

  /// Shows the rows that match another filter.
  ///
  /// - Throws: the error of the store; the filter is then unchanged.
  public func filter(_ filter: Row.Filter?) throws {
    let before = controller.request
    var request = before
    request.filter = filter
    try controller.setRequest(request)
    do {
      try fetch()
    } catch {
      try controller.setRequest(before)
      throw error
    }
    didFilter?()
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

  /// The state shown as one batch over an empty list.
  public func currentBatch() -> ResultsBatch { controller.currentBatch() }

  /// The identities of the sections, in order.
  public var sectionKeys: [String] { controller.sectionKeys }

  /// The number of rows of each section, in order.
  public var sectionCounts: [Int] { controller.sectionCounts }

  /// The index titles of the sections, without duplicates.
  public var sectionIndexTitles: [String] { controller.sectionIndexTitles }
}

// MARK: - Writing

extension ResultsDataProvider {
  /// Inserts a row.
  ///
  /// - Throws: the error of the store.
  public func insert(_ contents: Contents) throws { try store.insert(contents) }

  /// Replaces the contents of a row.
  ///
  /// - Throws: the error of the store, for example because the row is gone.
  public func update(_ id: Row.ID, to contents: Contents) throws {
    try store.update(id, to: contents)
  }

  /// Replaces the contents of the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the error of the store.
  public func update(at path: RowPath, to contents: Contents) throws {
    try update(controller.identity(at: path), to: contents)
  }

  /// Deletes a row.
  ///
  /// - Throws: the error of the store, for example because the row is gone.
  public func delete(_ id: Row.ID) throws { try store.delete(id) }

  /// Deletes a row that was read before.
  ///
  /// - Throws: the error of the store, for example because the row is gone.
  public func delete(_ row: Row) throws { try delete(row.id) }

  /// Deletes the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the error of the store.
  public func delete(at path: RowPath) throws {
    try delete(controller.identity(at: path))
  }
}

extension ResultsDataProvider: SectionedDataSource {
  /// The number of sections shown.
  public var numberOfSections: Int { controller.numberOfSections }

  /// The number of rows shown in a section.
  public func numberOfRows(inSection section: Int) -> Int {
    controller.numberOfRows(inSection: section)
  }
}

/// The contents of a sectioned list, independent of their source.
///
/// A controller conforms, and so can any type that counts sections and rows and returns the object at
/// a path.
public protocol SectionedDataSource<Object> {
  /// The object at a path.
  associatedtype Object

  /// The number of sections.
  var numberOfSections: Int { get }

  /// The number of rows in a section.
  func numberOfRows(inSection section: Int) -> Int

  /// The object at a path.
  ///
  /// - Throws: when it does not exist or cannot be read.
  func object(at path: RowPath) throws -> Object
}

extension ResultsController: SectionedDataSource {}
