import Journal

/// Which cells of the screen belong to what: the main part with list and pane, the status line, and
/// the foot.
///
/// The foot is the hint line or, while one is open, the prompt; the prompt wins over everything,
/// because a person who types must see what is typed. In the main part the reading pane stands beside
/// the list where both have room; otherwise the one that has the keys has all of it.
package struct Layout: Equatable, Sendable {
  /// Lines of the list, the pane or the help, from the top.
  package var main: Range<Int>
  /// The line of the status; empty on the smallest screens.
  package var status: Range<Int>
  /// Lines of the prompt or of the hints.
  package var foot: Range<Int>
  /// Columns of the list; empty where the pane has its place.
  package var list: Range<Int>
  /// Columns of the reading pane; empty where it is not shown.
  package var pane: Range<Int>

  /// The columns that text is wrapped to at most: longer lines are tiring to read.
  package static let widestText = 88

  /// Screens of so many columns show the pane without being asked.
  package static let paneColumns = 110

  /// Screens of so many columns show the pane when asked.
  package static let leastPaneColumns = 60

  /// Divides a screen.
  ///
  /// - Parameters:
  ///   - size: the screen.
  ///   - promptLines: the lines the prompt wants; `nil` without a prompt.
  ///   - split: whether list and pane stand side by side.
  ///   - reading: whether the pane has the keys.
  package init(size: Size, promptLines: Int?, split: Bool = false, reading: Bool = false) {
    let wanted = promptLines.map { max(1, $0) } ?? (size.lines > 2 ? 1 : 0)
    let footLines = min(wanted, promptLines == nil ? size.lines : max(1, size.lines - 2))
    let statusLines = size.lines - footLines > 1 ? 1 : 0
    let mainLines = size.lines - footLines - statusLines
    main = 0..<mainLines
    status = mainLines..<(mainLines + statusLines)
    foot = (mainLines + statusLines)..<size.lines
    if split {
      let listColumns = max(28, min(80, size.columns * 2 / 5))
      list = 0..<listColumns
      pane = (listColumns + 3)..<max(listColumns + 3, size.columns)
    } else {
      list = 0..<(reading ? 0 : size.columns)
      pane = 0..<(reading ? size.columns : 0)
    }
  }

  /// Whether list and pane stand side by side, with a line between them.
  package var isSplit: Bool { !list.isEmpty && !pane.isEmpty }

  /// The columns that an entry's text is wrapped to.
  package var textColumns: Int { max(1, min(pane.count, Self.widestText)) }
}

/// What the keys go to, and with it what fills the main part of the screen.
package enum Mode: Equatable, Sendable {
  /// The list of entries.
  case list
  /// The reading pane, beside the list where there is room, else in its place.
  case reading
  /// The keys.
  case help(HelpPage)
  /// Text that a command printed.
  case page(Page)
  /// A version of an entry.
  case versions(VersionPage)
  /// Lines one of which is chosen.
  case menu(Menu)
  /// The month calendar.
  case calendar(MonthCalendar)
  /// The jump bar of index titles.
  case jump(JumpBar)
  /// How much was written when.
  case statistics(StatisticsView)
  /// The list, waiting for the key of an order or of a kind of section.
  case order

  /// The context in which keys are looked up.
  package var context: KeyContext {
    switch self {
    case .list: .list
    case .reading: .reading
    case .help, .page: .page
    case .versions: .versions
    case .menu(let menu): menu.isOfDrafts ? .drafts : .menu
    case .calendar: .calendar
    case .jump: .jump
    case .statistics: .statistics
    case .order: .order
    }
  }

  /// Whether the list can be seen, beside other things perhaps.
  package var showsList: Bool {
    switch self {
    case .list, .reading, .order: true
    case .help, .page, .versions, .menu, .calendar, .jump, .statistics: false
    }
  }
}

/// The help, laid out at the present width.
package struct HelpPage: Equatable, Sendable {
  /// The view whose keys come first.
  package var context: KeyContext
  /// The lines.
  package var layout: HelpLayout
  /// The first line shown.
  package var offset: Int

  /// Makes a help at its beginning.
  package init(context: KeyContext, layout: HelpLayout, offset: Int = 0) {
    self.context = context
    self.layout = layout
    self.offset = offset
  }
}

/// Lines of text to be looked through.
package struct Page: Equatable, Sendable {
  /// What it is, for the status line.
  package var title: String
  /// The lines; they may hold anything and are made safe where they are drawn.
  package var lines: [String]
  /// The first line shown.
  package var offset: Int
  /// Whether the first line is a heading, with an empty one after it.
  package var hasHeading: Bool

  /// Makes a page at its beginning.
  package init(title: String, heading: String? = nil, lines: [String], offset: Int = 0) {
    self.title = title
    self.lines = (heading.map { [$0, ""] } ?? []) + lines
    self.offset = offset
    hasHeading = heading != nil
  }
}
