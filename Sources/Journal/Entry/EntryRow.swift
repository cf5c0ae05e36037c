/// The identity of a row in a list of entries.
///
/// A list by tag has an entry once under each of its tags, so the tag is part of the identity
/// there; in every other list `tag` is empty.
package struct EntryRowID: Hashable, Codable, Sendable {
  /// The entry's number.
  package var number: Int64
  /// The folded tag of the row's section; empty unless the list is by tag.
  package var tag: String

  package init(number: Int64, tag: String = "") {
    self.number = number
    self.tag = tag
  }
}

extension EntryRowID: Comparable {
  /// Orders by number, then by the tag's bytes.
  package static func < (lhs: EntryRowID, rhs: EntryRowID) -> Bool {
    lhs.number == rhs.number
      ? lhs.tag.utf8.lexicographicallyPrecedes(rhs.tag.utf8) : lhs.number < rhs.number
  }
}

/// An entry in a list: everything except the text.
package struct EntryRow: Hashable, Codable, Sendable, Identifiable {
  /// The row's identity.
  package var id: EntryRowID
  /// The first non-blank line of the text, cut to ``Entry/titleLimit`` characters.
  package var title: String
  /// The tags as first typed, in order of appearance, as in JSON (`home`, `@anna`).
  package var tags: [String]
  /// A checksum over the text, so that two rows are equal only if their texts are.
  package var checksum: Int64
  /// The stored fields but the text, which is empty here.
  package private(set) var fields: Entry
  /// The values in the text of the fields that a list is about, by the keys of their names; empty in a list
  /// about none.
  package var fieldValues: [String: [FieldValue]] = [:]
  /// The files that the text names; none in a row of the change log.
  package var files = FileCount()

  /// Makes a row of an entry.
  ///
  /// - Parameter entry: the entry, whose text is left out.
  package init(
    id: EntryRowID, _ entry: Entry, title: String, tags: [String], checksum: Int64,
    files: FileCount = FileCount()
  ) {
    self.id = id
    self.files = files
    self.title = title
    self.tags = tags
    self.checksum = checksum
    fields = entry
    fields.text = ""
  }

  /// The entry's permanent identity.
  package var uuid: String { fields.uuid }
  /// When it was written.
  package var created: Moment { fields.created }
  /// When it was last changed.
  package var modified: Moment { fields.modified }
  /// The day it belongs to.
  package var day: Day { fields.day }
  package var starred: Bool {
    get { fields.starred }
    set { fields.starred = newValue }
  }
  /// When it went to the trash.
  package var deleted: Moment? { fields.deleted }

  /// Whether another device's text lost against the entry's, and nobody settled that yet.
  package var isInConflict: Bool { !fields.conflicts.isEmpty }

  /// The entry of a row, whose text is not part of the row.
  package func entry(text: String) -> Entry {
    var entry = fields
    entry.text = text
    return entry
  }
}

extension EntryRow {
  /// The files are not compared: they follow from the text, whose checksum is.
  package static func == (a: EntryRow, b: EntryRow) -> Bool {
    a.id == b.id && a.checksum == b.checksum && a.title == b.title && a.tags == b.tags
      && a.fields == b.fields && a.fieldValues == b.fieldValues
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(checksum)
    hasher.combine(fields)
  }

  /// Reads a row, also of a record from before lists were about fields or knew files.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(EntryRowID.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    tags = try values.decode([String].self, forKey: .tags)
    checksum = try values.decode(Int64.self, forKey: .checksum)
    fields = try values.decode(Entry.self, forKey: .fields)
    fieldValues =
      try values.decodeIfPresent([String: [FieldValue]].self, forKey: .fieldValues) ?? [:]
    files = try values.decodeIfPresent(FileCount.self, forKey: .files) ?? FileCount()
  }

  /// A sort value of rows.
  package enum OrderValue: Hashable, Sendable {
    /// Seconds since the epoch.
    case integer(Int64)
    /// A folded title, ordered by its bytes.
    case text(String)
    /// No value; before all others.
    case nothing
  }

  /// The title without case and accents.
  package var titleKey: String { Folding.fold(title) }
}
