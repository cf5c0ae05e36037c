import Journal
import JournalStore
import Screen

/// The journal that is shown, and what is remembered of it.
extension AppRunner {
  var store: any EntryStore { journal.store }
  var listing: Listing { journal.listing }
  var actions: EntryActions { journal.actions }
  var draftStore: DraftStore? { journal.drafts }
  var keeper: DraftKeeper? { journal.keeper }

  /// What Tab completes with; a journal that cannot be read just now has no tags.
  var words: CompletionWords {
    var words = CompletionWords(today: settings.dayRule.day(of: store.clock.moment()))
    let counts = (try? store.tagCounts()) ?? []
    words.tags = counts.map { CompletionWords.TagUse($0.tag, count: $0.count) }
    words.themes = configuration.themes.names
    words.templates = configuration.templates.names
    words.views = state.views.map(\.name)
    words.journals = (memory?.journals ?? []).filter { $0 != journal.path }
      .map(Places.abbreviated)
    words.settings = SettingKey.changeable.map { key in
      CompletionWords.Setting(
        key.name, values: key.name == "theme" ? configuration.themes.names : key.values)
    }
    words.entries = state.list.visibleLines().compactMap { line in
      guard case .row(let path) = line, let row = listing.row(at: path) else { return nil }
      return CompletionWords.EntryName(row.id.number, title: row.title)
    }
    return words
  }

  /// Goes where one was when the journal was last left.
  func restorePlace() {
    guard let memory, let path = journal.path else { return }
    if !state.isReadOnly { memory.note(path) }
    // An entry that is gone, or cannot be read just now, is no place to go to.
    let number = place.selected.flatMap { uuid in
      (try? store.inspect { try $0.entry(uuid: uuid)?.number }) ?? nil
    }
    let selection = number.flatMap { (try? listing.path(of: $0)) ?? nil }
    guard selection != nil || !place.folded.isEmpty else { return }
    send(
      .placeRestored(
        folded: Set(place.folded), selection: selection, screenLine: place.screenLine))
  }

  /// Keeps where one is in the journal, for the next time.
  func leaveJournal() {
    guard let memory, let path = journal.path, !state.isReadOnly else { return }
    let uuid = state.list.selection?.path.flatMap { path in
      (try? actions.entry(.row(path)))??.uuid
    }
    var view = ViewState(
      state, selected: uuid, settings: configuration.settings,
      leftAt: store.clock.moment().seconds)
    if view.filter == givenFilter { view.filter = "" }
    memory.keep(view, of: path)
  }

  /// Shows the journals that were open lately, the latest first.
  func listJournals() throws {
    let paths = (memory?.journals ?? []).filter { $0 != journal.path }
    guard !paths.isEmpty else {
      throw Failure(.usage, "no other journal was open lately; type :open PATH")
    }
    let items = paths.map { path in
      let short = Places.abbreviated(path)
      return Menu.Item(short, command: "open \(short)")
    }
    send(.menuOpened(Menu(title: "journals", items: items)))
  }
}

// MARK: - Beginning

extension AppRunner {
  /// How a journal looks before anything of it is read, and where in it to begin.
  static func beginning(
    _ opened: OpenedJournal, _ settings: Settings, _ memory: JournalMemory?, _ size: Size
  ) -> (state: State, place: ViewState) {
    var state = State(
      journal: opened.name, today: settings.dayRule.day(of: opened.store.clock.moment()), size: size
    )
    state.isReadOnly = opened.isReadOnly
    state.take(settings)
    guard let memory, let path = opened.path else { return (state, ViewState()) }
    var view = memory.view(of: path).holding(at: opened.store.clock.moment().seconds)
    if !Listing.canShow(view.filter, opened.store, settings.dayRule) { view.filter = "" }
    view.apply(to: &state)
    return (state, view)
  }

  static func revealingKey(_ keys: KeyTable) -> String {
    keys.sequences(for: .escape, in: .list).first.map(KeyTable.display) ?? ":filter"
  }

  static func renderer(
    _ keys: KeyTable, _ settings: Settings, _ listing: Listing, _ clock: WallClock
  ) -> ScreenRenderer {
    ScreenRenderer(
      keys: keys, dates: settings.dateStyle(names: .ofUser), offsets: OffsetRule(clock),
      row: listing.row(at:),
      query: { try? listing.parsed($0, takesPrefix: $1) }, trash: listing.trashContents)
  }
}
