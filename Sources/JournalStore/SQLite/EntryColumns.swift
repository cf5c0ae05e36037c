import GRDB
import Journal

/// The columns an entry is read from, by position: names are looked up once, when SQL is prepared.
enum EntryColumns {
  /// Everything a row of a list needs, and the text only where it has not been looked at yet.
  static let row =
    "number, uuid, created, created_offset, modified, modified_offset, day, starred, deleted,"
    + " deleted_offset, title, tags, checksum, CASE WHEN title IS NULL THEN text END"

  /// Everything of an entry.
  static let entry =
    "number, uuid, created, created_offset, modified, modified_offset, day, starred, deleted,"
    + " deleted_offset, text"

  /// The row that stands in a result of ``row``.
  static func decodeRow(_ row: SQLRow, tag: String = "") -> EntryRow {
    if row.hasNull(atIndex: 10), !row.hasNull(atIndex: 13) {
      var entry = decodeBase(row)
      entry.text = row[13]
      return entry.row(tag: tag)
    }
    let tags: String = row[11] ?? ""
    return EntryRow(
      id: EntryRowID(number: row[0], tag: tag), uuid: row[1], created: moment(row, 2),
      modified: moment(row, 4), day: day(row, 6), title: row[10] ?? "",
      tags: tags.split(separator: " ").map(String.init), starred: row[7],
      deleted: deleted(row, 8), checksum: row[12] ?? 0)
  }

  /// The entry that stands in a result of ``entry``.
  static func decodeEntry(_ row: SQLRow) -> Entry {
    var entry = decodeBase(row)
    entry.text = row[10] ?? ""
    return entry
  }

  /// What both results begin with, without a text.
  static func decodeBase(_ row: SQLRow) -> Entry {
    Entry(
      uuid: row[1], number: row[0], created: moment(row, 2), modified: moment(row, 4),
      day: day(row, 6), text: "", starred: row[7], deleted: deleted(row, 8))
  }

  private static func moment(_ row: SQLRow, _ index: Int) -> Moment {
    Moment(seconds: row[index], offset: row[index + 1])
  }

  private static func deleted(_ row: SQLRow, _ index: Int) -> Moment? {
    row.hasNull(atIndex: index)
      ? nil : Moment(seconds: row[index], offset: row[index + 1] ?? 0)
  }

  /// The table's own check lets no other text in.
  private static func day(_ row: SQLRow, _ index: Int) -> Day {
    Day(row[index] as String) ?? Day.earliest
  }
}
