import Journal
import SectionedResults

/// Everything the screen shows, as one value.
///
/// What is drawn is a function of it and of the rows that the results controller reads; what
/// happens next is a function of it and of the next intent.
public struct State: Equatable, Sendable {
  /// What the status line calls the journal: the file's name.
  public var journal: String
  /// The day that is called "Today".
  public var today: Day
  /// The size of the screen.
  public var size: Size
  /// What fills the screen.
  public var mode: Mode = .list
  /// Sections, selection, scroll offset and folds of the list.
  public var list: SectionedList
  /// The prompt, while one is open.
  public var prompt: PromptState?
  /// Keys that wait for more.
  public var pending = PendingKeys()
  /// A text that cannot be saved without an answer from the person; keys are answers.
  public var conflict: EditConflict?
  /// What was last done or went wrong, until the next key.
  public var status: Status?
  /// How many drafts of earlier runs wait to be brought back.
  public var drafts = 0

  /// Makes the state of a fresh start, before the first fetch.
  public init(journal: String, today: Day, size: Size) {
    self.journal = journal
    self.today = today
    self.size = size
    list = SectionedList()
    fit()
  }

  /// Which lines of the screen belong to what.
  public var layout: Layout { Layout(size: size, promptLines: prompt?.lines) }

  /// The entry that keys act on: the one being read, else the selected one.
  public var target: Target? {
    if case .reading(let reading) = mode { return .entry(reading.entry.number) }
    return list.selection?.path.map(Target.row)
  }
}
