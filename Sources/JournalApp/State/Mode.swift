import Journal

/// What the keys go to, and with it what fills the main part of the screen.
public enum Mode: Equatable, Sendable {
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
  public var context: KeyContext {
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
  public var showsList: Bool {
    switch self {
    case .list, .reading, .order: true
    case .help, .page, .versions, .menu, .calendar, .jump, .statistics: false
    }
  }
}

/// The help, laid out at the present width.
public struct HelpPage: Equatable, Sendable {
  /// The view whose keys come first.
  public var context: KeyContext
  /// The lines.
  public var layout: HelpLayout
  /// The first line shown.
  public var offset: Int

  /// Makes a help at its beginning.
  public init(context: KeyContext, layout: HelpLayout, offset: Int = 0) {
    self.context = context
    self.layout = layout
    self.offset = offset
  }
}

/// Lines of text to be looked through.
public struct Page: Equatable, Sendable {
  /// What it is, for the status line.
  public var title: String
  /// The lines; they may hold anything and are made safe where they are drawn.
  public var lines: [String]
  /// The first line shown.
  public var offset: Int
  /// Whether the first line is a heading, with an empty one after it.
  public var hasHeading: Bool

  /// Makes a page at its beginning.
  public init(title: String, heading: String? = nil, lines: [String], offset: Int = 0) {
    self.title = title
    self.lines = (heading.map { [$0, ""] } ?? []) + lines
    self.offset = offset
    hasHeading = heading != nil
  }
}
