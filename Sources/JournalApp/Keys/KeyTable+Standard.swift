extension KeyTable {
  /// The bindings of a fresh installation, as the README lists them.
  public static let standard = KeyTable(bindings: moving + folding + writing + leaving)

  private static let everywhere = Set(KeyContext.allCases)
  private static let entries: Set<KeyContext> = [.list, .reading]
  private static let list: Set<KeyContext> = [.list]

  private static let moving: [Binding] = [
    Binding("j", .moveDown, everywhere), Binding("<Down>", .moveDown, everywhere),
    Binding("k", .moveUp, everywhere), Binding("<Up>", .moveUp, everywhere),
    Binding("<C-d>", .halfPageDown, everywhere), Binding("<C-u>", .halfPageUp, everywhere),
    Binding("<C-f>", .pageDown, everywhere), Binding("<PageDown>", .pageDown, everywhere),
    Binding("<C-b>", .pageUp, everywhere), Binding("<PageUp>", .pageUp, everywhere),
    Binding("gg", .first, everywhere), Binding("<Home>", .first, everywhere),
    Binding("G", .last, everywhere), Binding("<End>", .last, everywhere),
    Binding("{", .previousSection, list), Binding("}", .nextSection, list),
    Binding("gd", .goToDate, list), Binding("gt", .goToToday, list),
  ]

  private static let folding: [Binding] = [
    Binding("za", .toggleFold, list), Binding("<Tab>", .toggleFold, list),
    Binding("zM", .foldAll, list), Binding("zR", .unfoldAll, list),
  ]

  private static let writing: [Binding] = [
    Binding("<Enter>", .read, list),
    Binding("a", .newEntry, entries), Binding("i", .newEntry, entries),
    Binding("A", .newEntryInEditor, entries),
    Binding("e", .edit, entries), Binding("E", .editInEditor, entries),
    Binding("d", .delete, entries), Binding("<Del>", .delete, entries),
    Binding("s", .star, entries),
    Binding("u", .undo, entries), Binding("<C-r>", .redo, entries),
  ]

  private static let leaving: [Binding] = [
    Binding(":", .command, everywhere), Binding("?", .help, entries),
    Binding("<C-l>", .redraw, everywhere), Binding("<C-z>", .suspend, everywhere),
    Binding("q", .back, everywhere), Binding("Q", .quit, everywhere),
    Binding("<Esc>", .escape, everywhere), Binding("<C-c>", .escape, everywhere),
    Binding("<Enter>", .back, [.reading]), Binding("?", .back, [.help]),
  ]
}
