import CStore
import GRDB
import Journal

/// Adds entries one by one, and writes their derived data for many at once.
///
/// The triggers run once per row, and mostly check whether the row replaced others. A new uuid
/// under a new number replaces none; then they only write one line of the log and increment the
/// counts of a day and of tags, which a few statements can write for thousands of rows. So the
/// connection's triggers are off while this is open. After closing, every table has the same
/// contents as with triggers, which a test compares; only the words are left to the full-text
/// index.
///
/// In between, the counts and the log must not be read, and nothing else may be written.
final class NewEntries {
  /// The assigned numbers, which are consecutive; `nil` before the first.
  private(set) var numbers: ClosedRange<Int64>?

  private let db: Database
  private let set: ChangeSet.ID
  private let insertEntry: RepeatedStatement
  private let insertTag: RepeatedStatement
  /// The statement of each table of marks.
  private let insertMarks: [RepeatedStatement]
  /// The first number that is not logged and counted yet.
  private var pending: Int64?

  /// The number of entries counted together, so that counting needs little memory and their pages
  /// are still in SQLite's cache.
  private static let batch: Int64 = 4_096

  /// Switches the triggers off.
  init(db: Database, set: ChangeSet.ID) throws {
    self.db = db
    self.set = set
    // Old notes are obsolete; the first trigger would have removed them.
    try db.execute(sql: "DELETE FROM evicting")
    try NewEntries.switchTriggers(on: false, db)
    do {
      insertEntry = try RepeatedStatement(EntryColumns.insertion, in: db)
      insertTag = try RepeatedStatement(EntryColumns.tagInsertion, in: db)
      insertMarks = try MarkTable.all.map { try RepeatedStatement($0.insertion, in: db) }
    } catch {
      try NewEntries.switchTriggers(on: true, db)
      throw error
    }
  }

  /// Fills an empty journal in memory.
  ///
  /// Indexes are made at the end, which is faster than maintaining them. The tables' checks are off:
  /// the types of an ``Entry`` imply them, except for a NUL in a text. The full-text index stays
  /// empty.
  ///
  /// - Parameters:
  ///   - entries: the entries, each with its number, without NUL in their texts.
  ///   - log: writes the change log.
  static func fill(
    _ db: Database, with entries: some Sequence<Entry>, log: () throws -> Void
  ) throws {
    try fill(db, each: { add in for entry in entries { try add(entry) } }, log: log)
  }

  /// The same with entries that `each` passes on, one after the other.
  ///
  /// - Parameter copy: inserts rows of other entries before, into the tables of entries and of what is
  ///   derived from them.
  static func fill(
    _ db: Database, copy: () throws -> Void = {}, each: ((Entry) throws -> Void) throws -> Void,
    log: () throws -> Void
  ) throws {
    let indexes = Schema.parts.filter { $0.kind == .index }
    for index in indexes { try db.execute(sql: "DROP INDEX \(index.name)") }
    try db.execute(sql: "PRAGMA ignore_check_constraints=ON")
    do {
      // It cannot fail: the connection accepted the setting before.
      defer { try? db.execute(sql: "PRAGMA ignore_check_constraints=OFF") }
      try switchTriggers(on: false, db)
      defer { switchTriggersOn(db) }
      var rows = RowInsertion(into: "entry", EntryColumns.table, in: db)
      var tags = RowInsertion(into: "entry_tag", EntryColumns.tag, in: db)
      var marks = MarkTable.all.map { RowInsertion(into: $0.name, $0.columns, in: db) }
      try copy()
      try each { entry in
        let derived = DerivedColumns(text: entry.text)
        try EntryColumns.forEachValue(of: entry, derived) { try rows.add($0) }
        let day = entry.day.description
        for tag in derived.tagRows {
          try tags.add(.integer(entry.deleted == nil ? 1 : 0))
          try tags.add(.text(tag.key))
          try tags.add(.text(day))
          try tags.add(.integer(entry.created.seconds))
          try tags.add(.integer(entry.number))
          try tags.add(.text(tag.typed))
        }
        guard derived.hasMarks else { return }
        for (index, table) in MarkTable.all.enumerated() {
          try table.forEachValue(entry, derived, entry.number) { try marks[index].add($0) }
        }
      }
      try rows.finish()
      try tags.finish()
      for index in marks.indices { try marks[index].finish() }
      try db.execute(sql: countDays + countTags)
    }
    try log()
    for index in indexes { try db.execute(sql: index.sql) }
  }

  /// Counts the entries of each day in an empty table.
  static let countDays = """
    INSERT INTO section_count (day, entries)
      SELECT day, count(*) FROM entry WHERE deleted IS NULL GROUP BY day;
    """
  /// Counts the entries of each tag in an empty table.
  static let countTags = """
    INSERT INTO tag_count (tag, entries)
      SELECT tag, count(*) FROM entry_tag WHERE live = 1 GROUP BY tag;
    """

  /// Adds an entry under its number, which must be larger than all existing ones, or for number 0
  /// under the next one; its uuid must be new.
  func add(_ entry: Entry) throws { try note(insert(entry)) }

  private func insert(_ entry: Entry) throws -> Int64 {
    let derived = DerivedColumns(text: entry.text)
    let day = entry.day.description
    EntryColumns.forEachValue(of: entry, derived) { insertEntry.bind($0) }
    try insertEntry.run()
    let number = db.lastInsertedRowID
    for tag in derived.tagRows {
      insertTag.bind(entry.deleted == nil ? 1 : 0)
      insertTag.bind(tag.key)
      insertTag.bind(day)
      insertTag.bind(entry.created.seconds)
      insertTag.bind(number)
      insertTag.bind(tag.typed)
      try insertTag.run()
    }
    guard derived.hasMarks else { return number }
    for (table, statement) in zip(MarkTable.all, insertMarks) {
      try table.forEachValue(entry, derived, number) {
        try statement.bind($0, runningAfter: table.columns.count)
      }
    }
    return number
  }

  private func note(_ number: Int64) throws {
    numbers = (numbers?.lowerBound ?? number)...number
    let first = pending ?? number
    pending = first
    if number - first >= NewEntries.batch { try count() }
  }

  /// Writes the remaining data and switches the triggers on.
  func close() throws {
    defer { NewEntries.switchTriggersOn(db) }
    try count()
  }

  /// Logs and counts the entries since the last call, as the triggers would.
  private func count() throws {
    guard let first = pending, let last = numbers?.upperBound else { return }
    try db.cachedStatement(
      sql: """
        INSERT INTO change (change_set, kind, number)
        SELECT ?, 'insert', number FROM entry NOT INDEXED WHERE number BETWEEN ? AND ? ORDER BY number
        """
    ).execute(arguments: [set, first, last])
    try db.cachedStatement(
      sql: """
        INSERT INTO section_count (day, entries)
        SELECT day, count(*) FROM entry NOT INDEXED
        WHERE number BETWEEN ? AND ? AND deleted IS NULL GROUP BY day
        ON CONFLICT (day) DO UPDATE SET entries = entries + excluded.entries
        """
    ).execute(arguments: [first, last])
    try db.cachedStatement(
      sql: """
        INSERT INTO tag_count (tag, entries)
        SELECT tag, count(*) FROM entry_tag INDEXED BY entry_tag_number
        WHERE number BETWEEN ? AND ? AND live = 1 GROUP BY tag
        ON CONFLICT (tag) DO UPDATE SET entries = entries + excluded.entries
        """
    ).execute(arguments: [first, last])
    pending = nil
  }

  /// Switches a connection's triggers on, in case a transaction ended before ``close()``.
  static func switchTriggersOn(_ db: Database) {
    // It cannot fail: the connection is open, and SQLite accepted the setting before.
    try? switchTriggers(on: true, db)
  }

  private static func switchTriggers(on: Bool, _ db: Database) throws {
    guard let connection = db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE)
    }
    let code = daybook_sqlite_set_triggers(UnsafeMutableRawPointer(connection), on ? 1 : 0)
    guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
