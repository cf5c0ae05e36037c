import Journal

/// Every action that a key can be bound to, named as in the configuration file, in the order of the
/// help screen.
///
/// An action is a case here with its ``row``: its default keys, its help, its hints, and the family
/// of actions in which an update handles it.
package enum Action: String, CaseIterable, Codable, Sendable {
  case moveDown = "move-down"
  case moveUp = "move-up"
  case moveLeft = "move-left"
  case moveRight = "move-right"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case pageDown = "page-down"
  case pageUp = "page-up"
  case first
  case last
  case previousSection = "previous-section"
  case nextSection = "next-section"
  case nextEntry = "next-entry"
  case previousEntry = "previous-entry"
  case scrollLineDown = "scroll-line-down"
  case scrollLineUp = "scroll-line-up"
  case scrollTop = "scroll-top"
  case scrollMiddle = "scroll-middle"
  case scrollBottom = "scroll-bottom"
  case earlierPlace = "earlier-place"
  case laterPlace = "later-place"
  case setMark = "set-mark"
  case goToMark = "go-to-mark"
  case goToDate = "go-to-date"
  case goToToday = "go-to-today"
  case random
  case wholeDay = "whole-day"
  case calendar
  case jump
  case statistics
  case toggleFold = "toggle-fold"
  case foldAll = "fold-all"
  case unfoldAll = "unfold-all"
  case read
  case openLink = "open-link"
  case files
  case gallery
  case saveFile = "save-file"
  case copyHash = "copy-hash"
  case nextLink = "next-link"
  case previousLink = "previous-link"
  case followLink = "follow-link"
  case preview
  case turnSplit = "turn-split"
  case sidebar
  case smallerList = "smaller-list"
  case largerList = "larger-list"
  case newEntry = "new-entry"
  case newEntryInEditor = "new-entry-in-editor"
  case edit
  case editInEditor = "edit-in-editor"
  case delete
  case discardDraft = "discard-draft"
  case restore
  case restoreVersion = "take-back"
  case undo
  case redo
  case tick
  case carryOver = "carry-over"
  case `repeat`
  case mark
  case markRange = "mark-range"
  case markAll = "mark-all"
  case star
  case tags
  case redate
  case copy
  case pipe
  case search
  case nextMatch = "next-match"
  case previousMatch = "previous-match"
  case filter
  case findTitle = "find-title"
  case order
  case trash
  case versions
  case olderVersion = "older-version"
  case newerVersion = "newer-version"
  case keepShown = "keep-shown"
  case keepOther = "keep-other"
  case keepBoth = "keep-both"
  case editBoth = "edit-both"
  case command
  case help
  case whereAmI = "where-am-i"
  case sayAgain = "say-again"
  case redraw
  case suspend
  case back
  case quit
  case escape
  case sortNewest = "sort-newest"
  case sortOldest = "sort-oldest"
  case sortModified = "sort-modified"
  case sortTitle = "sort-title"
  case sectionDay = "section-day"
  case sectionWeek = "section-week"
  case sectionMonth = "section-month"
  case sectionQuarter = "section-quarter"
  case sectionYear = "section-year"
  case sectionTag = "section-tag"
  case sectionNone = "section-none"
}

extension Arrangement {
  /// The action with its key; `nil` for the order or the sections of a field.
  ///
  /// The compiler finds a kind that has none.
  var action: Action? {
    switch self {
    case .order(.kind(.newest)): .sortNewest
    case .order(.kind(.oldest)): .sortOldest
    case .order(.kind(.modified)): .sortModified
    case .order(.kind(.title)): .sortTitle
    case .sections(.kind(.day)): .sectionDay
    case .sections(.kind(.week)): .sectionWeek
    case .sections(.kind(.month)): .sectionMonth
    case .sections(.kind(.quarter)): .sectionQuarter
    case .sections(.kind(.year)): .sectionYear
    case .sections(.kind(.tag)): .sectionTag
    case .sections(.kind(.none)): .sectionNone
    case .order(.field), .sections(.field): nil
    }
  }
}

extension Action {
  var row: ActionRow { Self.rows[self] ?? makeRow() }

  private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.makeRow()) })

  private func makeRow() -> ActionRow {
    switch self {
    case .moveDown:
      ActionRow(
        .move(.down), .moving, "down",
        keys: bind("j <Down>", everywhere),
        hints: Hints(31, [.page: "down", .statistics: "down"]),
        traits: [.takesCount])
    case .moveUp:
      ActionRow(
        .move(.up), .moving, "up",
        keys: bind("k <Up>", everywhere),
        traits: [.takesCount])
    case .moveLeft:
      ActionRow(
        .move(.left), .moving, "left; into the sidebar, or back to the list",
        keys: bind("h <Left>", grids.union(list).union(reading).union([.statistics])))
    case .moveRight:
      ActionRow(
        .move(.right), .moving, "right; into the list or the reading pane",
        keys: bind("l <Right>", grids.union(list).union([.statistics, .sidebar])))
    case .halfPageDown:
      ActionRow(
        .move(.halfPageDown), .moving, "half a screen down",
        keys: bind("<C-d>", text.union([.gallery])),
        traits: [.takesCount])
    case .halfPageUp:
      ActionRow(
        .move(.halfPageUp), .moving, "half a screen up",
        keys: bind("<C-u>", text.union([.gallery])),
        traits: [.takesCount])
    case .pageDown:
      ActionRow(
        .move(.pageDown), .moving, "a screen down; in the calendar a month",
        keys: bind("<C-f> <PageDown>", everywhere) + bind("<Space>", paged)
          + bind("}", [.calendar]),
        hints: Hints(27, [.calendar: "next month"]),
        traits: [.takesCount])
    case .pageUp:
      ActionRow(
        .move(.pageUp), .moving, "a screen up; in the calendar a month",
        keys: bind("<C-b> <PageUp>", everywhere) + bind("b", paged.subtracting([.conflict]))
          + bind("{", [.calendar]),
        hints: Hints(26, [.calendar: "previous month"]),
        traits: [.takesCount])
    case .first:
      ActionRow(
        .move(.first), .moving, "to the top; 5gg to row 5",
        keys: bind("gg <Home>", everywhere),
        traits: [.takesCount])
    case .last:
      ActionRow(
        .move(.last), .moving, "to the end; 5G to row 5",
        keys: bind("G <End>", everywhere),
        traits: [.takesCount])
    case .previousSection:
      ActionRow(
        .move(.previousSection), .moving, "previous section, or year",
        keys: bind("{", list.union(versions).union([.statistics, .gallery])),
        hints: Hints(
          28,
          [
            .statistics: "previous year", .versions: "change before", .conflict: "change before",
            .gallery: "later month",
          ]),
        traits: [.takesCount])
    case .nextSection:
      ActionRow(
        .move(.nextSection), .moving, "next section, or year",
        keys: bind("}", list.union(versions).union([.statistics, .gallery])),
        hints: Hints(
          29,
          [
            .statistics: "next year", .versions: "next change", .conflict: "next change",
            .gallery: "earlier month",
          ]),
        traits: [.takesCount])
    case .nextEntry:
      ActionRow(
        .view(.nextEntry), .reading, "next entry",
        keys: bind("J", reading),
        hints: Hints(22, [.reading: "next"]),
        traits: [.takesCount])
    case .previousEntry:
      ActionRow(
        .view(.previousEntry), .reading, "previous entry",
        keys: bind("K", reading),
        hints: Hints(23, [.reading: "previous"]),
        traits: [.takesCount])
    case .scrollLineDown:
      ActionRow(
        .scroll(.lineDown), .moving, "scroll a line down",
        keys: bind("<C-e>", text.union([.gallery])), traits: [.takesCount])
    case .scrollLineUp:
      ActionRow(
        .scroll(.lineUp), .moving, "scroll a line up",
        keys: bind("<C-y>", text.union([.gallery])), traits: [.takesCount])
    case .scrollTop:
      ActionRow(
        .scroll(.toTop), .moving, "scroll the entry to the top",
        keys: bind("zt", list))
    case .scrollMiddle:
      ActionRow(
        .scroll(.toMiddle), .moving, "scroll the entry to the middle",
        keys: bind("zz", list))
    case .scrollBottom:
      ActionRow(
        .scroll(.toBottom), .moving, "scroll the entry to the bottom",
        keys: bind("zb", list))
    case .earlierPlace:
      ActionRow(
        .place(.earlier), .moving, "back to the place before a jump",
        keys: bind("<C-o>", list.union(reading)), traits: [.takesCount])
    case .laterPlace:
      ActionRow(
        .place(.later), .moving, "forward again",
        keys: bind("<C-n>", list.union(reading)), traits: [.takesCount])
    case .setMark:
      ActionRow(
        .place(.mark), .moving, "set a mark, named by a letter",
        keys: bind("m", list))
    case .goToMark:
      ActionRow(
        .place(.goToMark), .moving, "go to a mark; '' to the last place",
        keys: bind("'", list))
    case .goToDate:
      ActionRow(
        .go(.date), .moving, "go to a date",
        keys: bind("gd", list.union([.calendar])))
    case .goToToday:
      ActionRow(
        .go(.today), .moving, "go to today",
        keys: bind("gt", list.union([.calendar, .statistics, .gallery])),
        hints: Hints(30, [.calendar: "today", .statistics: "last 12 months"]))
    case .random:
      ActionRow(
        .go(.random), .moving, "read any entry; again for another",
        keys: bind("gr", entries))
    case .wholeDay:
      ActionRow(
        .go(.wholeDay), .reading, "day: read it as one page",
        keys: bind("gD", entries.union([.calendar])))
    case .calendar:
      ActionRow(
        .open(.calendar), .moving, "month calendar",
        keys: bind("M", list))
    case .jump:
      ActionRow(
        .open(.jump), .moving, "index of months, years or letters",
        keys: bind("gi", list))
    case .statistics:
      ActionRow(
        .open(.statistics), .moving, "statistics of the list",
        keys: bind("S", list))
    case .toggleFold:
      ActionRow(
        .fold(.toggle), .reading, "fold or unfold the section",
        keys: bind("za <Tab>", list))
    case .foldAll:
      ActionRow(
        .fold(.all), .reading, "fold all sections",
        keys: bind("zM", list))
    case .unfoldAll:
      ActionRow(
        .fold(.none), .reading, "unfold all sections",
        keys: bind("zR", list))
    case .read:
      ActionRow(
        .open(.reading), .reading, "read the entry; choose a line or day",
        keys: bind(
          "<Enter>", list.union(grids).union([.proposal, .menu, .drafts, .sidebar, .files])),
        hints: Hints(
          6,
          Self.hint(
            "go there", in: grids,
            but: [
              .list: "read", .trash: "read", .drafts: "continue writing", .menu: "choose",
              .sidebar: "show", .proposal: "import", .files: "open",
              .gallery: "read",
            ])))
    case .openLink:
      ActionRow(
        .entry(.openLink), .reading, "open a link; 2gx: second",
        keys: bind("gx", entries.union(files)),
        traits: [.takesCount])
    case .files:
      ActionRow(
        .open(.files), .finding, "files: those of the entry",
        keys: bind("gf", entries))
    case .gallery:
      ActionRow(
        .open(.gallery), .finding, "gallery: the pictures of the list",
        keys: bind("gp", entries))
    case .saveFile:
      ActionRow(
        .file(.save), .reading, "save the file (in :files, gallery)",
        keys: bind("s", files),
        hints: Hints(10, [.files: "save", .gallery: "save"]))
    case .copyHash:
      ActionRow(
        .file(.copyHash), .reading, "copy the hash (in :files, gallery)",
        keys: bind("y", files),
        hints: Hints(11, [.files: "copy hash", .gallery: "copy hash"]))
    case .nextLink:
      ActionRow(
        .link(.next), .reading, "next link, also below the text",
        keys: bind("<Tab>", reading), traits: [.takesCount])
    case .previousLink:
      ActionRow(
        .link(.previous), .reading, "previous link",
        keys: bind("<S-Tab>", reading), traits: [.takesCount])
    case .followLink:
      ActionRow(
        .link(.follow), .reading, "follow the selected link, or back",
        keys: bind("<Enter>", reading))
    case .preview:
      ActionRow(
        .view(.preview), .reading, "show or hide the reading pane",
        keys: bind("p", entries))
    case .turnSplit:
      ActionRow(
        .view(.turnSplit), .reading, "reading pane beside or below",
        keys: bind("P", entries))
    case .sidebar:
      ActionRow(
        .view(.sidebar), .reading, "sidebar: views, tags and months",
        keys: bind("gs", entries.union([.sidebar])),
        hints: Hints(9, [.sidebar: "hide"]))
    case .smallerList:
      ActionRow(
        .view(.smallerList), .reading, "smaller list, larger pane",
        keys: bind("<lt>", entries),
        traits: [.takesCount])
    case .largerList:
      ActionRow(
        .view(.largerList), .reading, "larger list, smaller pane",
        keys: bind(">", entries),
        traits: [.takesCount])
    case .newEntry:
      ActionRow(
        .write(.newEntry), .writing, "new entry in the prompt",
        keys: bind("a i", entries.union([.sidebar])),
        hints: Hints(5, [.list: "new"]),
        traits: [.changesEntries])
    case .newEntryInEditor:
      ActionRow(
        .write(.newEntryInEditor), .writing, "new entry in $EDITOR",
        keys: bind("A", entries.union([.sidebar])),
        traits: [.changesEntries])
    case .edit:
      ActionRow(
        .entry(.edit), .writing, "edit the entry in the prompt",
        keys: bind("e", entries),
        hints: Hints(17, [.list: "edit", .reading: "edit"]),
        traits: [.changesEntries, .notInTrash])
    case .editInEditor:
      ActionRow(
        .entry(.editInEditor), .writing, "edit the entry in $EDITOR",
        keys: bind("E", entries),
        traits: [.changesEntries])
    case .delete:
      ActionRow(
        .entries(.delete), .writing, "move to the trash; u undoes it",
        keys: bind("d <Del>", entries),
        hints: Hints(18, [.list: "delete", .reading: "delete"]),
        rangeHint: "delete",
        traits: [.takesCount, .changesEntries, .actsOnMarked, .notInTrash])
    case .discardDraft:
      ActionRow(
        .write(.discardDraft), .writing, "discard the draft (in :drafts)",
        keys: bind("d <Del>", [.drafts]),
        hints: Hints(19, [.drafts: "discard"]))
    case .restore:
      ActionRow(
        .entries(.restore), .writing, "restore from the trash",
        keys: bind("r", [.trash, .reading]),
        hints: Hints(1, [.trash: "restore"]),
        traits: [.changesEntries, .actsOnMarked])
    case .restoreVersion:
      ActionRow(
        .version(.restore), .writing, "restore this version",
        keys: bind("r", versions),
        hints: Hints(4, [.versions: "restore"]),
        traits: [.changesEntries])
    case .undo:
      ActionRow(
        .write(.undo), .writing, "undo the last change",
        keys: bind("u", entries.union(versions)),
        hints: Hints(20, [.list: "undo", .trash: "undo", .versions: "undo"]),
        traits: [.changesEntries])
    case .redo:
      ActionRow(
        .write(.redo), .writing, "redo the last undone change",
        keys: bind("<C-r>", entries.union(versions)),
        traits: [.changesEntries])
    case .tick:
      ActionRow(
        .write(.tick), .writing, "tick the first open task; 2x task 2",
        keys: bind("x", entries),
        traits: [.takesCount, .changesEntries])
    case .carryOver:
      ActionRow(
        .write(.carryOver), .writing, "new entry with the last open tasks",
        keys: bind("c", entries),
        traits: [.changesEntries])
    case .repeat:
      ActionRow(
        .write(.repeat), .writing, "repeat the last change",
        keys: bind(".", entries),
        traits: [.changesEntries])
    case .mark:
      ActionRow(
        .mark(.one), .writing, "mark for d, s, t, D, y and |",
        keys: bind("<Space>", list))
    case .markRange:
      ActionRow(
        .mark(.range), .writing, "start or end a range of marks",
        keys: bind("V", list),
        rangeHint: "done")
    case .markAll:
      ActionRow(
        .mark(.all), .writing, "mark all or none",
        keys: bind("*", list))
    case .star:
      ActionRow(
        .entries(.star), .writing, "star or unstar",
        keys: bind("s", entries),
        hints: Hints(21, [.list: "star", .reading: "star"]),
        rangeHint: "star",
        traits: [.takesCount, .changesEntries, .actsOnMarked, .notInTrash])
    case .tags:
      ActionRow(
        .entries(.tags), .writing, "tags: +home or home, -work",
        keys: bind("t", entries),
        rangeHint: "tag",
        traits: [.takesCount, .changesEntries, .actsOnMarked])
    case .redate:
      ActionRow(
        .entries(.redate), .writing, "change the date",
        keys: bind("D", entries),
        rangeHint: "date",
        traits: [.takesCount, .changesEntries, .actsOnMarked])
    case .copy:
      ActionRow(
        .entries(.copy), .writing, "copy to the clipboard",
        keys: bind("y", entries),
        traits: [.takesCount, .actsOnMarked])
    case .pipe:
      ActionRow(
        .entries(.pipe), .writing, "pipe the text to a command",
        keys: bind("|", entries),
        traits: [.takesCount, .actsOnMarked])
    case .search:
      ActionRow(
        .search(.search), .finding, "search as you type",
        keys: bind("/", searched.union([.menu])),
        hints: Hints(
          24,
          [
            .list: "search", .trash: "search", .reading: "search", .page: "search",
            .menu: "narrow",
          ]))
    case .nextMatch:
      ActionRow(
        .search(.next), .finding, "next match",
        keys: bind("n", searched))
    case .previousMatch:
      ActionRow(
        .search(.previous), .finding, "previous match",
        keys: bind("N", searched))
    case .filter:
      ActionRow(
        .search(.filter), .finding, "filter: show only matches",
        keys: bind("f", entries),
        hints: Hints(25, [.list: "filter"]))
    case .findTitle:
      ActionRow(
        .search(.titles), .finding, "find an entry by its title",
        keys: bind("<C-p>", entries))
    case .order:
      ActionRow(
        .open(.order), .finding, "order and sections",
        keys: bind("o", list))
    case .trash:
      ActionRow(
        .open(.trash), .finding, "show or leave the trash",
        keys: bind("T", list))
    case .versions:
      ActionRow(
        .open(.versions), .reading, "versions of the entry",
        keys: bind("H", entries))
    case .olderVersion:
      ActionRow(
        .version(.older), .reading, "older version",
        keys: bind("J h <Left>", versions),
        hints: Hints(2, [.versions: "older"]))
    case .newerVersion:
      ActionRow(
        .version(.newer), .reading, "newer version",
        keys: bind("K l <Right>", versions),
        hints: Hints(3, [.versions: "newer"]))
    case .keepShown:
      ActionRow(
        .version(.keepShown), .writing, "keep this text of the two",
        keys: bind("m", [.conflict]),
        hints: Hints(1, [.conflict: "this text"]),
        traits: [.changesEntries])
    case .keepOther:
      ActionRow(
        .version(.keepOther), .writing, "keep the other text of the two",
        keys: bind("t", [.conflict]),
        hints: Hints(1, [.conflict: "the other"]),
        traits: [.changesEntries])
    case .keepBoth:
      ActionRow(
        .version(.keepBoth), .writing, "keep both texts",
        keys: bind("b", [.conflict]),
        hints: Hints(1, [.conflict: "both"]),
        traits: [.changesEntries])
    case .editBoth:
      ActionRow(
        .version(.editBoth), .writing, "keep both texts, and edit them",
        keys: bind("e", [.conflict]),
        hints: Hints(1, [.conflict: "edit both"]),
        traits: [.changesEntries])
    case .command:
      ActionRow(
        .program(.command), .program, "command line, for example :help",
        keys: bind(":", everywhere),
        traits: [.actsOnMarked])
    case .help:
      ActionRow(
        .open(.page), .program, "help",
        keys: bind("?", everywhere.subtracting([.page])),
        hints: Hints(32, [.list: "help", .trash: "help", .reading: "help"]))
    case .whereAmI:
      ActionRow(
        .speech(.place), .program, "say where you are (--linear)",
        keys: bind("=", everywhere))
    case .sayAgain:
      ActionRow(
        .speech(.again), .program, "say it all again (--linear)",
        keys: bind(",", everywhere))
    case .redraw:
      ActionRow(
        .program(.redraw), .program, "redraw the screen",
        keys: bind("<C-l>", everywhere))
    case .suspend:
      ActionRow(
        .program(.suspend), .program, "suspend",
        keys: bind("<C-z>", everywhere))
    case .back:
      ActionRow(
        .view(.back), .program, "back, or quit",
        keys: bind("q", everywhere) + bind("<Enter>", paged.subtracting([.proposal, .reading]))
          + bind("H", versions) + bind("?", [.page]) + bind("M", [.calendar])
          + bind("S", [.statistics]) + bind("q <Esc> <C-c>", [.order]),
        hints: Hints(33, Self.hint("back", in: everywhere, but: [.list: "quit"])))
    case .quit:
      ActionRow(
        .program(.quit), .program, "quit",
        keys: bind("Q", everywhere))
    case .escape:
      ActionRow(
        .view(.escape), .program, "back; clear marks, search, filter",
        keys: bind("<Esc> <C-c>", everywhere),
        rangeHint: "cancel")
    case .sortNewest: Self.sort(.newest, "n")
    case .sortOldest: Self.sort(.oldest, "o")
    case .sortModified: Self.sort(.modified, "c")
    case .sortTitle: Self.sort(.title, "a")
    case .sectionDay: Self.section(.day, "d")
    case .sectionWeek: Self.section(.week, "w")
    case .sectionMonth: Self.section(.month, "m")
    case .sectionQuarter: Self.section(.quarter, "Q")
    case .sectionYear: Self.section(.year, "y")
    case .sectionTag: Self.section(.tag, "t")
    case .sectionNone: Self.section(.none, "x")
    }
  }

  private typealias Hints = ActionRow.Hints

  private static func sort(_ kind: ListOrder.Kind, _ key: KeySequence) -> ActionRow {
    let order = ListOrder.kind(kind)
    let description = order.description
    return ActionRow(
      .arrange(.order(order)), .arranging, description.phrase, keys: [([key], [.order])],
      hints: Hints(7, [.order: description.word]))
  }

  private static func section(_ kind: Grouping.Kind, _ key: KeySequence) -> ActionRow {
    let grouping = Grouping.kind(kind)
    let phrase = grouping.description.phrase
    return ActionRow(
      .arrange(.sections(grouping)), .arranging,
      grouping == .none ? phrase : "sections \(phrase)", keys: [([key], [.order])],
      hints: Hints(8, [.order: grouping.rawValue]))
  }

  /// Keys, separated by spaces, in some views.
  private func bind(
    _ keys: String, _ contexts: Set<KeyContext>
  ) -> [(keys: [KeySequence], contexts: Set<KeyContext>)] {
    [(keys.split(separator: " ").map { KeySequence(String($0)) }, contexts)]
  }

  /// The same word in some views, and other words in others.
  private static func hint(
    _ word: String, in contexts: Set<KeyContext>, but others: [KeyContext: String]
  ) -> [KeyContext: String] {
    others.merging(contexts.map { ($0, word) }) { other, _ in other }
  }

  private func views(_ kinds: KeyContext.Kind...) -> Set<KeyContext> {
    Set(KeyContext.allCases.filter { kinds.contains($0.row.kind) })
  }

  private var everywhere: Set<KeyContext> { views(.rows, .text, .grid) }
  private var text: Set<KeyContext> { views(.rows, .text) }
  private var entries: Set<KeyContext> { [.list, .trash, .reading] }
  /// Text that is paged as in `less`; menus and lists use Space for other things.
  private var paged: Set<KeyContext> { views(.text) }
  private var searched: Set<KeyContext> { [.list, .trash, .reading, .page] }
  private var grids: Set<KeyContext> { views(.grid) }
  private var list: Set<KeyContext> { [.list, .trash] }
  private var reading: Set<KeyContext> { [.reading] }
  private var versions: Set<KeyContext> { [.versions, .conflict] }
  private var files: Set<KeyContext> { [.files, .gallery] }

  package var help: String { row.help }

  /// The word on the hint line, or `nil` for actions that only the help screen names.
  ///
  /// - Parameter isTrash: whether the entry that is read is in the trash.
  package func hint(in context: KeyContext, isTrash: Bool = false) -> String? {
    guard isTrash, context == .reading else { return row.hints.words[context] }
    if row.traits.contains(.notInTrash) { return nil }
    return row.hints.words[.reading] ?? (self == .restore ? row.hints.words[.trash] : nil)
  }
}
