import Journal

/// A journal's record of its synchronisation, in its own file.
package struct SyncState: Hashable, Sendable {
  /// The remote repository, as the user named it.
  package var remote: String
  /// The commit that the journal equalled at ``cursor``; `nil` before the first.
  package var base: String?
  /// The sequence number in the change log at which the journal equalled the base commit; 0 before
  /// the first synchronisation.
  package var cursor: Int64
  /// The uuid of the synchronised journal, the same on each device.
  package var journal: String
  /// The name of this device.
  package var device: String
  /// When the last synchronisation ended.
  package var at: Moment?
  /// How the last synchronisation ended.
  package var outcome: SyncOutcome?
  /// The key of a sealed repository, wrapped with the key of this sealed journal.
  package var repositoryKey: [UInt8]?

  package init(
    remote: String, base: String? = nil, cursor: Int64 = 0, journal: String, device: String,
    at: Moment? = nil, outcome: SyncOutcome? = nil, repositoryKey: [UInt8]? = nil
  ) {
    self.remote = remote
    self.base = base
    self.cursor = cursor
    self.journal = journal
    self.device = device
    self.at = at
    self.outcome = outcome
    self.repositoryKey = repositoryKey
  }
}

/// An entry that was purged since the last synchronisation.
struct PurgedEntry: Hashable, Sendable {
  var number: Int64
  var uuid: String
  /// The sequence number of its removal.
  var sequence: Int64
}

/// An entry that changed since a sequence number.
package struct SyncChange: Hashable, Sendable {
  /// The entry's permanent identity.
  package var uuid: String
  /// Its number in this journal, the former one for a removed entry.
  package var number: Int64
  /// The entry as it was; `nil` if it did not exist, or if ``isBaseLost``.
  package var atCursor: Entry?
  /// The entry now; `nil` if it was removed or purged.
  package var now: Entry?
  /// Whether its former state is unknown: it was purged, or edited in a JSON file unseen.
  package var isBaseLost = false
}

extension EntryStore {
  /// The record of synchronisation; `nil` in a journal that is not synchronised.
  package func syncState() throws -> SyncState? { try inspect { try $0.syncState() } }

  /// Sets the record of synchronisation, without a change set.
  ///
  /// - Throws: ``StoreError``.
  package func setSyncState(_ state: SyncState) throws {
    try change(.sync) { try $0.setSyncState(state, endingHere: false) }
  }

  /// Removes the record of synchronisation; entries, conflicts and change sets stay.
  ///
  /// - Throws: ``StoreError``.
  package func forgetSync() throws {
    try change(.sync) { try $0.setSyncState(nil, endingHere: false) }
  }

  /// The sequence number of the last change.
  package func lastSequence() throws -> Int64 { try inspect { try $0.lastSequence() } }

  /// Calls `body` with each entry that changed since a sequence number, in the order of their numbers.
  ///
  /// 0 means all entries. Entries with their former state again are left out.
  ///
  /// - Complexity: in the number of changes since, not of entries.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/changedMeanwhile`` if the change log does not
  ///   reach the sequence number, and the errors of `body`.
  package func changedEntries(
    since cursor: Int64, _ body: (SyncChange) throws -> Void
  ) throws {
    try inspect { try $0.forEachChange(since: cursor, body) }
  }

  /// The number of entries with a change since a sequence number; 0 means all entries.
  ///
  /// It also counts entries with their former state again.
  ///
  /// - Complexity: linear in the number of changes since.
  package func changedCount(since cursor: Int64) throws -> Int {
    try inspect { try $0.countChanges(since: cursor) }
  }

  /// The texts of an entry's open conflicts, in the order of their hashes.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)``.
  package func conflicts(of number: Int64) throws -> [String] {
    try inspect { try $0.conflicts(of: $0.existing(number)) }
  }
}

extension EntryReading {
  /// The texts of the open conflicts of a state of an entry, which may be a former one, in the order
  /// of their hashes.
  package func conflicts(of entry: Entry) throws -> [String] {
    guard !entry.conflicts.isEmpty else { return [] }
    let texts = try versions(of: entry.number).map(\.text)
    let byHash = Dictionary(
      texts.map { (EntryConflicts.hash(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    return EntryConflicts.hashes(entry.conflicts).compactMap { byHash[$0] }
  }

  /// - Throws: ``StoreError`` if the change log does not reach a sequence number.
  func checkReach(of cursor: Int64) throws {
    guard try cursor <= lastSequence() else {
      throw StoreError(
        .changedMeanwhile, at: path,
        "its change log ends before the last sync",
        remedy: "unlink it with \(command: "sync --forget") and sync again")
    }
  }
}
