extension KeyTable {
  /// The bindings of a fresh installation, as the README lists them.
  public static let standard = KeyTable(
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
