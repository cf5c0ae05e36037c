import Journal
import JournalStore
import SectionedResults

/// A list that is written once and then updated by each commit.
///
/// If a batch cannot be computed, because the history or a text is missing, a new reset is written;
/// a batch that might be wrong is never written.
final class LiveList: EntryResultsReceiver {
  /// The generation of the last written state.
  var generation: Int { base + results.generation }
  /// Whether the list is out of date because another program has locked the journal.
  private(set) var isBehind = false

  private let results: EntryResults
  private let store: any EntryStore
  private let texts: EntryTexts?
  private let output: LiveOutput
  private let base: Int
  private let request: ResultsRequest<EntryRow>
  /// The position that the list continues from; `nil` for a list that starts with a reset.
  private var resumed: WatchPosition?
  private var needsReset = false
  /// The error that ended the last reset.
  private var resetFailure: (any Error)?
  /// The state of the journal at the last reset.
  private var resetStamp: StoreStamp?
  private var failure: (any Error)?

  /// Prepares a list of a journal; nothing is written before ``start()``.
  ///
  /// - Parameters:
  ///   - isFull: whether rows have their text.
  ///   - base: the offset of this list's generations; its first state is the next number.
  ///   - position: where to continue, if the journal's history reaches back to it.
  /// - Throws: the errors of the results controller.
  init(
    _ request: ResultsRequest<EntryRow>, _ store: any EntryStore, isFull: Bool, output: LiveOutput,
    base: Int = -1, since position: WatchPosition? = nil
  ) throws {
    self.request = request
    self.store = store
    results = try EntryResults(store, request)
    texts = isFull ? EntryTexts(store: store) : nil
    self.output = output
    self.base = base
    results.receiver = self
    if let position { resumed = try resume(from: position) }
    if resumed == nil { try results.fetch() }
  }

  /// Fetches the list of a position; `nil` if that is not in the journal's history.
  private func resume(from position: WatchPosition) throws -> WatchPosition? {
    guard try WatchPosition(of: request, at: position.stamp, in: store) == position else {
      return nil
    }
    do {
      try results.fetch(resumingFrom: position.stamp)
      return position
    } catch is ResultsError {
      return nil
    }
  }

  /// Where the list shown is in the journal's history.
  private func position() throws -> WatchPosition {
    try WatchPosition(
      of: request, at: results.list.stamp ?? StoreStamp(sequence: 0), in: store)
  }

  /// Writes the first reset, or that the list is continued, and the commits made meanwhile.
  ///
  /// - Throws: the errors of ``update()``.
  func start() throws {
    if let resumed {
      output.append { LiveLines.appendResume(generation, at: resumed, &$0) }
      try output.flush()
    } else {
      try reset()
    }
    try update()
  }

  /// Writes the commits since the last call, or a reset if they cannot be written as batches.
  ///
  /// - Throws: `LiveOutput.Ended`, ``Failure``, or the errors of the store except a busy journal;
  ///   an error that would repeat at each reset of the same state.
  func update() throws {
    isBehind = false
    do {
      repeat {
        results.list.processPendingChanges()
        try throwFailure()
      } while try resetIfNeeded()
    } catch let error as StoreError where error.category == .busy {
      isBehind = true
    }
  }

  private func resetIfNeeded() throws -> Bool {
    guard needsReset else { return false }
    // Without a new commit the same error would repeat for ever.
    let stamp = try store.read { try $0.stamp() }
    if let resetFailure, resetStamp == stamp { throw resetFailure }
    resetStamp = stamp
    try results.fetch()
    try reset()
    return true
  }

  /// Throws the error of a callback, unless a reset repairs it.
  private func throwFailure() throws {
    defer { failure = nil }
    guard let failure else { return }
    guard failure is ResultsError else { throw failure }
    needsReset = true
  }

  func take(_ news: EntryResultsNews) {
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
    let position = try position()
    output.append { LiveLines.openReset(generation, at: position, &$0) }
    for (section, key) in results.list.sectionKeys.enumerated() {
      output.append { LiveLines.openSection(key, isFirst: section == 0, &$0) }
      try writeRows(ofSection: section)
      output.append { LiveLines.closeSection(&$0) }
    }
    output.append { LiveLines.closeReset(&$0) }
    try output.flush()
  }

  /// Writes the rows of a section.
  ///
  /// If too many changes came while a slow reader blocked, the state is no longer available: the
  /// rest of the rows is omitted, and another reset follows at once.
  private func writeRows(ofSection section: Int) throws {
    guard !needsReset else { return }
    var isFirst = true
    do {
      try results.list.forEachPage(inSection: section) { rows in
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

  /// The rows with their texts; `nil` for a row whose text is missing.
  private func items(_ rows: [EntryRow]) throws -> [LiveItem?] {
    guard let texts else { return rows.map { .row($0) } }
    return try texts.entries(of: rows).map { $0.map { .entry($0) } }
  }
}

// MARK: - Batches

extension LiveList {
  /// Writes a commit, unless a pending reset includes it.
  private func tell(_ updates: ResultsChange<EntryRow>) {
    guard !needsReset, failure == nil else { return }
    do {
      guard let batch = try liveBatch(updates) else {
        needsReset = true
        return
      }
      let position = try position()
      output.append { LiveLines.append(batch, base: base, at: position, &$0) }
      try output.flush()
    } catch let error where error is LiveOutput.Ended || error is Failure {
      failure = error
    } catch {
      needsReset = true
    }
  }

  /// The batch with its rows; `nil` if a text is missing.
  private func liveBatch(_ updates: ResultsChange<EntryRow>) throws -> LiveBatch? {
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
    let sections = zip(updates.batch.insertedSectionKeys, inserted).map { key, paths in
      (key, paths.compactMap { items[$0] })
    }
    return LiveBatch(batch: batch, sections: sections, items: items)
  }

  private func items(
    at paths: [RowPath], _ known: [RowPath: EntryRow]
  ) throws -> [RowPath: LiveItem]? {
    let rows = try paths.map { try known[$0] ?? results.list.object(at: $0) }
    var items: [RowPath: LiveItem] = [:]
    for (path, item) in zip(paths, try self.items(rows)) {
      guard let item else { return nil }
      items[path] = item
    }
    return items
  }
}

extension ResultsBatch.RowChange {
  /// The row's path after the batch; `nil` for a deleted row.
  fileprivate var newPath: RowPath? {
    switch self {
    case .delete: nil
    case .insert(let path): path
    case .move(_, let path), .update(_, let path): path
    }
  }
}
