extension State {
  mutating func openHelp() -> [Effect] {
    if case .help = pages.mode { return [] }
    open(HelpPage(of: context == .order ? .list : context, layout: HelpLayout()))
    return []
  }

  /// Lays the help out when it is opened or the width changes.
  mutating func layOutHelp(_ keys: KeyTable) {
    guard case .help(var page) = pages.mode else { return }
    if page.layout.columns != environment.size.columns {
      page.layout = HelpLayout(
        keys, in: page.listed, columns: environment.size.columns, isLinear: environment.isLinear)
    }
    page.offset = clamped(page.offset, of: page.layout.rows.count)
    let isNew = pages.mode.page.map { ($0 as? HelpPage)?.lineCount == 0 } ?? false
    pages.mode = .help(page)
    if isNew, pages.search != nil { goToPageMatch(.here) }
  }
}

/// The help, laid out at the current width.
package struct HelpPage: Equatable, Sendable {
  /// The view whose keys are listed first.
  package var listed: KeyContext
  /// The lines.
  package var layout: HelpLayout
  /// The first line shown.
  package var offset: Int

  package init(of listed: KeyContext, layout: HelpLayout, offset: Int = 0) {
    self.listed = listed
    self.layout = layout
    self.offset = offset
  }
}

extension HelpPage: SearchablePage {
  package var mode: Mode { .help(self) }
  package var context: KeyContext { .page }
  var subject: PageSubject { .covered }
  var lineCount: Int { layout.rows.count }
  // A line end separates columns, so that no match spans two of them.
  var searchLines: [String] { layout.rows.indices.map { layout.text(ofRow: $0) } }

  package func title(in state: State) -> String? { nil }
}

extension String {
  /// The words in lines of at most `columns` columns; only for plain ASCII, one column per character.
  ///
  /// - Parameter indentation: the spaces before every line but the first.
  package func wrapped(columns: Int, indentation: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(lines.isEmpty ? String(word) : margin + word)
      }
    }
    return lines
  }
}

/// A line of the help screen.
package enum HelpLine: Hashable, Sendable {
  /// The title of the following keys: those of the view where the help was opened, or all others.
  case title(String)
  /// The name of a group of actions.
  case heading(String)
  /// Keys and their description.
  case keys(String, String)
  /// More of the keys and the description of the line above.
  case more(String, String)
  /// An empty line between two groups.
  case blank

  /// The line as a search reads it, with two columns between the keys and the description.
  package var text: String {
    switch self {
    case .title(let text), .heading(let text): text
    case .keys(let keys, let text), .more(let keys, let text): "\(keys)  \(text)"
    case .blank: ""
    }
  }
}

extension KeyTable {
  /// The help screen: the keys of a view in their groups, then those of other views, each with the
  /// views where it works.
  package func helpLines(in context: KeyContext) -> [HelpLine] {
    let all = help()
    var lines: [HelpLine] = [.title("Keys \(context.row.place)")]
    for group in ActionGroup.allCases {
      let here = all.filter { $0.action.row.group == group && isReached($0, from: context) }
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
      || use.contexts == [.order] && use.action.row.group == .arranging
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

/// Groups of actions for the help; the raw value is the heading.
package enum ActionGroup: String, CaseIterable, Sendable {
  /// Moving about.
  case moving = "Moving"
  /// Reading and folding.
  case reading = "Reading"
  /// Writing and changing.
  case writing = "Writing"
  /// Finding and arranging.
  case finding = "Finding"
  /// Orders and sections, after a prefix key.
  case arranging = "Order and sections"
  /// All other actions.
  case program = "Program"
}
