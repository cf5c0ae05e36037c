import GRDB
import Journal

/// The SQLite file of tui-journal, opened for reading only.
package struct TuiJournalDatabase {
  /// One of its entries with the file's values.
  package struct Row: Hashable, Sendable {
    /// The entry's number in the file.
    package var id: Int64
    /// The date as ISO 8601, from any of SQLite's three date formats; empty if missing.
    package var date: String
    /// The title.
    package var title: String
    /// The text below the title; empty if missing.
    package var content: String
    /// The tags.
    package var tags: [String]
    /// The priority, if it has one.
    package var priority: Int?
    /// Whether it is in a folder of the journal.
    package var hasFolder: Bool
  }

  private let queue: DatabaseQueue
  private let shownPath: String
  private let hasTags: Bool
  private let hasPriority: Bool
  private let hasFolders: Bool

  /// Opens a file.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Kind/foreignDatabase`` when it is not a file of
  ///   tui-journal.
  package init(path: String) throws {
    shownPath = path
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      let columns = try queue.read { try Self.columns(of: "entries", $0) }
      let tags = try queue.read { try Self.columns(of: "tags", $0) }
      guard columns.isSuperset(of: ["id", "title", "date", "content"]) else {
        throw StoreError(
          .foreignDatabase, at: path, "a database, but not a journal; choose another file")
      }
      hasTags = tags.isSuperset(of: ["entry_id", "tag"])
      hasPriority = columns.contains("priority")
      hasFolders = columns.contains("folder")
    } catch let error as DatabaseError {
      throw StoreError(error, at: path)
    }
  }

  /// The columns with stored values; none of a view, whose rows may have no end.
  private static func columns(of table: String, _ db: Database) throws -> Set<String> {
    let sql = """
      SELECT info.name FROM pragma_table_list AS list, pragma_table_info(list.name) AS info
      WHERE list.schema = 'main' AND list.name = ? AND list.type = 'table'
      """
    return Set(try String.fetchAll(db, sql: sql, arguments: [table]))
  }

  /// The entries after an id, by their numbers; no transaction stays open afterwards.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read.
  package func rows(after id: Int64, limit: Int) throws -> [Row] {
    do {
      return try queue.read { db in
        let sql = """
          SELECT id, date, title, content, \(hasPriority ? "priority" : "NULL"),
            \(hasFolders ? "ifnull(folder, '')" : "''")
          FROM entries
          WHERE id > ? ORDER BY id LIMIT ?
          """
        var rows: [Row] = []
        var last = id
        try db.forEach(sql, [id, limit]) { columns in
          let row = try row(columns, db)
          // A text is after every number, so a page of texts would come again without end.
          guard row.id > last else {
            throw StoreError(
              .damaged, at: shownPath, "its entries are not in the order of their ids")
          }
          last = row.id
          rows.append(row)
        }
        return rows
      }
    } catch let error as DatabaseError {
      throw StoreError(error, at: shownPath)
    }
  }

  private func row(_ row: Columns, _ db: Database) throws -> Row {
    let id = row.integer(0)
    var tags: [String] = []
    if hasTags {
      try db.forEach("SELECT ifnull(tag, '') FROM tags WHERE entry_id = ? ORDER BY rowid", [id]) {
        tags.append($0.text(0))
      }
    }
    return Row(
      id: id, date: Self.date(row.value(1)), title: row.text(2), content: row.text(3),
      tags: tags.filter { !$0.isEmpty },
      priority: row.isNull(4) ? nil : Int(row.integer(4)), hasFolder: !row.text(5).isEmpty)
  }

  /// Integers are seconds since 1970, reals are Julian days, which begin at noon.
  private static func date(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .string(let text): text
    case .int64(let seconds): text(of: seconds)
    case .double(let days):
      Int64(exactly: ((days - 2_440_587.5) * 86_400).rounded()).map(text) ?? ""
    case .null, .blob: ""
    }
  }

  private static func text(of seconds: Int64) -> String {
    let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    return years.contains(seconds) ? Moment(seconds: seconds, offset: 0).description : ""
  }
}
