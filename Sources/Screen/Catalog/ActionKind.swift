import Journal

/// The group of an action with its place in it, so that an update handles every action of a group
/// and the compiler names those that it forgets.
enum ActionKind: Equatable {
  case move(Movement)
  case fold(FoldAction)
  case go(Destination)
  case arrange(Arrangement)
  case search(SearchAction)
  case mark(MarkAction)
  case entry(EntryAction)
  case entries(EntriesAction)
  case version(VersionAction)
  case write(WriteAction)
  case view(ViewAction)
  case program(ProgramAction)
}

/// A movement, which each view makes in its own way.
enum Movement {
  case up, down, left, right
  case halfPageUp, halfPageDown, pageUp, pageDown
  case first, last
  case previousSection, nextSection
}

/// Folding of sections.
enum FoldAction { case toggle, all, none }

/// A place in time, or a view that leads to one.
enum Destination { case date, today, calendar, jumpBar, statistics }

/// An order or a kind of sections.
enum Arrangement: Equatable {
  case order(ListOrder)
  case sections(Sectioning)
}

/// Searching, in the list or in a page.
enum SearchAction { case search, next, previous, filter }

/// Marking of entries.
enum MarkAction { case one, range, all }

/// An action on the selected entry.
enum EntryAction { case read, edit, editInEditor, versions }

/// An action on the marked entries, else on the selected one.
enum EntriesAction { case delete, restore, star, tags, redate, copy, pipe }

/// An action on the version that is shown.
enum VersionAction { case older, newer, restore }

/// Writing, and taking changes back.
enum WriteAction { case newEntry, newEntryInEditor, carryOver, tick, undo, redo, discardDraft }

/// Opening and leaving views.
enum ViewAction { case help, back, escape, preview, trash, order, nextEntry, previousEntry }

/// An action on the program itself.
enum ProgramAction { case command, redraw, suspend, quit }

extension Action {
  /// The group of the action.
  var kind: ActionKind {
    switch self {
    case .moveDown: .move(.down)
    case .moveUp: .move(.up)
    case .moveLeft: .move(.left)
    case .moveRight: .move(.right)
    case .halfPageDown: .move(.halfPageDown)
    case .halfPageUp: .move(.halfPageUp)
    case .pageDown: .move(.pageDown)
    case .pageUp: .move(.pageUp)
    case .first: .move(.first)
    case .last: .move(.last)
    case .previousSection: .move(.previousSection)
    case .nextSection: .move(.nextSection)
    case .toggleFold: .fold(.toggle)
    case .foldAll: .fold(.all)
    case .unfoldAll: .fold(.none)
    case .goToDate: .go(.date)
    case .goToToday: .go(.today)
    case .calendar: .go(.calendar)
    case .jump: .go(.jumpBar)
    case .statistics: .go(.statistics)
    case .sortNewest: .arrange(.order(.newest))
    case .sortOldest: .arrange(.order(.oldest))
    case .sortModified: .arrange(.order(.modified))
    case .sortTitle: .arrange(.order(.title))
    case .sectionDay: .arrange(.sections(.day))
    case .sectionWeek: .arrange(.sections(.week))
    case .sectionMonth: .arrange(.sections(.month))
    case .sectionYear: .arrange(.sections(.year))
    case .sectionTag: .arrange(.sections(.tag))
    case .sectionNone: .arrange(.sections(.none))
    case .search: .search(.search)
    case .nextMatch: .search(.next)
    case .previousMatch: .search(.previous)
    case .filter: .search(.filter)
    case .mark: .mark(.one)
    case .markRange: .mark(.range)
    case .markAll: .mark(.all)
    case .read: .entry(.read)
    case .edit: .entry(.edit)
    case .editInEditor: .entry(.editInEditor)
    case .versions: .entry(.versions)
    case .delete: .entries(.delete)
    case .restore: .entries(.restore)
    case .star: .entries(.star)
    case .tags: .entries(.tags)
    case .redate: .entries(.redate)
    case .copy: .entries(.copy)
    case .pipe: .entries(.pipe)
    case .olderVersion: .version(.older)
    case .newerVersion: .version(.newer)
    case .takeBack: .version(.restore)
    case .newEntry: .write(.newEntry)
    case .newEntryInEditor: .write(.newEntryInEditor)
    case .carryOver: .write(.carryOver)
    case .tick: .write(.tick)
    case .undo: .write(.undo)
    case .redo: .write(.redo)
    case .discardDraft: .write(.discardDraft)
    case .help: .view(.help)
    case .back: .view(.back)
    case .escape: .view(.escape)
    case .preview: .view(.preview)
    case .trash: .view(.trash)
    case .order: .view(.order)
    case .nextEntry: .view(.nextEntry)
    case .previousEntry: .view(.previousEntry)
    case .command: .program(.command)
    case .redraw: .program(.redraw)
    case .suspend: .program(.suspend)
    case .quit: .program(.quit)
    }
  }
}
