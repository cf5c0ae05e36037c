extension Schema {
  /// The columns that make up an entry's before image, besides kind, set and number.
  private static let image =
    "uuid, created, created_offset, modified, modified_offset, day, starred, deleted,"
    + " deleted_offset, title, title_key, tags, words, checksum"

  private static let oldImage =
    image.split(separator: ", ").map { "OLD.\($0)" }.joined(separator: ", ")

  private static let currentSet = "(SELECT change_set FROM clock)"

  /// Logging and counting, in the transaction of the statement that changes an entry.
  ///
  /// `REPLACE` removes rows without firing delete triggers unless `recursive_triggers` is on.
  /// Therefore `entry_inserting` notes the rows that hold the new row's number or uuid, and
  /// `entry_inserted` logs those of them that are still noted: the new row holds their number or uuid
  /// now, so they are gone. Where delete triggers do fire, `entry_deleted` takes the note away.
  /// A note that `IGNORE` or an upsert leaves behind is never taken for an eviction, because as long
  /// as its row exists the next insert that could evict it replaces all notes, and when the row goes
  /// its note goes too. No statement relies on its own conflict clause: an outer one would override it.
  static let entryTriggers = [
    """
    CREATE TRIGGER entry_inserting BEFORE INSERT ON entry
    WHEN EXISTS (SELECT 1 FROM entry WHERE number = NEW.number) OR EXISTS (SELECT 1 FROM entry WHERE uuid = NEW.uuid)
    BEGIN
      DELETE FROM evicting;
      INSERT INTO evicting (number, \(image), text)
        SELECT number, \(image), text FROM entry WHERE number = NEW.number
        UNION SELECT number, \(image), text FROM entry WHERE uuid = NEW.uuid;
    END
    """,
    """
    CREATE TRIGGER entry_inserted AFTER INSERT ON entry
    BEGIN
      INSERT INTO change (change_set, kind, number, \(image), text)
        SELECT \(currentSet), 'delete', number, \(image), text FROM evicting
        WHERE number = NEW.number OR uuid = NEW.uuid;
      UPDATE section_count SET entries = entries - (
          SELECT count(*) FROM evicting
          WHERE evicting.day = section_count.day AND deleted IS NULL AND (number = NEW.number OR uuid = NEW.uuid))
        WHERE day IN (SELECT day FROM evicting);
      DELETE FROM entry_tag WHERE number IN (
        SELECT number FROM evicting WHERE number = NEW.number OR uuid = NEW.uuid);
      DELETE FROM section_count WHERE entries = 0 AND day IN (SELECT day FROM evicting);
      DELETE FROM evicting;
      INSERT INTO change (change_set, kind, number) VALUES (\(currentSet), 'insert', NEW.number);
      INSERT INTO section_count (day, entries)
        SELECT NEW.day, 0 WHERE NEW.deleted IS NULL
        AND NOT EXISTS (SELECT 1 FROM section_count WHERE day = NEW.day);
      UPDATE section_count SET entries = entries + 1 WHERE day = NEW.day AND NEW.deleted IS NULL;
      UPDATE entry SET title = NULL, title_key = NULL, tags = NULL, words = NULL, checksum = NULL
        WHERE number = NEW.number AND NEW.title IS NOT NULL AND \(currentSet) IS NULL;
    END
    """,
    """
    CREATE TRIGGER entry_identity BEFORE UPDATE ON entry
    WHEN NEW.number IS NOT OLD.number OR NEW.uuid IS NOT OLD.uuid
    BEGIN
      SELECT RAISE(ABORT, 'an entry''s number and uuid are permanent');
    END
    """,
    """
    CREATE TRIGGER entry_updated AFTER UPDATE ON entry
    WHEN OLD.text IS NOT NEW.text OR OLD.created IS NOT NEW.created OR OLD.modified IS NOT NEW.modified OR OLD.day IS NOT NEW.day
      OR OLD.starred IS NOT NEW.starred OR OLD.deleted IS NOT NEW.deleted OR OLD.created_offset IS NOT NEW.created_offset
      OR OLD.modified_offset IS NOT NEW.modified_offset OR OLD.deleted_offset IS NOT NEW.deleted_offset
    BEGIN
      INSERT INTO change (change_set, kind, number, \(image), text)
        VALUES (\(currentSet), 'update', OLD.number, \(oldImage), CASE WHEN OLD.text IS NOT NEW.text THEN OLD.text END);
      DELETE FROM evicting WHERE number = OLD.number;
    END
    """,
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
    WHEN OLD.text IS NOT NEW.text AND \(currentSet) IS NULL
    BEGIN
      UPDATE entry SET title = NULL, title_key = NULL, tags = NULL, words = NULL, checksum = NULL,
          modified = CASE WHEN NEW.modified IS OLD.modified THEN CAST(strftime('%s', 'now') AS INTEGER) ELSE modified END
        WHERE number = OLD.number;
    END
    """,
    """
    CREATE TRIGGER entry_deleted AFTER DELETE ON entry
    BEGIN
      INSERT INTO change (change_set, kind, number, \(image), text)
        VALUES (\(currentSet), 'delete', OLD.number, \(oldImage), OLD.text);
      UPDATE section_count SET entries = entries - 1 WHERE day = OLD.day AND OLD.deleted IS NULL;
      DELETE FROM section_count WHERE day = OLD.day AND entries = 0;
      DELETE FROM entry_tag WHERE number = OLD.number;
      DELETE FROM evicting WHERE number = OLD.number;
    END
    """,
  ]

  /// The counts of tags, over entries outside the trash; an entry without a tag counts for `''`.
  static let tagTriggers = [
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
  ]
}
