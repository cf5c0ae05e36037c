/// The identity of a row of a list of entries.
///
/// In a list sectioned by tag an entry stands under each of its tags, so the tag is part of the
/// identity there; in every other list `tag` is empty.
public struct EntryRowID: Hashable, Sendable {
  /// The entry's number.
  public var number: Int64
  /// The folded tag whose section the row stands in; empty unless the list is sectioned by tag.
  public var tag: String

  /// Makes a row identity.
  public init(number: Int64, tag: String = "") {
    self.number = number
    self.tag = tag
  }
}

extension EntryRowID: Comparable {
  /// Orders by number, then by the tag's bytes.
  public static func < (lhs: EntryRowID, rhs: EntryRowID) -> Bool {
    lhs.number == rhs.number
      ? lhs.tag.utf8.lexicographicallyPrecedes(rhs.tag.utf8) : lhs.number < rhs.number
  }
}

/// What a list shows of an entry: everything but the text.
public struct EntryRow: Hashable, Sendable, Identifiable {
  /// The row's identity.
  public var id: EntryRowID
  /// The entry's permanent identity.
  public var uuid: String
  /// When it was written.
  public var created: Moment
  /// When it was last changed.
  public var modified: Moment
  /// The day it belongs to.
  public var day: Day
  /// The first non-blank line of the text, cut to ``Entry/titleLimit`` characters.
  public var title: String
  /// The tags as first typed, in order of appearance, in the form of the JSON (`home`, `@anna`).
  public var tags: [String]
  /// Whether it is starred.
  public var starred: Bool
  /// When it went to the trash.
  public var deleted: Moment?
  /// A checksum over the text, so that two rows are equal only if their texts are.
  public var checksum: Int64

  /// Makes a row from all its fields.
  public init(
    id: EntryRowID, uuid: String, created: Moment, modified: Moment, day: Day, title: String,
    tags: [String], starred: Bool, deleted: Moment?, checksum: Int64
  ) {
    self.id = id
    self.uuid = uuid
    self.created = created
    self.modified = modified
    self.day = day
    self.title = title
    self.tags = tags
    self.starred = starred
    self.deleted = deleted
    self.checksum = checksum
  }

  /// The entry of a row, whose text is not part of the row.
  package func entry(text: String) -> Entry {
    Entry(
      uuid: uuid, number: id.number, created: created, modified: modified, day: day, text: text,
      starred: starred, deleted: deleted)
  }
}
