import Journal

/// An event, grouped by feature.
///
/// Events describe facts, never reactions; ``update(_:_:keys:)`` decides those. A recorded list of
/// events replays a run.
package enum Event: Equatable, Codable, Sendable {
  /// A key was pressed outside a prompt, in the notation of ``KeySequence``.
  case key(String)
  /// A mouse event.
  case mouse(MouseAction)
  case prompt(PromptEvent)
  case question(QuestionEvent)
  case list(ListEvent)
  case reader(ReaderEvent)
  case versions(VersionsEvent)
  case files(FilesEvent)
  case gallery(GalleryEvent)
  case calendar(CalendarEvent)
  case jump(JumpEvent)
  case menu(MenuEvent)
  case statistics(StatisticsEvent)
  case sidebar(SidebarEvent)
  case sync(SyncEvent)
  case output(OutputEvent)
  case journal(JournalEvent)
  case command(CommandEvent)
  case settings(SettingsEvent)
  case terminal(TerminalEvent)
}

/// Updates the state by one event and returns the resulting effects.
///
/// This is the whole logic of the program: it reads no clock, file or terminal, so that a recorded
/// list of events replays a run. With ``Event``, ``Mode`` and ``KeyContext`` it composes the features;
/// no other file knows all of them.
///
/// - Parameter keys: the current key table.
package func update(
  _ state: inout State, _ event: Event, keys: KeyTable = .standard
) -> [Effect] {
  let selection = state.list.widget.selection
  let before = PlaceBefore(state)
  let (top, shown) = (state.pane.reading?.anchor, state.pane.reading?.entry.number)
  let effects =
    switch event {
    case .key(let key): state.press(key, keys)
    case .mouse(let action): state.use(action, keys)
    case .prompt(let event): state.updatePrompt(event)
    case .question(let event): state.updateQuestion(event)
    case .list(let event): state.updateList(event)
    case .reader(let event): state.updateReader(event)
    case .versions(let event): state.updateVersions(event)
    case .files(let event): state.updateFiles(event)
    case .gallery(let event): state.updateGallery(event)
    case .calendar(let event): state.updateCalendar(event)
    case .jump(let event): state.updateJump(event)
    case .menu(let event): state.updateMenu(event)
    case .statistics(let event): state.updateStatistics(event)
    case .sidebar(let event): state.updateSidebar(event)
    case .sync(let event): state.updateSync(event)
    case .output(let event): state.updateOutput(event)
    case .journal(let event): state.updateJournal(event)
    case .command(let event): state.updateCommand(event)
    case .settings(let event): state.updateSettings(event)
    case .terminal(let event): state.updateTerminal(event)
    }
  state.noteMovement(from: selection, by: event)
  let jump = state.noteJump(from: before, by: event)
  if state.list.widget.height != state.listHeight { state.fit() }
  state.layOutHelp(keys)
  state.layOutPane(keeping: top, of: shown)
  if !state.isPageSearchable { state.pages.search = nil }
  let all = effects + jump + state.fillPane()
  for case .query(let query) in all { state.work.queries.want(query) }
  return all
}

/// The focused view: the list, the reading pane, or a page that fills the main part of the screen.
package enum Mode: Equatable, Sendable {
  /// The list of entries.
  case list
  /// The reading pane, beside the list if there is room, else in place of it.
  case reading
  /// The sidebar, beside the list.
  case sidebar
  /// The list, waiting for the key of an order or of a kind of section.
  case order
  case help(HelpPage)
  case output(OutputPage)
  case versions(VersionPage)
  case files(FilesPage)
  case gallery(Gallery)
  case menu(Menu)
  case titles(TitleFinder)
  case calendar(MonthCalendar)
  case day(DayPage)
  case jump(JumpBar)
  case statistics(StatisticsView)

  /// The page; `nil` while the list is visible.
  var page: (any Page)? {
    switch self {
    case .list, .reading, .sidebar, .order: nil
    case .help(let page): page
    case .output(let page): page
    case .versions(let page): page
    case .files(let page): page
    case .gallery(let page): page
    case .menu(let page): page
    case .titles(let page): page
    case .calendar(let page): page
    case .day(let page): page
    case .jump(let page): page
    case .statistics(let page): page
    }
  }

  /// The views that are no pages.
  enum Ground { case list, reading, sidebar, order }

  /// The view; `nil` while a page is shown.
  var ground: Ground? {
    if page != nil { return nil }
    return self == .reading
      ? .reading : self == .sidebar ? .sidebar : self == .order ? .order : .list
  }

  /// The context for key look-ups.
  package var context: KeyContext {
    switch ground {
    case .list?: .list
    case .reading?: .reading
    case .sidebar?: .sidebar
    case .order?: .order
    case nil: page?.context ?? .list
    }
  }

  /// Whether the list is visible, possibly beside the reading pane.
  package var showsList: Bool { page == nil }
}

/// The view in which a binding is active; the raw value is its name in a configuration file, as in
/// `[keys.list]`.
package enum KeyContext: String, CaseIterable, Codable, Sendable {
  case list, trash, reading, sidebar, page, versions, conflict, files, gallery, menu, drafts,
    calendar, jump, statistics, order, proposal

  /// The description of a view for the key table and the help.
  struct Row {
    /// The name in a table of keys.
    let title: String
    /// The view as a phrase of a sentence, and after `Keys` in a heading.
    let place: String
    /// The standard keys.
    let kind: Kind
    /// The action of the key that opens the view; `nil` if only commands open it.
    let open: ((inout State) -> [Effect])?

    init(
      _ title: String, _ place: String, _ kind: Kind, open: ((inout State) -> [Effect])? = nil
    ) {
      (self.title, self.place, self.kind, self.open) = (title, place, kind, open)
    }
  }

  /// The standard keys of a view.
  enum Kind {
    /// Rows to choose from.
    case rows
    /// Text in lines, paged as in `less`.
    case text
    /// Cells in rows and columns to choose from.
    case grid
    /// One key, as an answer.
    case answer
  }

  var row: Row {
    switch self {
    case .list: Row("list", "in the list", .rows)
    case .trash: Row("trash", "in the trash", .rows) { $0.toggleTrash() }
    case .reading: Row("reading", "while reading", .text) { $0.act(.read) }
    case .sidebar: Row("sidebar", "in the sidebar", .rows) { $0.toggleSidebar() }
    case .page: Row("help and pages", "in help and pages", .text) { $0.openHelp() }
    case .proposal: Row("import preview", "in the preview of an import", .text)
    case .versions: Row("versions", "in versions", .text) { $0.act(.versions) }
    case .conflict: Row("conflicts", "in a conflict", .text)
    case .files: Row("files", "in the files of an entry", .rows) { $0.openFiles() }
    case .gallery: Row("gallery", "in the gallery", .grid) { $0.openGallery() }
    case .menu: Row("menus", "in menus", .rows)
    case .drafts: Row("drafts", "in :drafts", .rows)
    case .calendar: Row("calendar", "in the calendar", .grid) { $0.openCalendar() }
    case .jump: Row("index", "in the index", .grid) { _ in [.list(.listIndexTitles)] }
    case .statistics:
      Row("statistics", "in statistics", .text) { $0.openStatistics(of: $0.list.scope) }
    case .order: Row("order menu", "in the order menu", .answer) { $0.askForOrder() }
    }
  }

  package var name: String { rawValue }
}
