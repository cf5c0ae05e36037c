import GRDB
import Journal

/// The columns of the tables of entries, derived from ``EntrySchema``.
///
/// The table `entry` has them all; `change` and `evicting` have an entry's image, which is
/// everything except its number. An instant has two columns: its seconds, and `…_offset`.
enum EntryColumns {
  /// The columns derived from the text; they are null until the text is analysed.
  static let derived = DerivedColumns.Name.allCases.map(\.rawValue)

  /// All columns in the order of the table.
  ///
  /// Small columns come before the text, so that a list never reads the pages of a long text; fields of
  /// later versions follow it, since SQLite adds columns at the end.
  static let table: [String] = {
    let names = EntrySchema.fields.map { (isText: $0.name == "text", columns: columns(of: $0)) }
    let text = names.firstIndex { $0.isText } ?? names.endIndex
    return names[..<text].flatMap(\.columns) + derived + names[text...].flatMap(\.columns)
  }()

  /// The columns of an image.
  static let image = table.filter { $0 != "number" }

  static func columns(of field: EntrySchema.Field) -> [String] {
    switch field.kind {
    case .integer, .text, .flag, .day: [field.name]
    case .moment, .optionalMoment: [field.name, field.name + "_offset"]
    }
  }

  /// The columns of a field that a journal gets after its first entries: names, types, and what else
  /// the table of entries says of them, with the value of ``EntrySchema/blank`` in earlier entries.
  static func additions(
    for field: EntrySchema.Field
  ) -> [(name: String, type: String, rule: String)] {
    let (type, rule) =
      switch field.kind {
      case .integer, .moment: ("INTEGER", " NOT NULL DEFAULT 0")
      case .text: ("TEXT", " NOT NULL DEFAULT ''")
      case .flag: ("INTEGER", " NOT NULL DEFAULT 0 CHECK (\(field.name) IN (0, 1))")
      case .day: ("TEXT", " NOT NULL DEFAULT '\(Day.earliest)'")
      case .optionalMoment: ("INTEGER", "")
      }
    return columns(of: field).map { ($0, type, rule) }
  }

  // MARK: - Reading

  /// The fields in every result; the text is separate.
  private static let small = EntrySchema.fields.filter { $0.name != "text" }

  /// The expressions for ``small``; they are never null, even if the column may be.
  private static func expressions(prefix: String = "", mayBeNull: Bool = false) -> [String] {
    small.flatMap { field -> [String] in
      let name = prefix + field.name
      let isKnown = !mayBeNull || field.name == "number"
      return switch field.kind {
      case .integer, .flag: [isKnown ? name : "ifnull(\(name), 0)"]
      case .text, .day: [isKnown ? name : "ifnull(\(name), '')"]
      case .moment:
        [name, name + "_offset"].map { isKnown ? $0 : "ifnull(\($0), 0)" }
      case .optionalMoment:
        ["\(name) IS NOT NULL", "ifnull(\(name), 0)", "ifnull(\(name)_offset, 0)"]
      }
    }
  }

  /// The fields of ``small`` with their column indexes in a result.
  private static let places: [(kind: EntrySchema.Kind, index: Int)] = {
    var next = 0
    return small.map { field in
      let width =
        switch field.kind {
        case .integer, .text, .flag, .day: 1
        case .moment: 2
        case .optionalMoment: 3
        }
      next += width
      return (field.kind, next - width)
    }
  }()

  /// All columns of an entry.
  static let entry = (expressions() + ["text"]).joined(separator: ", ")

  /// ``entry`` for a query with the alias `e`.
  static let qualifiedEntry = (expressions(prefix: "e.") + ["e.text"]).joined(separator: ", ")

  /// The column index of the text in ``entry``.
  static let textIndex = expressions().count

  /// The columns of ``row`` after those of the small fields, in their order.
  private enum Shown: Int, CaseIterable {
    case isUnread, title, tags, checksum, files

    var index: Int { textIndex + rawValue }

    /// - Parameters:
    ///   - missing: the title of an entry that is not analysed yet.
    ///   - source: the table of the entry, for its files; `nil` for a table that has none.
    func expression(_ prefix: String, missing: String, source: String?) -> String {
      switch self {
      case .isUnread: "\(prefix)title IS NULL"
      case .title: "ifnull(\(prefix)title, \(missing))"
      case .tags: "ifnull(\(prefix)tags, '')"
      case .checksum: "ifnull(\(prefix)checksum, 0)"
      case .files: source.map { MarkTable.fileCount(ofEntryIn: $0) } ?? "0"
      }
    }
  }

  /// The number of columns of ``row`` and ``logged``.
  static let rowCount = textIndex + Shown.allCases.count

  /// The columns for a row of a list, with the text only if it is not analysed yet.
  static let row = row(missing: "text", source: "entry")

  /// ``row`` for a query with the alias `e`.
  static let qualifiedRow = row(prefix: "e.", missing: "e.text", source: "e")

  /// ``row`` for the change log, where any column may be null.
  static let logged = row(mayBeNull: true, missing: "''")

  private static func row(
    prefix: String = "", mayBeNull: Bool = false, missing: String, source: String? = nil
  ) -> String {
    let shown = Shown.allCases.map { $0.expression(prefix, missing: missing, source: source) }
    return (expressions(prefix: prefix, mayBeNull: mayBeNull) + shown).joined(separator: ", ")
  }

  /// Decodes a result of ``row``.
  static func decodeRow(_ columns: Columns, tag: String = "") -> EntryRow {
    if isUnread(columns) {
      return decodeBase(columns, text: columns.text(Shown.title.index)).row(tag: tag)
    }
    return decodeBase(columns, text: "").row(
      tag: tag, title: columns.text(Shown.title.index),
      tags: splitTags(columns.text(Shown.tags.index)),
      checksum: columns.integer(Shown.checksum.index),
      files: MarkTable.fileCount(columns.integer(Shown.files.index)))
  }

  /// Whether the title in a result of ``logged`` is unknown, since the text was not analysed.
  static func isUnread(_ columns: Columns) -> Bool { columns.bool(Shown.isUnread.index) }

  /// Decodes a result of ``entry``.
  static func decodeEntry(_ columns: Columns) -> Entry {
    decodeBase(columns, text: columns.text(textIndex))
  }

  /// Decodes the fields common to all results, with a text.
  static func decodeBase(_ columns: Columns, text: String) -> Entry {
    var entry = EntrySchema.blank
    entry.text = text
    for (kind, index) in places {
      switch kind {
      case .integer(let access): access.set(&entry, columns.integer(index))
      case .text(let access): access.set(&entry, columns.text(index))
      case .flag(let access): access.set(&entry, columns.bool(index))
      // The table's own check admits only valid days.
      case .day(let access): access.set(&entry, Day(columns.text(index)) ?? Day.earliest)
      case .moment(let access): access.set(&entry, moment(columns, index))
      case .optionalMoment(let access):
        access.set(&entry, columns.bool(index) ? moment(columns, index + 1) : nil)
      }
    }
    return entry
  }

  private static func splitTags(_ text: String) -> [String] {
    text.isEmpty ? [] : text.split(separator: " ").map(String.init)
  }

  static func moment(_ columns: Columns, _ index: Int) -> Moment {
    Moment(seconds: columns.integer(index), offset: Int(columns.integer(index + 1)))
  }

  // MARK: - Writing

  /// Adds an entry, with the columns derived from its text: ``values(of:_:)``.
  static let insertion = insertion(into: "entry", table)

  /// A statement that adds a row.
  ///
  /// - Parameter rows: the number of rows that one run adds. After a failed run of several rows the
  ///   transaction must be rolled back, since SQLite then need not be able to undo the run alone.
  static func insertion(into name: String, _ columns: [String], rows: Int = 1) -> String {
    let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
    let values = Array(repeating: row, count: rows).joined(separator: ", ")
    let verb = rows > 1 ? "INSERT OR FAIL INTO" : "INSERT INTO"
    return "\(verb) \(name) (\(columns.joined(separator: ", "))) VALUES \(values)"
  }

  /// Adds a tag of an entry.
  static let tagInsertion = insertion(into: "entry_tag", tag)

  /// The columns of a tag of an entry.
  static let tag = ["live", "tag", "day", "created", "number", "typed"]

  /// A value of a column.
  enum Value {
    case null
    case integer(Int64)
    case text(String)

    init(_ value: Int64?) { self = value.map(Value.integer) ?? .null }

    /// The value as GRDB takes it.
    var stored: (any DatabaseValueConvertible)? {
      switch self {
      case .null: nil
      case .integer(let number): number
      case .text(let text): text
      }
    }
  }

  /// Calls `body` with the values of all columns in the order of ``table``; number 0 is null, so
  /// that SQLite assigns one.
  ///
  /// - Parameter derived: the values derived from the text; `nil` to analyse the entry later.
  static func forEachValue(
    of entry: Entry, _ derived: DerivedColumns?, _ body: (Value) throws -> Void
  ) rethrows {
    for field in EntrySchema.fields {
      if field.name == "text" {
        for value in derived?.values ?? derivedNulls { try body(value) }
      }
      if field.name == "number", entry.number == 0 {
        try body(.null)
      } else {
        try forEachValue(of: field.kind, of: entry, body)
      }
    }
  }

  private static let derivedNulls = derived.map { _ in Value.null }

  private static func forEachValue(
    of kind: EntrySchema.Kind, of entry: Entry, _ body: (Value) throws -> Void
  ) rethrows {
    switch kind {
    case .integer(let access): try body(.integer(access.get(entry)))
    case .text(let access): try body(.text(access.get(entry)))
    case .flag(let access): try body(.integer(access.get(entry) ? 1 : 0))
    case .day(let access): try body(.text(access.get(entry).description))
    case .moment(let access):
      let moment = access.get(entry)
      try body(.integer(moment.seconds))
      try body(.integer(Int64(moment.offset)))
    case .optionalMoment(let access):
      let moment = access.get(entry)
      try body(Value(moment?.seconds))
      try body(Value(moment.map { Int64($0.offset) }))
    }
  }

  /// The columns that differ between two states of an entry, with their new values.
  static func changes(from old: Entry, to new: Entry) -> [(column: String, value: Value)] {
    var changes: [(column: String, value: Value)] = []
    for field in EntrySchema.fields where !field.isSame(old, new) {
      // An entry's number and uuid are permanent.
      if field.name == "number" || field.name == "uuid" { continue }
      var values: [Value] = []
      forEachValue(of: field.kind, of: new) { values.append($0) }
      changes += zip(columns(of: field), values).map { (column: $0, value: $1) }
    }
    return changes
  }
}

/// The values of the columns derived from a text.
struct DerivedColumns {
  let title: String
  let titleKey: String
  /// The tags as typed, separated by spaces, which no tag contains.
  let tags: String
  let words: Int
  let checksum: Int64
  /// Each tag folded, with its typed form; one empty pair for an entry without tags.
  let tagRows: [(key: String, typed: String)]
  /// The keys of the links, each once.
  let links: [String]
  /// The fields in order.
  let fields: [Field]
  /// The files in order.
  let files: [FileLink]

  init(text: String) {
    title = Entry.title(of: text)
    titleKey = Folding.fold(title)
    let marks = Marks(text)
    let names = marks.tags
    tags = Self.joined(names)
    words = Folding.wordCount(of: text)
    checksum = Entry.checksum(of: text)
    tagRows = names.isEmpty ? [("", "")] : names.map { ($0.key, $0.name) }
    links = marks.links.isEmpty ? [] : Self.uniqued(marks.links.lazy.map(\.key))
    fields = marks.fields
    files = marks.files
  }

  private static func uniqued(_ keys: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return keys.filter { seen.insert($0).inserted }
  }

  /// Whether the text has links, fields or files.
  var hasMarks: Bool { !links.isEmpty || !fields.isEmpty || !files.isEmpty }

  /// The value of ``tags`` for a text.
  static func tags(in text: String) -> String { joined(Tag.keyedNames(in: text)) }

  private static func joined(_ names: [(key: String, name: String)]) -> String {
    names.lazy.map(\.name).joined(separator: " ")
  }

  /// The columns, in their order in the table.
  enum Name: String, CaseIterable {
    case title
    case titleKey = "title_key"
    case tags, words, checksum
  }

  /// The values in the order of ``EntryColumns/derived``.
  var values: [EntryColumns.Value] {
    Name.allCases.map { name in
      switch name {
      case .title: .text(title)
      case .titleKey: .text(titleKey)
      case .tags: .text(tags)
      case .words: .integer(Int64(words))
      case .checksum: .integer(checksum)
      }
    }
  }

  /// The same values as arguments of a statement.
  var arguments: [(any DatabaseValueConvertible)?] { values.map(\.stored) }

  /// Sets the columns of an entry: an `UPDATE` without its condition.
  ///
  /// - Parameter keepsChecksum: whether an existing checksum stays, so that an altered text is
  ///   still found.
  static func update(keepsChecksum: Bool = false) -> String {
    let terms = Name.allCases.map { name in
      name == .checksum && keepsChecksum
        ? "checksum = ifnull(checksum, ?)" : "\(name.rawValue) = ?"
    }
    return "UPDATE entry SET \(terms.joined(separator: ", "))"
  }
}
