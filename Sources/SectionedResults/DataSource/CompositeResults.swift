// SPDX-License-Identifier: MIT

/// The results of several requests as one list: the sections of the first, then those of the next.
///
/// For example the starred notes above all notes by day, with a section for today that stays although it
/// is empty:
///
/// ```swift
/// let list = try CompositeResults([
///   .init(ResultsRequest(filter: .starred, sortKeys: [SortKey(\.title)]), keyPrefix: "starred"),
///   .init(notesByDay, anchors: ["2026-11-24"]),
/// ], store: store)
/// list.didChange = { change in try? screen.list.apply(change.batch) }
/// try list.fetch()
/// ```
///
/// A commit that changes several requests is one change of the list. It is told after the listeners of
/// all controllers of the store (rule 63). A row may be in several parts. When it leaves one and enters
/// another, that is a delete and an insert.
///
/// It costs what its controllers cost, plus one pass over the sections of the list.
public final class CompositeResults<Row: ResultsRow> {
  /// One request of a composite list.
  public struct Part {
    /// The rows, their order and their sections.
    public var request: ResultsRequest<Row>
    /// The text before the section keys of this part, so that those of two parts differ.
    ///
    /// It is the whole key for a request without sections.
    public var keyPrefix: String
    /// The keys of sections that the list shows although they have no rows, without the prefix.
    ///
    /// An empty one is placed where its key belongs in the direction of the first sort key, compared by
    /// bytes. Where the order of the sections is another one, a section that gets its first row may
    /// appear at another place.
    public var anchors: [String]

    /// Makes a part.
    public init(_ request: ResultsRequest<Row>, keyPrefix: String = "", anchors: [String] = []) {
      self.request = request
      self.keyPrefix = keyPrefix
      self.anchors = anchors
    }
  }

  /// Called after each commit that changed the list.
  public var didChange: ((ResultsChange<Row>) -> Void)?
  /// Called when the list must be read again: after a fetch, or when a commit could not be described.
  public var didReload: (() -> Void)?
  /// Called with the errors of the store; the last good results stay (rule 52).
  public var didFail: ((any Error) -> Void)?
  /// The number of the state shown: 0 before the first fetch, plus one for each fetch and change.
  public private(set) var generation = 0

  private var parts: [Part]
  private let controllers: [ResultsController<Row>]
  private var layout = CompositeLayout()
  /// The changes of the commit that the controllers show and the list does not, by part.
  private var pending: [Int: ResultsChange<Row>] = [:]
  /// The change that the list shows and the listener does not know.
  private var untold: ResultsChange<Row>?
  private var isFetching = false

  /// Makes a list that is empty until ``fetch()``.
  ///
  /// - Throws: `ResultsError.noSortKey` or `invalidRange` for a request that is not valid.
  public init(_ parts: [Part], store: any ResultsStore<Row>) throws {
    self.parts = parts
    controllers = try parts.map { try ResultsController(request: $0.request, store: store) }
    for (index, controller) in controllers.enumerated() {
      controller.composite = CompositeMembership(list: self, part: index)
    }
  }

  /// Fetches all requests, without a change; ``didReload`` follows.
  ///
  /// - Throws: the errors of ``ResultsController/performFetch()``; a request that failed keeps its last
  ///   good results, and a list that never was fetched is empty.
  public func fetch() throws {
    try fetch(controllers.indices)
  }

  private func fetch(_ parts: Range<Int>) throws {
    isFetching = true
    defer { isFetching = false }
    do {
      for part in parts { try controllers[part].performFetch() }
    } catch {
      // Some requests may show a later commit than the list.
      if generation > 0 { reload() }
      throw error
    }
    reload()
  }

  /// Changes the request of a part and fetches it; ``didReload`` follows.
  ///
  /// - Throws: the errors of ``fetch()``; the request then stays.
  public func setRequest(_ request: ResultsRequest<Row>, ofPart part: Int) throws {
    let before = parts[part].request
    try controllers[part].setRequest(request)
    parts[part].request = request
    guard generation > 0 else { return }
    do {
      try fetch(part..<part + 1)
    } catch {
      parts[part].request = before
      try controllers[part].setRequest(before)
      throw error
    }
  }

  /// Changes the sections that a part shows although they have no rows; a change is told.
  ///
  /// For example at midnight, when another day is today.
  public func setAnchors(_ anchors: [String], ofPart part: Int) {
    parts[part].anchors = anchors
    guard generation > 0 else { return }
    // What was shown before is told before.
    tellRound()
    showRound(always: true)
    tellRound()
  }

  private func reload() {
    pending = [:]
    untold = nil
    generation += 1
    layout = currentLayout()
    didReload?()
  }

  private func currentLayout() -> CompositeLayout {
    var layout = CompositeLayout()
    for (part, controller) in controllers.enumerated() {
      let direction = parts[part].request.sortKeys.first?.order ?? .ascending
      layout.append(
        part: part, keys: controller.sectionKeys, anchors: parts[part].anchors,
        prefix: parts[part].keyPrefix, direction: direction)
    }
    return layout
  }
}

// MARK: - Reading

extension CompositeResults: SectionedDataSource {
  /// The number of sections shown, with empty ones.
  public var numberOfSections: Int { layout.sections.count }

  /// The number of rows in a section; 0 if the section does not exist.
  public func numberOfRows(inSection section: Int) -> Int {
    guard let (controller, own) = source(ofSection: section) else { return 0 }
    return controller.numberOfRows(inSection: own)
  }

  /// The row at a path.
  ///
  /// - Throws: the errors of ``ResultsController/object(at:)``.
  public func object(at path: RowPath) throws -> Row {
    guard let (controller, own) = source(ofSection: path.section) else {
      throw ResultsError.noSuchRow(path)
    }
    return try controller.object(at: RowPath(own, path.row))
  }

  /// The identity of the row at a path, without its contents.
  ///
  /// - Throws: the errors of ``ResultsController/identity(at:)``.
  public func identity(at path: RowPath) throws -> Row.ID {
    guard let (controller, own) = source(ofSection: path.section) else {
      throw ResultsError.noSuchRow(path)
    }
    return try controller.identity(at: RowPath(own, path.row))
  }

  /// The paths of a row, at most one in each part.
  ///
  /// - Throws: the error of the store.
  public func indexPaths(for id: Row.ID) throws -> [RowPath] {
    try controllers.enumerated().compactMap { part, controller in
      guard let path = try controller.indexPath(for: id),
        let section = layout.section(part: part, own: path.section)
      else { return nil }
      return RowPath(section, path.row)
    }
  }

  /// The identities of the sections, in order, with the prefixes of their parts.
  public var sectionKeys: [String] { layout.sections.map(\.key) }

  /// The indexes of the sections.
  var sectionIndices: Range<Int> { layout.sections.indices }

  /// The index title of a section: of its own key, or of the prefix of its part.
  func indexTitle(ofSection section: Int) -> String? {
    let (part, key) = (layout.sections[section].part, layout.sections[section].key)
    let own = String(key.unicodeScalars.dropFirst(parts[part].keyPrefix.unicodeScalars.count))
    return SectionIndex.defaultTitle(of: own) ?? SectionIndex.defaultTitle(of: key)
  }

  /// The number of rows of each section, in order; O(sections).
  public var sectionCounts: [Int] { layout.sections.indices.map(numberOfRows(inSection:)) }

  /// The index of the part that a section belongs to; `nil` if the section does not exist.
  public func part(ofSection section: Int) -> Int? {
    layout.sections.indices.contains(section) ? layout.sections[section].part : nil
  }

  /// The state shown as one batch over an empty list.
  public func currentBatch() -> ResultsBatch {
    var batch = ResultsBatch(from: 0, to: generation, sectionCountsAfter: sectionCounts)
    batch.insertedSections = Array(layout.sections.indices)
    batch.insertedSectionKeys = sectionKeys
    return batch
  }

  /// The controller of a section, and the section's index there; `nil` for one without rows.
  private func source(ofSection section: Int) -> (ResultsController<Row>, Int)? {
    guard layout.sections.indices.contains(section), let own = layout.sections[section].own else {
      return nil
    }
    return (controllers[layout.sections[section].part], own)
  }
}

// MARK: - Following

/// The place of a controller in a composite list.
struct CompositeMembership<Row: ResultsRow> {
  weak var list: CompositeResults<Row>?
  let part: Int
}

extension CompositeResults {
  /// Takes the change of a part, which the controller shows already.
  func take(_ change: ResultsChange<Row>, ofPart part: Int) {
    // Before the first fetch of all parts there is no list.
    if generation > 0 { pending[part] = change }
  }

  /// Shows the commit that all controllers show now.
  func showRound(always: Bool = false) {
    guard always || !pending.isEmpty else { return }
    let after = currentLayout()
    let sections = layout.changes(to: after, afterParts: pending.mapValues(\.sections))
    let rows = pending.sorted { $0.key < $1.key }.flatMap { part, change in
      change.rows.compactMap { row -> ResultsRowChange<Row>? in
        guard let kind = layout.map(row.kind, ofPart: part, to: after) else { return nil }
        return ResultsRowChange(kind, row: row.row, old: row.old)
      }
    }.sorted { $0.kind.sortPath < $1.kind.sortPath }
    pending = [:]
    layout = after
    let batch = ResultsBatch(
      sections: sections, rows: rows.map(\.kind), from: generation,
      sectionCountsAfter: sectionCounts
    ) { after.sections[$0].key }
    guard !batch.isEmpty else { return }
    generation += 1
    untold = ResultsChange(sections: sections, rows: rows, batch: batch)
  }

  /// Calls the listener after those of the controllers.
  func tellRound() {
    guard let change = untold else { return }
    untold = nil
    didChange?(change)
  }

  /// Reports an error of a part's controller; its results may have been fetched again.
  func partFailed(_ error: any Error, isFetchedAgain: Bool) {
    guard !isFetching else { return }
    didFail?(error)
    if isFetchedAgain { reload() }
  }
}

// MARK: - Layout

/// The sections of a composite list, each with the section of the part that has its rows.
struct CompositeLayout {
  struct Section: Equatable {
    let part: Int
    /// The key with the prefix of the part.
    let key: String
    /// The index of the section in the part's results; `nil` for an empty section.
    let own: Int?

    /// The part and the key, compared by bytes.
    var identity: [SortValue] { [.integer(Int64(part)), .text(key)] }
  }

  private(set) var sections: [Section] = []
  /// For each part, the index in the list of each section of its results.
  private var places: [[Int]] = []

  /// Adds the sections of the next part.
  mutating func append(
    part: Int, keys: [String], anchors: [String], prefix: String, direction: SortValue.Order
  ) {
    let anchored = Set(anchors.map(SortValue.text))
    let filled = keys.map(SortValue.text)
    let isBefore: (SortValue, SortValue) -> Bool = { lhs, rhs in
      direction == .ascending ? lhs.order(rhs) < 0 : lhs.order(rhs) > 0
    }
    var empty = anchored.subtracting(filled).sorted(by: isBefore)[...]
    func add(_ key: SortValue, own: Int?) {
      guard case .text(let text) = key else { return }
      sections.append(Section(part: part, key: prefix + text, own: own))
    }
    var places: [Int] = []
    for (own, key) in filled.enumerated() {
      while let next = empty.first, isBefore(next, key) { add(empty.removeFirst(), own: nil) }
      places.append(sections.count)
      add(key, own: own)
    }
    for key in empty { add(key, own: nil) }
    self.places.append(places)
  }

  /// The index in the list of a section of a part.
  func section(part: Int, own: Int) -> Int? {
    guard places.indices.contains(part), places[part].indices.contains(own) else { return nil }
    return places[part][own]
  }

  /// A section in two layouts, by its indexes.
  private struct Pair {
    let old: Int
    let new: Int
  }

  /// The sections to delete, highest index first, and then those to insert, that lead to another layout.
  ///
  /// - Parameter parts: the section changes of the parts between the layouts.
  func changes(
    to after: CompositeLayout, afterParts parts: [Int: [ResultsBatch.SectionChange]]
  ) -> [ResultsBatch.SectionChange] {
    let (kept, anchored) = pairs(with: after, afterParts: parts)
    // A section that begins or ends to be empty keeps its place among the others, or is another one.
    var pairs = kept
    for pair in anchored
    where pairs.allSatisfy({ ($0.old < pair.old) == ($0.new < pair.new) }) { pairs.append(pair) }
    let old = Set(pairs.map(\.old))
    let new = Set(pairs.map(\.new))
    return sections.indices.reversed().filter { !old.contains($0) }.map { .delete(at: $0) }
      + after.sections.indices.filter { !new.contains($0) }.map { .insert(at: $0) }
  }

  /// The sections of both layouts: those with rows in both, and those that are empty in one or both.
  private func pairs(
    with after: CompositeLayout, afterParts parts: [Int: [ResultsBatch.SectionChange]]
  ) -> (kept: [Pair], anchored: [Pair]) {
    var places: [[SortValue]: Int] = [:]
    for (index, section) in after.sections.enumerated() { places[section.identity] = index }
    let deleted = parts.mapValues { changes in
      Set(changes.compactMap { if case .delete(let index) = $0 { index } else { nil } })
    }
    var (kept, anchored): ([Pair], [Pair]) = ([], [])
    for (index, section) in sections.enumerated() {
      guard let place = places[section.identity] else { continue }
      let pair = Pair(old: index, new: place)
      guard let own = section.own, after.sections[place].own != nil else {
        anchored.append(pair)
        continue
      }
      // Deleted and inserted in one commit: it moved.
      if deleted[section.part]?.contains(own) != true { kept.append(pair) }
    }
    return (kept, anchored)
  }

  /// Converts the paths of a part's change into those of the list; `nil` if there is no such section.
  func map(
    _ kind: ResultsBatch.RowChange, ofPart part: Int, to after: CompositeLayout
  ) -> ResultsBatch.RowChange? {
    func old(_ path: RowPath) -> RowPath? {
      section(part: part, own: path.section).map { RowPath($0, path.row) }
    }
    func new(_ path: RowPath) -> RowPath? {
      after.section(part: part, own: path.section).map { RowPath($0, path.row) }
    }
    switch kind {
    case .delete(let from): return old(from).map { .delete(at: $0) }
    case .insert(let to): return new(to).map { .insert(at: $0) }
    case .move(let from, let to):
      guard let from = old(from), let to = new(to) else { return nil }
      return .move(from: from, to: to)
    case .update(let from, let to):
      guard let from = old(from), let to = new(to) else { return nil }
      return .update(from: from, to: to)
    }
  }
}
