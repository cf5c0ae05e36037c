import Journal
import SectionedResults

@testable import JournalStore

/// The slow, obvious store: entries in a dictionary, a log in an array, and every list is sorted
/// from scratch.
///
/// The stores of the program must behave in the same way.
final class OracleEntryStore: EntryStore {
  /// The journal's name in messages.
  let path = ":memory:"
  /// The store saw the journal from its beginning.
  var session: HistorySession { HistorySession(id: author.session, start: 0) }
  func resume(_ session: HistorySession) { author.session = session.id }
  /// A journal can always be written.
  let isReadOnly = false
  /// The clock that dates changes.
  let clock: WallClock
  /// No other process sees a journal.
  func beginWatching() {}
  var changeDescriptor: Int32? { nil }

  private let journal = OracleJournal()
  /// The listeners to commits.
  let commitObservers = CommitObservers<EntryRow>()
  private var author: ChangeAuthor
  private var users = 0

  /// Makes an empty journal.
  init(clock: WallClock = .system, author: ChangeAuthor = ChangeAuthor()) {
    self.clock = clock
    self.author = author
  }

  /// Runs `body` on the present state.
  func read<Value>(
    _ body: (any ResultsSnapshot<EntryRow>) throws -> Value
  ) throws -> Value {
    try using { try body(OracleSnapshot(journal: journal)) }
  }

  /// Runs `body` on the present state, with whole entries and history at hand.
  func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value {
    try using { try body(OracleReader(journal: journal, path: path)) }
  }

  /// Runs `body` in one transaction that is one change set.
  func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value {
    guard users == 0 else { throw StoreError.insideRead(at: path) }
    let result = try using {
      try journal.transaction(kind, path: path, author: author, clock: clock, keep: {}, body)
    }
    if result.isChanged { commitObservers.notify() }
    return result.value
  }

  private func using<Value>(_ body: () throws -> Value) rethrows -> Value {
    users += 1
    defer { users -= 1 }
    return try body()
  }

  /// Nothing ever changes a journal from outside.
  func refresh() throws -> Refresh { Refresh() }

  /// The past of the others is held against snapshots, which are made where it was the present.
  func past(at moment: Moment, _ options: BulkOptions) throws -> PastJournal {
    throw StoreError(.beforeHistory, at: path, "the oracle knows the present only")
  }

  /// A journal can only be exported.
  func backup(to path: String, replacing: Bool, attendance: WorkAttendance) throws -> [String] {
    throw StoreError(.cannotCreate, at: self.path, "a journal has no file; export it instead")
  }

  /// Nothing can be wrong with a journal.
  func check(_ attendance: WorkAttendance) -> [String] { [] }
}

/// A journal's entries, change log and undo history in memory.
///
/// A transaction changes it in place; what the log gained since its start is enough to take it back.
final class OracleJournal {
  /// One line of the change log.
  struct Line: LogLine {
    var sequence: Int64
    var changeSet: ChangeSet.ID
    var number: Int64
    /// The entry before the change; `nil` when it did not exist, or when the image is gone.
    var before: Entry?
    /// Whether the before image was removed with the trash, or never known.
    var isLost = false
    /// Whether the entry was in the trash before the change.
    var wasInTrash = false

    var set: Int64? { changeSet }
  }

  /// The data derived from a text.
  struct Derived {
    var words: Int
    /// The keys of its tags, each once.
    var tags: [String]
  }

  /// The data of a change set besides its lines.
  struct Step {
    /// The state of an undoable step.
    enum State: Int {
      case done
      case undone
      /// It can never be undone.
      case final
    }

    var id: ChangeSet.ID
    var kind: ChangeKind
    var at: Moment
    var author: ChangeAuthor
    var first: Int64
    var last: Int64
    var state: State
    var reverses: ChangeSet.ID?
  }

  var entries: [Int64: Entry] = [:]
  var lines: [Line] = []
  var steps: [Step] = []
  /// The highest number ever given.
  var lastNumber: Int64 = 0
  var numbersByUUID: [String: Int64] = [:]
  var sync: SyncState?
  /// The record to set at the end of the transaction.
  var newSync: (state: SyncState?, endingHere: Bool)?
  var purged: [PurgedEntry] = []
  /// The step that the transaction is to be a part of.
  var joined: ChangeSet.ID?
  /// The data derived from texts for statistics, cached by text.
  private var derived: [Int64: Derived] = [:]
  /// The sorted keys of the lists asked for last, each for one state of the log.
  var lists: [KeyList] = []

  var lastSequence: Int64 { lines.last?.sequence ?? 0 }

  /// Adds, replaces or removes an entry and logs what was there before.
  func set(_ entry: Entry?, number: Int64, in changeSet: ChangeSet.ID) {
    let before = entries[number]
    lines.append(
      Line(
        sequence: lastSequence + 1, changeSet: changeSet, number: number, before: before,
        wasInTrash: before?.deleted != nil))
    replace(entry, number: number)
    lastNumber = max(lastNumber, number)
  }

  /// Puts an entry at its place without a word in the log.
  func replace(_ entry: Entry?, number: Int64) {
    if let old = entries[number] { numbersByUUID[old.uuid] = nil }
    entries[number] = entry
    derived[number] = nil
    if let entry { numbersByUUID[entry.uuid] = number }
  }

  /// The data for statistics in an entry's text, computed once per text.
  func derived(from entry: Entry) -> Derived {
    if let known = derived[entry.number] { return known }
    let made = Derived(words: entry.wordCount, tags: entry.tags.map { Tag.key(of: $0) })
    derived[entry.number] = made
    return made
  }

  /// The lines after a sequence number.
  ///
  /// - Complexity: logarithmic in the length of the log, plus the lines themselves.
  func lines(after sequence: Int64) -> ArraySlice<Line> {
    lines[lines.partitioningIndex { $0.sequence > sequence }...]
  }
}

extension OracleJournal {
  /// The state to restore when a transaction fails.
  struct Checkpoint {
    fileprivate let sequence: Int64
    fileprivate let steps: [Step]
    fileprivate let lastNumber: Int64
    fileprivate let sync: SyncState?
    fileprivate let purged: [PurgedEntry]
    fileprivate let whole: (lines: [Line], entries: [Int64: Entry])?
  }

  /// Runs `body` as one change set.
  ///
  /// - Parameter keep: makes the result durable; when it throws, or `body` does, nothing is kept.
  /// - Returns: what `body` returns, and whether anything was changed.
  func transaction<Value>(
    _ kind: ChangeKind, path: String, author: ChangeAuthor, clock: WallClock,
    keep: () throws -> Void, _ body: (any EntryWriting) throws -> Value
  ) throws -> (value: Value, isChanged: Bool) {
    let checkpoint = Checkpoint(
      sequence: lastSequence, steps: steps, lastNumber: lastNumber,
      sync: sync, purged: purged, whole: kind == .purge || kind == .sync ? (lines, entries) : nil)
    do {
      newSync = nil
      joined = nil
      let step = begin(kind, author: author, at: clock.moment())
      let value = try body(OracleWriter(journal: self, path: path, set: step))
      let isChanged = finish(kind)
      if isChanged { try keep() } else { rollBack(to: checkpoint) }
      if let (state, endingHere) = newSync {
        sync = state
        if endingHere { sync?.cursor = lastSequence }
        purged.removeAll { $0.sequence <= sync?.cursor ?? .max }
        newSync = nil
      }
      return (value, isChanged)
    } catch {
      rollBack(to: checkpoint)
      throw error
    }
  }

  func begin(_ kind: ChangeKind, author: ChangeAuthor, at moment: Moment) -> ChangeSet.ID {
    let id = (steps.last?.id ?? 0) + 1
    steps.append(
      Step(
        id: id, kind: kind, at: moment, author: .of(kind, in: author), first: lastSequence + 1,
        last: 0,
        state: kind.isUndoable ? .done : .final))
    return id
  }

  /// Closes the step.
  func finish(_ kind: ChangeKind) -> Bool {
    guard let step = steps.last, lastSequence >= step.first else { return false }
    steps[steps.count - 1].last = lastSequence
    joinSteps()
    return true
  }

  /// Makes the last two steps one, if the last one is to be a part of the other.
  private func joinSteps() {
    guard steps.count > 1 else { return }
    let (old, new) = (steps[steps.count - 2], steps[steps.count - 1])
    guard old.id == joined, old.last == new.first - 1, old.kind == new.kind, old.state == .done,
      old.reverses == nil, old.author.session == new.author.session
    else { return }
    for index in lines.indices where lines[index].changeSet == new.id {
      lines[index].changeSet = old.id
    }
    steps[steps.count - 2].last = new.last
    steps.removeLast()
  }

  /// Walks back over the log; a purge alters older lines too, so these and the entries are kept whole.
  private func rollBack(to checkpoint: Checkpoint) {
    let known = checkpoint.whole?.entries
    for line in lines(after: checkpoint.sequence).reversed() {
      replace(known.map { $0[line.number] } ?? line.before, number: line.number)
    }
    lines.removeSubrange(lines(after: checkpoint.sequence).startIndex...)
    if let whole = checkpoint.whole { lines = whole.lines }
    steps = checkpoint.steps
    lastNumber = checkpoint.lastNumber
    (sync, purged, newSync) = (checkpoint.sync, checkpoint.purged, newSync)
    lists = []
  }
}
