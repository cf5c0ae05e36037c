/// A line of the help screen.
public enum HelpLine: Hashable, Sendable {
  /// Which keys follow: those of the view the help was opened in, or all others.
  case title(String)
  /// The name of a group of actions.
  case heading(String)
  /// Keys and what they do.
  case keys(String, String)
  /// Nothing, between two groups.
  case blank

  /// The line in words, as a search sees it; the keys and what they do are two columns apart.
  public var text: String {
    switch self {
    case .title(let text), .heading(let text): text
    case .keys(let keys, let text): "\(keys)  \(text)"
    case .blank: ""
    }
  }
}

extension KeyTable {
  /// The help screen: the keys of a view in their groups, then those that work only elsewhere, each
  /// with the views where it does.
  public func helpLines(in context: KeyContext) -> [HelpLine] {
    let all = help()
    var lines: [HelpLine] = [.title("Keys \(context.place)")]
    for group in ActionGroup.allCases {
      let here = all.filter { $0.action.group == group && isReached($0, from: context) }
      guard !here.isEmpty else { continue }
      if lines.count > 1 { lines.append(.blank) }
      lines.append(.heading(group.rawValue))
      lines += joined(here, in: context)
    }
    let elsewhere = all.filter { !isReached($0, from: context) }
    guard !elsewhere.isEmpty else { return lines }
    return lines + [.blank, .title("Keys elsewhere")]
      + elsewhere.map { .keys($0.keys, "\($0.text) (\($0.places))") }
  }

  /// Whether keys work in a view, or in the menu of orders that a key of the view opens.
  private func isReached(_ use: KeyUse, from context: KeyContext) -> Bool {
    use.contexts.contains(context)
      || use.contexts == [.order] && use.action.group == .arranging
        && !sequences(for: .order, in: context).isEmpty
  }

  /// A line for each action, with all of its keys.
  private func joined(_ uses: [KeyUse], in context: KeyContext) -> [HelpLine] {
    var seen: Set<Action> = []
    return uses.filter { seen.insert($0.action).inserted }.map { use in
      let keys = uses.filter { $0.action == use.action }.map(\.keys).joined(separator: " ")
      return .keys(keys, use.action.help(in: [context]))
    }
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
