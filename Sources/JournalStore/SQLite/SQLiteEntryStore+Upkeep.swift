import GRDB
import Glibc
import Journal

extension SQLiteEntryStore {
  /// Writes a consistent copy of the journal into a new file that only its owner can read.
  ///
  /// The copy is made by one statement, so that no writer waits longer than the copying takes.
  ///
  /// - Throws: ``StoreError``; a file that is there already is not touched.
  public func backup(to path: String) throws {
    try mapped { try SQLiteEntryStore.copy(queue, to: path, place: path) }
  }

  /// `VACUUM INTO` takes an empty file as its target, and would make one that others can read.
  static func copy(_ queue: DatabaseQueue, to path: String, place: String) throws {
    guard try JournalFile.create(path) else {
      throw StoreError(.cannotCreate, at: place, "there is a file already; choose another name")
    }
    do {
      try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    } catch {
      unlink(path)
      throw error
    }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
    JournalFile.syncFolder(of: path)
  }

  /// Looks for damage: pages, texts against their checksums, counts against what they count, and the
  /// search index against the words of all texts.
  ///
  /// While another program's texts have not been taken in, the index is not looked at.
  public func check() throws -> [String] {
    try mapped {
      try consistent { db in
        let pages = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let hasIndex = try search != nil && !Settling.isNeeded(db)
        return try pages + SQLiteEntryStore.checkTexts(db) + SQLiteEntryStore.checkCounts(db)
          + (hasIndex ? SearchIndex(db: db).problems() : [])
      }
    }
  }

  /// Makes the search index anew from the texts, which it follows from.
  ///
  /// - Throws: ``StoreError``; then the index is as it was.
  public func rebuildSearch() throws {
    try checkWritable()
    try writing { db in
      try Settling.settle(db, at: clock.moment())
      try SearchIndex(db: db).rebuild()
      return .commit
    }
    search?.forget()
  }

  private static func checkTexts(_ db: Database) throws -> [String] {
    let rows = try SQLRow.fetchCursor(
      db, sql: "SELECT number, checksum, text FROM entry WHERE checksum IS NOT NULL")
    var problems: [String] = []
    while let row = try rows.next() {
      let (number, checksum): (Int64, Int64) = (row[0], row[1])
      if Entry.checksum(of: row[2]) != checksum {
        problems.append("entry \(number): the text is not what was stored")
      }
    }
    return problems
  }

  private static func checkCounts(_ db: Database) throws -> [String] {
    let days = try String.fetchAll(
      db,
      sql: """
        SELECT day FROM (
          SELECT day, count(*) AS entries FROM entry WHERE deleted IS NULL GROUP BY day
          EXCEPT SELECT day, entries FROM section_count)
        UNION SELECT day FROM (
          SELECT day, entries FROM section_count
          EXCEPT SELECT day, count(*) FROM entry WHERE deleted IS NULL GROUP BY day)
        """)
    let tags = try String.fetchAll(
      db,
      sql: """
        SELECT tag FROM (
          SELECT tag, count(*) FROM entry_tag WHERE live = 1 GROUP BY tag
          EXCEPT SELECT tag, entries FROM tag_count)
        UNION SELECT tag FROM (
          SELECT tag, entries FROM tag_count
          EXCEPT SELECT tag, count(*) FROM entry_tag WHERE live = 1 GROUP BY tag)
        """)
    return days.map { "day \($0): the count of entries is wrong" }
      + tags.map { "tag \"\($0)\": the count of entries is wrong" }
  }
}
