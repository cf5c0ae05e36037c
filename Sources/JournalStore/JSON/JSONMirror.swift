import GRDB
import Journal

/// The state of a JSON file in an SQLite journal in memory, with the JSON of each part.
///
/// The tables are authoritative while the file is open. This value knows how far they match the
/// file: which entries and log lines have which JSON. So loading a file writes only the entries
/// that differ, and saving encodes only those that changed.
struct JSONMirror {
  /// An entry of the file.
  private struct Piece {
    var uuid: String
    var encoded: JSONDocument.EncodedEntry
    /// The hashes of the entry's open conflicts, which are beside its JSON.
    var conflicts = ""
  }

  /// The identity of a log line among all lines with its sequence number.
  fileprivate struct LineKey: Equatable {
    var sequence: Int64
    var changeSet: ChangeSet.ID
    var number: Int64
    var isLost: Bool
    var wasInTrash: Bool
    /// The image without its text, and the text's checksum.
    var image: Entry?
    var checksum: Int64?
  }

  /// The sequence number of the last line that both the tables and this value have.
  private(set) var sequence: Int64 = 0
  /// The highest number ever assigned.
  private var lastNumber: Int64 = 0
  private var entries: [Int64: Piece] = [:]
  private var lines: [LineKey] = []
  /// The JSON of the first of ``lines``; made when the file is first written.
  private var lineBytes: [[UInt8]] = []
  private var steps: [ChangeSet.ID: (step: JSONDocument.Step, bytes: [UInt8])] = [:]
  /// Members of other programs, by the uuid of their entry.
  private var extra: [String: [JSONMember]] = [:]
  private var documentExtra: [JSONMember] = []
}

// MARK: - Saving

extension JSONMirror {
  /// Updates this value with the tables after a transaction.
  ///
  /// - Parameter hasForgotten: whether older lines of the log were altered, by a purge.
  mutating func follow(_ db: Database, hasForgotten: Bool) throws {
    let log = ChangeLog(db: db)
    if hasForgotten {
      lines = []
      lineBytes = []
    }
    let changes = try log.changes(after: lines.last?.sequence ?? 0)
    let reader = SQLiteReader(db: db, path: "", search: nil)
    var seen: Set<Int64> = []
    for change in changes where change.sequence > sequence && seen.insert(change.number).inserted {
      entries[change.number] = try reader.entry(number: change.number).map {
        Piece(
          uuid: $0.uuid, encoded: JSONDocument.EncodedEntry($0), conflicts: $0.conflicts)
      }
      lastNumber = max(lastNumber, change.number)
    }
    let isEncoded = lineBytes.count == lines.count
    lines += changes.map { LineKey($0) }
    if isEncoded { lineBytes += changes.map { JSONDocument.line(of: $0) } }
    sequence = try log.lastSequence()
  }

  /// The file's bytes for the state of the tables.
  mutating func document(_ db: Database) throws -> [UInt8] {
    let log = ChangeLog(db: db)
    if lineBytes.count < lines.count {
      let last = lineBytes.isEmpty ? 0 : lines[lineBytes.count - 1].sequence
      lineBytes += try log.changes(after: last).map { JSONDocument.line(of: $0) }
    }
    var order: [ChangeSet.ID] = []
    for step in try log.steps() {
      order.append(step.id)
      if steps[step.id]?.step != step { steps[step.id] = (step, JSONDocument.line(of: step)) }
    }
    let (steps, extra) = (steps, extra)
    let sync = SyncTables(db: db)
    let record = try sync.state().map {
      JSONDocument.SyncRecord(state: $0, purged: try sync.purged())
    }
    return JSONDocument.document(
      entries: entries.sorted { $0.key < $1.key }.lazy.map {
        ($0.value.encoded, $0.value.conflicts, extra[$0.value.uuid] ?? [])
      },
      lastNumber: lastNumber, steps: order.lazy.compactMap { steps[$0]?.bytes }, lines: lineBytes,
      sync: record, imports: try ImportBases(db: db).all(), extra: documentExtra)
  }
}

extension JSONMirror.LineKey {
  init(_ change: ChangeLog.Change) {
    self.init(
      sequence: change.sequence, changeSet: change.set ?? 0, number: change.number,
      isLost: change.isPurged, wasInTrash: change.isInTrash,
      image: change.before?.row.entry(text: ""), checksum: change.before?.row.checksum)
  }

  init(_ line: JSONDocument.Line) {
    var image = line.before
    image?.text = ""
    self.init(
      sequence: line.sequence, changeSet: line.changeSet, number: line.number, isLost: line.isLost,
      wasInTrash: line.wasInTrash, image: image, checksum: line.before?.checksum)
  }
}

// MARK: - Loading

extension JSONMirror {
  /// An entry that another program edited, added or removed in the file.
  private struct OutsideEdit {
    var number: Int64
    var before: Entry?
    /// Whether the entry's state before the edit is unknown.
    var isLost = false
  }

  /// Updates the tables to the file's contents, and logs edits by other programs.
  ///
  /// The state before an outside edit is known if this process had read it and no logged change
  /// came between; otherwise the log marks it as lost.
  ///
  /// - Parameter isFirst: whether the tables are still empty.
  /// - Returns: whether there were outside edits, so that the file's log must be updated.
  mutating func take(
    _ document: JSONDocument, isFirst: Bool, _ db: Database, clock: WallClock
  ) throws -> Bool {
    takeExtra(document)
    lastNumber = max(
      lastNumber, document.lastNumber, document.items.map(\.entry.number).max() ?? 0)
    let items = numbered(document.items)
    let edits = try outsideEdits(items, document, isFirst: isFirst, db)
    if isFirst {
      for item in items {
        entries[item.entry.number] = Piece(
          uuid: item.entry.uuid, encoded: item.encoded, conflicts: item.entry.conflicts)
      }
      try NewEntries.fill(db, with: items.lazy.map(\.entry)) {
        try writeLog(document, items, edits, db)
      }
    } else {
      try writeEntries(items, db, clock: clock)
      try writeLog(document, items, edits, db)
    }
    try log(edits, items, db, clock: clock)
    try writeRecords(document, db)
    return !edits.isEmpty
  }

  /// Logs the difference to the file's state, for a read-only journal with a log of its own.
  mutating func takeDifference(
    _ document: JSONDocument, _ db: Database, clock: WallClock
  ) throws {
    takeExtra(document)
    try writeRecords(document, db)
    let writer = try outsideWriter(db, clock: clock)
    try replaceEntries(numbered(document.items), db, with: writer)
    guard try writer.finish() == .changed else {
      try remove(writer.changeSet, db)
      return
    }
    sequence = try ChangeLog(db: db).lastSequence()
  }

  /// Writes the records of synchronisation and of imports.
  private func writeRecords(_ document: JSONDocument, _ db: Database) throws {
    let bases = ImportBases(db: db)
    if try bases.all() != document.imports { try bases.replace(with: document.imports) }
    let tables = SyncTables(db: db)
    guard try tables.state() != document.sync?.state || tables.purged() != document.sync?.purged
    else { return }
    try tables.set(nil)
    guard let sync = document.sync else { return }
    var state = sync.state
    // A log that was lost begins again, and its later lines must not pass for those after the cursor.
    if state.cursor > document.lines.last?.sequence ?? 0 { state.cursor = .max }
    try tables.set(state)
    for purged in sync.purged { try tables.add(purged) }
  }

  private mutating func takeExtra(_ document: JSONDocument) {
    documentExtra = document.extra
    extra = Dictionary(
      document.items.filter { !$0.extra.isEmpty }.map { ($0.entry.uuid, $0.extra) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Assigns numbers and uuids to entries without them.
  private mutating func numbered(_ items: [JSONDocument.Item]) -> [JSONDocument.Item] {
    var numbers: Set<Int64> = []
    var uuids: Set<String> = []
    numbers.reserveCapacity(items.count)
    uuids.reserveCapacity(items.count)
    return items.map { item in
      let hasUUID = uuids.insert(item.entry.uuid).inserted
      let hasNumber = item.entry.number != 0 && numbers.insert(item.entry.number).inserted
      if hasUUID && hasNumber { return item }
      var item = item
      if !hasUUID {
        item.entry.uuid = EntryUUID.make(atSecond: item.entry.created.seconds)
        uuids.insert(item.entry.uuid)
      }
      if !hasNumber {
        lastNumber += 1
        item.entry.number = lastNumber
        numbers.insert(item.entry.number)
      }
      item.encoded = JSONDocument.EncodedEntry(item.entry)
      item.isChecked = false
      item.isIntact = false
      return item
    }
  }

  private func outsideEdits(
    _ items: [JSONDocument.Item], _ document: JSONDocument, isFirst: Bool, _ db: Database
  ) throws -> [OutsideEdit] {
    let reader = SQLiteReader(db: db, path: "", search: nil)
    let touched = Set(document.lines.reversed().prefix { $0.sequence > sequence }.map(\.number))
    var edits: [OutsideEdit] = []
    for item in items where !item.isIntact {
      let number = item.entry.number
      if !item.isChecked, isFirst || entries[number] == nil {
        edits.append(OutsideEdit(number: number))
      } else if isFirst || touched.contains(number) {
        edits.append(OutsideEdit(number: number, isLost: true))
      } else if let before = try reader.entry(number: number), !before.isSame(as: item.entry) {
        edits.append(OutsideEdit(number: number, before: before))
      }
    }
    let present = entries.isEmpty ? [] : Set(items.map(\.entry.number))
    for number in entries.keys where !present.contains(number) && !touched.contains(number) {
      edits.append(OutsideEdit(number: number, before: try reader.entry(number: number)))
    }
    return edits.sorted { $0.number < $1.number }
  }

  // MARK: Entries

  /// The log lines that this writes are removed again: the file has a log of its own.
  private mutating func writeEntries(
    _ items: [JSONDocument.Item], _ db: Database, clock: WallClock
  ) throws {
    let last = try ChangeLog(db: db).lastSequence()
    let writer = try outsideWriter(db, clock: clock)
    try replaceEntries(items, db, with: writer)
    try db.execute(sql: "DELETE FROM change WHERE seq > ?", arguments: [last])
    try remove(writer.changeSet, db)
  }

  private func outsideWriter(_ db: Database, clock: WallClock) throws -> SQLiteWriter {
    try SQLiteWriter(
      db: db, path: "", kind: .outside, author: nil, clock: clock, isIndexed: false)
  }

  private func remove(_ changeSet: ChangeSet.ID, _ db: Database) throws {
    try db.execute(sql: "UPDATE clock SET change_set = NULL")
    try db.execute(sql: "DELETE FROM change_set WHERE id = ?", arguments: [changeSet])
  }

  /// Writes the entries that differ; another uuid means another entry.
  private mutating func replaceEntries(
    _ items: [JSONDocument.Item], _ db: Database, with writer: SQLiteWriter
  ) throws {
    let new = Dictionary(uniqueKeysWithValues: items.map { ($0.entry.number, $0) })
    for (number, piece) in entries.sorted(by: { $0.key < $1.key })
    where new[number]?.entry.uuid != piece.uuid {
      if let old = try writer.entry(number: number) { try writer.remove(old) }
      entries[number] = nil
    }
    for item in items.sorted(by: { $0.entry.number < $1.entry.number }) {
      let number = item.entry.number
      let known = entries[number]
      if known == nil {
        _ = try writer.insert(item.entry)
      } else if known?.encoded.checksum != item.encoded.checksum
        || known?.conflicts != item.entry.conflicts, let old = try writer.entry(number: number)
      {
        try writer.update(item.entry, from: old)
        // The file decides, and not the trigger that settles conflicts.
        if !item.entry.conflicts.isEmpty {
          try db.execute(
            sql: "UPDATE entry SET conflicts = ? WHERE number = ?",
            arguments: [item.entry.conflicts, number])
        }
      }
      entries[number] = Piece(
        uuid: item.entry.uuid, encoded: item.encoded, conflicts: item.entry.conflicts)
    }
  }

  // MARK: Log

  /// Writes the file's log from the first line that differs from the tables.
  ///
  /// - Parameter edits: the outside edits, which came after all of its lines.
  private mutating func writeLog(
    _ document: JSONDocument, _ items: [JSONDocument.Item], _ edits: [OutsideEdit], _ db: Database
  ) throws {
    let keys = document.lines.map { LineKey($0) }
    var same = 0
    while same < min(keys.count, lines.count), keys[same] == lines[same] { same += 1 }
    let kept = same == 0 ? 0 : keys[same - 1].sequence
    try db.execute(sql: "DELETE FROM change WHERE seq > ?", arguments: [kept])
    lines = keys
    lineBytes.removeLast(max(0, lineBytes.count - same))
    var writer = try JSONLogWriter(db)
    let new = document.lines[same...]
    // Most lines are of new entries, which have no image.
    let changed = Set(new.lazy.filter { $0.before != nil }.map(\.number))
    var states = Dictionary(
      uniqueKeysWithValues: items.lazy.map(\.entry).filter { changed.contains($0.number) }
        .map { ($0.number, LoggedText.known($0.text)) })
    for edit in edits where changed.contains(edit.number) {
      states[edit.number] = edit.isLost ? .lost : edit.before.map { .known($0.text) }
    }
    var next: [LoggedText?] = []
    for line in new.reversed() {
      next.append(states[line.number])
      states[line.number] = line.isLost ? .lost : line.before.map { .known($0.text) }
    }
    for (line, next) in zip(new, next.reversed()) { try writer.add(line, next: next) }
    try writer.finish()
    try writeSteps(document.steps, db)
    sequence = document.lines.last?.sequence ?? 0
    try setNumbers(document, db)
  }

  private func writeSteps(_ new: [JSONDocument.Step], _ db: Database) throws {
    let ids = Set(new.map(\.id))
    let old = Dictionary(uniqueKeysWithValues: try ChangeLog(db: db).steps().map { ($0.id, $0) })
    for id in old.keys where !ids.contains(id) {
      try db.execute(sql: "DELETE FROM change_set WHERE id = ?", arguments: [id])
    }
    for step in new where old[step.id] != step {
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO change_set
            (id, at, at_offset, actor, kind, first_seq, last_seq, state, reverses, session, source)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(
        arguments: [
          step.id, step.at.seconds, step.at.offset, step.actor, step.kind.rawValue, step.first,
          step.last, step.state, step.reverses, step.session, step.source.rawValue,
        ])
    }
  }

  /// New numbers follow the highest ones of the file.
  private func setNumbers(_ document: JSONDocument, _ db: Database) throws {
    let last = [
      ("entry", lastNumber), ("change", sequence),
      ("change_set", document.steps.map(\.id).max() ?? 0),
    ]
    for (table, number) in last {
      try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
      try db.execute(
        sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, number])
    }
  }

  /// Logs outside edits as one step; if no earlier state is known, it cannot be undone.
  private mutating func log(
    _ edits: [OutsideEdit], _ items: [JSONDocument.Item], _ db: Database, clock: WallClock
  ) throws {
    guard !edits.isEmpty else { return }
    let texts = Dictionary(uniqueKeysWithValues: items.map { ($0.entry.number, $0.entry.text) })
    let now = clock.moment()
    let first = sequence + 1
    try db.execute(
      sql: """
        INSERT INTO change_set (at, at_offset, actor, kind, first_seq, last_seq, state, source)
        VALUES (?, ?, '', 'outside', ?, ?, ?, 'program')
        """,
      arguments: [
        now.seconds, now.offset, first, sequence + Int64(edits.count),
        edits.allSatisfy(\.isLost) ? 3 : 0,
      ])
    let step = db.lastInsertedRowID
    var writer = try JSONLogWriter(db)
    for edit in edits {
      sequence += 1
      let line = JSONDocument.Line(
        sequence: sequence, changeSet: step, number: edit.number, before: edit.before,
        isLost: edit.isLost, wasInTrash: edit.before?.deleted != nil)
      try writer.add(line, next: texts[edit.number].map { .known($0) })
      lines.append(LineKey(line))
    }
    try writer.finish()
  }
}
