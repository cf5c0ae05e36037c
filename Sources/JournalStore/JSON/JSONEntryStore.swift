import Glibc
import Journal
import SectionedResults

/// A journal in a JSON file, read whole and replaced whole.
///
/// The file is the document of a JSON export with the change log behind the entries. Writers take
/// turns by `FILE.lock`; a reader finds the old file or the new one, never half of one. People and
/// other programs may edit the entries: what they did is found by a checksum each entry carries,
/// logged, and undoable. Fields this program does not know are kept.
package final class JSONEntryStore: EntryStore {
  /// The path the journal was opened by.
  package let place: String
  /// Whether writes are refused.
  package let isReadOnly: Bool
  /// The clock that dates changes.
  package let clock: WallClock
  /// What should be said about the opening, a line each; usually nothing.
  package let notes: [String]

  let path: String
  let journal = MemoryJournal()
  let watcher: ChangeWatcher?
  let observers = CommitObservers()
  /// The last state of the log that the observers were told of.
  var toldSequence: Int64 = 0
  private let actor: String
  /// Whether the journal is made where there is none.
  private let creates: Bool
  private var seen: FileStamp?
  private var extra: [String: [JSONMember]] = [:]
  private var documentExtra: [JSONMember] = []
  private var users = 0

  private init(
    file: JournalFile, place: String, isReadOnly: Bool, creates: Bool, clock: WallClock,
    actor: String, notes: [String]
  ) throws {
    path = file.path
    self.creates = creates
    self.place = place
    self.isReadOnly = isReadOnly
    self.clock = clock
    self.actor = actor
    self.notes = notes
    watcher = ChangeWatcher(watching: file.path)
  }

  /// Opens a journal.
  ///
  /// A file that may not be written is opened for reading, which ``notes`` says. A new file holds an empty
  /// journal from the moment it has its name, so an empty file is never one of ours: another program may be
  /// rewriting it in place. After a second it is ``StoreError/Kind/missing`` for readers, and refused for
  /// writers.
  ///
  /// - Throws: ``StoreError``; a file that is not ours is left as it is, byte for byte.
  package static func open(
    _ path: String, mode: OpenMode, clock: WallClock = .system, actor: String = "daybook"
  ) throws -> JSONEntryStore {
    let file =
      try mode == .create
      ? JournalFile(creating: path, holding: JSONDocument.empty) : JournalFile(existing: path)
    let isReadOnly = mode == .readOnly || !file.isWritable
    let notes =
      isReadOnly && mode != .readOnly
      ? ["\(path): it may not be written; opened for reading only"] : []
    let store = try JSONEntryStore(
      file: file, place: path, isReadOnly: isReadOnly, creates: mode == .create, clock: clock,
      actor: actor, notes: notes)
    try store.load(isFirst: true)
    store.toldSequence = store.journal.lastSequence
    return store
  }

  /// Asks to be told after each commit, our own at once, another process's in ``refresh()``.
  package func observeCommits(_ observer: @escaping () -> Void) -> CommitObservation {
    observers.add(observer)
  }

  /// Runs `body` on one consistent state.
  package func read<Value>(
    _ body: (any ResultsSnapshot<EntryRow>) throws -> Value
  ) throws -> Value {
    try using { try body(MemorySnapshot(journal: journal)) }
  }

  /// Runs `body` on one consistent state, with whole entries and history at hand.
  package func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value {
    try using { try body(MemoryReader(journal: journal, place: place)) }
  }

  /// Runs `body` in one transaction that is one change set.
  package func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value {
    if isReadOnly { throw StoreError.readOnly(at: place) }
    if users > 0 { throw StoreError.insideRead(at: place) }
    let result = try locked {
      try loadLocked(isFirst: false, waits: true)
      return try usingLoaded {
        try journal.transaction(
          kind, place: place, actor: actor, clock: clock, keep: save, body)
      }
    }
    if result.isChanged { didCommit() }
    return result.value
  }

  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try FileLock(beside: path, place: place)
    return try withExtendedLifetime(lock, body)
  }

  private func didCommit() {
    watcher?.forgetOwnEvents()
    try? load(isFirst: false)
    tell()
  }

  /// Tells the observers of what they have not been told yet.
  ///
  /// - Returns: whether there was anything.
  @discardableResult
  func tell() -> Bool {
    guard toldSequence != journal.lastSequence else { return false }
    toldSequence = journal.lastSequence
    observers.notify()
    return true
  }

  /// A read sees the file as it is now; while somebody else's writing makes no sense, as it was.
  private func using<Value>(_ body: () throws -> Value) throws -> Value {
    if users == 0 { try? load(isFirst: false) }
    return try usingLoaded(body)
  }

  private func usingLoaded<Value>(_ body: () throws -> Value) throws -> Value {
    users += 1
    defer { users -= 1 }
    return try body()
  }

  /// Reads the file if it is another one than last time.
  ///
  /// - Throws: ``StoreError`` when it is no journal now; the last good state stays.
  func load(isFirst: Bool) throws {
    guard isFirst || FileStamp(path: path) != seen else { return }
    if isReadOnly { return try loadUnlocked(isFirst: isFirst) }
    try locked {
      if isFirst { Leftovers.remove(beside: path) }
      try loadLocked(isFirst: isFirst)
    }
  }

  /// - Parameter waits: whether another program's rewriting of the file is waited for.
  private func loadLocked(isFirst: Bool, waits: Bool = false) throws {
    var stamp = FileStamp(path: path)
    guard stamp != nil else { throw StoreError.replaced(at: place) }
    guard isFirst || stamp != seen else { return }
    let document = try document(&stamp, waits: isFirst || waits)
    let edits = OutsideEdits(journal: journal, clock: clock)
    let isBehind = edits.take(document, isFirst: isFirst)
    seen = stamp
    if isBehind { try save() }
  }

  private func loadUnlocked(isFirst: Bool) throws {
    var stamp = FileStamp(path: path)
    let document = try document(&stamp, waits: isFirst)
    let edits = OutsideEdits(journal: journal, clock: clock)
    if isFirst { _ = edits.take(document, isFirst: true) } else { edits.takeDifference(document) }
    seen = stamp
  }

  /// Reads the file.
  ///
  /// A program that writes in place empties the file first: what was there is not gone by that, and nothing
  /// may be written over what is about to come. So an empty file is no journal; it is looked at again for a
  /// second if somebody can wait, until a whole document stands in it.
  ///
  /// - Parameters:
  ///   - stamp: the state of the file before it is read; of the last look afterwards.
  ///   - waits: whether to look again.
  /// - Throws: ``StoreError``.
  private func document(_ stamp: inout FileStamp?, waits: Bool) throws -> JSONDocument {
    let bytes = try WholeFile.readJSON(path, place: place)
    if !bytes.isEmpty { return try document(of: bytes) }
    for _ in 0..<(waits ? JSONEntryStore.looks : 0) {
      usleep(JSONEntryStore.pause)
      stamp = FileStamp(path: path)
      let bytes = try WholeFile.readJSON(path, place: place)
      if !bytes.isEmpty, let document = try? document(of: bytes) { return document }
    }
    let now = try WholeFile.readJSON(path, place: place)
    guard now.isEmpty else { return try document(of: now) }
    throw seen == nil && !creates ? StoreError.empty(at: place) : StoreError.emptied(at: place)
  }

  /// How often an empty file is looked at again, and the microseconds between two looks.
  private static let looks = 100
  private static let pause: UInt32 = 10_000

  private func document(of bytes: [UInt8]) throws -> JSONDocument {
    let document = try JSONDocument(bytes, place: place)
    documentExtra = document.extra
    extra = Dictionary(
      document.items.filter { !$0.extra.isEmpty }.map { ($0.entry.uuid, $0.extra) },
      uniquingKeysWith: { first, _ in first })
    return document
  }

  private func save() throws {
    let bytes = JSONDocument.encode(journal, extra: extra, documentExtra: documentExtra)
    try WholeFile.replace(path, with: bytes, place: place)
    seen = FileStamp(path: path)
  }
}

extension StoreError {
  /// A JSON journal that another program may be rewriting in place.
  fileprivate static func emptied(at place: String) -> StoreError {
    StoreError(
      .damaged, at: place,
      "the file is empty; if no other program is writing it, put a backup in its place, or remove it and"
        + " begin a new journal")
  }
}
