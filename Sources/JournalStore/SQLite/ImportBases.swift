import GRDB
import Journal

/// The text that a file had when an import read it: the base of the next import of the file.
///
/// The text itself is a version of the entry, so that nothing is stored twice, and that its purge removes it.
package struct ImportBase: Hashable, Sendable {
  /// What had the text: a checksum of the path of a file, or ``program``.
  package var source: Int64
  /// A checksum of the path of what was imported: the file, or the directory or archive with it; `nil` if that
  /// does not matter.
  package var folder: Int64?
  /// The checksum of the text.
  package var checksum: Int64
  /// The `modified`, in seconds, of the state that Daybook had written to the file; `nil` in the file of another
  /// program.
  package var written: Int64?

  /// The source of dated records of another program, which has one state of a record at a time, whatever the file.
  package static let program: Int64 = 0

  package init(source: Int64, folder: Int64? = nil, checksum: Int64, written: Int64? = nil) {
    (self.source, self.folder, self.checksum, self.written) = (source, folder, checksum, written)
  }
}

/// The table of the texts that files had when they were imported, one row for each text that is new to its file.
struct ImportBases {
  let db: Database

  /// A row of the table.
  struct Row: Hashable {
    var number: Int64
    var base: ImportBase
    /// The import that brought the text into the entry; `nil` if the entry had it already.
    var changeSet: ChangeSet.ID?
  }

  private static let columns = [
    "number", "source", "folder", "checksum", "written", "change_set",
  ]
  private static let insertion = EntryColumns.insertion(into: "import_base", columns)

  func add(_ row: Row) throws {
    try db.cachedStatement(sql: Self.insertion).execute(
      arguments: [
        row.number, row.base.source, row.base.folder, row.base.checksum, row.base.written,
        row.changeSet,
      ])
  }

  /// The bases of an entry, the latest last; an import that was undone is none.
  func bases(of number: Int64) throws -> [ImportBase] {
    try rows(
      """
      WHERE number = ? AND NOT EXISTS (
        SELECT 1 FROM change_set WHERE id = import_base.change_set AND state IN (1, 2))
      """, [number]
    ).map(\.base)
  }

  /// All rows.
  func all() throws -> [Row] { try rows("", []) }

  private func rows(_ condition: String, _ arguments: StatementArguments) throws -> [Row] {
    var rows: [Row] = []
    try db.forEach(
      """
      SELECT number, source, checksum, written IS NOT NULL, ifnull(written, 0), change_set IS NOT NULL,
        ifnull(change_set, 0), folder IS NOT NULL, ifnull(folder, 0)
      FROM import_base \(condition) ORDER BY id
      """, arguments
    ) { row in
      let base = ImportBase(
        source: row.integer(1), folder: row.bool(7) ? row.integer(8) : nil,
        checksum: row.integer(2),
        written: row.bool(3) ? row.integer(4) : nil)
      rows.append(
        Row(number: row.integer(0), base: base, changeSet: row.bool(5) ? row.integer(6) : nil))
    }
    return rows
  }

  /// Replaces all rows.
  func replace(with rows: [Row]) throws {
    try db.execute(sql: "DELETE FROM import_base")
    try rows.forEach(add)
  }
}

extension Migration {
  /// Version 9: the texts that files had when they were imported.
  ///
  /// `source` is a checksum of the path of the file, `folder` that of the directory, and `checksum` that of the
  /// text, which is a version of the entry; so no path and no text is stored here. Marks of an older program are
  /// found again in the same step.
  static let importBases = Migration(
    name: "bases of imports",
    statements: [
      """
      CREATE TABLE import_base (
        id INTEGER PRIMARY KEY,
        number INTEGER NOT NULL,
        source INTEGER NOT NULL,
        folder INTEGER,
        checksum INTEGER NOT NULL,
        written INTEGER,
        change_set INTEGER
      )
      """,
      "CREATE INDEX import_base_number ON import_base (number)",
    ], finish: { db, attendance in try DatabaseOpener.renewMarks(db, attendance) })
}
