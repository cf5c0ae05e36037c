import GRDB
import Journal

/// The tables, indexes and triggers of an SQLite journal.
///
/// The file stays usable with plain `sqlite3`: `INSERT INTO entry(text) VALUES ('…')` is enough, the
/// rest has defaults, and whatever another tool writes is logged, counted and undoable like our own
/// writes. No trigger needs a function or a module that only this program has.
enum Schema {
  /// What `PRAGMA application_id` says in a journal: "dayb" in ASCII.
  static let applicationID: Int32 = 0x6461_7962

  /// The steps that lead from an empty file to the present schema, oldest first.
  ///
  /// The list is append-only: a released migration is never edited, and `user_version` counts them.
  static let migrations: [Migration] = [
    Migration(
      name: "entries, change log, section counts",
      statements: tables + [firstDayIndex] + otherIndexes + entryTriggers + tagTriggers + [
        "INSERT INTO clock (id, change_set) VALUES (1, NULL)"
      ]),
    Migration(
      name: "index of words", statements: searchTables,
      finish: { db in
        try Settling.settle(db, at: WallClock.system.moment())
        try SearchIndex(db: db).rebuild()
      }),
    Migration(
      name: "statistics in the index of days", statements: ["DROP INDEX entry_day", dayIndex]),
  ]

  /// The `user_version` of a journal that this program knows.
  static var version: Int32 { Int32(migrations.count) }

  /// The text of every object a journal of the present version holds, as `sqlite_schema` gives it.
  static let objects = Set(
    tables + indexes + entryTriggers + tagTriggers + searchTables)

  /// Objects SQLite makes by itself, of which only kind and name are known.
  static func isInternal(kind: String, name: String) -> Bool {
    name == "sqlite_sequence" || name.hasPrefix("sqlite_stat")
      || (kind == "table" && shadowTables.contains(name))
  }
}

/// One step of the schema's history.
struct Migration: Sendable {
  /// What the step brings, for messages and backups.
  let name: String
  /// The statements, run in order in one transaction.
  let statements: [String]
  /// What remains to be done in the same transaction when all steps' statements have run, by code that
  /// knows the newest schema only.
  var finish: @Sendable (Database) throws -> Void = { _ in }
}
