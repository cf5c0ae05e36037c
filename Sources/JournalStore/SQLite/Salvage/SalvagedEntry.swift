import Journal

/// An entry as a damaged file still has it: what makes sense is kept, the rest follows from it.
struct SalvagedEntry {
  /// The entry, which can be stored.
  let entry: Entry
  /// Whether nothing says that its text is not the one that was stored.
  let isIntact: Bool
  /// Whether a checksum says that its text is the one that was stored.
  let isProven: Bool

  /// Takes a row of the table of entries; `nil` for a row that cannot be one.
  init?(number: Int64, _ row: [RecordValue]) {
    guard number > 0, let values = SalvageTable.entry.whole(row) else { return nil }
    let value = { (name: String) in
      EntryColumns.table.firstIndex(of: name).map { values[$0] } ?? .null
    }
    guard case .text(let bytes) = value("text"), !bytes.isEmpty else { return nil }
    let text = String(decoding: bytes.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    var part = PartialEntry()
    for field in EntrySchema.fields { SalvagedEntry.take(field, value, into: &part) }
    // Rows of other tables have as many columns now and then, but never both of these.
    guard part.has("uuid") || part.has("day") else { return nil }
    let midnight = Moment(seconds: Int64(part.entry.day.daysSinceEpoch) * 86_400, offset: 0)
    guard
      var entry = part.completed(text: text, created: part.has("day") ? midnight : nil)
    else { return nil }
    entry.number = number
    if !part.has("uuid") { entry.uuid = EntryUUID.derived(text: text, created: entry.created) }
    self.entry = entry
    isProven = value("checksum") == .integer(Entry.checksum(of: text))
    isIntact = isProven || value("checksum") == .null
  }

  /// Takes a field's columns if they hold what the field can be.
  private static func take(
    _ field: EntrySchema.Field, _ value: (String) -> RecordValue, into part: inout PartialEntry
  ) {
    let stored = value(field.name)
    switch field.kind {
    case .integer(let access):
      if case .integer(let number) = stored { part.set(field, access, number) }
    case .text(let access) where field.name == "uuid":
      part.set(field, access, stored.string.flatMap(EntryUUID.canonical))
    case .text(let access): part.set(field, access, stored.string)
    case .flag(let access): part.set(field, access, stored == .integer(1))
    case .day(let access): part.set(field, access, stored.string.flatMap { Day($0) })
    case .moment(let access): part.set(field, access, moment(field, value))
    case .optionalMoment(let access): part.set(field, access, .some(moment(field, value)))
    }
  }

  /// Of two rows that claim a number, the better one.
  static func better(_ left: SalvagedEntry?, _ right: SalvagedEntry) -> SalvagedEntry {
    guard let left else { return right }
    if left.isIntact != right.isIntact { return left.isIntact ? left : right }
    return left.entry.modified.seconds >= right.entry.modified.seconds ? left : right
  }

  private static func moment(
    _ field: EntrySchema.Field, _ value: (String) -> RecordValue
  ) -> Moment? {
    guard case .integer(let seconds) = value(field.name),
      ValueExamination.seconds.contains(seconds)
    else { return nil }
    guard case .integer(let offset) = value(field.name + "_offset"), offset.magnitude <= 86_400
    else { return Moment(seconds: seconds, offset: 0) }
    return Moment(seconds: seconds, offset: Int(offset))
  }
}

extension RecordValue {
  /// The text, if it is one and valid.
  var string: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
