import Journal

/// An entry as a damaged file still has it: what makes sense is kept, the rest follows from it.
struct SalvagedEntry {
  /// The entry, which can be stored.
  let entry: Entry
  /// Whether nothing says that its text is not the one that was stored.
  let isIntact: Bool
  /// Whether a checksum says that its text is the one that was stored.
  let isProven: Bool

  /// The columns of an entry's row, by position; the first one stands in the row's id.
  enum Column: Int, CaseIterable {
    case number, uuid, created, createdOffset, modified, modifiedOffset, day, starred, deleted
    case deletedOffset, title, titleKey, tags, words, checksum, text
  }

  /// Takes a row of the table of entries; `nil` for a row that cannot be one.
  init?(number: Int64, _ values: [RecordValue]) {
    guard number > 0, values.count == Column.allCases.count else { return nil }
    let field = { (column: Column) in values[column.rawValue] }
    guard case .text(let bytes) = field(.text), !bytes.isEmpty else { return nil }
    let uuid = field(.uuid).string.flatMap(EntryUUID.canonical)
    let day = field(.day).string.flatMap { Day($0) }
    // Rows of other tables have as many columns now and then, but never both of these.
    guard uuid != nil || day != nil else { return nil }
    let text = String(decoding: bytes.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    let created = SalvagedEntry.moment(field(.created), field(.createdOffset))
    let fallback = day.map { Moment(seconds: Int64($0.daysSinceEpoch) * 86_400, offset: 0) }
    guard let written = created ?? fallback else { return nil }
    entry = Entry(
      uuid: uuid ?? EntryUUID.derived(text: text, created: written), number: number,
      created: written,
      modified: SalvagedEntry.moment(field(.modified), field(.modifiedOffset)) ?? written,
      day: day ?? written.localDay, text: text, starred: field(.starred) == .integer(1),
      deleted: SalvagedEntry.moment(field(.deleted), field(.deletedOffset)))
    isProven = field(.checksum) == .integer(Entry.checksum(of: text))
    isIntact = isProven || field(.checksum) == .null
  }

  /// Of two rows that claim a number, the better one.
  static func better(_ left: SalvagedEntry?, _ right: SalvagedEntry) -> SalvagedEntry {
    guard let left else { return right }
    if left.isIntact != right.isIntact { return left.isIntact ? left : right }
    return left.entry.modified.seconds >= right.entry.modified.seconds ? left : right
  }

  private static func moment(_ seconds: RecordValue, _ offset: RecordValue) -> Moment? {
    guard case .integer(let seconds) = seconds, ValueExamination.seconds.contains(seconds) else {
      return nil
    }
    guard case .integer(let offset) = offset, offset.magnitude <= 86_400 else {
      return Moment(seconds: seconds, offset: 0)
    }
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
