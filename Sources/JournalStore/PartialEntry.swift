import Journal

/// An entry with possibly missing fields: from a JSON file edited by hand, or from a damaged file.
struct PartialEntry {
  /// The known fields; the others are those of ``EntrySchema/blank``.
  private(set) var entry = EntrySchema.blank
  /// The known fields, a bit each by their positions in ``EntrySchema/fields``.
  private var known: UInt64 = 0

  private static let bits = Dictionary(
    uniqueKeysWithValues: EntrySchema.fields.enumerated().map { ($1.name, UInt64(1) << $0) })

  /// Whether a field is known.
  func has(_ name: String) -> Bool { known & (PartialEntry.bits[name] ?? 0) != 0 }

  /// Sets a field; `nil` leaves it unknown.
  mutating func set<Value>(
    _ field: EntrySchema.Field, _ access: EntrySchema.Access<Value>, _ value: Value?
  ) {
    guard let value else {
      known &= ~(PartialEntry.bits[field.name] ?? 0)
      access.set(&entry, access.get(EntrySchema.blank))
      return
    }
    known |= PartialEntry.bits[field.name] ?? 0
    access.set(&entry, value)
  }

  /// The whole entry with a text; missing fields are derived from the others.
  ///
  /// - Parameter fallback: the creation time, if the entry has none.
  /// - Returns: `nil` without a creation time. The uuid may still be empty.
  func completed(text: String, created fallback: Moment? = nil) -> Entry? {
    guard let created = has("created") ? entry.created : fallback else { return nil }
    var whole = entry
    whole.text = text
    whole.created = created
    if !has("modified") { whole.modified = created }
    if !has("day") { whole.day = created.localDay }
    return whole
  }
}
