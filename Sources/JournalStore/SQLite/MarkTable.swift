import GRDB
import Journal

/// A table of marks, which follow from the texts, as the table of tags does: links, fields or files.
///
/// A row of `entry_link` says that an entry links to a key; a row of `entry_field` has one value, and is
/// found by its name, its kind and its value; one of `entry_file` says that it names a file by the beginning
/// of its hash, as a picture or not, and under which name. The tables know what is in the trash, and that of fields
/// the day, so that lists, sums and sums by month read no entry.
///
/// Adding, replacing and removing entries, undo, the past, the doctor and its repairs go over ``all``. A new table
/// is a row of it, with the values of a text in ``DerivedColumns``, and a migration that makes the table, the index
/// of its numbers, and the trigger that moves its rows into the trash and out of it.
struct MarkTable: Sendable {
  let name: String
  /// The marks in a message: `links`.
  let noun: String
  /// The version of the schema that made the table.
  let version: Int
  /// A part of every text with such a mark.
  let sign: String
  let columns: [String]
  /// The statement that adds a row.
  let insertion: String
  /// Passes on the values of an entry's rows, one row after the other.
  let forEachValue:
    @Sendable (
      _ entry: Entry, _ derived: DerivedColumns, _ number: Int64,
      _ body: (EntryColumns.Value) throws -> Void
    ) throws -> Void

  private init(
    _ name: String, _ noun: String, version: Int, sign: String, columns: [String],
    forEachValue:
      @escaping @Sendable (
        Entry, DerivedColumns, Int64, (EntryColumns.Value) throws -> Void
      ) throws -> Void
  ) {
    (self.name, self.noun, self.version, self.sign) = (name, noun, version, sign)
    (self.columns, self.forEachValue) = (columns, forEachValue)
    insertion = EntryColumns.insertion(into: name, columns)
  }

  static let links = MarkTable(
    "entry_link", "links", version: 7, sign: "[[", columns: ["live", "target", "number"]
  ) { entry, derived, number, body in
    for target in derived.links {
      try body(.integer(entry.deleted == nil ? 1 : 0))
      try body(.text(target))
      try body(.integer(number))
    }
  }

  /// The value of a field is an amount (``FieldValue/amount``), or folded words; `typed` is the name, and `shown`
  /// the unit or the words, both as typed.
  static let fields = MarkTable(
    "entry_field", "fields", version: 7, sign: "::",
    columns: ["live", "name", "kind", "value", "number", "place", "day", "typed", "shown"]
  ) { entry, derived, number, body in
    guard !derived.fields.isEmpty else { return }
    let day = entry.day.description
    for (place, field) in derived.fields.enumerated() {
      try body(.integer(entry.deleted == nil ? 1 : 0))
      try body(.text(field.key))
      try body(.integer(field.value.kind.rawValue))
      try body(stored(field.value))
      try body(.integer(number))
      try body(.integer(Int64(place)))
      try body(.text(day))
      try body(.text(field.name))
      try body(.text(shown(field.value)))
    }
  }

  /// The `name` of a file is folded, and `short` the same without the suffix.
  static let files = MarkTable(
    "entry_file", "files", version: 8, sign: "file:",
    columns: ["live", "target", "number", "place", "picture", "name", "short"]
  ) { entry, derived, number, body in
    for (place, file) in derived.files.enumerated() {
      let keys = file.keys
      try body(.integer(entry.deleted == nil ? 1 : 0))
      try body(.text(file.target))
      try body(.integer(number))
      try body(.integer(Int64(place)))
      try body(.integer(file.isPicture ? 1 : 0))
      try body(.text(keys.first ?? ""))
      try body(.text(keys.last ?? ""))
    }
  }

  static let all = [links, fields, files]
}

// MARK: - Values

extension MarkTable {
  /// Counts the files of an entry in one number: all in its lower half, the pictures in its upper half.
  ///
  /// A part of the statement that reads a row of a list: one search in an index, which is empty without files.
  static func fileCount(ofEntryIn table: String) -> String {
    """
    (SELECT ifnull(sum(1 + (picture <> 0) * 4294967296), 0) FROM entry_file WHERE number = \(table).number)
    """
  }

  /// The number of ``fileCount(ofEntryIn:)``.
  static func fileCount(_ value: Int64) -> FileCount {
    FileCount(all: Int(value & 0xFFFF_FFFF), pictures: Int(value >> 32))
  }

  /// The value of a field as it is compared.
  static func stored(_ value: FieldValue) -> EntryColumns.Value {
    value.amount.map(EntryColumns.Value.integer) ?? .text(Folding.fold(value.description))
  }

  private static func shown(_ value: FieldValue) -> String {
    if case .words(let words) = value { words } else { value.unit }
  }
}

// MARK: - Writing

extension MarkTable {
  /// Adds the marks of a new entry.
  static func insert(
    _ derived: DerivedColumns, of entry: Entry, number: Int64, in db: Database
  ) throws {
    guard derived.hasMarks else { return }
    for table in all { try table.insert(derived, of: entry, number: number, in: db) }
  }

  private func insert(
    _ derived: DerivedColumns, of entry: Entry, number: Int64, in db: Database
  ) throws {
    let statement = try db.cachedStatement(sql: insertion)
    var row: [(any DatabaseValueConvertible)?] = []
    try forEachValue(entry, derived, number) { value in
      row.append(value.stored)
      guard row.count == columns.count else { return }
      try statement.execute(arguments: StatementArguments(row))
      row = []
    }
  }

  /// Empties the tables.
  static func clear(_ db: Database) throws {
    for table in all { try db.execute(sql: "DELETE FROM \(table.name)") }
  }

  /// Replaces the marks of a stored entry.
  static func replace(_ db: Database, of number: Int64, with derived: DerivedColumns) throws {
    for table in all {
      try db.cachedStatement(sql: "DELETE FROM \(table.name) WHERE number = ?")
        .execute(arguments: [number])
    }
    guard derived.hasMarks else { return }
    let entry = try db.first(
      "SELECT day, deleted IS NOT NULL FROM entry WHERE number = ?", [number]
    ) { row in
      var entry = EntrySchema.blank
      entry.day = Day(row.text(0)) ?? .earliest
      entry.deleted = row.bool(1) ? entry.created : nil
      return entry
    }
    if let entry { try insert(derived, of: entry, number: number, in: db) }
  }
}
