import Journal
import Seal
import SectionedResults

/// A journal's store: SQLite, memory or a JSON file, with the same behaviour.
///
/// Extensions of this protocol implement each operation once; a store supplies the two kinds of
/// access that they need, ``inspect(_:)`` and ``change(_:_:)``. A store and its controllers belong
/// to one thread.
package protocol EntryStore: ResultsStore where Row == EntryRow {
  /// The journal's path, or `:memory:`, for messages.
  var path: String { get }
  /// Whether writes are refused, by request or because the file is not writable.
  var isReadOnly: Bool { get }
  /// Whether it is a journal as it was, in memory.
  var isPast: Bool { get }
  /// The clock that dates changes.
  var clock: WallClock { get }
  /// Whether it keeps files that are attached; a JSON file does not.
  var keepsFiles: Bool { get }
  /// The key of a sealed journal; `nil` for a readable one.
  ///
  /// Data kept outside a sealed journal is sealed with this key or not kept at all.
  var key: JournalKey? { get }
  /// The key of a sealed journal, wrapped as its header has it now: its passphrase may have been changed
  /// since it was opened.
  ///
  /// - Throws: ``StoreError`` when the header is damaged.
  func wrappedKey() throws -> WrappedKey?
  /// The store's own part of the journal's history.
  var session: HistorySession { get }
  /// Goes on with the session of a store that this one replaces: what others changed since that one was
  /// opened stays theirs.
  func resume(_ session: HistorySession)

  /// Runs `body` on one consistent state with whole entries and history.
  ///
  /// - Throws: ``StoreError`` when the medium fails, and the errors of `body`.
  func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value

  /// Runs `body` in one transaction that is one change set, which one undo reverts.
  ///
  /// If `body` throws, nothing is kept; without changes, no change set remains. Observers are
  /// called after the commit, before the method returns.
  ///
  /// - Throws: ``StoreError`` when the medium fails, and the errors of `body`.
  func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value

  /// Runs `body`, which only reads, and cancels it as soon as `isCancelled` returns true.
  ///
  /// - Returns: the result of `body`, or `nil` if it was cancelled.
  /// - Throws: the errors of `body`.
  func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value?

  /// The journal as it was at a moment, from its change log.
  ///
  /// - Parameter options: observes and cancels the reading.
  /// - Throws: ``StoreError``: ``StoreError/Kind/beforeHistory`` when the log begins later.
  func past(at moment: Moment, _ options: BulkOptions) throws -> PastJournal

  /// Reads what the first search of words needs in a list with these sections, so that it answers as
  /// fast as later ones.
  ///
  /// After a cancelled call, the next call or the search itself continues where it stopped.
  func prepareSearch(for grouping: Grouping) throws

  /// Begins to watch for commits of other processes; call it before the first list is fetched.
  ///
  /// The kernel needs 3 to 15 ms to end a watch, so a command that only reads or writes does not watch.
  func beginWatching()

  /// A descriptor that `poll` reports readable when another process may have committed.
  ///
  /// `nil` before ``beginWatching()``, if no other process can, or if the system has no descriptor:
  /// then call ``refresh()`` regularly.
  var changeDescriptor: Int32? { get }

  /// Checks whether another process committed, and calls the observers if so.
  ///
  /// Call it when ``changeDescriptor`` is readable, and again after ``Refresh/retryAfter``.
  ///
  /// - Throws: ``StoreError`` when the journal cannot be read.
  func refresh() throws -> Refresh

  /// Writes a consistent copy of the journal into a new file that only its owner can read.
  ///
  /// The copy gets its path when it is complete and verified; a full disk or a kill leaves no
  /// partial file at that path.
  ///
  /// - Parameter replacing: whether it may replace another file.
  /// - Returns: a line for each text and each file that is damaged in the journal, and so in the copy.
  /// - Throws: ``StoreError`` when the file exists or cannot be written; ``GivenUp``.
  @discardableResult
  func backup(to path: String, replacing: Bool, attendance: WorkAttendance) throws -> [String]

  /// Checks file structure, derived data and texts for damage, without changing anything.
  ///
  /// - Returns: a line for each fault, none for a sound journal.
  /// - Throws: ``StoreError`` when the journal cannot be read; ``GivenUp``.
  func check(_ attendance: WorkAttendance) throws -> [String]
}

extension EntryStore {
  /// Most stores keep files.
  package var keepsFiles: Bool { true }

  /// Most stores are of the present.
  package var isPast: Bool { false }

  /// The refusal of a change.
  package var readOnlyError: StoreError {
    guard isPast else { return .readOnly(at: path) }
    return StoreError(
      .readOnly, at: path,
      "this is the journal as it was, which nothing changes; return to the present first")
  }

  /// No key: most stores are readable.
  package var key: JournalKey? { nil }

  /// No key: most stores are readable.
  package func wrappedKey() throws -> WrappedKey? { nil }

  /// Writes a consistent copy of the journal into a new file, unattended.
  @discardableResult
  package func backup(to path: String, replacing: Bool = false) throws -> [String] {
    try backup(to: path, replacing: replacing, attendance: WorkAttendance())
  }

  /// Checks the journal, unattended.
  package func check() throws -> [String] { try check(WorkAttendance()) }

  /// Prepares nothing: stores of a few thousand entries are fast enough.
  package func prepareSearch(for grouping: Grouping) {}

  /// Runs `body` without cancellation: stores of a few thousand entries are fast enough.
  package func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value? {
    try body()
  }
}

/// Read access to one consistent state of a journal, entry by entry.
package protocol EntryReading {
  /// The journal's path, or `:memory:`, for messages.
  var path: String { get }

  /// The entry with a number, in the trash or not.
  func entry(number: Int64) throws -> Entry?

  /// The entry with a uuid, in the trash or not.
  func entry(uuid: String) throws -> Entry?

  /// Whether an entry with a uuid exists, in the trash or not.
  func contains(uuid: String) throws -> Bool

  /// The uuids that start or end with a part of a UUID, sorted, at most `limit` of them.
  func uuids(matching part: String, limit: Int) throws -> [String]

  /// The numbers of the entries that a query matches, ascending; all outside the trash without a
  /// query.
  func numbers(matching query: Query?) throws -> [Int64]

  /// The number of entries outside the trash.
  func count() throws -> Int

  /// The entries outside the trash whose titles contain typed letters in their order, the best match
  /// first; without letters the newest entries.
  func titles(matching typed: String, limit: Int) throws -> [FoundTitle]

  /// Whether an entry's text matches its checksum.
  func isIntact(number: Int64) throws -> Bool

  /// The tags in use with their counts, by key.
  func tagCounts() throws -> [TagCount]

  /// The number of entries outside the trash with a tag or a tag below it, each once.
  func count(ofTagAndBelow key: String) throws -> Int

  /// The entry that a link of a key leads to from an entry; `nil` if there is none.
  func destination(of key: String, from number: Int64) throws -> Int64?

  /// The entries outside the trash with a title that a link of a key names.
  func holders(of key: String) throws -> [Int64]

  /// Whether a link of a key leads nowhere.
  func isBroken(_ key: String) throws -> Bool

  /// The entries outside the trash with a link of a key.
  func sources(of key: String) throws -> [Int64]

  /// The other entries outside the trash whose links lead to an entry, ascending.
  func sources(leadingTo number: Int64) throws -> [Int64]

  /// The names of fields in use, by key.
  func fieldNames() throws -> [FieldName]

  /// The keys of all fields, of entries in the trash too, by a look-up for each.
  func fieldKeys() throws -> [String]

  /// The values of a field in an entry outside the trash, by a look-up.
  func fields(of number: Int64, named key: String) throws -> [FieldRow]

  /// Calls `body` with each value of a field outside the trash, in any order.
  func forEachField(named key: String, _ body: (FieldRow) throws -> Void) throws

  /// The number of entries outside the trash of each day that has some, in order.
  func entriesByDay() throws -> [(day: Day, entries: Int)]

  /// The log's record of the change with a sequence number: another one in a journal whose
  /// history went another way, such as a restored backup; `nil` if there is no such change.
  func logMark(at sequence: Int64) throws -> String?

  /// Statistics of the entries that a query matches; of all outside the trash without a query.
  func statistics(of query: Query?) throws -> Statistics

  /// The days with entries outside the trash in a range, in order.
  func dayCounts(in days: ClosedRange<Day>) throws -> [DayCount]

  /// The days among these whose entries outside the trash have several offsets from UTC.
  ///
  /// The first 10,000 entries of a day are compared.
  func daysWithSeveralOffsets(among days: Set<Day>) throws -> Set<Day>

  /// The texts of an entry, oldest first, the current one last; empty for an unknown number.
  func versions(of number: Int64) throws -> [EntryVersion]

  /// The number of texts that ``versions(of:)`` returns, without reading them.
  func versionCount(of number: Int64) throws -> Int

  /// The states of an entry, the first one first, and the present one last; without those of steps that
  /// were undone.
  func states(of number: Int64) throws -> [KnownState]

  /// The texts that files had when they were imported into an entry, the latest last; without imports that
  /// were undone.
  func importBases(of number: Int64) throws -> [ImportBase]

  /// Whether the entry with a uuid changed since it was added.
  func hasChanged(_ uuid: String) throws -> Bool

  /// The first entries at a time on a day, those in the trash last, also inside an import.
  func present(on day: Day, at created: Moment) throws -> [Entry]

  /// The entry with a uuid, also inside an import, whose counts are not read.
  func present(uuid: String) throws -> Entry?

  /// The latest change set of a scope that can be undone.
  ///
  /// - Parameter limit: only sets with a smaller number; `nil` for all.
  func undoable(in scope: HistoryScope, before limit: ChangeSet.ID?) throws -> ChangeSet?

  /// The change sets of a session that other programs undid while it was open, newest first.
  ///
  /// - Parameter limit: only sets with a greater number; `nil` for all.
  func undoneElsewhere(
    in session: HistorySession, after limit: ChangeSet.ID?
  ) throws -> [(set: ChangeSet, undo: ChangeSet.ID)]

  /// The change set that the latest undo of a scope took back, if the scope has no later change.
  func redoable(in scope: HistoryScope) throws -> ChangeSet?

  /// The latest change sets, newest first.
  ///
  /// - Parameter limit: only sets with a smaller number; `nil` for all.
  func changeSets(latest count: Int, before limit: ChangeSet.ID?) throws -> [ChangeSet]

  /// The sequence number of the last change, 0 before the first.
  func lastSequence() throws -> Int64

  /// The record of synchronisation; `nil` in a journal that is not synchronised.
  func syncState() throws -> SyncState?

  /// Calls `body` with each entry that changed since a sequence number.
  func forEachChange(since cursor: Int64, _ body: (SyncChange) throws -> Void) throws

  /// The number of entries with a change since a sequence number.
  func countChanges(since cursor: Int64) throws -> Int

  /// The file whose hash begins with a target; of several the one that came first, as its name was given
  /// when it was the only one. `nil` if the journal does not have it.
  func file(_ target: String) throws -> StoredFile?

  /// Calls `body` with each file, in the order in which they came.
  func forEachFile(_ body: (StoredFile) throws -> Void) throws

  /// The entries whose texts name a file, ascending, also those in the trash.
  func users(of file: StoredFile) throws -> [Int64]

  /// The pictures that the entries of a query show, those of the latest entries first; of all entries outside
  /// the trash without a query.
  ///
  /// - Returns: at most `limit` pictures, and how many there are.
  func pictures(
    matching query: Query?, limit: Int
  ) throws -> (first: [FoundPicture], count: Int)

  /// A piece of a file, by its place from 0; `nil` if it is not there.
  func piece(_ index: Int, of file: StoredFile) throws -> [UInt8]?

  /// The targets in the texts of all entries, also of those in the trash, and whether the journal has their
  /// files.
  func textTargets() throws -> [String: Bool]

  /// The first entry whose text names a target; `nil` if there is none.
  func entry(naming target: String) throws -> Entry?
}

/// Write access to a journal inside a transaction; ``EntryStore`` has the rules.
package protocol EntryWriting: EntryReading {
  /// Adds an entry under its number, or, if that is 0, under a number that no entry ever had.
  ///
  /// - Returns: the number.
  func insert(_ entry: Entry) throws -> Int64

  /// Adds an entry under a number that no entry ever had, unless its uuid exists: for bulk imports.
  ///
  /// - Returns: whether it was added.
  func insertNew(_ entry: Entry) throws -> Bool

  /// Replaces all fields of the entry with this number; `old` is its current state.
  func update(_ entry: Entry, from old: Entry) throws

  /// Accepts an entry's text as correct although its checksum does not match.
  func confirm(_ entry: Entry) throws

  /// Removes an entry permanently, with its before image in the change log.
  func remove(_ entry: Entry) throws

  /// Removes entries permanently, as ``remove(_:)-(Entry)`` does.
  ///
  /// - Parameter step: called for each removed entry.
  func remove(_ numbers: [Int64], _ step: () throws -> Void) throws

  /// Removes the remaining data of removed entries from the change log, so that no undo restores
  /// them.
  ///
  /// - Parameter step: called for each entry.
  func forget(_ numbers: [Int64], _ step: () throws -> Void) throws

  /// Replaces the name of the author of the changes of this transaction in the change log.
  func setAuthor(_ name: String) throws

  /// Makes the changes of this transaction a part of the step before it, so that one undo reverts both: if
  /// that step is of the same kind and session and not undone, and nothing was changed since.
  func join(_ step: ChangeSet.ID)

  /// Takes back, many at once, what a change set did to those entries that it changed once and that
  /// nobody changed since.
  ///
  /// - Parameter step: called for each entry that was taken back.
  /// - Returns: `nil` in a store that takes back entry by entry; then nothing is changed.
  func takeBackUntouched(
    _ set: ChangeSet.ID, _ step: () throws -> Void
  ) throws -> UntouchedEntries?

  /// Calls `body` with each entry of a change set, before and after it, one at a time.
  ///
  /// A step may have changed a million entries, so they are never all in memory. Writes of `body`
  /// do not affect later images.
  ///
  /// - Parameter numbers: only these entries; `nil` for all.
  func forEachImage(
    of set: ChangeSet.ID, among numbers: Set<Int64>?, _ body: (EntryImages) throws -> Void
  ) throws

  /// The undo that last reverted a change set.
  func undo(of set: ChangeSet.ID) throws -> ChangeSet.ID?

  /// Records that the current change set undoes or redoes another one.
  func mark(_ set: ChangeSet.ID, undone: Bool) throws

  /// Sets the record of synchronisation at the end of the transaction, which is kept even if it
  /// changes no entry.
  ///
  /// - Parameters:
  ///   - state: the record; `nil` removes it.
  ///   - endingHere: whether the cursor becomes the last change of this transaction.
  func setSyncState(_ state: SyncState?, endingHere: Bool) throws

  /// Adds a file, unless the journal has its content.
  ///
  /// A text of the same transaction must name it. Damaged pieces of a content that is there are replaced.
  ///
  /// - Parameter step: called after each piece with its number of bytes.
  /// - Throws: ``FileContentError`` when the file has changed since its hash was made; the errors of `step`.
  func addFile(_ content: FileContent, _ step: (Int) throws -> Void) throws -> StoredFile

  /// Adds a file that can be read only once, piece by piece.
  ///
  /// A text of the same transaction must name it. A content that is there is replaced by itself, so that
  /// damaged pieces are whole again.
  ///
  /// - Parameter next: returns the next bytes, none at the end.
  /// - Throws: ``FileContentError`` above ``StoredFile/largest``; the errors of `next`. Nothing of the file
  ///   is kept then, and the transaction may go on.
  func addFile(named name: String, _ next: () throws -> [UInt8]) throws -> StoredFile

  /// Begins to add a file that arrives piece by piece; a text of the journal must name it.
  ///
  /// - Throws: ``StoreError``.
  func beginFile(named name: String) throws -> ArrivingFile

  /// Records the text that a file has, which is a state of an entry.
  ///
  /// - Parameter isNew: whether this transaction brings the text, so that its undo removes the record, too.
  func add(_ base: ImportBase, of number: Int64, isNew: Bool) throws

  /// Removes the files that no text names any more: none of an entry, a version, the trash, or a step that
  /// can be undone.
  ///
  /// - Returns: their number.
  func removeUnusedFiles() throws -> Int
}

extension EntryReading {
  /// No files, in a store that keeps none.
  package func file(_ target: String) throws -> StoredFile? { nil }
  package func forEachFile(_ body: (StoredFile) throws -> Void) throws {}
  package func users(of file: StoredFile) throws -> [Int64] { [] }
  package func piece(_ index: Int, of file: StoredFile) throws -> [UInt8]? { nil }
  package func pictures(
    matching query: Query?, limit: Int
  ) throws -> (first: [FoundPicture], count: Int) { ([], 0) }
  package func textTargets() throws -> [String: Bool] { [:] }
  package func entry(naming target: String) throws -> Entry? { nil }
}

extension EntryWriting {
  /// Refuses, in a store that keeps no files.
  package func addFile(
    _ content: FileContent, _ step: (Int) throws -> Void
  ) throws -> StoredFile { throw StoreError.keepsNoFiles(at: path) }
  package func addFile(
    named name: String, _ next: () throws -> [UInt8]
  ) throws -> StoredFile { throw StoreError.keepsNoFiles(at: path) }
  package func beginFile(named name: String) throws -> ArrivingFile {
    throw StoreError.keepsNoFiles(at: path)
  }
  package func removeUnusedFiles() throws -> Int { 0 }
}

extension EntryReading {
  /// Without stored checksums there is nothing to compare: outside edits are adopted.
  package func isIntact(number: Int64) throws -> Bool { true }
}

extension EntryReading {
  package func versionCount(of number: Int64) throws -> Int { try versions(of: number).count }
}

extension EntryWriting {
  /// Replaces an entry; conflicts that both states have stay open, although a new text alone settles them.
  ///
  /// One with the new text is over.
  ///
  /// - Returns: the entry as it is stored.
  @discardableResult
  func updateKeepingConflicts(_ entry: Entry, from old: Entry) throws -> Entry {
    guard !entry.conflicts.isEmpty, entry.conflicts == old.conflicts,
      !entry.text.isSame(as: old.text)
    else {
      try update(entry, from: old)
      return entry
    }
    let own = EntryConflicts.hash(of: entry.text)
    var settled = entry
    settled.conflicts = ""
    try update(settled, from: old)
    var kept = settled
    kept.conflicts = EntryConflicts.hashes(entry.conflicts).filter { $0 != own }
      .joined(separator: " ")
    guard !kept.conflicts.isEmpty else { return settled }
    try update(kept, from: settled)
    return kept
  }

  /// Records nothing in a store without a log.
  package func add(_ base: ImportBase, of number: Int64, isNew: Bool) throws {}

  /// Does nothing in a store without checksums.
  package func confirm(_ entry: Entry) throws {}

  /// Removes one entry after the other.
  package func remove(_ numbers: [Int64], _ step: () throws -> Void) throws {
    for number in numbers {
      try step()
      try remove(existing(number))
    }
  }

  package func forget(_ numbers: [Int64]) throws { try forget(numbers) {} }

  /// Leaves all entries to ``forEachImage(of:among:_:)``.
  package func takeBackUntouched(
    _ set: ChangeSet.ID, _ step: () throws -> Void
  ) throws -> UntouchedEntries? {
    nil
  }
}

extension EntryStore {
  /// The store for results controllers.
  ///
  /// Swift does not convert `any EntryStore` into `any ResultsStore<EntryRow>` implicitly.
  package var results: any ResultsStore<EntryRow> { self }

  /// Makes a controller over the store; it reads nothing before its first fetch.
  ///
  /// - Throws: the errors of the controller's initialiser.
  package func controller(
    for request: ResultsRequest<EntryRow>
  ) throws -> ResultsController<EntryRow> {
    try ResultsController(request: request, store: self)
  }
}

/// The entries of a change set that were taken back many at once.
package struct UntouchedEntries: Hashable, Sendable {
  /// Their number.
  package var count = 0
  /// Whether any of them changed.
  package var hasEffect = false
  /// The numbers of the change set's other entries.
  package var others: Set<Int64> = []

  package init() {}
}

/// The result of checking for commits of other processes.
package struct Refresh: Hashable, Sendable {
  /// Whether the path still has the file that was opened.
  package enum Place: Hashable, Sendable {
    /// The same file.
    case same
    /// Another file has the path; writes are refused, open it again.
    case replaced
    /// The file was removed; writes are refused.
    case removed
  }

  /// Whether another process had committed; observers have been called.
  package var changed: Bool
  /// The delay before the next check in milliseconds, because a commit seems to be in progress;
  /// `nil` to wait for the descriptor.
  package var retryAfter: Int?
  /// Whether the path still has the journal's file.
  package var place: Place

  package init(changed: Bool = false, retryAfter: Int? = nil, place: Place = .same) {
    self.changed = changed
    self.retryAfter = retryAfter
    self.place = place
  }
}

/// The number of entries outside the trash with a tag.
package struct TagCount: Hashable, Sendable {
  /// The folded tag, for comparisons.
  package var key: String
  /// The tag as typed in its earliest entry.
  package var tag: String
  /// The number of entries.
  package var count: Int
  /// The number of entries with this tag or one below it, as its filter shows them; `nil` unless it
  /// was asked for.
  package var total: Int?

  package init(key: String, tag: String, count: Int) {
    self.key = key
    self.tag = tag
    self.count = count
  }
}
