import Journal

/// The triggers that name each column of an entry's image, in one version of the schema; what they do
/// is said at the first of the migrations.
///
/// Their text follows from the fields of that version. It is as frozen as a migration, since a journal
/// is recognised by it: a test compares it with a file of every version.
struct ImageTriggers {
  let inserting: String
  let inserted: String
  let updated: String
  let deleted: String

  init(version: Int) {
    let added = EntrySchema.fields.filter { $0.version > 1 && $0.version <= version }
      .flatMap(EntryColumns.columns)
    let image = Self.first + added
    let columns = image.joined(separator: ", ")
    let old = image.map { "OLD.\($0)" }.joined(separator: ", ")
    let changed = image.map {
      // A text that stays is not copied.
      $0 == "text" ? "CASE WHEN OLD.text IS NOT NEW.text THEN OLD.text END" : "OLD.\($0)"
    }.joined(separator: ", ")
    let marks = MarkTable.all.filter { $0.version <= version }.map(\.name)
    let evicted =
      "(\n      SELECT number FROM evicting WHERE number = NEW.number OR uuid = NEW.uuid)"
    let evictedMarks = marks.map { "\n    DELETE FROM \($0) WHERE number IN \(evicted);" }.joined()
    let deletedMarks = marks.map { "\n    DELETE FROM \($0) WHERE number = OLD.number;" }.joined()
    let differs = added.map { "\n  OR OLD.\($0) IS NOT NEW.\($0)" }.joined()
    inserting = """
      CREATE TRIGGER entry_inserting BEFORE INSERT ON entry
      WHEN EXISTS (SELECT 1 FROM entry WHERE number = NEW.number) OR EXISTS (SELECT 1 FROM entry WHERE uuid = NEW.uuid)
      BEGIN
        DELETE FROM evicting;
        INSERT INTO evicting (number, \(columns))
          SELECT number, \(columns) FROM entry WHERE number = NEW.number
          UNION SELECT number, \(columns) FROM entry WHERE uuid = NEW.uuid;
      END
      """
    inserted = """
      CREATE TRIGGER entry_inserted AFTER INSERT ON entry
      BEGIN
        INSERT INTO change (change_set, kind, number, \(columns))
          SELECT (SELECT change_set FROM clock), 'delete', number, \(columns) FROM evicting
          WHERE number = NEW.number OR uuid = NEW.uuid;
        UPDATE section_count SET entries = entries - (
            SELECT count(*) FROM evicting
            WHERE evicting.day = section_count.day AND deleted IS NULL AND (number = NEW.number OR uuid = NEW.uuid))
          WHERE day IN (SELECT day FROM evicting);
        DELETE FROM entry_tag WHERE number IN (
          SELECT number FROM evicting WHERE number = NEW.number OR uuid = NEW.uuid);\(evictedMarks)
        DELETE FROM section_count WHERE entries = 0 AND day IN (SELECT day FROM evicting);
        DELETE FROM evicting;
        INSERT INTO change (change_set, kind, number) VALUES ((SELECT change_set FROM clock), 'insert', NEW.number);
        INSERT INTO section_count (day, entries)
          SELECT NEW.day, 0 WHERE NEW.deleted IS NULL
          AND NOT EXISTS (SELECT 1 FROM section_count WHERE day = NEW.day);
        UPDATE section_count SET entries = entries + 1 WHERE day = NEW.day AND NEW.deleted IS NULL;
        UPDATE entry SET title = NULL, title_key = NULL, tags = NULL, words = NULL, checksum = NULL
          WHERE number = NEW.number AND NEW.title IS NOT NULL AND (SELECT change_set FROM clock) IS NULL;
      END
      """
    updated = """
      CREATE TRIGGER entry_updated AFTER UPDATE ON entry
      WHEN OLD.text IS NOT NEW.text OR OLD.created IS NOT NEW.created OR OLD.modified IS NOT NEW.modified OR OLD.day IS NOT NEW.day
        OR OLD.starred IS NOT NEW.starred OR OLD.deleted IS NOT NEW.deleted OR OLD.created_offset IS NOT NEW.created_offset
        OR OLD.modified_offset IS NOT NEW.modified_offset OR OLD.deleted_offset IS NOT NEW.deleted_offset\(differs)
      BEGIN
        INSERT INTO change (change_set, kind, number, \(columns))
          VALUES ((SELECT change_set FROM clock), 'update', OLD.number, \(changed));
        DELETE FROM evicting WHERE number = OLD.number;
      END
      """
    deleted = """
      CREATE TRIGGER entry_deleted AFTER DELETE ON entry
      BEGIN
        INSERT INTO change (change_set, kind, number, \(columns))
          VALUES ((SELECT change_set FROM clock), 'delete', OLD.number, \(old));
        UPDATE section_count SET entries = entries - 1 WHERE day = OLD.day AND OLD.deleted IS NULL;
        DELETE FROM section_count WHERE day = OLD.day AND entries = 0;
        DELETE FROM entry_tag WHERE number = OLD.number;\(deletedMarks)
        DELETE FROM evicting WHERE number = OLD.number;
      END
      """
  }

  /// The columns of an image in version 1.
  private static let first = [
    "uuid", "created", "created_offset", "modified", "modified_offset", "day", "starred", "deleted",
    "deleted_offset", "title", "title_key", "tags", "words", "checksum", "text",
  ]

  /// The statements that make the triggers again.
  var replacement: [String] {
    [
      "DROP TRIGGER entry_inserting", inserting, "DROP TRIGGER entry_inserted", inserted,
      "DROP TRIGGER entry_updated", updated, "DROP TRIGGER entry_deleted", deleted,
    ]
  }
}

extension Migration {
  /// The step that adds the fields of a version to the tables and the triggers.
  init(fieldsOf version: Int) {
    let fields = EntrySchema.fields.filter { $0.version == version }
    let columns = fields.flatMap(EntryColumns.additions).flatMap { name, type, rule in
      ["ALTER TABLE entry ADD COLUMN \(name) \(type)\(rule)"]
        + ["change", "evicting"].map { "ALTER TABLE \($0) ADD COLUMN \(name) \(type)" }
    }
    self.init(
      name: "\(fields.map(\.name).joined(separator: ", ")) of an entry",
      statements: columns + ImageTriggers(version: version).replacement)
  }
}
