import GRDB
import Journal

/// Writes entries inside a transaction of an SQLite journal, as one change set.
final class SQLiteWriter: EntryWriting {
  private let ownReader: SQLiteReader
  /// Whether to maintain a full-text index.
  private let isIndexed: Bool
  private let kind: ChangeKind
  let changeSet: ChangeSet.ID
  private let firstSequence: Int64
  /// The step that the changes are to be a part of.
  private var joined: ChangeSet.ID?
  /// The sequence number of the last indexed change.
  private var indexedSequence: Int64
  /// Whether the data of older lines of the log were removed.
  private(set) var hasForgotten = false
  /// The record of synchronisation to set at the end.
  private var newSyncState: (state: SyncState?, endingHere: Bool)?
  /// Whether files came whose entries may be there already.
  private var hasNewFiles = false
  /// Whether bases of imports came for entries that stay as they are.
  private var hasNewBases = false
  /// Whether there are changes that the index lacks.
  private var isIndexBehind = false
  /// The entries that ``insertNew(_:)`` is adding.
  private var newEntries: NewEntries?
  /// The uuid look-up of ``insertNew(_:)``.
  private var lookUp: RepeatedStatement?
  /// Its assigned numbers, which are consecutive; ``indexedSequence`` includes them, but the index
  /// does not have their words yet.
  private var newNumbers: ClosedRange<Int64>?

  private var db: Database { ownReader.db }
  var path: String { ownReader.path }

  /// Opens a change set; the triggers read its number from the clock.
  ///
  /// - Parameter author: its author; `nil` for another program.
  init(
    db: Database, path: String, kind: ChangeKind, author: ChangeAuthor?, clock: WallClock,
    isIndexed: Bool
  ) throws {
    self.isIndexed = isIndexed
    ownReader = SQLiteReader(db: db, path: path, search: TextSearch(isIndexed: isIndexed))
    self.kind = kind
    indexedSequence = try ChangeLog(db: db).lastSequence()
    try Numbering.check(db)
    firstSequence = indexedSequence + 1
    let now = clock.moment()
    let author = author.map { ChangeAuthor.of(kind, in: $0) }
    try db.cachedStatement(
      sql: """
        INSERT INTO change_set (at, at_offset, actor, kind, state, session, source)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        now.seconds, now.offset, author?.name ?? "", kind.rawValue, kind.isUndoable ? 0 : 3,
        author?.session, (author?.source ?? .program).rawValue,
      ])
    changeSet = db.lastInsertedRowID
    try db.cachedStatement(sql: "UPDATE clock SET change_set = ?").execute(arguments: [changeSet])
  }

  func setAuthor(_ name: String) throws {
    try db.cachedStatement(sql: "UPDATE change_set SET actor = ? WHERE id = ?")
      .execute(arguments: [name, changeSet])
  }

  /// The effect of a transaction.
  enum Outcome {
    /// Nothing changed; the transaction must be rolled back.
    case unchanged
    /// Only the record of synchronisation or of imports changed, or files came that a text named already; there is
    /// no change set.
    case recorded
    /// Entries changed.
    case changed
  }

  /// Closes the change set.
  func finish() throws -> Outcome {
    try closeNewEntries()
    let last = try ChangeLog(db: db).lastSequence()
    if let (state, endingHere) = newSyncState {
      var state = state
      if endingHere { state?.cursor = last }
      try SyncTables(db: db).set(state)
    }
    guard last >= firstSequence else {
      guard newSyncState != nil || hasNewFiles || hasNewBases else { return .unchanged }
      try db.execute(sql: "UPDATE clock SET change_set = NULL")
      try db.execute(sql: "DELETE FROM change_set WHERE id = ?", arguments: [changeSet])
      return .recorded
    }
    try updateIndex()
    try db.cachedStatement(sql: "UPDATE clock SET change_set = NULL").execute()
    try db.cachedStatement(sql: "UPDATE change_set SET first_seq = ?, last_seq = ? WHERE id = ?")
      .execute(arguments: [firstSequence, last, changeSet])
    try joinStep(upTo: last)
    return .changed
  }

  func join(_ step: ChangeSet.ID) { joined = step }

  private func joinStep(upTo last: Int64) throws {
    guard let joined else { return }
    let isAdjacent = try db.first(
      """
      SELECT 1 FROM change_set AS old JOIN change_set AS new ON new.id = ?2
      WHERE old.id = ?1 AND old.last_seq = new.first_seq - 1 AND old.state = 0 AND old.reverses IS NULL
        AND old.session IS new.session AND new.state = 0
      """, [joined, changeSet]
    ) { _ in true }
    guard isAdjacent == true else { return }
    try db.execute(
      sql: "UPDATE change SET change_set = ? WHERE seq BETWEEN ? AND ?",
      arguments: [joined, firstSequence, last])
    try db.execute(sql: "DELETE FROM change_set WHERE id = ?", arguments: [changeSet])
    try db.execute(
      sql: "UPDATE change_set SET last_seq = ? WHERE id = ?", arguments: [last, joined])
  }

  func setSyncState(_ state: SyncState?, endingHere: Bool) throws {
    newSyncState = (state, endingHere)
  }

  func insert(_ entry: Entry) throws -> Int64 {
    try willChange()
    return try insert(entry, DerivedColumns(text: entry.text))
  }

  /// Words of new entries are indexed together at the end: FTS5 flushes at every savepoint, and
  /// SQLite sets one for each statement with triggers.
  func insertNew(_ entry: Entry) throws -> Bool {
    let lookUp = try lookUp ?? RepeatedStatement("SELECT 1 FROM entry WHERE uuid = ?", in: db)
    self.lookUp = lookUp
    lookUp.bind(entry.uuid)
    if try lookUp.run() { return false }
    if isIndexBehind { try updateIndex() }
    let new = try newEntries ?? NewEntries(db: db, set: changeSet)
    newEntries = new
    var entry = entry
    entry.number = 0
    try new.add(entry)
    return true
  }

  private func closeNewEntries() throws {
    guard let new = newEntries else { return }
    newEntries = nil
    try new.close()
    guard let numbers = new.numbers else { return }
    newNumbers = (newNumbers?.lowerBound ?? numbers.lowerBound)...numbers.upperBound
    // The log has one line for each, and nothing was written in between.
    indexedSequence += Int64(numbers.count)
  }

  /// Reads the writes so far, with their counts and log lines.
  var reader: SQLiteReader {
    get throws {
      try closeNewEntries()
      return ownReader
    }
  }

  /// Restores the connection's settings at the end of every transaction.
  func leave() {
    if newEntries != nil { NewEntries.switchTriggersOn(db) }
    newEntries = nil
  }

  private func insert(_ entry: Entry, _ derived: DerivedColumns) throws -> Int64 {
    var arguments: [(any DatabaseValueConvertible)?] = []
    EntryColumns.forEachValue(of: entry, derived) { arguments.append($0.stored) }
    try db.cachedStatement(sql: EntryColumns.insertion).execute(
      arguments: StatementArguments(arguments))
    let given = db.lastInsertedRowID
    try insertTags(derived, of: entry, number: given)
    try MarkTable.insert(derived, of: entry, number: given, in: db)
    return given
  }

  /// Sets changed columns only: SQLite rewrites the entries of each index whose columns are named.
  func update(_ entry: Entry, from old: Entry) throws {
    try willChange()
    var changes = EntryColumns.changes(from: old, to: entry)
    let derived = entry.text.isSame(as: old.text) ? nil : DerivedColumns(text: entry.text)
    if let derived {
      changes += zip(EntryColumns.derived, derived.values).map { (column: $0, value: $1) }
    }
    guard !changes.isEmpty else { return }
    let assignments = changes.map { "\($0.column)=?" }.joined(separator: ", ")
    var arguments = changes.map(\.value.stored)
    arguments.append(entry.number)
    try db.cachedStatement(sql: "UPDATE entry SET \(assignments) WHERE number = ?")
      .execute(arguments: StatementArguments(arguments))
    guard let derived else { return }
    let former = DerivedColumns(text: old.text)
    if derived.tags != former.tags {
      try ExternalChanges.replaceTags(db, of: entry.number, with: derived)
    }
    if derived.links != former.links || derived.fields != former.fields
      || derived.files != former.files
    {
      try MarkTable.replace(db, of: entry.number, with: derived)
    }
  }

  func addFile(
    _ content: FileContent, _ step: (Int) throws -> Void
  ) throws -> StoredFile {
    try closeNewEntries()
    return try FileTables(db: db).add(content, arrival: firstSequence, step)
  }

  func addFile(named name: String, _ next: () throws -> [UInt8]) throws -> StoredFile {
    try closeNewEntries()
    let file = try FileTables(db: db).add(named: name, arrival: firstSequence, next)
    hasNewFiles = true
    return file
  }

  func beginFile(named name: String) throws -> ArrivingFile {
    try closeNewEntries()
    hasNewFiles = true
    return try ArrivingFile(named: name, in: FileTables(db: db), arrival: firstSequence)
  }

  func add(_ base: ImportBase, of number: Int64, isNew: Bool) throws {
    hasNewBases = true
    try ImportBases(db: db).add(
      .init(number: number, base: base, changeSet: isNew ? changeSet : nil))
  }

  func removeUnusedFiles() throws -> Int { try FileTables(db: db).removeUnused() }

  func confirm(_ entry: Entry) throws {
    try willChange()
    try db.execute(
      sql: "UPDATE entry SET checksum = ? WHERE number = ?",
      arguments: [Entry.checksum(of: entry.text), entry.number])
  }

  func remove(_ entry: Entry) throws {
    try willChange()
    try db.cachedStatement(sql: "DELETE FROM entry WHERE number = ?")
      .execute(arguments: [entry.number])
  }

  /// Records a change that the index must follow through the log.
  private func willChange() throws {
    try indexNewNumbers()
    isIndexBehind = true
  }

  func remove(_ numbers: [Int64], _ step: () throws -> Void) throws {
    try willChange()
    let chosen = try ChosenEntries(db)
    for chunk in ChosenEntries.chunks(of: numbers) {
      try chosen.choose(chunk)
      try db.cachedStatement(sql: "DELETE FROM entry WHERE number IN \(ChosenEntries.numbers)")
        .execute()
      for _ in chunk { try step() }
    }
  }

  func takeBackUntouched(
    _ set: ChangeSet.ID, _ step: () throws -> Void
  ) throws -> UntouchedEntries? {
    try willChange()
    return try BulkReversal(of: set, in: db).run(step)
  }

  /// Updates the index of words for all pending writes.
  ///
  /// - Returns: whether it was rebuilt, so that it has no word of a removed entry.
  @discardableResult
  private func updateIndex() throws -> Bool {
    try indexNewNumbers()
    guard isIndexed else { return false }
    let last = try ChangeLog(db: db).lastSequence()
    isIndexBehind = false
    guard last > indexedSequence else { return false }
    let index = SearchIndex(db: db)
    let isRebuilt = try index.isFasterToRebuild(after: indexedSequence)
    if isRebuilt { try index.rebuild() } else { try index.follow(after: indexedSequence) }
    indexedSequence = last
    return isRebuilt
  }

  private func indexNewNumbers() throws {
    try closeNewEntries()
    guard let numbers = newNumbers else { return }
    if isIndexed { try SearchIndex(db: db).add(numbers) }
    newNumbers = nil
  }

  /// The index needs the lines that the log is about to lose.
  func forget(_ numbers: [Int64], _ step: () throws -> Void) throws {
    let isRebuilt = try updateIndex()
    try ChangeLog(db: db).forget(numbers, step)
    hasForgotten = true
    if isIndexed, !isRebuilt, !numbers.isEmpty { try SearchIndex(db: db).compact() }
  }

  func forEachImage(
    of set: ChangeSet.ID, among numbers: Set<Int64>?, _ body: (EntryImages) throws -> Void
  ) throws {
    if numbers?.isEmpty == true { return }
    try ChangeLog(db: db).forEachImage(of: set, among: numbers, reader, body)
  }

  func undo(of set: ChangeSet.ID) throws -> ChangeSet.ID? {
    try Int64.fetchOne(
      db, sql: "SELECT max(id) FROM change_set WHERE reverses = ? AND kind = 'undo'",
      arguments: [set])
  }

  func mark(_ set: ChangeSet.ID, undone: Bool) throws {
    try db.execute(
      sql: "UPDATE change_set SET state = ? WHERE id = ?", arguments: [undone ? 1 : 0, set])
    try db.execute(
      sql: "UPDATE change_set SET reverses = ? WHERE id = ?", arguments: [set, changeSet])
  }

  private func insertTags(
    _ derived: DerivedColumns, of entry: Entry, number: Int64
  ) throws {
    let insert = try db.cachedStatement(sql: EntryColumns.tagInsertion)
    for tag in derived.tagRows {
      try insert.execute(
        arguments: [
          entry.deleted == nil, tag.key, entry.day.description, entry.created.seconds, number,
          tag.typed,
        ])
    }
  }
}

extension SQLiteWriter {
  func entry(number: Int64) throws -> Entry? { try ownReader.entry(number: number) }
  func entry(uuid: String) throws -> Entry? { try ownReader.entry(uuid: uuid) }
  func isIntact(number: Int64) throws -> Bool { try ownReader.isIntact(number: number) }
  func contains(uuid: String) throws -> Bool { try ownReader.contains(uuid: uuid) }
  func uuids(matching part: String, limit: Int) throws -> [String] {
    try ownReader.uuids(matching: part, limit: limit)
  }
  func numbers(matching query: Query?) throws -> [Int64] {
    if query?.needsWords == true { try updateIndex() }
    return try reader.numbers(matching: query)
  }
  func count() throws -> Int { try reader.count() }
  func tagCounts() throws -> [TagCount] { try reader.tagCounts() }
  func count(ofTagAndBelow key: String) throws -> Int { try reader.count(ofTagAndBelow: key) }
  func entriesByDay() throws -> [(day: Day, entries: Int)] { try reader.entriesByDay() }
  func statistics(of query: Query?) throws -> Statistics {
    if query?.needsWords == true { try updateIndex() }
    return try reader.statistics(of: query)
  }
  func dayCounts(in days: ClosedRange<Day>) throws -> [DayCount] {
    try reader.dayCounts(in: days)
  }
  func daysWithSeveralOffsets(among days: Set<Day>) throws -> Set<Day> {
    try reader.daysWithSeveralOffsets(among: days)
  }
  func titles(matching typed: String, limit: Int) throws -> [FoundTitle] {
    try reader.titles(matching: typed, limit: limit)
  }
  func logMark(at sequence: Int64) throws -> String? { try reader.logMark(at: sequence) }
  func versions(of number: Int64) throws -> [EntryVersion] { try reader.versions(of: number) }
  func states(of number: Int64) throws -> [KnownState] { try reader.states(of: number) }
  func importBases(of number: Int64) throws -> [ImportBase] {
    try ownReader.importBases(of: number)
  }
  func hasChanged(_ uuid: String) throws -> Bool { try ownReader.hasChanged(uuid) }
  /// New entries are in their table at once, so an import that meets known ones between new ones need not
  /// close them.
  func present(uuid: String) throws -> Entry? { try ownReader.entry(uuid: uuid) }
  func present(on day: Day, at created: Moment) throws -> [Entry] {
    try ownReader.present(on: day, at: created)
  }
  func undoable(in scope: HistoryScope, before limit: ChangeSet.ID?) throws -> ChangeSet? {
    try reader.undoable(in: scope, before: limit)
  }
  func undoneElsewhere(
    in session: HistorySession, after limit: ChangeSet.ID?
  ) throws -> [(set: ChangeSet, undo: ChangeSet.ID)] {
    try reader.undoneElsewhere(in: session, after: limit)
  }
  func redoable(in scope: HistoryScope) throws -> ChangeSet? {
    try reader.redoable(in: scope)
  }
  func changeSets(latest count: Int, before limit: ChangeSet.ID?) throws -> [ChangeSet] {
    try reader.changeSets(latest: count, before: limit)
  }
  func lastSequence() throws -> Int64 { try reader.lastSequence() }
  func syncState() throws -> SyncState? { try reader.syncState() }
  func file(_ target: String) throws -> StoredFile? { try reader.file(target) }
  func forEachFile(_ body: (StoredFile) throws -> Void) throws { try reader.forEachFile(body) }
  func users(of file: StoredFile) throws -> [Int64] { try reader.users(of: file) }
  func pictures(
    matching query: Query?, limit: Int
  ) throws -> (first: [FoundPicture], count: Int) {
    if query?.needsWords == true { try updateIndex() }
    return try reader.pictures(matching: query, limit: limit)
  }
  func textTargets() throws -> [String: Bool] { try reader.textTargets() }
  func entry(naming target: String) throws -> Entry? { try reader.entry(naming: target) }
  func piece(_ index: Int, of file: StoredFile) throws -> [UInt8]? {
    try reader.piece(index, of: file)
  }
  func forEachChange(since cursor: Int64, _ body: (SyncChange) throws -> Void) throws {
    try reader.forEachChange(since: cursor, body)
  }
  func countChanges(since cursor: Int64) throws -> Int {
    try reader.countChanges(since: cursor)
  }
}
