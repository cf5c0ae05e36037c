import Journal

extension EntryStore {
  /// Applies what synchronisation received, in one transaction that is one change set of kind
  /// ``ChangeKind/sync``.
  ///
  /// The new state's cursor is the last change of `body`. Undo skips the change set,
  /// and ``takeBack(_:_:)`` takes it back. If `body` changes nothing, only the state is written. If
  /// it throws, nothing is.
  ///
  /// After `body`, links to titles that changed on the other side are repaired (``LinkRepair``), in the same change
  /// set. These changes come after the cursor, so that the next synchronisation sends them.
  ///
  /// - Parameters:
  ///   - sequence: the last change that the caller has seen.
  ///   - newState: the state to record; its cursor is replaced.
  ///   - remote: what the remote knows of the journal's changes; `nil` to repair no link.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/changedMeanwhile`` if somebody has written
  ///   since, so that the caller begins again; the errors of `body`.
  @discardableResult
  package func applySync<Value>(
    expecting sequence: Int64, newState: SyncState, meeting remote: RemoteSide? = nil,
    _ body: (SyncWriting) throws -> Value
  ) throws -> (value: Value, repaired: [Int64]) {
    try change(.sync) { writer in
      guard try writer.lastSequence() == sequence else {
        throw StoreError(
          .changedMeanwhile, at: path, "the journal was changed meanwhile; sync again")
      }
      let sync = SyncWriting(writer)
      let value = try body(sync)
      try sync.finish()
      try writer.setSyncState(newState, endingHere: true)
      guard let remote, sync.hasChanges else { return (value, []) }
      var record = newState
      record.cursor = try writer.lastSequence()
      let repaired = try sync.repairLinks(meeting: remote, clock)
      if !repaired.isEmpty { try writer.setSyncState(record, endingHere: false) }
      return (value, repaired)
    }
  }
}

/// Writes entries of other devices inside a transaction of synchronisation, by their uuids.
package final class SyncWriting {
  /// The number of inserted entries.
  package private(set) var inserted = 0
  /// The number of updated entries.
  package private(set) var updated = 0
  /// The numbers of purged entries.
  package private(set) var purged: [Int64] = []
  /// The journal's former titles of entries that have another title now, or that are gone.
  private var titles: [FormerTitle] = []
  /// The links in the former texts of updated entries.
  private var links: [Int64: Set<LinkText>] = [:]
  /// The first inserted entry, which has the smallest number of all.
  private var firstInserted: String?

  let writer: any EntryWriting

  init(_ writer: any EntryWriting) {
    self.writer = writer
  }

  /// Records who wrote what is received; the usual name is `sync`.
  package func setAuthor(_ name: String) throws { try writer.setAuthor(name) }

  /// The present entry with a uuid, with the changes so far.
  package func entry(uuid: String) throws -> Entry? { try writer.entry(uuid: uuid) }

  /// Adds an entry under a new number, on the path of bulk imports; its number and conflicts are
  /// ignored.
  ///
  /// - Returns: whether it was added; `false` if its uuid exists.
  /// - Throws: ``StoreError`` for an invalid text.
  @discardableResult
  package func insert(_ entry: Entry) throws -> Bool {
    try check(entry.text)
    var new = entry
    new.number = 0
    new.conflicts = ""
    let isNew = try writer.insertNew(new)
    if isNew {
      inserted += 1
      firstInserted = firstInserted ?? entry.uuid
    }
    return isNew
  }

  /// Replaces the fields of the entry with this uuid; its number and conflicts stay.
  ///
  /// A replaced text becomes a version.
  ///
  /// - Returns: whether anything changed.
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)``, or for an invalid text.
  @discardableResult
  package func update(_ entry: Entry) throws -> Bool {
    let old = try existing(entry.uuid)
    var new = entry
    new.number = old.number
    new.conflicts = old.conflicts
    guard !new.isSame(as: old) else { return false }
    try check(new.text)
    try writer.update(new, from: old)
    updated += 1
    if let title = FormerTitle(of: old, now: new) { titles.append(title) }
    links[old.number] = old.liveLinks
    return true
  }

  /// Removes an entry permanently, with its versions and undo data, since another device purged it.
  ///
  /// - Returns: whether it existed.
  @discardableResult
  package func purge(uuid: String) throws -> Bool {
    guard let old = try writer.entry(uuid: uuid) else { return false }
    try writer.remove(old)
    purged.append(old.number)
    if let title = FormerTitle(of: old, now: nil) { titles.append(title) }
    return true
  }

  /// Sets the open conflicts of an entry, after its text.
  ///
  /// A text equal to the entry's is no conflict. Each text becomes a version of the entry, unless it
  /// was one.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)``, or for an invalid text.
  package func setConflicts(of uuid: String, _ texts: [String]) throws {
    var current = try existing(uuid)
    let open = texts.filter { !$0.isSame(as: current.text) }
    var known = Set(try writer.versions(of: current.number).map { Array($0.text.utf8) })
    let wanted = current
    for text in open where known.insert(Array(text.utf8)).inserted {
      try check(text)
      var losing = current
      losing.text = text
      try writer.update(losing, from: current)
      current = losing
    }
    if !current.isSame(as: wanted) { try writer.update(wanted, from: current) }
    var settled = wanted
    settled.conflicts = EntryConflicts.stored(open)
    if !settled.isSame(as: wanted) { try writer.update(settled, from: wanted) }
  }

  /// Whether any entry changed.
  var hasChanges: Bool { inserted + updated + purged.count > 0 }

  /// Repairs the links that name entries by titles which changed on the other side.
  ///
  /// - Returns: the numbers of the entries whose texts changed.
  func repairLinks(meeting remote: RemoteSide, _ clock: WallClock) throws -> [Int64] {
    let firstNew = try firstInserted.flatMap { try writer.entry(uuid: $0)?.number } ?? .max
    var repair = LinkRepair(writer, clock)
    try repair.add(titles) { try remote.links($0)?.contains($1) ?? true }
    try repair.add(remote.titles) { [links] entry, link in
      entry.number < firstNew && links[entry.number]?.contains(link) ?? true
    }
    return try repair.run()
  }

  /// Forgets the purged entries, once for all of them.
  func finish() throws {
    guard !purged.isEmpty else { return }
    try writer.forget(purged)
    _ = try writer.removeUnusedFiles()
  }

  private func existing(_ uuid: String) throws -> Entry {
    guard let entry = try writer.entry(uuid: uuid) else {
      throw StoreError(.noSuchEntry(uuid), at: writer.path, "no entry has the ID \"\(uuid)\"")
    }
    return entry
  }

  private func check(_ text: String) throws {
    do {
      try Entry.validate(text: text)
    } catch {
      throw StoreError(.invalidText, at: writer.path, error.description)
    }
  }
}
