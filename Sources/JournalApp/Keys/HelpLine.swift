/// A line of the help screen.
public enum HelpLine: Hashable, Sendable {
  /// The name of a group of actions.
  case heading(String)
  /// Keys and what they do.
  case keys(String, String)
  /// Nothing, between two groups.
  case blank
}

extension KeyTable {
  /// The help screen: the actions in their groups, each with its keys.
  public func helpLines() -> [HelpLine] {
    var lines: [HelpLine] = []
    let all = help()
    for group in ActionGroup.allCases {
      let actions = all.filter { $0.action.group == group }
      guard !actions.isEmpty else { continue }
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(group.rawValue))
      lines += actions.map { .keys($0.keys, $0.text) }
    }
    return lines
  }
}

/// What actions have in common, for the headings of the help; the raw value is the heading.
public enum ActionGroup: String, CaseIterable, Sendable {
  /// Moving about.
  case moving = "Moving"
  /// Reading and folding.
  case reading = "Reading"
  /// Writing and changing.
  case writing = "Writing"
  /// Finding and arranging.
  case finding = "Finding"
  /// Orders and sections, behind one key.
  case arranging = "Order and sections"
  /// Everything else.
  case program = "Program"
}

extension Action {
  /// The group under which the help shows the action.
  public var group: ActionGroup {
    switch self {
    case .moveDown, .moveUp, .moveLeft, .moveRight, .halfPageDown, .halfPageUp, .pageDown, .pageUp,
      .first, .last, .previousSection, .nextSection, .goToDate, .goToToday, .calendar, .jump,
      .statistics:
      .moving
    case .read, .preview, .nextEntry, .previousEntry, .toggleFold, .foldAll, .unfoldAll, .versions,
      .olderVersion, .newerVersion:
      .reading
    case .newEntry, .newEntryInEditor, .edit, .editInEditor, .delete, .discardDraft, .restore,
      .takeBack, .undo, .redo, .mark, .markRange, .markAll, .tick, .carryOver, .star, .tags,
      .redate, .copy, .pipe:
      .writing
    case .search, .nextMatch, .previousMatch, .filter, .order, .trash: .finding
    case .sortNewest, .sortOldest, .sortModified, .sortTitle, .sectionDay, .sectionWeek,
      .sectionMonth, .sectionYear, .sectionTag, .sectionNone:
      .arranging
    case .command, .help, .redraw, .suspend, .back, .escape, .quit: .program
    }
  }
}
