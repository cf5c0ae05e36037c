import GRDB
import Journal

/// Writes salvaged rows into a journal without triggers; of rows with the same id, the first one
/// counts.
final class SalvageWriter {
  /// The numbers of the written entries.
  private(set) var saved: Set<Int64> = []
  /// The entries whose text does not match its checksum.
  private(set) var altered: Set<Int64> = []
  private var uuids: Set<String> = []
  private let db: Database

  init(db: Database) {
    self.db = db
  }

  // MARK: - Entries

  /// Writes an entry; one with a duplicate uuid gets a new one.
  func add(_ salvaged: SalvagedEntry) throws {
    var entry = salvaged.entry
    // A number that leaves none for the next entry is replaced.
    if entry.number >= Numbering.limit { entry.number = (saved.max() ?? 0) + 1 }
    guard saved.insert(entry.number).inserted else { return }
    if !uuids.insert(entry.uuid).inserted {
      entry.uuid = EntryUUID.make(atSecond: entry.created.seconds)
      uuids.insert(entry.uuid)
    }
    if !salvaged.isIntact { altered.insert(entry.number) }
    var arguments: [(any DatabaseValueConvertible)?] = []
    EntryColumns.forEachValue(of: entry, nil) { arguments.append($0.stored) }
    try db.cachedStatement(sql: EntryColumns.insertion)
      .execute(arguments: StatementArguments(arguments))
  }

  /// Writes an entry whose number is not its own, under a new one if another entry has the number.
  func add(misplaced: SalvagedEntry) throws {
    guard !uuids.contains(misplaced.entry.uuid) else { return }
    var moved = misplaced
    if saved.contains(moved.entry.number) {
      let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM change") ?? 0
      moved.entry.number = max(last, saved.max() ?? 0) + 1
    }
    try add(moved)
  }

  // MARK: - Change log

  /// Writes a row of the change log unchanged, if it is a valid one.
  func add(_ id: Int64, _ values: [RecordValue], to table: SalvageTable) throws {
    let fits = table.name == "change" ? SalvageWriter.isChange : SalvageWriter.isStep
    guard (1..<Numbering.limit).contains(id), fits(values), let values = table.whole(values) else {
      return
    }
    let key = table.name == "change" ? "seq" : "id"
    let sql = EntryColumns.insertion(into: table.name, [key] + table.columns)
    try db.cachedStatement(
      sql: sql.replacing("INSERT INTO", with: "INSERT OR IGNORE INTO", maxReplacements: 1)
    ).execute(
      arguments: StatementArguments([id.databaseValue] + values.dropFirst().map(\.stored)))
  }

  /// Whether the columns are those of a line of the change log.
  static func isChange(_ values: [RecordValue]) -> Bool {
    guard let values = SalvageTable.change.whole(values), case .integer(let number) = values[3],
      number < Numbering.limit
    else { return false }
    return ["insert", "update", "delete", "purged"].contains(values[2].string)
      && !values.contains(.other)
  }

  /// Whether the columns are those of a step.
  static func isStep(_ values: [RecordValue]) -> Bool {
    guard let values = SalvageTable.step.whole(values), case .integer = values[1],
      case .integer = values[2], case .text = values[3], case .integer = values[7]
    else { return false }
    return values[4].string.map { ChangeKind(rawValue: $0) != nil } ?? false
  }

  /// The permanently removed entries, according to the log.
  func goneNumbers() throws -> Set<Int64> {
    try Set(
      Int64.fetchAll(
        db,
        sql: """
          SELECT number FROM change AS c WHERE kind IN ('delete', 'purged') AND seq = (
            SELECT max(seq) FROM change WHERE number = c.number)
          """))
  }

  /// The missing entries that exist according to the log.
  func missingNumbers() throws -> [Int64] {
    let gone = try goneNumbers()
    return try Int64.fetchAll(db, sql: "SELECT DISTINCT number FROM change ORDER BY number")
      .filter { !saved.contains($0) && !gone.contains($0) }
  }

  /// Closes all steps if lines of the log are missing: a partial undo would do harm.
  ///
  /// - Returns: whether the log is complete.
  func closeLog() throws -> Bool {
    let isWhole =
      try Bool.fetchOne(
        db,
        sql: """
          SELECT (SELECT count(*) = ifnull(max(seq), 0) FROM change)
            AND NOT EXISTS (\(HistoryExamination.wrongSteps))
            AND NOT EXISTS (\(HistoryExamination.missingSteps))
          """) ?? false
    try db.execute(
      sql: """
        UPDATE change_set SET reverses = NULL WHERE reverses NOT IN (SELECT id FROM change_set)
        """)
    let missing = try missingNumbers()
    if isWhole, missing.isEmpty, altered.isEmpty { return true }
    try db.execute(sql: "UPDATE change_set SET state = 3")
    return false
  }
}

extension RecordValue {
  /// The value to store; invalid UTF-8 is removed from text.
  fileprivate var stored: DatabaseValue {
    switch self {
    case .null, .other: .null
    case .integer(let number): number.databaseValue
    case .text(let bytes): String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).databaseValue
    }
  }
}

/// An entry from a damaged file: valid fields are kept, the others are derived.
struct SalvagedEntry {
  /// The entry, valid for a store.
  fileprivate(set) var entry: Entry
  /// Whether no checksum contradicts its text.
  let isIntact: Bool
  /// Whether a checksum confirms its text.
  let isProven: Bool

  /// Takes a row of the table of entries; `nil` for a row of another table.
  init?(number: Int64, _ row: [RecordValue]) {
    guard number > 0, let values = SalvageTable.entry.whole(row) else { return nil }
    let value = { (name: String) in
      EntryColumns.table.firstIndex(of: name).map { values[$0] } ?? .null
    }
    guard case .text(let bytes) = value("text") else { return nil }
    let text = String(decoding: bytes.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    guard (try? Entry.validate(text: text)) != nil else { return nil }
    var part = PartialEntry()
    for field in EntrySchema.fields { SalvagedEntry.take(field, value, into: &part) }
    // Rows of other tables may have the same number of columns, but never both of these.
    guard part.has(PartialEntry.uuid) || part.has(PartialEntry.day) else { return nil }
    let midnight = Moment(seconds: Int64(part.entry.day.daysSinceEpoch) * 86_400, offset: 0)
    guard
      var entry = part.completed(text: text, created: part.has(PartialEntry.day) ? midnight : nil)
    else { return nil }
    entry.number = number
    if !part.has(PartialEntry.uuid) {
      entry.uuid = EntryUUID.derived(text: text, created: entry.created)
    }
    self.entry = entry
    isProven = value("checksum") == .integer(Entry.checksum(of: text))
    isIntact = isProven || value("checksum") == .null
  }

  /// Takes a field's columns if their values are valid for the field.
  private static func take(
    _ field: EntrySchema.Field, _ value: (String) -> RecordValue, into part: inout PartialEntry
  ) {
    let stored = value(field.name)
    let bit = PartialEntry.bit(field.name)
    switch field.kind {
    case .integer(let access):
      if case .integer(let number) = stored { part.set(bit, access, number) }
    case .text(let access) where field.name == "uuid":
      part.set(bit, access, stored.string.flatMap(EntryUUID.canonical))
    case .text(let access): part.set(bit, access, stored.string)
    case .flag(let access): part.set(bit, access, stored == .integer(1))
    case .day(let access): part.set(bit, access, stored.string.flatMap { Day($0) })
    case .moment(let access): part.set(bit, access, moment(field, value))
    case .optionalMoment(let access): part.set(bit, access, .some(moment(field, value)))
    }
  }

  /// The better one of two rows with the same number.
  static func better(_ left: SalvagedEntry?, _ right: SalvagedEntry) -> SalvagedEntry {
    guard let left else { return right }
    if left.isIntact != right.isIntact { return left.isIntact ? left : right }
    return left.entry.modified.seconds >= right.entry.modified.seconds ? left : right
  }

  private static func moment(
    _ field: EntrySchema.Field, _ value: (String) -> RecordValue
  ) -> Moment? {
    guard case .integer(let seconds) = value(field.name),
      Moment.seconds.contains(seconds)
    else { return nil }
    guard case .integer(let offset) = value(field.name + "_offset"), offset.magnitude <= 86_400
    else { return Moment(seconds: seconds, offset: 0) }
    return Moment(seconds: seconds, offset: Int(offset))
  }
}

extension RecordValue {
  /// The text, if the value is a valid one.
  var string: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
