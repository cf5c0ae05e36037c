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

/// Reads, filters and edits a request's rows by path: a controller with write access.
///
/// A path is converted to an identity before the write, so an intermediate commit cannot redirect
/// it. Edits arrive as batches like any other commit; ``reload()`` and ``filter(_:)`` are resets.
public final class ResultsDataProvider<Store: EditableResultsStore> {
  /// The rows of the store.
  public typealias Row = Store.Row

  /// The controller that the provider uses; set its delegate to follow changes.
  public let controller: ResultsController<Row>
  /// Called after a reload; the list must be reloaded.
  public var didReload: (() -> Void)?
  /// Called after the filter changed; the list must be reloaded.
  public var didFilter: (() -> Void)?

  private let store: Store

  /// Makes a provider; it reads nothing before ``reload()``.
  ///
  /// - Throws: `ResultsError.noSortKey` or `invalidRange`.
  public init(request: ResultsRequest<Row>, store: Store) throws {
    self.store = store
    controller = try ResultsController(request: request, store: store)
  }

  /// Fetches everything again.
  ///
  /// - Throws: the error of the store.
  public func reload() throws {
    try controller.performFetch()
    didReload?()
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
      try controller.performFetch()
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

  /// The names of the sections, in order.
  public var sectionNames: [String] { controller.sectionKeys }

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
  public func insert(_ contents: Store.Contents) throws { try store.insert(contents) }

  /// Replaces the contents of the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the error of the store.
  public func update(at path: RowPath, to contents: Store.Contents) throws {
    try store.update(controller.identity(at: path), to: contents)
  }

  /// Deletes the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the error of the store.
  public func delete(at path: RowPath) throws {
    try store.delete(controller.identity(at: path))
  }
}

/// The contents of a sectioned list, independent of their source.
///
/// A controller conforms, and so can any type that counts sections and items and returns the item
/// at a path.
public protocol SectionedDataSource<Item> {
  /// The item at a path.
  associatedtype Item

  /// The number of sections.
  var sectionCount: Int { get }

  /// The number of items in a section.
  func itemCount(inSection section: Int) -> Int

  /// The item at a path.
  ///
  /// - Throws: when it does not exist or cannot be read.
  func item(at path: RowPath) throws -> Item
}

extension ResultsController: SectionedDataSource {
  /// The number of sections shown; 0 before a fetch.
  public var sectionCount: Int { numberOfSections ?? 0 }

  /// The number of rows shown in a section.
  public func itemCount(inSection section: Int) -> Int { numberOfRows(inSection: section) }

  /// The row at a path.
  ///
  /// - Throws: the errors of ``object(at:)``.
  public func item(at path: RowPath) throws -> Row { try object(at: path) }
}
