import Journal

/// What there is to complete with: a snapshot of the journal's names, taken at the first Tab.
public struct CompletionWords: Equatable, Sendable {
  /// A tag in use.
  public struct TagUse: Hashable, Sendable {
    /// The name as first typed: `home`, `@anna`.
    public var name: String
    /// The number of entries that have it.
    public var count: Int

    /// Makes a tag in use.
    public init(_ name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// An entry that a command may be about.
  public struct EntryName: Hashable, Sendable {
    /// Its number.
    public var number: Int64
    /// Its title, to know it by.
    public var title: String

    /// Makes an entry's name.
    public init(_ number: Int64, title: String) {
      self.number = number
      self.title = title
    }
  }

  /// The day that is today, from which dates are counted.
  public var today: Day
  /// The tags, in any order.
  public var tags: [TagUse] = []
  /// Entries near the selected one, nearest first.
  public var entries: [EntryName] = []
  /// The names of commands.
  public var commands: [String] = Command.names
  /// The names of themes.
  public var themes: [String] = []
  /// The names of templates.
  public var templates: [String] = []
  /// The names of saved views.
  public var views: [String] = []
  /// Journals that were open lately, the latest first.
  public var journals: [String] = []
  /// What stands in the folder of the path that is typed; folders end in a slash.
  public var files: [String] = []
  /// The settings, each with the values it can have where they are few.
  public var settings: [Setting] = []

  /// A setting that can be changed.
  public struct Setting: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its values; empty where anything may stand.
    public var values: [String]

    /// Makes a setting.
    public init(_ name: String, values: [String] = []) {
      self.name = name
      self.values = values
    }
  }

  /// Makes a vocabulary of nothing but the commands.
  public init(today: Day) {
    self.today = today
  }
}
