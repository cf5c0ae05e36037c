import GRDB
import Journal

/// Compares each text with its checksum, and what follows from it with what is stored.
///
/// Where the checksum does not fit nothing can tell which of the two is right, so the rest is not
/// compared. Texts of other tools that have not been looked at are passed over.
struct TextExamination {
  let db: Database

  private static let entries = """
    SELECT number, ifnull(CAST(text AS TEXT), ''), typeof(checksum) = 'integer', ifnull(CAST(checksum AS INTEGER), 0),
      ifnull(CAST(title AS TEXT), ''), ifnull(CAST(title_key AS TEXT), ''), ifnull(CAST(tags AS TEXT), ''),
      ifnull(CAST(words AS INTEGER), -1), deleted IS NULL, ifnull(CAST(day AS TEXT), ''), ifnull(CAST(created AS INTEGER), 0)
    FROM entry NOT INDEXED WHERE title IS NOT NULL ORDER BY number
    """

  func findings() throws -> [Finding] {
    var findings: [Finding] = []
    let tags = try TagRows(db)
    try db.forEach(TextExamination.entries) { entry in
      let number = entry.integer(0)
      let text = entry.text(1)
      guard entry.bool(2), Entry.checksum(of: text) == entry.integer(3) else {
        findings.append(
          Finding(
            "entry \(number): the text is not what was stored", .person,
            advice: "read it, and save it again with daybook edit \(number)"))
        _ = try tags.match(number, [])
        return
      }
      let derived = DerivedColumns(text: text)
      if !derived.stands(in: entry) {
        findings.append(Finding("entry \(number): its title or tags are not its text's", .mending))
      }
      let expected = derived.tagRows.map {
        TagRows.line(entry.bool(8), $0.key, entry.text(9), entry.integer(10))
      }
      if try !tags.match(number, expected) {
        findings.append(Finding("entry \(number): it is listed under wrong tags", .mending))
      }
    }
    return findings + (try tags.rest())
  }
}

extension DerivedColumns {
  fileprivate func stands(in columns: Columns) -> Bool {
    columns.text(4).isSame(as: title) && columns.text(5).isSame(as: titleKey)
      && columns.text(6).isSame(as: tags) && columns.integer(7) == Int64(words)
  }
}

/// The rows of the table of tags, entry by entry, in step with a walk through the entries.
private final class TagRows {
  private let cursor: RowCursor
  private var next: SQLRow?
  private var strays: [Int64] = []

  init(_ db: Database) throws {
    cursor = try SQLRow.fetchCursor(
      db,
      sql: """
        SELECT ifnull(CAST(number AS INTEGER), 0), ifnull(live = 1, 0), ifnull(CAST(tag AS TEXT), ''),
          ifnull(CAST(day AS TEXT), ''), ifnull(CAST(created AS INTEGER), 0)
        FROM entry_tag AS t WHERE NOT EXISTS (
          SELECT 1 FROM entry WHERE entry.number = t.number AND title IS NULL)
        ORDER BY 1
        """)
    next = try cursor.next()?.copy()
  }

  static func line(_ isLive: Bool, _ tag: String, _ day: String, _ created: Int64) -> String {
    "\(isLive) \(day) \(created) \(tag)"
  }

  /// Whether exactly these lines stand under an entry.
  func match(_ number: Int64, _ expected: [String]) throws -> Bool {
    while let row = next, (row[0] as Int64) < number {
      strays.append(row[0])
      next = try cursor.next()?.copy()
    }
    var found: [String] = []
    while let row = next, (row[0] as Int64) == number {
      found.append(TagRows.line(row[1], row[2], row[3], row[4]))
      next = try cursor.next()?.copy()
    }
    return found.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
      == expected.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// What stands under entries that are not there.
  func rest() throws -> [Finding] {
    while let row = next {
      strays.append(row[0])
      next = try cursor.next()?.copy()
    }
    return Set(strays).sorted().map {
      Finding("entry \($0): it is listed under tags, but it is gone", .mending)
    }
  }
}
