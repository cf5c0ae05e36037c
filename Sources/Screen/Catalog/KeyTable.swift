/// All bindings, as data: keys are looked up in it, and the help and the hints are made from it.
package struct KeyTable: Equatable, Sendable {
  /// What a lookup found.
  package enum Match: Equatable, Sendable {
    /// The keys are bound.
    case action(Action)
    /// The keys are the beginning of a binding; more must come.
    case prefix
    /// No binding starts like this.
    case none
  }

  /// The bindings, in the order of the help screen.
  package var bindings: [Binding]

  /// Makes a table.
  package init(bindings: [Binding]) {
    self.bindings = bindings
  }

  /// Looks keys up, in O(bindings).
  package func match(_ sequence: KeySequence, in context: KeyContext) -> Match {
    var isPrefix = false
    for binding in bindings where binding.contexts.contains(context) {
      if binding.sequence == sequence { return .action(binding.action) }
      isPrefix = isPrefix || sequence.isProperPrefix(of: binding.sequence)
    }
    return isPrefix ? .prefix : .none
  }

  /// Whether keys begin a sequence of some other view.
  func isPrefixElsewhere(_ sequence: KeySequence) -> Bool {
    bindings.contains { sequence.isProperPrefix(of: $0.sequence) }
  }

  /// The sequences bound to an action, in the table's order.
  package func sequences(for action: Action, in context: KeyContext) -> [KeySequence] {
    bindings.filter { $0.action == action && $0.contexts.contains(context) }.map(\.sequence)
  }

  /// A line for each action and each set of views in which the same keys do it, in the table's order.
  package func help() -> [KeyUse] {
    var uses: [KeyUse] = []
    for binding in bindings {
      let key = way(to: binding) + Self.display(binding.sequence)
      let contexts = binding.action.views(of: binding.contexts)
      let same = uses.firstIndex { $0.action == binding.action && $0.contexts == contexts }
      if let same {
        uses[same].keys += " " + key
      } else {
        // Another set of views for an action that has a line already stands below that line.
        let last = uses.lastIndex { $0.action == binding.action }
        let use = KeyUse(keys: key, action: binding.action, contexts: contexts)
        uses.insert(use, at: last.map { $0 + 1 } ?? uses.endIndex)
      }
    }
    return uses
  }

  /// The key that opens the menu of orders, for what is chosen in it.
  private func way(to binding: Binding) -> String {
    guard binding.contexts == [.order], binding.action.group == .arranging else { return "" }
    return sequences(for: .order, in: .list).first.map { Self.display($0) + " " } ?? ""
  }

  /// The words of the hint line, each its keys and a word, in the order of importance.
  ///
  /// - Parameter isTrash: whether what is read is in the trash.
  package func hints(
    in context: KeyContext, isTrash: Bool = false
  ) -> [(keys: String, word: String)] {
    Self.hinted.compactMap { action in
      let isReadInTrash = isTrash && context == .reading
      guard let word = isReadInTrash ? action.trashReadingHint : action.hint(in: context),
        let sequence = sequences(for: action, in: context).first
      else { return nil }
      return (Self.display(sequence), word)
    }
  }

  /// The words of the hint line while a range is marked: what ends it.
  package var rangeHints: [(keys: String, word: String)] {
    let words: [(Action, String)] = [
      (.delete, "delete"), (.star, "star"), (.tags, "tag"), (.redate, "date"),
      (.markRange, "done"), (.escape, "cancel"),
    ]
    return words.compactMap { action, word in
      sequences(for: action, in: .list).first.map { (Self.display($0), word) }
    }
  }

  /// A sequence as people write it: `^D` for `<C-d>`, `Enter` for `<Enter>`.
  package static func display(_ sequence: KeySequence) -> String {
    sequence.keys.map(display(key:)).joined()
  }

  private static let hinted: [Action] = [
    .restore, .olderVersion, .newerVersion, .takeBack, .newEntry, .read, .sortNewest, .sortOldest,
    .sortModified, .sortTitle, .sectionDay,
    .sectionWeek, .sectionMonth, .sectionYear, .sectionTag, .sectionNone, .edit, .delete,
    .discardDraft, .undo, .star, .nextEntry, .previousEntry, .search, .filter, .pageUp, .pageDown,
    .previousSection,
    .nextSection, .goToToday, .moveDown,
    .help, .back,
  ]

  private static func display(key: String) -> String {
    if key == " " { return "Space" }
    guard key.count > 2, key.hasPrefix("<"), key.hasSuffix(">") else { return key }
    let name = key.dropFirst().dropLast()
    if name == "lt" { return "<" }
    return name.hasPrefix("C-") ? "^\(name.dropFirst(2).uppercased())" : String(name)
  }
}

extension KeyTable {
  /// The bindings of a fresh installation, as the README lists them.
  package static let standard = KeyTable(
    bindings: moving + going + folding + writing + many + finding + leaving + ordering)

  private static let everywhere = Set(KeyContext.allCases).subtracting([.order])
  private static let text: Set<KeyContext> = [
    .list, .trash, .reading, .page, .versions, .menu, .drafts, .statistics,
  ]
  private static let entries: Set<KeyContext> = [.list, .trash, .reading]
  /// Text that is paged through as in `less`; menus and lists keep Space for themselves.
  private static let paged: Set<KeyContext> = [.reading, .page, .versions, .statistics]
  private static let searched = entries.union([.page])
  private static let grids: Set<KeyContext> = [.calendar, .jump]
  private static let list: Set<KeyContext> = [.list, .trash]
  private static let reading: Set<KeyContext> = [.reading]
  private static let versions: Set<KeyContext> = [.versions]

  private static let moving: [Binding] =
    bind(["j", "<Down>"], .moveDown, everywhere) + bind(["k", "<Up>"], .moveUp, everywhere)
    + bind(["h", "<Left>"], .moveLeft, grids.union(reading).union([.statistics]))
    + bind(["l", "<Right>"], .moveRight, grids.union(list).union([.statistics]))
    + bind(["<C-d>"], .halfPageDown, text) + bind(["<C-u>"], .halfPageUp, text)
    + bind(["<C-f>", "<PageDown>"], .pageDown, everywhere)
    + bind(["<C-b>", "<PageUp>"], .pageUp, everywhere)
    + bind([" "], .pageDown, paged) + bind(["b"], .pageUp, paged)
    + bind(["gg", "<Home>"], .first, everywhere) + bind(["G", "<End>"], .last, everywhere)

  private static let going: [Binding] =
    bind(["{"], .previousSection, list.union([.statistics]))
    + bind(["}"], .nextSection, list.union([.statistics]))
    + bind(["{"], .pageUp, [.calendar]) + bind(["}"], .pageDown, [.calendar])
    + bind(["J"], .nextEntry, reading) + bind(["K"], .previousEntry, reading)
    + bind(["gd"], .goToDate, list.union([.calendar]))
    + bind(["gt"], .goToToday, list.union([.calendar, .statistics]))
    + bind(["M"], .calendar, list) + bind(["gi"], .jump, list) + bind(["S"], .statistics, list)

  private static let folding: [Binding] =
    bind(["za", "<Tab>"], .toggleFold, list) + bind(["zM"], .foldAll, list)
    + bind(["zR"], .unfoldAll, list)

  private static let writing: [Binding] =
    bind(["<Enter>"], .read, list.union(grids).union([.menu, .drafts]))
    + bind(["p"], .preview, entries)
    + bind(["a", "i"], .newEntry, entries) + bind(["A"], .newEntryInEditor, entries)
    + bind(["e"], .edit, entries) + bind(["E"], .editInEditor, entries)
    + bind(["d", "<Del>"], .delete, entries) + bind(["d", "<Del>"], .discardDraft, [.drafts])
    + bind(["r"], .restore, [.trash, .reading])
    + bind(["r"], .takeBack, versions)
    + bind(["u"], .undo, entries.union(versions)) + bind(["<C-r>"], .redo, entries.union(versions))
    + bind(["x"], .tick, entries) + bind(["c"], .carryOver, entries)

  private static let many: [Binding] =
    bind([" "], .mark, list) + bind(["V"], .markRange, list) + bind(["*"], .markAll, list)
    + bind(["s"], .star, entries) + bind(["t"], .tags, entries) + bind(["D"], .redate, entries)
    + bind(["y"], .copy, entries) + bind(["|"], .pipe, entries)

  private static let finding: [Binding] =
    bind(["/"], .search, searched) + bind(["n"], .nextMatch, searched)
    + bind(["N"], .previousMatch, searched) + bind(["f"], .filter, entries)
    + bind(["o"], .order, list) + bind(["T"], .trash, list) + bind(["H"], .versions, entries)
    + bind(["J", "h", "<Left>"], .olderVersion, versions)
    + bind(["K", "l", "<Right>"], .newerVersion, versions)

  private static let leaving: [Binding] =
    bind([":"], .command, everywhere) + bind(["?"], .help, everywhere.subtracting([.page]))
    + bind(["<C-l>"], .redraw, everywhere) + bind(["<C-z>"], .suspend, everywhere)
    + bind(["q"], .back, everywhere) + bind(["Q"], .quit, everywhere)
    + bind(["<Esc>", "<C-c>"], .escape, everywhere)
    + bind(["<Enter>"], .back, [.reading, .page, .versions, .statistics])
    + bind(["H"], .back, versions) + bind(["?"], .back, [.page])
    + bind(["M"], .back, [.calendar]) + bind(["S"], .back, [.statistics])

  private static let ordering: [Binding] =
    order("n", .sortNewest) + order("o", .sortOldest) + order("c", .sortModified)
    + order("a", .sortTitle) + order("d", .sectionDay) + order("w", .sectionWeek)
    + order("m", .sectionMonth) + order("y", .sectionYear) + order("t", .sectionTag)
    + order("x", .sectionNone) + bind(["q", "<Esc>", "<C-c>"], .back, [.order])

  private static func order(_ key: KeySequence, _ action: Action) -> [Binding] {
    bind([key], action, [.order])
  }

  private static func bind(
    _ sequences: [KeySequence], _ action: Action, _ contexts: Set<KeyContext>
  ) -> [Binding] {
    sequences.map { Binding($0, action, contexts) }
  }
}
