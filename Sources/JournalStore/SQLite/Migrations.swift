import GRDB
import Journal

/// One step of the schema's history.
struct Migration: Sendable {
  /// The change in a few words.
  let name: String
  /// The statements, run in order in one transaction.
  let statements: [String]
  /// Swift code for the same transaction after the statements of all steps; it knows the newest
  /// schema only.
  var finish: @Sendable (Database, WorkAttendance) throws -> Void = { _, _ in }
}

extension Migration {
  /// The steps from an empty file to the current schema, oldest first; `user_version` counts them.
  ///
  /// **A step is frozen text.** Once a journal was made with it, not a byte of it changes: a file
  /// is recognised because its `sqlite_schema` has exactly this text. So nothing here is computed
  /// from constants of the program, whose meaning changes with it; ``ImageTriggers`` are the one
  /// exception, for a given version. A change of the schema is a new step at the end of ``written``.
  /// A new field needs none: ``EntrySchema`` says its version, and ``init(fieldsOf:)`` makes the step.
  ///
  /// The tests keep a file of each version.
  static let all = (1...newest).map { written[$0] ?? Migration(fieldsOf: $0) }

  /// The steps that are more than new fields, by their versions.
  private static let written = [
    1: first, 2: wordIndex, 3: dayStatistics, 4: authors, 5: sync, 6: sealedSync,
    7: marks, 8: files, 9: importBases,
  ]

  private static let newest = EntrySchema.fields.map(\.version).reduce(written.keys.max() ?? 0, max)

  private static let firstTriggers = ImageTriggers(version: 1)

  /// Version 1.
  ///
  /// Small columns come before `text`, so that a list never reads the pages of a long text. This
  /// program derives `title` to `checksum` from the text; they are null while another tool's text
  /// is not analysed, and `entry_stale` finds those rows.
  ///
  /// Each index serves one kind of request; the partial ones contain only entries outside the
  /// trash. They still have the column `deleted`: without it SQLite 3.40 looks up every row to test
  /// the index's own condition.
  ///
  /// The triggers log and count in the transaction of the statement that changes an entry.
  /// `REPLACE` removes rows without firing delete triggers unless `recursive_triggers` is on.
  /// Therefore `entry_inserting` notes the rows that hold the new row's number or uuid, and
  /// `entry_inserted` logs those of them that are still noted: the new row has their number or uuid
  /// now, so they were removed. Where delete triggers do fire, `entry_deleted` removes the note. A
  /// note that `IGNORE` or an upsert leaves is never mistaken for an eviction: while its row
  /// exists, the next insert that could evict it replaces all notes, and when the row is removed,
  /// its note is removed, too. No statement relies on its own conflict clause: an outer one would
  /// override it.
  ///
  /// `tag_count` counts entries outside the trash; an entry without a tag counts for `''`.
  private static let first = Migration(
    name: "entries, change log, section counts",
    statements: [
      """
      CREATE TABLE entry (
        number INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number > 0),
        uuid TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
        created INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)),
        created_offset INTEGER NOT NULL DEFAULT (strftime('%s', 'now', 'localtime') - strftime('%s', 'now')),
        modified INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)),
        modified_offset INTEGER NOT NULL DEFAULT (strftime('%s', 'now', 'localtime') - strftime('%s', 'now')),
        day TEXT NOT NULL DEFAULT (date('now', 'localtime')) CHECK (day IS date(day, '+0 days') AND day >= '0001-01-01'),
        starred INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1)),
        deleted INTEGER,
        deleted_offset INTEGER,
        title TEXT,
        title_key TEXT,
        tags TEXT,
        words INTEGER,
        checksum INTEGER,
        text TEXT NOT NULL CHECK (typeof(text) = 'text' AND instr(text, char(0)) = 0),
        CHECK (typeof(uuid) = 'text' AND typeof(created) = 'integer' AND typeof(modified) = 'integer'),
        CHECK (typeof(deleted) IN ('null', 'integer'))
      )
      """,
      """
      CREATE TABLE entry_tag (
        live INTEGER NOT NULL,
        tag TEXT NOT NULL,
        day TEXT NOT NULL,
        created INTEGER NOT NULL,
        number INTEGER NOT NULL,
        typed TEXT NOT NULL,
        PRIMARY KEY (live, tag, day, created, number)
      ) WITHOUT ROWID
      """,
      "CREATE TABLE section_count (day TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID",
      "CREATE TABLE tag_count (tag TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID",
      """
      CREATE TABLE change_set (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        at_offset INTEGER NOT NULL,
        actor TEXT NOT NULL,
        kind TEXT NOT NULL,
        first_seq INTEGER,
        last_seq INTEGER,
        state INTEGER NOT NULL DEFAULT 0,
        reverses INTEGER REFERENCES change_set (id)
      )
      """,
      """
      CREATE TABLE change (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        change_set INTEGER,
        kind TEXT NOT NULL,
        number INTEGER NOT NULL,
        uuid TEXT,
        created INTEGER,
        created_offset INTEGER,
        modified INTEGER,
        modified_offset INTEGER,
        day TEXT,
        starred INTEGER,
        deleted INTEGER,
        deleted_offset INTEGER,
        title TEXT,
        title_key TEXT,
        tags TEXT,
        words INTEGER,
        checksum INTEGER,
        text TEXT
      )
      """,
      """
      CREATE TABLE evicting (
        number INTEGER PRIMARY KEY,
        uuid TEXT,
        created INTEGER,
        created_offset INTEGER,
        modified INTEGER,
        modified_offset INTEGER,
        day TEXT,
        starred INTEGER,
        deleted INTEGER,
        deleted_offset INTEGER,
        title TEXT,
        title_key TEXT,
        tags TEXT,
        words INTEGER,
        checksum INTEGER,
        text TEXT
      )
      """,
      "CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), change_set INTEGER)",
      "CREATE INDEX entry_day ON entry (day, created, number, deleted) WHERE deleted IS NULL",
      "CREATE INDEX entry_modified ON entry (modified, number, deleted) WHERE deleted IS NULL",
      "CREATE INDEX entry_title ON entry (title_key, number, deleted) WHERE deleted IS NULL",
      "CREATE INDEX entry_starred ON entry (day, created, number) WHERE starred = 1 AND deleted IS NULL",
      "CREATE INDEX entry_trash ON entry (day, created, number) WHERE deleted IS NOT NULL",
      "CREATE INDEX entry_stale ON entry (number) WHERE title IS NULL",
      "CREATE INDEX entry_tag_number ON entry_tag (number)",
      "CREATE INDEX change_number ON change (number, seq)",
      "CREATE INDEX change_outside ON change (seq) WHERE change_set IS NULL",
      "CREATE INDEX change_set_done ON change_set (id) WHERE reverses IS NULL AND state = 0",
      "CREATE INDEX change_set_undone ON change_set (id) WHERE state = 1",
      "CREATE INDEX change_set_reverses ON change_set (reverses) WHERE reverses IS NOT NULL",
      firstTriggers.inserting,
      firstTriggers.inserted,
      """
      CREATE TRIGGER entry_identity BEFORE UPDATE ON entry
      WHEN NEW.number IS NOT OLD.number OR NEW.uuid IS NOT OLD.uuid
      BEGIN
        SELECT RAISE(ABORT, 'an entry''s number and uuid are permanent');
      END
      """,
      firstTriggers.updated,
      """
      CREATE TRIGGER entry_moved AFTER UPDATE ON entry
      WHEN OLD.day IS NOT NEW.day OR OLD.created IS NOT NEW.created OR (OLD.deleted IS NULL) <> (NEW.deleted IS NULL)
      BEGIN
        UPDATE section_count SET entries = entries - 1 WHERE day = OLD.day AND OLD.deleted IS NULL;
        INSERT INTO section_count (day, entries)
          SELECT NEW.day, 0 WHERE NEW.deleted IS NULL
          AND NOT EXISTS (SELECT 1 FROM section_count WHERE day = NEW.day);
        UPDATE section_count SET entries = entries + 1 WHERE day = NEW.day AND NEW.deleted IS NULL;
        DELETE FROM section_count WHERE day = OLD.day AND entries = 0;
        UPDATE entry_tag SET live = NEW.deleted IS NULL, day = NEW.day, created = NEW.created WHERE number = OLD.number;
      END
      """,
      """
      CREATE TRIGGER entry_rewritten AFTER UPDATE ON entry
      WHEN OLD.text IS NOT NEW.text AND (SELECT change_set FROM clock) IS NULL
      BEGIN
        UPDATE entry SET title = NULL, title_key = NULL, tags = NULL, words = NULL, checksum = NULL,
            modified = CASE WHEN NEW.modified IS OLD.modified THEN CAST(strftime('%s', 'now') AS INTEGER) ELSE modified END
          WHERE number = OLD.number;
      END
      """,
      firstTriggers.deleted,
      """
      CREATE TRIGGER entry_tag_inserted AFTER INSERT ON entry_tag WHEN NEW.live
      BEGIN
        INSERT INTO tag_count (tag, entries)
          SELECT NEW.tag, 0 WHERE NOT EXISTS (SELECT 1 FROM tag_count WHERE tag = NEW.tag);
        UPDATE tag_count SET entries = entries + 1 WHERE tag = NEW.tag;
      END
      """,
      """
      CREATE TRIGGER entry_tag_deleted AFTER DELETE ON entry_tag WHEN OLD.live
      BEGIN
        UPDATE tag_count SET entries = entries - 1 WHERE tag = OLD.tag;
        DELETE FROM tag_count WHERE tag = OLD.tag AND entries = 0;
      END
      """,
      """
      CREATE TRIGGER entry_tag_updated AFTER UPDATE ON entry_tag WHEN OLD.live <> NEW.live
      BEGIN
        INSERT INTO tag_count (tag, entries)
          SELECT NEW.tag, 0 WHERE NOT EXISTS (SELECT 1 FROM tag_count WHERE tag = NEW.tag);
        UPDATE tag_count SET entries = entries + NEW.live - OLD.live WHERE tag = NEW.tag;
        DELETE FROM tag_count WHERE tag = NEW.tag AND entries = 0;
      END
      """,
      "INSERT INTO clock (id, change_set) VALUES (1, NULL)",
    ])

  /// Version 2: the full-text index, and the version of the word folding.
  ///
  /// The table stores no texts (`content=''`) and no lengths. Its words are separated by spaces and
  /// consist of ASCII letters and digits in lower case, `_`, and characters beyond ASCII: the
  /// `ascii` tokenizer does not change such words.
  private static let wordIndex = Migration(
    name: "index of words",
    statements: [
      """
      CREATE VIRTUAL TABLE entry_word USING fts5 (
        words, content='', columnsize=0, tokenize="ascii tokenchars '_'"
      )
      """,
      "CREATE TABLE search_state (id INTEGER PRIMARY KEY CHECK (id = 1), folding INTEGER NOT NULL)",
    ],
    finish: { db, attendance in
      try ExternalChanges.adopt(db, at: WallClock.system.moment(), isIndexed: false)
      try SearchIndex(db: db).rebuild(attendance)
    })

  /// Version 3: the index of days also contains the columns of the statistics: they need not read
  /// the pages of the texts, and a list that uses the index reads a twentieth more.
  private static let dayStatistics = Migration(
    name: "statistics in the index of days",
    statements: [
      "DROP INDEX entry_day",
      "CREATE INDEX entry_day ON entry (day, created, number, deleted, created_offset, words, starred)"
        + " WHERE deleted IS NULL",
    ])

  /// Version 4: the session that made a change set, and the kind of its program.
  ///
  /// Both are null in older change sets; a session has a random number.
  private static let authors = Migration(
    name: "authors of change sets",
    statements: [
      "ALTER TABLE change_set ADD COLUMN session INTEGER",
      "ALTER TABLE change_set ADD COLUMN source TEXT",
    ])

  /// Version 5: what a journal records about synchronisation.
  ///
  /// `conflicts` has the hashes of texts that lost against the entry's; their texts are versions of it.
  /// Any change of the text settles them, unless the statement sets them itself or synchronisation
  /// writes. `sync_state` has one row in a journal that is synchronised. `sync_purged` names the
  /// entries that were purged since, whose images the change log has forgotten.
  private static let sync = Migration(
    name: "synchronisation",
    statements: Migration(fieldsOf: 5).statements + [
      "CREATE INDEX entry_conflict ON entry (number) WHERE conflicts <> ''",
      """
      CREATE TRIGGER entry_settled AFTER UPDATE ON entry
      WHEN OLD.text IS NOT NEW.text AND NEW.conflicts <> '' AND NEW.conflicts IS OLD.conflicts
        AND (SELECT kind FROM change_set WHERE id = (SELECT change_set FROM clock)) IS NOT 'sync'
      BEGIN
        UPDATE entry SET conflicts = '' WHERE number = OLD.number;
      END
      """,
      """
      CREATE TABLE sync_state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        remote TEXT NOT NULL,
        base TEXT,
        cursor INTEGER NOT NULL,
        journal TEXT NOT NULL,
        device TEXT NOT NULL,
        at INTEGER,
        at_offset INTEGER,
        outcome TEXT
      )
      """,
      "CREATE TABLE sync_purged (number INTEGER PRIMARY KEY, uuid TEXT NOT NULL, seq INTEGER NOT NULL)",
    ])

  /// Version 6: the key of a sealed repository, wrapped with the journal's own, in hexadecimal digits.
  private static let sealedSync = Migration(
    name: "sealed synchronisation",
    statements: ["ALTER TABLE sync_state ADD COLUMN repository_key TEXT"])

  /// Version 7: links and fields, which follow from the texts.
  ///
  /// The tables know what is in the trash, and that of fields the day: so no entry is read to find, count
  /// or sum them. ``MarkTable`` says what their rows are.
  private static let marks = Migration(
    name: "links and fields",
    statements: [
      """
      CREATE TABLE entry_link (
        live INTEGER NOT NULL,
        target TEXT NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (live, target, number)
      ) WITHOUT ROWID
      """,
      """
      CREATE TABLE entry_field (
        live INTEGER NOT NULL,
        name TEXT NOT NULL,
        kind INTEGER NOT NULL,
        value NOT NULL,
        number INTEGER NOT NULL,
        place INTEGER NOT NULL,
        day TEXT NOT NULL,
        typed TEXT NOT NULL,
        shown TEXT NOT NULL,
        PRIMARY KEY (live, name, kind, value, number, place)
      ) WITHOUT ROWID
      """,
      "CREATE INDEX entry_link_number ON entry_link (number)",
      "CREATE INDEX entry_field_number ON entry_field (number)",
      """
      CREATE TRIGGER entry_marks_moved AFTER UPDATE ON entry
      WHEN OLD.day IS NOT NEW.day OR (OLD.deleted IS NULL) <> (NEW.deleted IS NULL)
      BEGIN
        UPDATE entry_link SET live = NEW.deleted IS NULL WHERE number = OLD.number AND live <> (NEW.deleted IS NULL);
        UPDATE entry_field SET live = NEW.deleted IS NULL, day = NEW.day WHERE number = OLD.number;
      END
      """,
    ] + ImageTriggers(version: 7).replacement,
    finish: { db, attendance in try DatabaseOpener.renewMarks(db, attendance) })

  /// Version 8: files.
  ///
  /// `file` has a row for each file, and `file_piece` its bytes in pieces of 256 KiB, whose ids are the file's
  /// times 4,096 and their places: no list reads that table, and a piece is read without those before it.
  /// `seq` is where the change log was when the file came. `entry_file` follows from the texts, as
  /// ``MarkTable`` says.
  private static let files = Migration(
    name: "files",
    statements: [
      """
      CREATE TABLE file (
        id INTEGER PRIMARY KEY CHECK (id > 0),
        hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
        size INTEGER NOT NULL CHECK (size >= 0),
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        width INTEGER,
        height INTEGER,
        seq INTEGER NOT NULL
      )
      """,
      """
      CREATE TABLE file_piece (
        id INTEGER PRIMARY KEY,
        bytes BLOB NOT NULL
      )
      """,
      """
      CREATE TABLE entry_file (
        live INTEGER NOT NULL,
        target TEXT NOT NULL,
        number INTEGER NOT NULL,
        place INTEGER NOT NULL,
        picture INTEGER NOT NULL,
        name TEXT NOT NULL,
        short TEXT NOT NULL,
        PRIMARY KEY (live, target, number, place)
      ) WITHOUT ROWID
      """,
      "CREATE INDEX entry_file_number ON entry_file (number)",
      """
      CREATE TRIGGER entry_files_moved AFTER UPDATE ON entry
      WHEN (OLD.deleted IS NULL) <> (NEW.deleted IS NULL)
      BEGIN
        UPDATE entry_file SET live = NEW.deleted IS NULL WHERE number = OLD.number AND live <> (NEW.deleted IS NULL);
      END
      """,
    ] + ImageTriggers(version: 8).replacement,
    finish: { db, attendance in
      try DatabaseOpener.renewMarks(db, attendance)
      try DatabaseOpener.findFiles(db, attendance)
    })
}
