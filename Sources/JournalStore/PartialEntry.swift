import Journal

/// An entry of which some fields may be missing: as a person writes it into a JSON file, or as a damaged
/// file still has it.
struct PartialEntry {
  /// The fields that are known; the others are those of ``EntrySchema/blank``.
  private(set) var entry = EntrySchema.blank
  /// The fields that are known, a bit each by their places in ``EntrySchema/fields``.
  private var known: UInt64 = 0

  private static let bits = Dictionary(
    uniqueKeysWithValues: EntrySchema.fields.enumerated().map { ($1.name, UInt64(1) << $0) })

  /// Whether a field is known.
  func has(_ name: String) -> Bool { known & (PartialEntry.bits[name] ?? 0) != 0 }

  /// Sets a field; a missing value leaves it unknown.
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

  /// The whole entry with a text; fields that are missing follow from those that are there.
  ///
  /// - Parameter fallback: the instant it was written at, where nothing says so.
  /// - Returns: `nil` where the instant is not known. The uuid may still be empty.
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
