import Journal

/// The columns an entry is read from, by position.
enum EntryColumns {
  private static let base =
    "number, uuid, created, created_offset, modified, modified_offset, day, starred,"
    + " deleted IS NOT NULL, ifnull(deleted, 0), ifnull(deleted_offset, 0)"

  /// Everything a row of a list needs, and the text only where it has not been looked at yet.
  static let row =
    base + ", title IS NULL, ifnull(title, text), ifnull(tags, ''), ifnull(checksum, 0)"

  /// Everything of an entry.
  static let entry = base + ", text"

  /// ``entry`` for a query in which the entry's table is called `e`.
  static let qualifiedEntry =
    "e.number, e.uuid, e.created, e.created_offset, e.modified, e.modified_offset, e.day, e.starred,"
    + " e.deleted IS NOT NULL, ifnull(e.deleted, 0), ifnull(e.deleted_offset, 0), e.text"

  /// ``row`` for the change log, where everything may be null.
  static let logged =
    "number, ifnull(uuid, ''), ifnull(created, 0), ifnull(created_offset, 0), ifnull(modified, 0),"
    + " ifnull(modified_offset, 0), ifnull(day, ''), ifnull(starred, 0), deleted IS NOT NULL,"
    + " ifnull(deleted, 0), ifnull(deleted_offset, 0), title IS NULL, ifnull(title, ''),"
    + " ifnull(tags, ''), ifnull(checksum, 0)"

  /// Adds an entry, with the columns that follow from its text.
  static let insertion =
    "INSERT INTO entry (number, uuid, created, created_offset, modified, modified_offset, day,"
    + " starred, deleted, deleted_offset, title, title_key, tags, words, checksum, text)"
    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

  /// Adds a tag of an entry.
  static let tagInsertion =
    "INSERT INTO entry_tag (live, tag, day, created, number, typed) VALUES (?, ?, ?, ?, ?, ?)"

  /// How many columns ``row`` and ``logged`` are.
  static let rowCount = 15
  /// Where ``entry`` has its text.
  static let textIndex = 11

  /// The row that stands in a result of ``row``.
  static func decodeRow(_ columns: Columns, tag: String = "") -> EntryRow {
    if columns.bool(11) {
      return decodeBase(columns, text: columns.text(12)).row(tag: tag)
    }
    return EntryRow(
      id: EntryRowID(number: columns.integer(0), tag: tag), uuid: columns.text(1),
      created: moment(columns, 2), modified: moment(columns, 4), day: day(columns.text(6)),
      title: columns.text(12), tags: tags(columns.text(13)), starred: columns.bool(7),
      deleted: deleted(columns), checksum: columns.integer(14))
  }

  /// The entry that stands in a result of ``entry``.
  static func decodeEntry(_ columns: Columns) -> Entry {
    decodeBase(columns, text: columns.text(textIndex))
  }

  /// What all results begin with, and a text.
  static func decodeBase(_ columns: Columns, text: String) -> Entry {
    Entry(
      uuid: columns.text(1), number: columns.integer(0), created: moment(columns, 2),
      modified: moment(columns, 4), day: day(columns.text(6)), text: text,
      starred: columns.bool(7), deleted: deleted(columns))
  }

  private static func tags(_ text: String) -> [String] {
    text.isEmpty ? [] : text.split(separator: " ").map(String.init)
  }

  static func moment(_ columns: Columns, _ index: Int) -> Moment {
    Moment(seconds: columns.integer(index), offset: Int(columns.integer(index + 1)))
  }

  private static func deleted(_ columns: Columns) -> Moment? {
    columns.bool(8) ? moment(columns, 9) : nil
  }

  /// The table's own check lets no other text in.
  private static func day(_ text: String) -> Day { Day(text) ?? Day.earliest }
}
