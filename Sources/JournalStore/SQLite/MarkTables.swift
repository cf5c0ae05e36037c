import GRDB
import Journal

/// The tables of links, fields and files, which follow from the texts, as that of tags does.
///
/// A row of `entry_link` says that an entry links to a key; a row of `entry_field` has one value, and is
/// found by its name, its kind and its value; one of `entry_file` says that it names a file by the beginning
/// of its hash, as a picture or not, and under which name. The tables know what is in the trash, and that of fields
/// the day, so that lists, sums and sums by month read no entry.
enum MarkTables {
  /// The columns of a link.
  static let link = ["live", "target", "number"]
  /// The columns of a field: its value is an amount (``FieldValue/amount``), or folded words; `typed` is
  /// the name, and `shown` the unit or the words, both as typed.
  static let field = [
    "live", "name", "kind", "value", "number", "place", "day", "typed", "shown",
  ]

  /// The columns of a file that a text names: `name` is folded, and `short` the same without the suffix.
  static let file = ["live", "target", "number", "place", "picture", "name", "short"]

  /// Adds a link of an entry.
  static let linkInsertion = EntryColumns.insertion(into: "entry_link", link)
  /// Adds a field of an entry.
  static let fieldInsertion = EntryColumns.insertion(into: "entry_field", field)

  /// Adds a file of an entry.
  static let fileInsertion = EntryColumns.insertion(into: "entry_file", file)

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

  /// The values of an entry's files, one row after the other.
  static func forEachFileValue(
    of entry: Entry, _ derived: DerivedColumns, number: Int64,
    _ body: (EntryColumns.Value) throws -> Void
  ) rethrows {
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

  /// The values of an entry's links, one row after the other.
  static func forEachLinkValue(
    of entry: Entry, _ derived: DerivedColumns, number: Int64,
    _ body: (EntryColumns.Value) throws -> Void
  ) rethrows {
    for target in derived.links {
      try body(.integer(entry.deleted == nil ? 1 : 0))
      try body(.text(target))
      try body(.integer(number))
    }
  }

  /// The values of an entry's fields, one row after the other.
  static func forEachFieldValue(
    of entry: Entry, _ derived: DerivedColumns, number: Int64,
    _ body: (EntryColumns.Value) throws -> Void
  ) rethrows {
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

  /// The value of a field as it is compared.
  static func stored(_ value: FieldValue) -> EntryColumns.Value {
    value.amount.map(EntryColumns.Value.integer) ?? .text(Folding.fold(value.description))
  }

  private static func shown(_ value: FieldValue) -> String {
    if case .words(let words) = value { words } else { value.unit }
  }

  /// Adds the links, fields and files of a new entry.
  static func insert(
    _ derived: DerivedColumns, of entry: Entry, number: Int64, in db: Database
  ) throws {
    guard derived.hasMarks else { return }
    try insert(db, linkInsertion, width: link.count) {
      try forEachLinkValue(of: entry, derived, number: number, $0)
    }
    try insert(db, fieldInsertion, width: field.count) {
      try forEachFieldValue(of: entry, derived, number: number, $0)
    }
    try insert(db, fileInsertion, width: file.count) {
      try forEachFileValue(of: entry, derived, number: number, $0)
    }
  }

  private static func insert(
    _ db: Database, _ sql: String, width: Int,
    _ forEachValue: ((EntryColumns.Value) throws -> Void) throws -> Void
  ) throws {
    let statement = try db.cachedStatement(sql: sql)
    var row: [(any DatabaseValueConvertible)?] = []
    try forEachValue { value in
      row.append(value.stored)
      guard row.count == width else { return }
      try statement.execute(arguments: StatementArguments(row))
      row = []
    }
  }

  /// The tables.
  static let names = ["entry_link", "entry_field", "entry_file"]

  /// Empties the tables.
  static func clear(_ db: Database) throws {
    for table in names { try db.execute(sql: "DELETE FROM \(table)") }
  }

  /// Replaces the links, fields and files of a stored entry.
  static func replace(_ db: Database, of number: Int64, with derived: DerivedColumns) throws {
    for table in names {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE number = ?")
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
