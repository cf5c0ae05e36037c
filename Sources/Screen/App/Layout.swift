import Journal

/// The regions of the screen: the main part with list and pane, the status line, and the footer.
///
/// The footer is the hint line or an open prompt; the prompt has priority over all other parts,
/// because users must see their typing. In the main part the reading pane is beside the list if
/// both fit; otherwise the focused one fills it.
package struct Layout: Equatable, Sendable {
  /// Lines of the list, the pane or the help, from the top.
  package var main: Range<Int>
  /// The line of the status; empty on the smallest screens.
  package var status: Range<Int>
  /// Lines of the prompt or of the hints.
  package var foot: Range<Int>
  /// Columns of the list; empty if the pane replaces it.
  package var list: Range<Int>
  /// Columns of the reading pane; empty if it is hidden.
  package var pane: Range<Int>

  /// The maximum width of wrapped text: longer lines are tiring to read.
  package static let widestText = 88

  /// The minimum width of a screen that shows the pane by default.
  package static let paneColumns = 110

  /// The minimum width of a screen that can show the pane.
  package static let leastPaneColumns = 60

  /// Divides a screen.
  ///
  /// - Parameters:
  ///   - size: the screen.
  ///   - promptLines: the requested lines of the prompt; `nil` without a prompt.
  ///   - split: whether list and pane are side by side.
  ///   - reading: whether the pane has the focus.
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

  /// Whether list and pane are side by side, with a line between them.
  package var isSplit: Bool { !list.isEmpty && !pane.isEmpty }

  /// The width of an entry's wrapped text, in columns.
  package var textColumns: Int { max(1, min(pane.count, Self.widestText)) }
}

/// The focused view, which fills the main part of the screen.
package enum Mode: Equatable, Sendable {
  /// The list of entries.
  case list
  /// The reading pane, beside the list if there is room, else in place of it.
  case reading
  /// The help.
  case help(HelpPage)
  /// The output of a command.
  case page(Page)
  /// A version of an entry.
  case versions(VersionPage)
  /// A menu of lines to choose from.
  case menu(Menu)
  /// The month calendar.
  case calendar(MonthCalendar)
  /// The jump bar of index titles.
  case jump(JumpBar)
  /// The statistics.
  case statistics(StatisticsView)
  /// The list, waiting for the key of an order or of a kind of section.
  case order

  /// The context for key look-ups.
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

  /// Whether the list is visible, possibly beside other views.
  package var showsList: Bool {
    switch self {
    case .list, .reading, .order: true
    case .help, .page, .versions, .menu, .calendar, .jump, .statistics: false
    }
  }
}

/// The help, laid out at the current width.
package struct HelpPage: Equatable, Sendable {
  /// The view whose keys are listed first.
  package var context: KeyContext
  /// The lines.
  package var layout: HelpLayout
  /// The first line shown.
  package var offset: Int

  package init(context: KeyContext, layout: HelpLayout, offset: Int = 0) {
    self.context = context
    self.layout = layout
    self.offset = offset
  }
}

/// Lines of text for scrolling.
package struct Page: Equatable, Sendable {
  /// The title in the status line.
  package var title: String
  /// The lines; they may contain any characters and are sanitised when drawn.
  package var lines: [String]
  /// The first line shown.
  package var offset: Int
  /// Whether the first line is a heading, with an empty one after it.
  package var hasHeading: Bool

  package init(title: String, heading: String? = nil, lines: [String], offset: Int = 0) {
    self.title = title
    self.lines = (heading.map { [$0, ""] } ?? []) + lines
    self.offset = offset
    hasHeading = heading != nil
  }
}
