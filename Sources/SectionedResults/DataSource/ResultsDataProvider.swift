// SPDX-License-Identifier: MIT

/// A store whose rows can be made, changed and deleted by a list's editing.
public protocol EditableResultsStore<Row, Contents>: ResultsStore {
  /// What a row is made from, or changed to.
  associatedtype Contents

  /// Makes a row.
  ///
  /// - Throws: when it cannot be saved.
  func insert(_ contents: Contents) throws

  /// Changes a row.
  ///
  /// - Throws: when it is gone or cannot be saved.
  func update(_ id: Row.ID, to contents: Contents) throws

  /// Deletes a row.
  ///
  /// - Throws: when it is gone or cannot be saved.
  func delete(_ id: Row.ID) throws
}

/// Reads, filters and edits a request's rows by path: a controller with the writing side added.
///
/// A path is turned into an identity before the write, so a commit that comes between cannot redirect
/// it. Edits come back as batches like any other commit; ``reload()`` and ``filter(_:)`` are resets.
public final class ResultsDataProvider<Store: EditableResultsStore> {
  /// The rows provided.
  public typealias Row = Store.Row

  /// The controller behind the provider; set its delegate to follow changes.
  public let controller: ResultsController<Row>
  /// Is called after a reload: read the list anew.
  public var didReload: (() -> Void)?
  /// Is called after the filter changed: read the list anew.
  public var didFilter: (() -> Void)?

  private let store: Store

  /// Makes a provider; nothing is read before ``reload()``.
  ///
  /// - Throws: what a controller's initialiser throws.
  public init(request: FetchRequest<Row>, store: Store) throws {
    self.store = store
    controller = try ResultsController(request: request, store: store)
  }

  /// Fetches everything anew.
  ///
  /// - Throws: what the store throws.
  public func reload() throws {
    try controller.performFetch()
    didReload?()
  }

  /// Shows the rows that pass another filter.
  ///
  /// - Throws: what the store throws; the filter is then as before.
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
  /// - Throws: what `ResultsController.object(at:)` throws.
  public func object(at path: RowPath) throws -> Row { try controller.object(at: path) }

  /// The identity of the row at a path.
  ///
  /// - Throws: what `ResultsController.identity(at:)` throws.
  public func identity(at path: RowPath) throws -> Row.ID { try controller.identity(at: path) }

  /// The names of the sections, in order.
  public var sectionNames: [String] { controller.sectionKeys }

  /// The number of rows of each section, in order.
  public var sectionCounts: [Int] { controller.sectionCounts }

  /// The index titles of the sections.
  public var sectionIndexTitles: [String] { controller.sectionIndexTitles }
}

// MARK: - Writing

extension ResultsDataProvider {
  /// Makes a row.
  ///
  /// - Throws: what the store throws.
  public func insert(_ contents: Store.Contents) throws { try store.insert(contents) }

  /// Changes the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or what the store throws.
  public func update(at path: RowPath, to contents: Store.Contents) throws {
    try store.update(controller.identity(at: path), to: contents)
  }

  /// Deletes the row at a path.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or what the store throws.
  public func delete(at path: RowPath) throws {
    try store.delete(controller.identity(at: path))
  }
}

/// What a list asks for its contents, whatever stands behind it.
///
/// A controller is one; so is anything that can count sections and rows and give the item at a path.
public protocol SectionedDataSource<Item> {
  /// What stands at a path.
  associatedtype Item

  /// How many sections there are.
  var sectionCount: Int { get }

  /// How many items a section has.
  func itemCount(inSection section: Int) -> Int

  /// The item at a path.
  ///
  /// - Throws: when there is none or it cannot be read.
  func item(at path: RowPath) throws -> Item
}

extension ResultsController: SectionedDataSource {
  /// How many sections are shown; 0 before a fetch.
  public var sectionCount: Int { numberOfSections ?? 0 }

  /// How many rows a section shows.
  public func itemCount(inSection section: Int) -> Int { numberOfRows(inSection: section) }

  /// The row at a path.
  ///
  /// - Throws: what ``object(at:)`` throws.
  public func item(at path: RowPath) throws -> Row { try object(at: path) }
}
