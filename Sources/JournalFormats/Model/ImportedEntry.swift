import Journal

/// An entry as a file of some format tells it: only what the file says, nothing made up.
public struct ImportedEntry: Hashable, Sendable {
  /// Its permanent identity, in any spelling; `nil` where the file has none: then one is derived from
  /// the content (``EntryUUID/derived(text:created:)``), so that the same file twice adds nothing.
  public var uuid: String?
  /// When it was written, with the offset of the place where it was, as far as the file knows it.
  public var created: Moment
  /// The time the file names without a zone, as if it were UTC; a derived identity is made of it, so
  /// that the same file imported in another zone adds nothing.
  public var wallTime: Moment?
  /// When it was last changed, where the file says so.
  public var modified: Moment?
  /// The calendar day the file names; `nil` for the one that the clock showed at ``created``.
  public var day: Day?
  /// The whole text, title and body.
  public var text: String
  /// Tags that the file keeps beside the text, without `#`, `@name` with its `@`; those that the text
  /// lacks are appended to it.
  public var tags: [String]
  /// Whether it is starred.
  public var starred: Bool
  /// When it went to the trash, where the format knows a trash.
  public var deleted: Moment?
  /// The names of fields that say something and have no place in an entry.
  public var unkept: [String] = []
  /// What else became of the entry that people should know, by kinds that are counted.
  public var remarks: [String] = []
  /// How the other program finds tags in a text, where that differs from here.
  public var tagStyle: ForeignTagStyle?

  /// Makes an imported entry.
  public init(
    uuid: String? = nil, created: Moment, wallTime: Moment? = nil, modified: Moment? = nil,
    day: Day? = nil, text: String, tags: [String] = [], starred: Bool = false,
    deleted: Moment? = nil
  ) {
    self.uuid = uuid
    self.created = created
    self.wallTime = wallTime
    self.modified = modified
    self.day = day
    self.text = text
    self.tags = tags
    self.starred = starred
    self.deleted = deleted
  }
}
