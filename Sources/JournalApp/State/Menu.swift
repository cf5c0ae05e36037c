/// Lines one of which is chosen: tags, saved views, journals.
public struct Menu: Equatable, Sendable {
  /// A line.
  public struct Item: Hashable, Sendable {
    /// What is chosen.
    public var label: String
    /// What tells it from the others, behind it.
    public var detail: String
    /// The line after `:` that choosing it stands for.
    public var command: String
    /// The name of the draft that the line is about, if it is about one.
    public var draft: String?

    /// Makes a line.
    public init(_ label: String, detail: String = "", command: String, draft: String? = nil) {
      self.label = label
      self.detail = detail
      self.command = command
      self.draft = draft
    }
  }

  /// What it is, for the status line.
  public var title: String
  /// The lines.
  public var items: [Item]
  /// Which one is chosen.
  public var selected: Int
  /// The first one shown.
  public var offset: Int
  /// Whether the next key answers if the chosen draft is to be discarded.
  public var asks = false

  /// Whether its lines are drafts.
  public var isOfDrafts: Bool { items.first?.draft != nil }

  /// Makes a menu at its beginning.
  public init(title: String, items: [Item], selected: Int = 0, offset: Int = 0) {
    self.title = title
    self.items = items
    self.selected = selected
    self.offset = offset
  }
}
