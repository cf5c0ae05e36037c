/// What the prompt asks for.
public enum PromptPurpose: Hashable, Sendable {
  /// The text of a new entry.
  case newEntry
  /// The new text of the entry with this number.
  case edit(Int64)
  /// A command.
  case command
  /// A date to go to.
  case date
  /// What to search for; found as it is typed.
  case search
  /// Which entries to show; shown as it is typed.
  case filter
  /// Tags to give or, with a minus, to take.
  case tags
  /// Another date for entries.
  case redate
  /// A shell command that gets the text of entries.
  case pipe

  /// What stands before the text.
  public var label: String {
    switch self {
    case .newEntry: "new: "
    case .edit(let number): "edit \(number): "
    case .command: ":"
    case .date: "go to date: "
    case .search: "/"
    case .filter: "filter: "
    case .tags: "tags: "
    case .redate: "new date: "
    case .pipe: "| "
    }
  }

  /// Whether unsubmitted text is somebody's writing and must be kept.
  public var keepsDrafts: Bool {
    switch self {
    case .newEntry, .edit: true
    default: false
    }
  }

  /// Whether the list follows every character that is typed.
  public var isLive: Bool { self == .search || self == .filter }
}

/// The prompt at the foot of the screen, as plain values; the editing itself is not done here.
public struct PromptState: Equatable, Sendable {
  /// What it asks for.
  public var kind: PromptPurpose
  /// What stands before the text; changes while a history is searched.
  public var label: String
  /// The text it opened with; nobody's new writing.
  public var initial: String
  /// The text typed so far.
  public var text: String
  /// Where the cursor stands, in UTF-8 bytes of the text.
  public var point: Int
  /// How many lines label and text take at the present width.
  public var lines: Int
  /// What the entries have now that is to be changed, shown above the prompt: their tags, their date.
  public var present: [String]
  /// Characters changed since the text was last kept as a draft.
  public var unsaved: Int

  /// Whether the text is somebody's writing that is not in the journal.
  public var isWriting: Bool {
    kind.keepsDrafts && !text.isBlank && !text.utf8.elementsEqual(initial.utf8)
  }

  /// Makes an empty prompt, or one that starts with a text.
  public init(kind: PromptPurpose, text: String = "", present: [String] = []) {
    self.kind = kind
    self.label = kind.label
    self.initial = text
    self.text = text
    self.point = text.utf8.count
    self.lines = 1
    self.present = present
    self.unsaved = 0
  }
}
