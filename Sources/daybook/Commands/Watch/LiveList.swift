import Journal
import JournalStore
import SectionedResults

/// A list that is written out once and then followed commit by commit.
///
/// What cannot be told as a batch, because the history is lost or a text is gone, is told as a new
/// reset; a batch that might be wrong is never written.
final class LiveList {
  /// The number of the state told last.
  var generation: Generation { base + results.generation }
  /// Whether the list could not be brought up to date, because another program holds the journal.
  private(set) var isBehind = false

  private let results: EntryResults
  private let store: any EntryStore
  private let texts: EntryTexts?
  private let output: LiveOutput
  private let base: Generation
  private var needsReset = false
  /// Why the last reset could not be written to its end.
  private var resetFailure: (any Error)?
  /// The state of the journal that the last reset was made from.
  private var resetStamp: StoreStamp?
  private var failure: (any Error)?

  /// Makes a list over a journal; nothing is written before ``start()``.
  ///
  /// - Parameters:
  ///   - isFull: whether rows have their text.
  ///   - base: what the generations of this list are counted from.
  /// - Throws: what the results controller throws.
  init(
    _ request: FetchRequest<EntryRow>, _ store: any EntryStore, isFull: Bool, output: LiveOutput,
    base: Generation = 0
  ) throws {
    self.store = store
    results = try EntryResults(store, request)
    texts = isFull ? EntryTexts(store: store) : nil
    self.output = output
    self.base = base
    results.receive = { [weak self] in self?.take($0) }
    try results.fetch()
  }

  /// Writes the first reset, and what happened while it was written.
  ///
  /// - Throws: what ``update()`` throws.
  func start() throws {
    try reset()
    try update()
  }

  /// Writes what happened since the last call, or everything where that cannot be told.
  ///
  /// - Throws: `LiveOutput.Ended`, ``Failure``, or what the store throws, unless it is only busy; what
  ///   keeps two resets of one state from being written.
  func update() throws {
    isBehind = false
    do {
      repeat {
        results.controller.processPendingChanges()
        try throwFailure()
      } while try resetIfNeeded()
    } catch let error as StoreError where error.category == .busy {
      isBehind = true
    }
  }

  private func resetIfNeeded() throws -> Bool {
    guard needsReset else { return false }
    // Without a commit in between, what failed would fail for ever.
    let stamp = try store.read { try $0.stamp() }
    if let resetFailure, resetStamp == stamp { throw resetFailure }
    resetStamp = stamp
    try results.fetch()
    try reset()
    return true
  }

  /// Throws what went wrong in a callback, unless a reset puts it right.
  private func throwFailure() throws {
    defer { failure = nil }
    guard let failure else { return }
    guard failure is ResultsError else { throw failure }
    needsReset = true
  }

  private func take(_ news: EntryResultsNews) {
    switch news {
    case .changed(let updates): tell(updates)
    case .reloaded: needsReset = true
    case .failed(let error): failure = failure ?? error
    }
  }
}

// MARK: - Resets

extension LiveList {
  private func reset() throws {
    needsReset = false
    resetFailure = nil
    output.append { LiveLines.openReset(generation, &$0) }
    for (section, key) in results.controller.sectionKeys.enumerated() {
      output.append { LiveLines.openSection(key, isFirst: section == 0, &$0) }
      try writeRows(ofSection: section)
      output.append { LiveLines.closeSection(&$0) }
    }
    output.append { LiveLines.closeReset(&$0) }
    try output.flush()
  }

  /// Writes the rows of a section.
  ///
  /// If the state can no longer be told, since an avalanche of changes came over a slow reader, the
  /// rest is left out, for another reset to follow at once.
  private func writeRows(ofSection section: Int) throws {
    guard !needsReset else { return }
    var isFirst = true
    do {
      try results.controller.forEachPage(inSection: section) { rows in
        for item in try items(rows) {
          guard let item else {
            needsReset = true
            resetFailure = ResultsError.inconsistentStore("a text that is listed is not there")
            continue
          }
          output.append { LiveLines.append(item, isFirst: isFirst, &$0) }
          isFirst = false
        }
        try output.flushIfLong()
      }
    } catch let error as ResultsError {
      needsReset = true
      resetFailure = error
    } catch let error as StoreError where error.category == .busy {
      needsReset = true
    }
  }

  /// The rows as they are written; `nil` where a text that is wanted is gone.
  private func items(_ rows: [EntryRow]) throws -> [LiveItem?] {
    guard let texts else { return rows.map { .row($0) } }
    return try texts.entries(of: rows).map { $0.map { .entry($0) } }
  }
}

// MARK: - Batches

extension LiveList {
  /// Writes a commit, unless a reset is due that includes it.
  private func tell(_ updates: EntryUpdates) {
    guard !needsReset, failure == nil else { return }
    do {
      guard let batch = try liveBatch(updates) else {
        needsReset = true
        return
      }
      output.append { LiveLines.append(batch, base: base, &$0) }
      try output.flush()
    } catch let error where error is LiveOutput.Ended || error is Failure {
      failure = error
    } catch {
      needsReset = true
    }
  }

  /// The batch with its rows; `nil` where a text that is wanted is gone.
  private func liveBatch(_ updates: EntryUpdates) throws -> LiveBatch? {
    let batch = updates.batch
    let known = Dictionary(
      updates.rows.compactMap { row in row.kind.newPath.map { ($0, row.row) } },
      uniquingKeysWith: { first, _ in first })
    let inserted = batch.insertedSections.map { section in
      (0..<batch.sectionCountsAfter[section]).map { RowPath(section, $0) }
    }
    let paths =
      inserted.joined() + batch.insertedRows + (batch.moves + batch.updates).map(\.to)
    guard let items = try items(at: Array(paths), known) else { return nil }
    let sections = zip(updates.sectionKeys, inserted).map { key, paths in
      (key, paths.compactMap { items[$0] })
    }
    return LiveBatch(batch: batch, sections: sections, items: items)
  }

  private func items(
    at paths: [RowPath], _ known: [RowPath: EntryRow]
  ) throws -> [RowPath: LiveItem]? {
    let rows = try paths.map { try known[$0] ?? results.controller.object(at: $0) }
    var items: [RowPath: LiveItem] = [:]
    for (path, item) in zip(paths, try self.items(rows)) {
      guard let item else { return nil }
      items[path] = item
    }
    return items
  }
}

extension RowChangeKind {
  /// Where the row stands afterwards; `nil` when it is gone.
  fileprivate var newPath: RowPath? {
    switch self {
    case .delete: nil
    case .insert(let path): path
    case .move(_, let path), .update(_, let path): path
    }
  }
}
