import GRDB
import Journal

/// Finds values that violate the tables' own checks or this program's rules.
///
/// A read-only connection ignores the checks of the tables, so that `integrity_check` skips them
/// there.
struct ValueExamination {
  let db: Database

  /// The maximum number of lines; more give no new information.
  private static let limit = 20

  func findings() throws -> [Finding] {
    try entries() + lines() + steps()
  }

  private func entries() throws -> [Finding] {
    try found(
      """
      SELECT number, CASE
        \(EntrySchema.fields.map { "WHEN \(Self.isWrong($0)) THEN '\($0.noun)'" }.joined(separator: " "))
        END AS field FROM entry NOT INDEXED
      """
    ) { Finding("entry \($0): its \($1) is invalid", .salvage) }
  }

  /// The condition that a column's value is invalid for its field.
  private static func isWrong(_ field: EntrySchema.Field) -> String {
    let name = field.name
    return switch field.kind {
    case .integer:
      "typeof(\(name)) <> 'integer'" + (name == "number" ? " OR number <= 0" : "")
    case .text:
      "typeof(\(name)) <> 'text'" + (name == "uuid" ? "" : " OR instr(\(name), char(0)) > 0")
    case .flag: "\(name) NOT IN (0, 1)"
    case .day:
      "typeof(\(name)) <> 'text' OR \(name) IS NOT date(\(name), '+0 days') OR \(name) < '0001-01-01'"
    case .moment: isNoInstant(name)
    case .optionalMoment: "\(name) IS NOT NULL AND (\(isNoInstant(name)))"
    }
  }

  private static func isNoInstant(_ column: String) -> String {
    "typeof(\(column)) <> 'integer'"
      + " OR \(column) NOT BETWEEN \(Moment.seconds.lowerBound) AND \(Moment.seconds.upperBound)"
  }

  /// The kind of a line of the log cannot be derived from other data.
  private func lines() throws -> [Finding] {
    try found(
      """
      SELECT seq, CASE WHEN kind NOT IN ('insert', 'update', 'delete', 'purged') THEN 'kind' END
        AS field FROM change
      """
    ) { Finding("line \($0) of the change log: unknown \($1) of change", .salvage) }
  }

  /// A step with an unknown state is closed and never undone.
  private func steps() throws -> [Finding] {
    try found(
      """
      SELECT id, CASE WHEN \(ValueExamination.hasWrongState) THEN 'state' END AS field FROM change_set
      """
    ) { Finding("step \($0) of the change log: its \($1) is invalid", .repair) }
  }

  /// The condition that a step's state is invalid.
  static let hasWrongState = "typeof(state) <> 'integer' OR state NOT BETWEEN 0 AND 3"

  private func found(_ sql: String, _ finding: (Int64, String) -> Finding) throws -> [Finding] {
    var findings: [Finding] = []
    try db.forEach("SELECT * FROM (\(sql)) WHERE field IS NOT NULL LIMIT \(Self.limit)") {
      findings.append(finding($0.integer(0), $0.text(1)))
    }
    return findings
  }
}

/// Compares each text with its checksum, and its derived data with the stored ones.
///
/// If the checksum does not match, neither side is known to be right, so the rest is not compared.
/// Unanalysed texts of other tools are skipped. So are tags, links and fields as an earlier version of this
/// program found them, which the next writer finds again.
struct TextExamination {
  let db: Database
  let attendance: WorkAttendance

  private static let entries = """
    SELECT number, ifnull(CAST(text AS TEXT), ''), typeof(checksum) = 'integer', ifnull(CAST(checksum AS INTEGER), 0),
      ifnull(CAST(title AS TEXT), ''), ifnull(CAST(title_key AS TEXT), ''), ifnull(CAST(tags AS TEXT), ''),
      ifnull(CAST(words AS INTEGER), -1), deleted IS NULL, ifnull(CAST(day AS TEXT), ''), ifnull(CAST(created AS INTEGER), 0)
    FROM entry NOT INDEXED WHERE title IS NOT NULL ORDER BY number
    """

  func findings() throws -> [Finding] {
    var findings: [Finding] = []
    let version = DerivedVersion(db: db)
    let hasTags = try version.isCurrent(.tags)
    let tables = try DerivedRows.Table.all.filter { try version.isCurrent($0.part) }
      .map { try DerivedRows($0, db) }
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
    var done = 0
    try db.forEach(TextExamination.entries) { entry in
      done += 1
      attendance.report("entries", done, total)
      let number = entry.integer(0)
      let text = entry.text(1)
      guard entry.bool(2), Entry.checksum(of: text) == entry.integer(3) else {
        findings.append(
          Finding(
            "entry \(number): the text does not match its checksum", .person,
            advice: "read it, and save it again with \(command: "edit \(number)")"))
        for table in tables { _ = try table.match(number, []) }
        return
      }
      let derived = DerivedColumns(text: text)
      if !derived.stands(in: entry, withTags: hasTags) {
        findings.append(
          Finding("entry \(number): its title or tags do not match its text", .repair))
      }
      for rows in tables where try !rows.match(number, rows.table.expected(derived, entry)) {
        findings.append(
          Finding("entry \(number): it is listed under wrong \(rows.table.noun)", .repair))
      }
    }
    return try findings + tables.flatMap { try $0.rest() }
  }
}

extension DerivedColumns {
  fileprivate func stands(in columns: Columns, withTags: Bool) -> Bool {
    columns.text(4).isSame(as: title) && columns.text(5).isSame(as: titleKey)
      && (!withTags || columns.text(6).isSame(as: tags)) && columns.integer(7) == Int64(words)
  }
}

/// The rows of a table that follows from the texts, read in parallel with the entries.
private final class DerivedRows {
  enum Table {
    case tags
    case marks(MarkTable)

    static let all = [.tags] + MarkTable.all.map { Table.marks($0) }

    var name: String {
      switch self {
      case .tags: "entry_tag"
      case .marks(let table): table.name
      }
    }

    /// The columns after the number.
    var columns: [String] {
      switch self {
      case .tags: ["live", "day", "created", "tag"]
      case .marks(let table): table.columns.filter { $0 != "number" }
      }
    }

    var noun: String {
      switch self {
      case .tags: "tags"
      case .marks(let table): table.noun
      }
    }

    var part: DerivedVersion.Part { if case .tags = self { .tags } else { .marks } }

    /// The rows that an entry should have, with its columns of ``TextExamination/entries``.
    func expected(_ derived: DerivedColumns, _ columns: Columns) throws -> [String] {
      let (live, day) = (columns.integer(8), columns.text(9))
      switch self {
      case .tags:
        return derived.tagRows.map {
          ["\(live)", day, "\(columns.integer(10))", $0.key].joined(separator: DerivedRows.gap)
        }
      case .marks(let table):
        var entry = EntrySchema.blank
        entry.day = Day(day) ?? .earliest
        entry.deleted = live == 1 ? nil : entry.created
        var (lines, row): ([String], [String]) = ([], [])
        try table.forEachValue(entry, derived, columns.integer(0)) { value in
          row.append(value.text)
          guard row.count == table.columns.count else { return }
          let values = zip(table.columns, row).filter { $0.0 != "number" }.map(\.1)
          lines.append(values.joined(separator: DerivedRows.gap))
          row = []
        }
        return lines
      }
    }
  }

  /// A separator that no text of an entry has.
  fileprivate static let gap = "\0"

  let table: Table
  private let cursor: RowCursor
  private var next: SQLRow?
  private var strays: [Int64] = []

  init(_ table: Table, _ db: Database) throws {
    self.table = table
    cursor = try SQLRow.fetchCursor(
      db,
      sql: """
        SELECT ifnull(CAST(number AS INTEGER), 0),
          \(table.columns.map { "ifnull(CAST(\($0) AS TEXT), '')" }.joined(separator: ", "))
        FROM \(table.name) AS t WHERE NOT EXISTS (
          SELECT 1 FROM entry WHERE entry.number = t.number AND title IS NULL)
        ORDER BY 1
        """)
    next = try cursor.next()?.copy()
  }

  /// Whether an entry has exactly these rows.
  func match(_ number: Int64, _ expected: [String]) throws -> Bool {
    while let row = next, (row[0] as Int64) < number {
      strays.append(row[0])
      next = try cursor.next()?.copy()
    }
    var found: [String] = []
    while let row = next, (row[0] as Int64) == number {
      found.append(
        (1...table.columns.count).map { row[$0] as String }.joined(separator: Self.gap))
      next = try cursor.next()?.copy()
    }
    return found.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
      == expected.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The rows of entries that do not exist.
  func rest() throws -> [Finding] {
    while let row = next {
      strays.append(row[0])
      next = try cursor.next()?.copy()
    }
    return Set(strays).sorted().map {
      Finding("entry \($0): it is listed under \(table.noun), but does not exist", .repair)
    }
  }
}

extension EntryColumns.Value {
  fileprivate var text: String {
    switch self {
    case .null: ""
    case .integer(let number): String(number)
    case .text(let text): text
    }
  }
}

/// Compares the stored counts of days and tags with actual counts.
struct CountExamination {
  let db: Database

  /// Whether all tables of the counts exist, as in a journal of any version.
  static func isPossible(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT count(*) = 4 FROM sqlite_schema
        WHERE name IN ('entry', 'entry_tag', 'section_count', 'tag_count') AND type = 'table'
        """) ?? false
  }

  func findings() throws -> [Finding] {
    let days = try String.fetchAll(
      db,
      sql: """
        SELECT ifnull(CAST(day AS TEXT), '') FROM (
          SELECT day, count(*) AS entries FROM entry WHERE deleted IS NULL GROUP BY day
          EXCEPT SELECT day, entries FROM section_count)
        UNION SELECT ifnull(CAST(day AS TEXT), '') FROM (
          SELECT day, entries FROM section_count
          EXCEPT SELECT day, count(*) FROM entry WHERE deleted IS NULL GROUP BY day)
        """)
    let tags = try String.fetchAll(
      db,
      sql: """
        SELECT ifnull(CAST(tag AS TEXT), '') FROM (
          SELECT tag, count(*) FROM entry_tag WHERE live = 1 GROUP BY tag
          EXCEPT SELECT tag, entries FROM tag_count)
        UNION SELECT ifnull(CAST(tag AS TEXT), '') FROM (
          SELECT tag, entries FROM tag_count
          EXCEPT SELECT tag, count(*) FROM entry_tag WHERE live = 1 GROUP BY tag)
        """)
    return days.map { Finding("day \($0): the count of entries is wrong", .repair) }
      + tags.map { Finding("tag \"\($0)\": the count of entries is wrong", .repair) }
  }
}

/// Checks whether the change log and the counters are consistent.
struct HistoryExamination {
  let db: Database

  func findings() throws -> [Finding] {
    try clock() + sequences() + steps()
  }

  private func clock() throws -> [Finding] {
    let isRight = try Bool.fetchOne(
      db,
      sql: "SELECT count(*) = 1 AND ifnull(max(id), 0) = 1 AND max(change_set) IS NULL FROM clock")
    return isRight == true ? [] : [Finding("the change log has an unfinished change", .repair)]
  }

  private func sequences() throws -> [Finding] {
    try Numbering.highest.compactMap { counter in
      let highest = try Int64.fetchOne(db, sql: counter.sql) ?? 0
      let next = try Numbering.next(of: counter.table, db) ?? 0
      if highest >= Numbering.limit {
        return Finding("no numbers are left for \(counter.table)", .salvage)
      }
      guard next >= Numbering.limit || next < highest else { return nil }
      return Finding(
        next < highest
          ? "the numbers of \(counter.table) would be used twice"
          : "no numbers are left for \(counter.table)", .repair)
    }
  }

  /// The steps whose range differs from their lines in the log, with the range of those lines.
  static let wrongSteps = """
    SELECT s.id, ifnull(c.low, 0), ifnull(c.high, 0) FROM change_set AS s LEFT JOIN (
        SELECT change_set, min(seq) AS low, max(seq) AS high FROM change GROUP BY change_set
      ) AS c ON c.change_set = s.id
    WHERE s.first_seq IS NOT c.low OR s.last_seq IS NOT c.high ORDER BY s.id
    """

  /// The missing steps that lines in the log refer to.
  static let missingSteps = """
    SELECT DISTINCT change_set FROM change
    WHERE typeof(change_set) = 'integer' AND change_set NOT IN (SELECT id FROM change_set)
    ORDER BY change_set
    """

  private func steps() throws -> [Finding] {
    let wrong = try Int64.fetchAll(db, sql: "SELECT id FROM (\(HistoryExamination.wrongSteps))")
    let missing = try Int64.fetchAll(db, sql: HistoryExamination.missingSteps)
    return wrong.map {
      Finding("step \($0) of the change log does not match its lines", .repair)
    }
      + missing.map { Finding("step \($0) of the change log is missing", .repair) }
  }
}
