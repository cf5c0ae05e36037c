import Journal

/// An entry with possibly missing fields: from a JSON file edited by hand, or from a damaged file.
struct PartialEntry {
  /// The known fields; the others are those of ``EntrySchema/blank``.
  private(set) var entry = EntrySchema.blank
  /// The known fields, a bit each by their positions in ``EntrySchema/fields``.
  private var known: UInt64 = 0

  /// The bits of the fields that other fields or callers depend on.
  static let (number, uuid, created, modified, day, text) = (
    bit("number"), bit("uuid"), bit("created"), bit("modified"), bit("day"), bit("text")
  )

  /// The bit of a field.
  static func bit(_ name: String) -> UInt64 {
    EntrySchema.fields.firstIndex { $0.name == name }.map { 1 << $0 } ?? 0
  }

  /// Whether a field is known, by its bit.
  func has(_ bit: UInt64) -> Bool { known & bit != 0 }

  /// Sets a field; `nil` leaves it unknown.
  mutating func set<Value>(
    _ bit: UInt64, _ access: EntrySchema.Access<Value>, _ value: Value?
  ) {
    guard let value else {
      known &= ~bit
      access.set(&entry, access.get(EntrySchema.blank))
      return
    }
    known |= bit
    access.set(&entry, value)
  }

  /// The whole entry with a text; missing fields are derived from the others.
  ///
  /// - Parameter fallback: the creation time, if the entry has none.
  /// - Returns: `nil` without a creation time. The uuid may still be empty.
  func completed(text: String, created fallback: Moment? = nil) -> Entry? {
    guard let created = has(PartialEntry.created) ? entry.created : fallback else { return nil }
    var whole = entry
    whole.text = text
    whole.created = created
    if !has(PartialEntry.modified) { whole.modified = created }
    if !has(PartialEntry.day) { whole.day = created.localDay }
    return whole
  }
}
