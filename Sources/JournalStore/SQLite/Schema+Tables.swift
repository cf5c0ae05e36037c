extension Schema {
  /// Small columns stand before `text`, so that a list never reads the pages of a long text.
  ///
  /// `title` to `checksum` are derived from the text by this program. They are null while another
  /// tool's text has not been looked at; `entry_stale` finds those rows.
  static let tables = [
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
  ]

  /// The index of days as the first version of the schema had it.
  static let firstDayIndex =
    "CREATE INDEX entry_day ON entry (day, created, number, deleted) WHERE deleted IS NULL"

  /// The index of days, which also has what statistics are made from: they need not read the texts'
  /// pages, and a list that goes through it reads a twentieth more.
  static let dayIndex =
    "CREATE INDEX entry_day ON entry (day, created, number, deleted, created_offset, words, starred)"
    + " WHERE deleted IS NULL"

  /// Each index serves one kind of request; the partial ones hold only entries outside the trash.
  ///
  /// They have `deleted` all the same: without it SQLite 3.40 looks every row up to test what the index
  /// itself says.
  static let indexes = [dayIndex] + otherIndexes

  /// All but the one of days, as they were from the first version on.
  static let otherIndexes = [
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
  ]
}
