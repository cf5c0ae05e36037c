// SPDX-License-Identifier: MIT

#if canImport(Observation)
  import Observation

  /// The rows of a request as an observable model, for SwiftUI and everything that uses
  /// `withObservationTracking`.
  ///
  /// ```swift
  /// @State private var model = ResultsModel(
  ///   ResultsRequest(sortKeys: [SortKey(\.day), SortKey(\.minute)], sections: \.day), in: store)
  ///
  /// ForEach(model.sections) { section in
  ///   Section(section.key) {
  ///     ForEach(model.rows(inSection: section.key)) { note in Text(note.text) }
  ///   }
  /// }
  /// ```
  ///
  /// A view that reads ``count`` is called when the number of rows changes, one that reads ``sections``
  /// when a section or its number of rows does, and one that reads rows or ``generation`` after every
  /// commit that changed the results. Nothing throws: what went wrong is in ``error``. A program without
  /// SwiftUI draws in ``observe(_:)``.
  ///
  /// The model belongs to one isolation, as its controller and store do: usually the main actor.
  @Observable
  public final class ResultsModel<Row: ResultsRow> {
    /// The sections in order; empty before ``fetch()``.
    public private(set) var sections: [ResultsSection] = []
    /// The number of rows; 0 before ``fetch()``.
    public private(set) var count = 0
    /// The number of the state shown: 0 before ``fetch()``, plus one for each fetch and commit.
    public private(set) var generation = 0
    /// The last error; `nil` after the next fetch or commit that succeeds.
    ///
    /// The last good results stay.
    public private(set) var error: (any Error)?

    @ObservationIgnored private let controller: ResultsController<Row>
    @ObservationIgnored private let follower = ModelFollower<Row>()
    @ObservationIgnored private var observers: [Int: () -> Void] = [:]
    @ObservationIgnored private var nextObserver = 0

    /// Makes a model of the rows of a request, and fetches them; an error is in ``error``.
    public init(_ request: ResultsRequest<Row>, in store: any ResultsStore<Row>) {
      controller = ResultsController(unchecked: request, store: store)
      follower.model = self
      controller.delegate = follower
      fetch()
    }

    /// Makes a model that is empty until ``fetch()``.
    ///
    /// - Throws: the errors of ``ResultsController/init(request:store:cacheName:caches:)``.
    public init(
      request: ResultsRequest<Row>, store: any ResultsStore<Row>, cacheName: String? = nil,
      caches: ResultsCaches? = nil
    ) throws {
      controller = try ResultsController(
        request: request, store: store, cacheName: cacheName, caches: caches)
      follower.model = self
      controller.delegate = follower
    }

    /// The request of the rows shown.
    public var request: ResultsRequest<Row> { controller.request }

    /// Fetches the rows, and follows every commit from then on.
    public func fetch() {
      attempt {
        try request.check()
        try controller.performFetch()
      }
    }

    /// Calls `body` at once, and after every fetch, commit and error, in the isolation of the model.
    ///
    /// - Returns: a token; the observation ends when it is cancelled or released.
    public func observe(_ body: @escaping () -> Void) -> ResultsObservation {
      let number = nextObserver
      nextObserver += 1
      observers[number] = body
      body()
      return ResultsObservation { [weak self] in self?.observers[number] = nil }
    }

    private func tell() {
      for number in observers.keys.sorted() { observers[number]?() }
    }

    /// Shows the rows of another request; if that fails, the one before stays.
    public func show(_ request: ResultsRequest<Row>) {
      attempt { try controller.performFetch(request) }
    }

    private func attempt(_ fetch: () throws -> Void) {
      do {
        try fetch()
        takeOver()
      } catch {
        fail(error)
      }
    }

    /// Takes over what the controller shows; a property that stays equal calls nobody.
    fileprivate func takeOver() {
      let now = controller.sections ?? []
      if sections != now { sections = now }
      if count != controller.numberOfRows { count = controller.numberOfRows }
      if error != nil { error = nil }
      generation = controller.generation
      tell()
    }

    fileprivate func fail(_ error: any Error) {
      self.error = error
      tell()
    }
  }

  // MARK: - Reading rows

  extension ResultsModel {
    /// The row at a path; `nil` if there is none, or if it cannot be read, with the reason in ``error``.
    ///
    /// Its page is read if it is not in memory, so a long list costs what it shows.
    public func row(at path: RowPath) -> Row? {
      access(keyPath: \.generation)
      do {
        return try controller.object(at: path)
      } catch ResultsError.noSuchRow, ResultsError.notFetched {
        return nil
      } catch {
        fail(whileReading: error)
        return nil
      }
    }

    /// The rows of a section, page by page; none if there is no such section.
    ///
    /// If the store fails, the rows read so far are returned, and the reason is in ``error``.
    public func rows(inSection section: Int) -> [Row] {
      access(keyPath: \.generation)
      var rows: [Row] = []
      while rows.count < controller.numberOfRows(inSection: section),
        let row = row(at: RowPath(section, rows.count))
      { rows.append(row) }
      return rows
    }

    /// The rows of the section with a key; O(sections) more than by its index.
    public func rows(inSection key: String) -> [Row] {
      guard let section = sections.firstIndex(where: { $0.key.hasBytes(of: key) }) else {
        return []
      }
      return rows(inSection: section)
    }

    /// The path of a row; `nil` if it is not shown or cannot be read, with the reason in ``error``.
    public func path(of id: Row.ID) -> RowPath? {
      access(keyPath: \.generation)
      do {
        return try controller.indexPath(for: id)
      } catch {
        fail(whileReading: error)
        return nil
      }
    }

    /// A view that reads the rows again because of the error would otherwise do so for ever.
    private func fail(whileReading error: any Error) {
      if self.error == nil { self.error = error }
    }
  }

  /// The delegate of a model's controller.
  private final class ModelFollower<Row: ResultsRow>: ResultsDidChangeDelegate, ResultsErrorDelegate
  {
    weak var model: ResultsModel<Row>?

    func controllerDidChangeContent(_ controller: any ResultsList<Row>) { model?.takeOver() }

    func controller(_ controller: any ResultsList<Row>, didFailWith error: any Error) {
      model?.fail(error)
    }

    /// The results were fetched again, since the log of the store did not describe the change.
    func controllerNeedsReload(_ controller: any ResultsList<Row>) { model?.takeOver() }
  }
#endif
