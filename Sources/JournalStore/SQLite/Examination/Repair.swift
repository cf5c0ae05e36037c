import GRDB
import Journal

/// Rebuilds all derived data from the entries and the change log, inside a writing transaction.
///
/// Entries are not written, except the columns derived from their texts; altered texts keep their
/// checksum, so that they are still found.
struct Repair {
  let db: Database
  let moment: Moment
  var attendance = WorkAttendance()

  /// Rebuilds everything; of an older schema what the next upgrade takes over: its objects, counts, and a
  /// search index that cannot be read.
  func run() throws {
    let version = try Schema.version(of: db)
    if (1..<Schema.version).contains(version), try !Schema.isAhead(of: Int(version), db) {
      try mendSchema(Schema.parts(of: version), version)
      attendance.begin("indexes")
      try db.execute(sql: "REINDEX")
      try recount()
      guard try Schema.hasSearch(db), (try? SearchIndex(db: db).open()) == nil else { return }
      return try remakeSearch()
    }
    try mendSchema(Schema.parts, Schema.version)
    attendance.begin("change log")
    try mendHistory()
    attendance.begin("indexes")
    try db.execute(sql: "REINDEX")
    try rebuildDerived()
  }

  /// Rebuilds all data derived from the entries, including the search index.
  func rebuildDerived() throws {
    try rebuildTexts()
    try db.execute(sql: "DELETE FROM evicting")
    try recount()
    try ExternalChanges.adopt(db, at: moment, isIndexed: false)
    try rebuildSearch()
    attendance.begin("files")
    try FileTables(db: db).removeUnused()
  }

  /// Counts the entries of each day and of each tag again.
  func recount() throws {
    attendance.begin("counts")
    try db.execute(
      sql: """
        DELETE FROM tag_count; \(NewEntries.countTags)
        DELETE FROM section_count; \(NewEntries.countDays)
        """)
  }

  // MARK: - Schema

  /// Altered indexes and triggers are removed, missing objects are created; tables with contents
  /// stay.
  private func mendSchema(_ parts: [Schema.Part], _ version: Int32) throws {
    for part in parts {
      let sql = try String.fetchOne(
        db, sql: "SELECT CAST(sql AS TEXT) FROM sqlite_schema WHERE name = ?",
        arguments: [part.name])
      if sql == part.sql { continue }
      if sql != nil, part.kind != .table {
        try db.execute(sql: "DROP \(part.kind.rawValue.uppercased()) \"\(part.name)\"")
      }
      try db.execute(sql: part.sql)
    }
    try db.execute(sql: "PRAGMA user_version=\(version)")
  }

  // MARK: - Change log

  /// Steps with wrong lines are closed: a partial undo would do harm.
  private func mendHistory() throws {
    try db.execute(
      sql: "DELETE FROM clock; INSERT INTO clock (id, change_set) VALUES (1, NULL)")
    try db.execute(
      sql: "UPDATE change_set SET state = 3 WHERE \(ValueExamination.hasWrongState)")
    var wrong: [(id: Int64, low: Int64, high: Int64)] = []
    try db.forEach(HistoryExamination.wrongSteps) {
      wrong.append(($0.integer(0), $0.integer(1), $0.integer(2)))
    }
    for (id, low, high) in wrong {
      let range: [Int64?] = low > 0 ? [low, high] : [nil, nil]
      try db.execute(
        sql: "UPDATE change_set SET first_seq = ?, last_seq = ?, state = 3 WHERE id = ?",
        arguments: StatementArguments(range + [id]))
    }
    for id in try Int64.fetchAll(db, sql: HistoryExamination.missingSteps) {
      try db.execute(
        sql: """
          INSERT INTO change_set (id, at, at_offset, actor, kind, first_seq, last_seq, state, source)
          SELECT ?1, ?2, ?3, '', 'outside', min(seq), max(seq), 3, 'program' FROM change
          WHERE change_set = ?1
          """,
        arguments: [id, moment.seconds, moment.offset])
    }
    for counter in Numbering.highest { try repair(counter.table, counter.sql) }
  }

  private func repair(_ table: String, _ highest: String) throws {
    let highest = try Int64.fetchOne(db, sql: highest) ?? 0
    let next = try Numbering.next(of: table, db) ?? -1
    guard next < highest || next >= Numbering.limit else { return }
    try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
    try db.execute(
      sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, highest])
  }

  // MARK: - Texts and tags

  private func rebuildTexts() throws {
    try db.execute(sql: "DELETE FROM entry_tag")
    try MarkTable.clear(db)
    let total = try Numbering.lastEntry(db)
    try EntryTexts(db: db, source: .all).visit { number, text in
      try attendance.step("tags", Int(number), total)
      try rebuild(number, text)
    }
    guard try Schema.version(of: db) == Schema.version else { return }
    for part in [DerivedVersion.Part.tags, .marks] { try DerivedVersion(db: db).set(part) }
  }

  /// Finds the tags of all texts again, also of former ones, and writes those that differ.
  func retag() throws {
    attendance.begin("tags")
    let total = try Numbering.lastEntry(db)
    try EntryTexts(db: db, source: .all).visit { number, text in
      try attendance.step("tags", Int(number), total)
      guard text.utf8.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "@") }) else {
        return
      }
      let derived = DerivedColumns(text: text)
      try db.cachedStatement(
        sql: "UPDATE entry SET tags = ? WHERE number = ? AND tags <> ? AND title IS NOT NULL"
      ).execute(arguments: [derived.tags, number, derived.tags])
      if db.changesCount > 0 { try ExternalChanges.replaceTags(db, of: number, with: derived) }
    }
    try EntryTexts(db: db, source: .former).visit { line, text in
      let tags = DerivedColumns.tags(in: text)
      try db.cachedStatement(sql: "UPDATE change SET tags = ? WHERE seq = ? AND tags <> ?")
        .execute(arguments: [tags, line, tags])
    }
    try DerivedVersion(db: db).set(.tags)
  }

  /// Finds the files of all texts again: of the few that name any.
  func refile() throws {
    attendance.begin("files")
    try db.execute(sql: "DELETE FROM entry_file")
    try EntryTexts(db: db, source: .filed).visit { number, text in
      try MarkTable.replace(db, of: number, with: DerivedColumns(text: text))
    }
  }

  /// Finds the links, fields and files of all texts again.
  func remark() throws {
    attendance.begin("links and fields")
    try MarkTable.clear(db)
    let total = try Numbering.lastEntry(db)
    try EntryTexts(db: db, source: .all).visit { number, text in
      try attendance.step("links and fields", Int(number), total)
      guard Marks.mayBeIn(text) else { return }
      try MarkTable.replace(db, of: number, with: DerivedColumns(text: text))
    }
    try DerivedVersion(db: db).set(.marks)
  }

  private func rebuild(_ number: Int64, _ text: String) throws {
    let derived = DerivedColumns(text: text)
    try db.cachedStatement(
      sql: "\(DerivedColumns.update(keepsChecksum: true)) WHERE number = ?"
    ).execute(arguments: StatementArguments(derived.arguments + [number]))
    try ExternalChanges.replaceTags(db, of: number, with: derived)
    try MarkTable.replace(db, of: number, with: derived)
  }

  // MARK: - Search

  /// An index too broken to be emptied is removed from the schema and rebuilt.
  private func rebuildSearch() throws {
    do {
      try db.inSavepoint {
        try SearchIndex(db: db).rebuild(attendance)
        return .commit
      }
    } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
      try remakeSearch()
    }
  }

  private func remakeSearch() throws {
    try db.execute(
      sql: """
        PRAGMA writable_schema=ON;
        DELETE FROM sqlite_schema WHERE name = 'entry_word';
        PRAGMA writable_schema=RESET;
        """)
    for table in Schema.shadowTables.sorted() {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
    for part in Schema.parts where part.name == "entry_word" {
      try db.execute(sql: part.sql)
    }
    try SearchIndex(db: db).rebuild(attendance)
  }
}
