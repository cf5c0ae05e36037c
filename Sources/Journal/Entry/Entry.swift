/// One entry of a journal, whole.
///
/// `title`, `body` and `tags` are derived from `text` and therefore functions, not fields.
public struct Entry: Hashable, Sendable {
  /// The permanent identity: a UUID in lower case, version 7 when made here.
  public var uuid: String
  /// The short number people type, 0 until a journal gave one; local to it and never reused.
  public var number: Int64
  /// When it was written.
  public var created: Moment
  /// When its text or marks were last changed.
  public var modified: Moment
  /// The local calendar day it belongs to.
  public var day: Day
  /// The whole text, any Unicode but NUL.
  public var text: String
  /// Whether the writer starred it.
  public var starred: Bool
  /// When it went to the trash; `nil` while it is in the journal.
  public var deleted: Moment?

  /// Makes an entry from all its fields.
  public init(
    uuid: String, number: Int64 = 0, created: Moment, modified: Moment, day: Day, text: String,
    starred: Bool = false, deleted: Moment? = nil
  ) {
    self.uuid = uuid
    self.number = number
    self.created = created
    self.modified = modified
    self.day = day
    self.text = text
    self.starred = starred
    self.deleted = deleted
  }
}
