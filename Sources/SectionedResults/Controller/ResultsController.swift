// SPDX-License-Identifier: MIT

/// Shows the rows of a request in sections and updates them with every commit.
///
/// It does for any ``ResultsStore`` what Apple's `NSFetchedResultsController` does for Core Data:
///
/// ```swift
/// let controller = try ResultsController(
///   request: ResultsRequest(sortKeys: [SortKey(.day, .descending)], sectionField: .day),
///   store: store)
/// controller.delegate = screen
/// try controller.performFetch()
/// ```
///
/// A fetch reads counts only. The keys of a section are read when they are first needed, contents a
/// page at a time. A commit of k rows costs O(k log n + k log k), plus one pass over the section
/// counts. The controller, its store and its callbacks belong to one thread (rule 53); the type is
/// not `Sendable`, so the compiler enforces it.
public final class ResultsController<Row: ResultsRow> {
  /// The request of the next fetch.
  public private(set) var request: ResultsRequest<Row>
  /// The store that the rows come from.
  public let store: any ResultsStore<Row>
  /// The name of the cache that keeps sections and counts between runs; `nil` for no cache.
  public let cacheName: String?

  let caches: ResultsCaches?
  var state: ResultsState<Row>?
  var contents = ContentCache<Row>()
  let group: ControllerGroup<Row>
  /// The number in the group while the controller follows commits.
  var member: Int?
  var observers: [Int: (ResultsChange<Row>) -> Void] = [:]
  var nextObserver = 0
  var streams: [Int: StreamFeed<Row>] = [:]
  /// Rows to remove as soon as no callback is running.
  var invalidated: [Row.ID.Exact: Row.ID] = [:]
  /// The generation before ``invalidateAll()``.
  var lastGeneration: Int?
  /// The number of fetches; a fetch cancels the callbacks of the results before it (rule 53).
  var fetches = 0
  /// A move that the delegate's list shows and the results do not.
  var userMove: UserMove<Row>?
  /// The composite list that the controller is a part of.
  var composite: CompositeMembership<Row>?
  var weakDelegate = WeakDelegate<Row>()

  /// Makes a controller that is empty until ``performFetch()``.
  ///
  /// - Parameters:
  ///   - request: the rows to show, their order and sections.
  ///   - store: the store that the rows come from.
  ///   - cacheName: the name of the cache for sections and counts; needs `caches`.
  ///   - caches: the storage of named caches.
  /// - Throws: `ResultsError.noSortKey` (rule 1), `invalidRange`, `noCacheStorage`, `cacheInUse` (rule
  ///   20), or `unnamedField` for a cache whose request would be another one at the next start.
  public init(
    request: ResultsRequest<Row>, store: any ResultsStore<Row>, cacheName: String? = nil,
    caches: ResultsCaches? = nil
  ) throws {
    try request.check()
    if let cacheName {
      guard caches != nil else { throw ResultsError.noCacheStorage(cacheName) }
      try request.checkNames()
    }
    self.request = request
    self.store = store
    self.cacheName = cacheName
    self.caches = caches
    group = store.commitObservers.controllers
    if let cacheName { try caches?.claim(cacheName, for: self) }
  }

  /// Makes a controller whose request is checked by the caller, before each fetch.
  init(unchecked request: ResultsRequest<Row>, store: any ResultsStore<Row>) {
    self.request = request
    self.store = store
    (cacheName, caches) = (nil, nil)
    group = store.commitObservers.controllers
  }

  deinit {
    for feed in streams.values { feed.finish(nil) }
    if let member { group.leave(member) }
    if let cacheName { caches?.release(cacheName, by: ObjectIdentifier(self)) }
  }

  /// Changes the request; the results do not change before the next fetch (rule 22).
  ///
  /// - Throws: `ResultsError.cacheNotDeleted` while the controller's cache exists (rule 18),
  ///   `noSortKey`, `invalidRange`, or `unnamedField` with a cache.
  public func setRequest(_ request: ResultsRequest<Row>) throws {
    try request.check()
    if cacheName != nil { try request.checkNames() }
    if let cacheName, let caches, caches.contains(cacheName), request != self.request {
      throw ResultsError.cacheNotDeleted(cacheName)
    }
    self.request = request
  }

  /// Fetches the results without change callbacks (rule 3).
  ///
  /// Reads one outline, or only the commits since the cache was saved (rule 17); O(groups). A fetch inside a
  /// callback cancels the remaining callbacks (rule 53).
  ///
  /// - Throws: the error of the store, or `ResultsError.splitSection`; the last valid results stay.
  public func performFetch() throws {
    try show { try fetchState() }
  }

  /// Fetches another request; if that fails, the one before stays.
  func performFetch(_ request: ResultsRequest<Row>) throws {
    let before = self.request
    try setRequest(request)
    do {
      try performFetch()
    } catch {
      self.request = before
      throw error
    }
  }

  /// Shows a state that was fetched; no callback reports it.
  func show(_ fetch: () throws -> ResultsState<Row>) throws {
    state = try fetch()
    contents.removeAll()
    fetches += 1
    invalidated = [:]
    userMove = nil
    noteFetch()
    saveCache()
    tellStreamsOfFetch()
  }

  func fetchState() throws -> ResultsState<Row> {
    try store.read { snapshot in
      try fetchState(from: snapshot)
    }
  }

  func fetchState(from snapshot: any ResultsSnapshot<Row>) throws -> ResultsState<Row> {
    let next = (state?.generation ?? lastGeneration ?? 0) + 1
    let cached = try cacheName.flatMap { name in
      try caches?.outline(named: name, for: request, at: snapshot.stamp())
    }
    if let cached, let state = try cachedState(cached, next, snapshot) { return state }
    var state = try ResultsState(request: request, snapshot: snapshot, generation: next)
    try state.readAggregates(from: snapshot)
    return state
  }

  /// The state of a cache; `nil` if it contradicts the store (rule 17).
  private func cachedState(
    _ cached: CachedOutline, _ generation: Int, _ snapshot: any ResultsSnapshot<Row>
  ) throws -> ResultsState<Row>? {
    do {
      var state = try ResultsState(cached, of: request, in: snapshot, generation: generation)
      try state?.readAggregates(from: snapshot)
      return state
    } catch ResultsError.inconsistentStore {
      return nil
    }
  }

  /// Deletes the cache if the store contradicts what is shown: the counts may come from it, so that the
  /// next fetch computes them again (rule 17).
  func distrustCache(after error: any Error) {
    guard case .inconsistentStore? = error as? ResultsError, let cacheName else { return }
    try? caches?.deleteCache(withName: cacheName)
  }

  /// Saves the sections and counts shown (rule 21); a failure only makes the next start slower.
  func saveCache() {
    guard let cacheName, let caches, let state,
      // Counts without the invalidated rows would be wrong at the next start.
      state.invalid.isEmpty
    else { return }
    try? caches.save(state, named: cacheName)
  }
}

extension ResultsRequest {
  /// Checks that the fields have names that are the same in the next process.
  ///
  /// - Throws: `ResultsError.unnamedField`.
  fileprivate func checkNames() throws {
    let names = sortKeys.map { "\($0.field)" } + [sectionField.map { "\($0)" } ?? ""]
    guard !names.contains(where: { $0.hasPrefix(ResultsField<Row>.unnamed) }) else {
      throw ResultsError.unnamedField
    }
  }

  /// - Throws: `ResultsError.noSortKey` (rule 1) or `invalidRange`.
  func check() throws {
    guard !sortKeys.isEmpty else { throw ResultsError.noSortKey }
    guard offset >= 0, limit ?? 0 >= 0, pageSize > 0 else {
      throw ResultsError.invalidRange(
        "limit and offset must not be negative, the page size must be positive")
    }
  }
}

// MARK: - Reading

extension ResultsController {
  /// The number of the state shown: 0 before the first fetch, plus one for each fetch and batch.
  public var generation: Int { state?.generation ?? lastGeneration ?? 0 }

  /// The position in the store's log up to which commits are shown; `nil` before a fetch.
  public var stamp: StoreStamp? {
    guard let member, state != nil, !group.isBehind(member) else { return state?.stamp }
    return group.stamp
  }

  /// Whether there are results; the counts are 0 before the first fetch and after
  /// ``invalidateAll()``.
  public var isFetched: Bool { state != nil }

  /// Whether the results shown have sections; without them they are one section (rule 4).
  var showsSections: Bool { state?.isSectioned ?? true }

  /// The number of sections shown.
  public var numberOfSections: Int { state?.window.sections.count ?? 0 }

  /// The number of rows shown.
  public var numberOfRows: Int { state?.window.rows.count ?? 0 }

  /// The number of rows of each section, in order; empty before a fetch; O(sections).
  public var sectionCounts: [Int] { state?.window.counts ?? [] }

  /// The identity of each section, in order; empty before a fetch; O(sections).
  public var sectionKeys: [String] { state?.sectionKeys ?? [] }

  /// The number of rows in a section; 0 if the section does not exist.
  public func numberOfRows(inSection section: Int) -> Int {
    guard let state, section >= 0, section < state.window.sections.count else { return 0 }
    return state.window.count(inSection: section)
  }

  /// The identity of a section; `nil` if the section does not exist.
  public func sectionKey(at section: Int) -> String? {
    guard let state, section >= 0, section < state.window.sections.count else { return nil }
    return state.tree.sections[state.window.sections.lowerBound + section].key
  }

  /// The row at a path in the state shown, without later commits.
  ///
  /// If the row is not in memory, its page is read.
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the error of the store.
  public func object(at path: RowPath) throws -> Row {
    let id = try identity(at: path)
    if let row = contents[id] { return row }
    try readPage(around: path)
    guard let row = contents[id] else {
      throw ResultsError.inconsistentStore("row \(id) has no contents")
    }
    return row
  }

  /// The identity of the row at a path, without its contents; O(groups of the section).
  ///
  /// - Throws: `ResultsError.notFetched`, `noSuchRow`, or the error of the store.
  public func identity(at path: RowPath) throws -> Row.ID {
    guard let state else { throw ResultsError.notFetched }
    guard let place = state.window.treePlace(of: path) else { throw ResultsError.noSuchRow(path) }
    if let key = state.tree.loadedKey(section: place.section, row: place.row) { return key.id }
    return try reading { state, reader in
      try state.tree.key(section: place.section, row: place.row, with: reader).id
    }
  }

  /// The path of a row; `nil` if it is not among the results (rule 10).
  ///
  /// A commit that the controller has not processed does not change the path (rule 23). Reads one
  /// row, and the keys around it if they are not in memory.
  ///
  /// - Throws: the error of the store.
  public func indexPath(for id: Row.ID) throws -> RowPath? {
    guard state != nil else { return nil }
    return try reading { state, reader in
      guard let row = try reader.rows([id])[id.exact] else { return nil }
      return try state.path(of: state.tree.request.key(of: row), with: reader)
    }
  }

  private func readPage(around path: RowPath) throws {
    try reading { state, reader in
      let size = self.request.pageSize
      let first = path.row / size * size
      let last = min(first + size, state.window.count(inSection: path.section))
      var ids: [Row.ID] = []
      for row in first..<last {
        guard let place = state.window.treePlace(of: RowPath(path.section, row)) else { continue }
        let key = try state.tree.key(section: place.section, row: place.row, with: reader)
        if self.contents[key.id] == nil { ids.append(key.id) }
      }
      self.contents.insert(try reader.rows(ids))
    }
  }

  /// Runs `body` on the state shown, with a reader that answers for that state.
  func reading<Value>(
    _ body: (inout ResultsState<Row>, ResultsReader<Row>) throws -> Value
  ) throws -> Value {
    guard var working = state, let stamp else { throw ResultsError.notFetched }
    working.stamp = stamp
    // Releases the state, so that loading keys changes the tree in place instead of copying it.
    state = nil
    defer { state = working }
    do {
      return try store.read { snapshot in
        let reader = try ResultsReader(
          request: working.tree.request, snapshot: snapshot, since: working.stamp)
        return try body(&working, reader)
      }
    } catch {
      distrustCache(after: error)
      throw error
    }
  }
}

extension ResultsTree {
  /// The key of a row whose leaf is loaded.
  func loadedKey(section: Int, row: Int) -> Key? {
    let leaves = sections[section].leaves
    return leaves.element(at: row).flatMap { leaves[$0.index].keys?[$0.rest] }
  }
}

// Iterating over all rows once, for programs that write a list instead of showing it.

extension ResultsController {
  /// Calls `body` with the rows of a section in order, a page at a time, in the state shown.
  ///
  /// Each page is released after its call, so memory stays bounded by one group of the store.
  /// `body` runs outside of any read and may take long; later commits are not visible to it.
  ///
  /// - Throws: `ResultsError.notFetched`; `ResultsError.historyLost` or `inconsistentStore` when
  ///   the state shown can no longer be reconstructed; the error of the store or of `body`.
  public func forEachPage(
    inSection section: Int, _ body: ([Row]) throws -> Void
  ) throws {
    guard let window = state?.window else { throw ResultsError.notFetched }
    guard section >= 0, section < window.sections.count else { return }
    let index = window.sections.lowerBound + section
    try reading { state, reader in try state.tree.divideLeaves(of: index, with: reader) }
    guard let shown = state else { throw ResultsError.notFetched }
    var start = shown.window.position(section: index, row: 0)
    for leaf in shown.tree.sections[index].leaves {
      let visible = shown.window.rows.clamped(to: start..<start + leaf.count)
      if !visible.isEmpty {
        let keys = try keys(of: leaf)
        try forEachPage(of: keys[visible.lowerBound - start..<visible.upperBound - start], body)
      }
      start += leaf.count
    }
  }

  private func keys(of leaf: ResultsTree<Row>.Leaf) throws -> [ResultsKey<Row.ID>] {
    if let keys = leaf.keys { return keys }
    let keys = try reading { _, reader in try reader.keys(in: leaf.range) }
    guard keys.count == leaf.count else {
      throw ResultsError.inconsistentStore("\(keys.count) rows where \(leaf.count) were counted")
    }
    return keys
  }

  private func forEachPage(
    of keys: ArraySlice<ResultsKey<Row.ID>>, _ body: ([Row]) throws -> Void
  ) throws {
    var rest = keys
    while !rest.isEmpty {
      let ids = rest.prefix(request.pageSize).map { $0.id }
      rest = rest.dropFirst(request.pageSize)
      let rows = try reading { _, reader in try reader.rows(ids) }
      try body(
        ids.map { id in
          guard let row = rows[id.exact] else {
            throw ResultsError.inconsistentStore("row \(id) has no contents")
          }
          return row
        })
    }
  }
}

/// The way in which a controller follows commits (rules 14 to 16).
public enum TrackingMode: Equatable, Sendable {
  /// No tracking: results stay as fetched, since there is no listener.
  case none
  /// Tracking in memory.
  case memoryOnly
  /// Tracking in memory and in a named cache, so that the next start reads no rows.
  case fullPersistent
}
