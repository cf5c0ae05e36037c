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
/// list.delegate = screen
/// try list.fetch()
/// ```
///
/// A commit that changes several requests is one change of the list. Its delegate is called as that of a
/// controller, after the listeners of all controllers of the store (rule 63). A row may be in several
/// parts. When it leaves one and enters another, that is a delete and an insert.
///
/// It costs what its controllers cost, plus one pass over the sections of the list; the layout of the
/// sections is computed again only for a commit that changes sections.
public final class CompositeResults<Row: ResultsRow> {
  /// One request of a composite list.
  public struct Part {
    /// The rows, their order and their sections.
    public var request: ResultsRequest<Row>
    /// The text before the section keys of this part, so that those of two parts differ.
    ///
    /// It is the whole key for a request without sections, whose only section is shown while it has rows,
    /// or always with the anchor `""`.
    public var keyPrefix: String
    /// The keys of sections that the list shows although they have no rows, without the prefix.
    ///
    /// An empty one is placed where its key belongs in the direction of the first sort key, compared by
    /// bytes. Where the order of the sections is another one, a section that gets its first row may
    /// appear at another place.
    public var anchors: [String]
    /// The section that this part follows; without one, and while the list does not show it, the
    /// part follows the parts before.
    ///
    /// If several parts follow the same section, the last of them comes first. Choose a section with an
    /// anchor: when the section appears or vanishes, the list is reloaded.
    public var place: Place?

    /// A section of an earlier part.
    public struct Place: Equatable, Sendable {
      /// The index of the part.
      public var part: Int
      /// The key of the section, without the prefix.
      public var section: String

      /// Names a section of an earlier part.
      public init(afterSection section: String, ofPart part: Int) {
        self.part = part
        self.section = section
      }
    }

    /// Makes a part.
    public init(
      _ request: ResultsRequest<Row>, keyPrefix: String = "", anchors: [String] = [],
      place: Place? = nil
    ) {
      self.request = request
      self.keyPrefix = keyPrefix
      self.anchors = anchors
      self.place = place
    }
  }

  /// The listener for changes, held weakly; it gets this list in place of a controller.
  ///
  /// One that is set inside a callback hears of the next commit. When no change leads to the state
  /// shown, such as after another request was set inside a callback, it is asked to reload.
  public var delegate: (any ResultsControllerDelegate<Row>)? {
    get { weakDelegate.own }
    set { weakDelegate = WeakDelegate(newValue) }
  }

  /// The listener that is shared with lists of other row types, held weakly; it takes the place of
  /// ``delegate``, and the other way round.
  public var sharedDelegate: (any SharedResultsDelegate)? {
    get { weakDelegate.shared }
    set { weakDelegate = WeakDelegate(shared: newValue) }
  }

  /// The number of the state shown: 0 before the first fetch, plus one for each fetch and change.
  public private(set) var generation = 0

  private var parts: [Part]
  private let controllers: [ResultsController<Row>]
  private var layout = CompositeLayout()
  /// The changes of the commit that the controllers show and the list does not, by part.
  private var pending: [Int: ResultsChange<Row>] = [:]
  private var weakDelegate = WeakDelegate<Row>()
  /// The change that the list shows and the delegate does not know.
  private var undelivered: ResultsChange<Row>?
  /// Whether the delegate must reload what it shows.
  private var needsReload = false
  /// Whether the delegate was called before a commit, and not after it.
  private var isAnnounced = false
  /// The error of that call: the delegate is not called again for the commit.
  private var announcementFailure: (any Error)?
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

  /// Fetches all requests, without callbacks (rule 3).
  ///
  /// - Throws: the errors of ``ResultsController/performFetch()``; a request that failed keeps its last
  ///   good results, and a list that never was fetched is empty.
  public func fetch() throws {
    try fetch(controllers.indices)
    needsReload = false
  }

  /// Fetches the list as it was at an earlier stamp; the commits since are then delivered.
  ///
  /// - Throws: the errors of ``ResultsController/performFetch(resumingFrom:)`` and ``fetch()``.
  public func fetch(resumingFrom stamp: StoreStamp) throws {
    try fetch(controllers.indices) { try $0.performFetch(resumingFrom: stamp) }
    needsReload = false
  }

  private func fetch(
    _ parts: Range<Int>,
    _ body: (ResultsController<Row>) throws -> Void = { try $0.performFetch() }
  ) throws {
    isFetching = true
    defer { isFetching = false }
    do {
      for part in parts { try body(controllers[part]) }
    } catch {
      // Some requests may show a later commit than the list.
      if generation > 0 { reload() }
      throw error
    }
    relayOut(currentLayout())
  }

  /// Changes a part: its request, its anchors and its place.
  ///
  /// For example at midnight, when another day is today. Each difference is one change. Inside a callback
  /// of the store's controllers, another request is a reload.
  ///
  /// - Parameters:
  ///   - index: the index of the part.
  ///   - part: the new part.
  ///   - isNotified: whether the difference of another request is a change, for which all rows of the part
  ///     are compared; otherwise it is a reload.
  /// - Throws: the errors of ``fetch()``; the part then stays as it was. `ResultsError.invalidRange` if
  ///   there is no such part.
  public func setPart(
    _ index: Int, to part: Part, notifyingChanges isNotified: Bool = true
  ) throws {
    guard parts.indices.contains(index) else {
      throw ResultsError.invalidRange("there is no part \(index)")
    }
    let before = parts[index]
    guard generation > 0 else {
      try controllers[index].setRequest(part.request)
      parts[index] = part
      return
    }
    // The delegate gets the change that the list shows already before the next one.
    deliverRound()
    if part.request != before.request {
      try controllers[index].setRequest(part.request)
      do {
        try fetchChanges(ofPart: index, isNotified)
      } catch {
        try controllers[index].setRequest(before.request)
        throw error
      }
    }
    parts[index] = part
    announceRound()
    showRound(relayout: true)
    deliverRound()
  }

  private func fetchChanges(ofPart part: Int, _ isNotified: Bool) throws {
    guard isNotified, controllers[part].canNotifyFetch else {
      try fetch(part..<part + 1)
      return deliverRound()
    }
    try controllers[part].performFetch(notifyingChanges: true)
  }

  private func reload() {
    relayOut(currentLayout())
    deliverRound()
  }

  private func currentLayout() -> CompositeLayout {
    var layout = CompositeLayout()
    for (part, controller) in controllers.enumerated() {
      let direction = parts[part].request.sortKeys.first?.order ?? .ascending
      layout.append(
        part: part, keys: controller.sectionKeys,
        hasRows: controller.showsSections || controller.numberOfRows > 0,
        anchors: parts[part].anchors, prefix: parts[part].keyPrefix, direction: direction,
        place: parts[part].place.map { ($0.part, parts[$0.part].keyPrefix + $0.section) })
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

  /// The identity of a section, with the prefix of its part; `nil` if the section does not exist.
  public func sectionKey(at section: Int) -> String? {
    layout.sections.indices.contains(section) ? layout.sections[section].key : nil
  }

  /// The identities of the sections, in order, with the prefixes of their parts.
  public var sectionKeys: [String] { layout.sections.map { $0.key } }

  /// The indexes of the sections.
  var sectionIndices: Range<Int> { layout.sections.indices }

  /// The index title of a section: the delegate's, or of its own key, or of the prefix of its part.
  func indexTitle(ofSection section: Int) -> String? {
    if let delegate = weakDelegate.delegate as? any ResultsIndexTitleDelegate<Row>,
      let title = delegate.controller(self, indexTitleForSectionKey: layout.sections[section].key)
    {
      return title
    }
    let (part, key) = (layout.sections[section].part, layout.sections[section].key)
    let own = String(key.unicodeScalars.dropFirst(parts[part].keyPrefix.unicodeScalars.count))
    return SectionIndex.defaultTitle(of: own) ?? SectionIndex.defaultTitle(of: key)
  }

  /// The number of rows of each section, in order; O(sections).
  public var sectionCounts: [Int] {
    // Every batch has them, so that no section is asked for by itself.
    let counts = controllers.map { $0.sectionCounts }
    var all = [Int](repeating: 0, count: layout.sections.count)
    for (part, places) in layout.places.enumerated() {
      for (own, place) in places.enumerated() where own < counts[part].count {
        all[place] = counts[part][own]
      }
    }
    return all
  }

  /// The position in the store's log up to which all requests show commits; `nil` before a fetch.
  public var stamp: StoreStamp? { generation > 0 ? controllers.compactMap { $0.stamp }.min() : nil }

  /// Processes the commits that are not shown yet.
  public func processPendingChanges() { controllers.first?.processPendingChanges() }

  /// Calls `body` with the rows of a section in order, a page at a time, in the state shown.
  ///
  /// - Throws: the errors of ``ResultsController/forEachPage(inSection:_:)``.
  public func forEachPage(inSection section: Int, _ body: ([Row]) throws -> Void) throws {
    guard let (controller, own) = source(ofSection: section) else { return }
    try controller.forEachPage(inSection: own, body)
  }

  /// The identities of all sections and rows shown, each with its part's; O(n).
  ///
  /// - Throws: the errors of ``ResultsController/snapshot()``.
  public func snapshot() throws -> SectionedSnapshot<Row.ID> {
    let own = try controllers.map { try $0.snapshot().sections }
    let sections = layout.sections.map { section in
      SectionedSnapshot<Row.ID>.Section(
        key: section.key, rows: section.own.map { own[section.part][$0].rows } ?? [])
    }
    return SectionedSnapshot(sections: sections, reloaded: [])
  }

  /// The aggregate of a field over the rows shown in a section; O(log sections).
  ///
  /// - Returns: `nil` for no such section, for one without rows that an anchor shows, or if the request of
  ///   its part does not aggregate the field.
  public func aggregate(of field: Row.SortField, inSection section: Int) -> ResultsAggregate? {
    guard let (controller, own) = source(ofSection: section) else { return nil }
    return controller.aggregate(of: field, inSection: own)
  }

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
  ///
  /// - Parameter relayout: whether anchors or places may differ from those shown.
  func showRound(relayout: Bool = false) {
    guard relayout || !pending.isEmpty else { return }
    // Most commits change rows only; then the sections keep their places.
    let isSame =
      !relayout && pending.allSatisfy { $0.value.sections.isEmpty && keepsItsOnlySection($0.key) }
    let after = isSame ? layout : currentLayout()
    guard
      let sections = isSame
        ? [] : layout.changes(to: after, afterParts: pending.mapValues { $0.sections })
    else { return relayOut(after) }
    let rows = pending.sorted { $0.key < $1.key }.flatMap { part, change in
      change.rows.compactMap { row -> ResultsRowChange<Row>? in
        guard let kind = layout.map(row.kind, ofPart: part, to: after) else { return nil }
        return ResultsRowChange(kind, row: row.row, old: row.old)
      }
    }.sorted { $0.kind.sortPath < $1.kind.sortPath }
    pending = [:]
    layout = after
    let batch = ResultsBatch(
      sections: sections, rows: rows.map { $0.kind }, from: generation,
      sectionCountsAfter: sectionCounts
    ) { after.sections[$0].key }
    guard !batch.isEmpty else { return }
    generation += 1
    undelivered = ResultsChange(sections: sections, rows: rows, batch: batch)
  }

  /// Whether a request without sections has rows as it had before.
  private func keepsItsOnlySection(_ part: Int) -> Bool {
    let controller = controllers[part]
    return controller.showsSections
      || (controller.numberOfRows > 0) == (layout.section(part: part, own: 0) != nil)
  }

  /// Shows a layout that no change leads to.
  private func relayOut(_ after: CompositeLayout) {
    pending = [:]
    (undelivered, isAnnounced) = (nil, false)
    generation += 1
    layout = after
    needsReload = true
  }

  private var calls: DelegateCalls<Row>? { weakDelegate.calls(for: self, isSectioned: true) }

  /// Calls the delegate before a commit that changes a part.
  func announceRound() {
    guard generation > 0 else { return }
    do {
      isAnnounced = true
      try calls?.willChange()
    } catch {
      announcementFailure = error
    }
  }

  /// Calls the delegate after the listeners of the controllers.
  func deliverRound() {
    let (change, wasAnnounced, failure) = (undelivered, isAnnounced, announcementFailure)
    (undelivered, isAnnounced, announcementFailure) = (nil, false, nil)
    guard !needsReload else {
      needsReload = false
      calls?.needsReload()
      return
    }
    do {
      if let failure { throw failure }
      // A commit may change parts, and nothing that is shown.
      let state = generation
      if let change {
        try calls?.change(change) { state == generation }
      } else if wasAnnounced {
        try calls?.didChange()
      }
    } catch {
      calls?.failed(error)
      calls?.needsReload()
    }
  }

  /// Reports an error of a part's controller; its results may have been fetched again.
  func partFailed(_ error: any Error, isFetchedAgain: Bool) {
    guard !isFetching else { return }
    calls?.failed(error)
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

    func isSame(as other: Section) -> Bool {
      part == other.part && key.hasBytes(of: other.key)
    }
  }

  private(set) var sections: [Section] = []
  /// For each part, the index in the list of each section of its results.
  private(set) var places: [[Int]] = []

  /// Adds the sections of the next part: after a section of an earlier one, or at the end.
  ///
  /// - Parameter hasRows: whether the sections have rows; only that of a request without sections may
  ///   have none.
  mutating func append(
    part: Int, keys: [String], hasRows: Bool, anchors: [String], prefix: String,
    direction: SortValue.Order, place: (part: Int, key: String)? = nil
  ) {
    let keys = hasRows ? keys : []
    let start = place.flatMap { end(ofPart: $0.part, key: $0.key) } ?? sections.count
    // The texts are compared by bytes, in one pass for each of the few anchors.
    let missing = anchors.filter { anchor in !keys.contains { $0.hasBytes(of: anchor) } }
    var empty = Set(missing.map(SortValue.text)).sorted {
      direction == .ascending ? $0.order($1) < 0 : $0.order($1) > 0
    }[...]
    var added: [Section] = []
    added.reserveCapacity(keys.count + empty.count)
    func add(_ key: String, own: Int?) {
      added.append(Section(part: part, key: prefix.isEmpty ? key : prefix + key, own: own))
    }
    func addEmpty(before key: SortValue?) {
      while case .text(let text)? = empty.first {
        if let key {
          let order = SortValue.text(text).order(key)
          guard direction == .ascending ? order < 0 : order > 0 else { return }
        }
        empty.removeFirst()
        add(text, own: nil)
      }
    }
    var places: [Int] = []
    places.reserveCapacity(keys.count)
    for (own, key) in keys.enumerated() {
      if !empty.isEmpty { addEmpty(before: .text(key)) }
      places.append(start + added.count)
      add(key, own: own)
    }
    addEmpty(before: nil)
    if start < sections.count {
      for index in self.places.indices {
        self.places[index] = self.places[index].map { $0 < start ? $0 : $0 + added.count }
      }
    }
    sections.insert(contentsOf: added, at: start)
    self.places.append(places)
  }

  /// The index after a section; `nil` if the list does not show it.
  private func end(ofPart part: Int, key: String) -> Int? {
    sections.firstIndex { $0.part == part && $0.key.hasBytes(of: key) }.map { $0 + 1 }
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
  /// - Returns: `nil` if sections with rows change places, since a part has another place.
  func changes(
    to after: CompositeLayout, afterParts parts: [Int: [ResultsBatch.SectionChange]]
  ) -> [ResultsBatch.SectionChange]? {
    let (kept, anchored) = pairs(with: after, afterParts: parts)
    guard zip(kept, kept.dropFirst()).allSatisfy({ $0.new < $1.new }) else { return nil }
    // A section that begins or ends to be empty keeps its place among the others, or is another one.
    var pairs = kept
    for pair in anchored
    where pairs.allSatisfy({ ($0.old < pair.old) == ($0.new < pair.new) }) { pairs.append(pair) }
    // Arrays instead of sets: a list has thousands of sections, and nearly all of them stay.
    var staysOld = [Bool](repeating: false, count: sections.count)
    var staysNew = [Bool](repeating: false, count: after.sections.count)
    for pair in pairs {
      staysOld[pair.old] = true
      staysNew[pair.new] = true
    }
    return staysOld.indices.reversed().filter { !staysOld[$0] }.map { .delete(at: $0) }
      + staysNew.indices.filter { !staysNew[$0] }.map { .insert(at: $0) }
  }

  /// The sections of both layouts, by their old indexes: those with rows in both, and those that are
  /// empty in one or both.
  private func pairs(
    with after: CompositeLayout, afterParts parts: [Int: [ResultsBatch.SectionChange]]
  ) -> (kept: [Pair], anchored: [Pair]) {
    let deleted = parts.mapValues { changes in
      Set(changes.compactMap { if case .delete(let index) = $0 { index } else { nil } })
    }
    var (kept, anchored): ([Pair], [Pair]) = ([], [])
    func pair(_ index: Int, _ place: Int) {
      let section = sections[index]
      guard let own = section.own, after.sections[place].own != nil else {
        return anchored.append(Pair(old: index, new: place))
      }
      // Deleted and inserted in one commit: it moved.
      if deleted[section.part]?.contains(own) != true { kept.append(Pair(old: index, new: place)) }
    }
    // Nearly all sections are before or after the few that a commit changes.
    let shorter = min(sections.count, after.sections.count)
    var head = 0
    while head < shorter, sections[head].isSame(as: after.sections[head]) { head += 1 }
    var tail = 0
    while tail < shorter - head,
      sections[sections.count - 1 - tail].isSame(
        as: after.sections[after.sections.count - 1 - tail])
    { tail += 1 }
    var places: [[SortValue]: Int] = [:]
    for index in head..<after.sections.count - tail {
      places[after.sections[index].identity] = index
    }
    for index in 0..<head { pair(index, index) }
    for index in head..<sections.count - tail {
      if let place = places[sections[index].identity] { pair(index, place) }
    }
    for index in sections.count - tail..<sections.count {
      pair(index, index + after.sections.count - sections.count)
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
