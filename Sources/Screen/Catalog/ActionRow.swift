import Journal

/// An action's row in the catalog: the source of the key table, the help screen, the hint line, and
/// the manual's text and table of keys.
struct ActionRow {
  /// The action within its family, which an update handles.
  let kind: ActionKind
  /// The heading in the help.
  let group: ActionGroup
  /// The help: a few words in the imperative, less than 40 columns.
  let help: String
  /// The default keys, in the notation of ``KeySequence``, and the views in which they work.
  let keys: [(keys: [KeySequence], contexts: Set<KeyContext>)]
  let hints: Hints
  /// The word on the hint line while a range is marked.
  let rangeHint: String?
  let traits: Traits

  /// The words of an action on the hint line.
  struct Hints {
    /// The rank among the hints of a view, lowest first.
    var rank = 0
    var words: [KeyContext: String] = [:]

    init() {}

    init(_ rank: Int, _ words: [KeyContext: String]) { (self.rank, self.words) = (rank, words) }
  }

  struct Traits: OptionSet {
    let rawValue: Int
    /// Changes entries, or asks for a text that would.
    static let changesEntries = Traits(rawValue: 1)
    /// Acts on the marked entries, if there are any.
    static let actsOnMarked = Traits(rawValue: 2)
    /// Does nothing to an entry in the trash.
    static let notInTrash = Traits(rawValue: 4)
    /// A count before its keys has a meaning.
    static let takesCount = Traits(rawValue: 8)
  }

  /// The help without its remarks, for the hints after the first key of a sequence.
  var phrase: String {
    let end = help.firstIndex { ";,(:".contains($0) } ?? help.endIndex
    return String(help[..<end]).trimmed
  }

  init(
    _ kind: ActionKind, _ group: ActionGroup, _ help: String,
    keys: [(keys: [KeySequence], contexts: Set<KeyContext>)], hints: Hints = Hints(),
    rangeHint: String? = nil, traits: Traits = []
  ) {
    (self.kind, self.group, self.help, self.keys) = (kind, group, help, keys)
    (self.hints, self.rangeHint, self.traits) = (hints, rangeHint, traits)
  }
}

/// The family of an action with its case in it: an update handles every action of a family, and
/// the compiler names those that it forgets.
enum ActionKind: Equatable {
  case move(Movement)
  case fold(FoldAction)
  /// Opening a view.
  case open(KeyContext)
  case go(Destination)
  case arrange(Arrangement)
  case search(SearchAction)
  case mark(MarkAction)
  case entry(EntryAction)
  case entries(EntriesAction)
  case version(VersionAction)
  case write(WriteAction)
  case view(ViewAction)
  case scroll(ScrollAction)
  case place(PlaceAction)
  case link(LinkAction)
  case file(FileAction)
  case speech(SpeechAction)
  case program(ProgramAction)
}

/// A movement; each view implements it.
enum Movement {
  case up, down, left, right
  case halfPageUp, halfPageDown, pageUp, pageDown
  case first, last
  case previousSection, nextSection
}

/// Scrolling without another selection.
enum ScrollAction { case lineDown, lineUp, toTop, toMiddle, toBottom }

/// Going back to places in the list.
enum PlaceAction { case earlier, later, mark, goToMark }

/// Links while reading.
enum LinkAction { case next, previous, follow }

/// The selected file of an entry.
enum FileAction { case save, copyHash }

/// Folding of sections.
enum FoldAction { case toggle, all, none }

/// A time, or any entry.
enum Destination { case date, today, random, wholeDay }

/// An order or a kind of sections.
package enum Arrangement: Equatable, Sendable {
  case order(ListOrder)
  case sections(Grouping)
}

/// Searching, in the list or in a page.
enum SearchAction { case search, next, previous, filter, titles }

/// Marking of entries.
enum MarkAction { case one, range, all }

enum EntryAction { case read, edit, editInEditor, versions, openLink }

/// An action on the marked entries, else on the selected one.
enum EntriesAction { case delete, restore, star, tags, redate, copy, pipe }

/// An action on the displayed version, or on the two texts of a conflict.
enum VersionAction { case older, newer, restore, keepShown, keepOther, keepBoth, editBoth }

/// Writing, undo and redo.
enum WriteAction {
  case newEntry, newEntryInEditor, carryOver, tick, undo, redo, `repeat`, discardDraft
}

/// Opening and leaving views.
enum ViewAction {
  case back, escape, preview, sidebar, turnSplit, largerList, smallerList
  case nextEntry, previousEntry
}

/// An action on the program itself.
enum ProgramAction { case command, redraw, suspend, quit }
