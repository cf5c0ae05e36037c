import Glibc
import Journal
import JournalStore
import Screen
import SectionedResults
import Terminal
import TextLayout

/// The open journal with its runners, from opening to leaving.
final class JournalSession {
  let journal: ScreenJournal
  let changes: ChangeRunner
  let list: ListRunner
  let reading: ReadRunner
  let prompts: PromptRunner
  let programs: ProgramRunner
  let commands: CommandRunner
  let settings: SettingsRunner
  let menus: MenuRunner
  let sync: SyncRunner
  let pictures: PictureRunner
  private let memory: RecentJournals?
  private var configuration: Configuration
  /// The view state of the last run.
  private let place: ViewState
  /// Whether the place is that of this run, which is restored in any case.
  private let keepsPlace: Bool
  private let send: (Event) -> Void
  private var observation: ResultsObservation?
  /// Whether a refresh is running, which reports the commits of other processes together.
  private var isRefreshing = false

  /// The parts of the program that outlive a journal.
  struct Surroundings {
    let display: any Display
    let loop: EventLoop
    let prompt: PromptSession
    let work: WorkAttendant
    let configuration: Configuration
    let askSecret: SecretAsking?
    let memory: RecentJournals?
    /// Sets a timer of the loop.
    let setTimer: (Timers.Kind, Duration) -> Void
    /// Shows a picture that was decoded.
    let showPicture: (Pictures.Key, PicturePixels) -> Void
    let dropTypedAhead: () -> Void
    /// Opens another journal; with `true`, reopens this one.
    let openJournal: (String, Bool) throws -> Void
    /// Shows the journal as it was at a date.
    let openPast: (String) throws -> Void
    /// Returns from the past to the present.
    let leavePast: () throws -> Void
    let comeBack: () -> Void
    let refresh: () -> Void
    /// Reads the configuration again and applies it; returns its errors.
    let reloadConfiguration: () throws -> [ConfigProblem]
    let send: (Event) -> Void
  }

  /// Connects the runners of a journal; nothing is read before ``begin(in:)``.
  ///
  /// - Throws: the errors of the results controller.
  init(
    _ opened: JournalHandle, state: State, place: ViewState, keepsPlace: Bool = false,
    in surroundings: Surroundings
  ) throws {
    self.keepsPlace = keepsPlace
    configuration = surroundings.configuration
    journal = try ScreenJournal(
      opened, scope: state.list.scope, settings: state.settings,
      revealing: Self.revealingKey(configuration.keys))
    memory = surroundings.memory
    self.place = place
    send = surroundings.send
    changes = ChangeRunner(
      journal, work: surroundings.work, dropTypedAhead: surroundings.dropTypedAhead,
      isChosen: surroundings.prompt.hasChosen, send: surroundings.send)
    list = ListRunner(
      journal, work: surroundings.work,
      armHighlightTimer: { surroundings.setTimer(.highlight, .milliseconds(1_500)) },
      send: surroundings.send)
    reading = ReadRunner(journal, send: surroundings.send)
    prompts = PromptRunner(
      journal, prompt: surroundings.prompt,
      armTimer: { surroundings.setTimer(.draft, $0) }, send: surroundings.send)
    programs = ProgramRunner(
      journal, display: surroundings.display, signals: surroundings.loop.signals,
      configuration: configuration, changes: changes, send: surroundings.send)
    programs.prompts = prompts
    commands = CommandRunner(journal, work: surroundings.work, send: surroundings.send)
    settings = SettingsRunner(
      journal, display: surroundings.display, configuration: configuration,
      send: surroundings.send)
    menus = MenuRunner(
      journal, memory: surroundings.memory,
      openJournal: { try surroundings.openJournal($0, false) }, send: surroundings.send)
    sync = SyncRunner(journal.store, loop: surroundings.loop, send: surroundings.send)
    pictures = PictureRunner(
      journal.store, loop: surroundings.loop, setTimer: { surroundings.setTimer(.picture, $0) },
      take: { key, pixels in
        guard let pixels else { return surroundings.send(.reader(.pictureFailed(key.hash))) }
        surroundings.showPicture(key, pixels)
      })
    (menus.openPast, menus.leavePast) = (surroundings.openPast, surroundings.leavePast)
    commands.startSync = { [sync] in try sync.start($0, isAsked: true) }
    commands.cancelSync = { [sync] in sync.cancel() }
    let path = journal.store.path
    programs.comeBack = surroundings.comeBack
    commands.refresh = surroundings.refresh
    commands.askSecret = surroundings.askSecret
    commands.configuration = { [weak self] in
      guard let self else { return nil }
      return CommandContext.ShownConfiguration(
        configuration: self.configuration,
        edit: { [programs, settings = self.configuration.settings] path in
          try programs.edit(file: path, with: settings.editor)
        }, reload: surroundings.reloadConfiguration)
    }
    commands.reopenJournal = { try surroundings.openJournal(path, true) }
  }

  /// The facts before the journal is read, with the remembered view state.
  static func opening(
    _ opened: JournalHandle, _ settings: Settings, _ memory: RecentJournals?, _ size: Size
  ) -> Opening {
    let today = settings.dayRule.day(of: opened.store.clock.moment())
    var opening = Opening(journal: opened.name, today: today, size: size, settings: settings)
    opening.isReadOnly = opened.isReadOnly
    opening.past = opened.past?.moment
    guard let memory, let path = opened.path, opened.store.key == nil else { return opening }
    var view = memory.view(of: path).holding(at: opened.store.clock.moment().seconds)
    if !Listing.canShow(view.filter, opened.store, settings.dayRule) { view.filter = "" }
    opening.view = view
    return opening
  }

  private static func revealingKey(_ keys: KeyTable) -> String {
    keys.sequences(for: .escape, in: .list).first.map(KeyTable.display) ?? ":filter"
  }

  /// Reads the journal the first time, and restores the view state.
  ///
  /// - Throws: the errors of the store.
  func begin(in loop: EventLoop, isReadOnly: Bool, showsCommits: @escaping () -> Bool) throws {
    journal.store.beginWatching()
    try list.start()
    if let descriptor = journal.store.changeDescriptor { loop.watch(descriptor) }
    // A commit that does not change the list may still change the statistics.
    observation = journal.store.observeCommits { [weak self] in
      guard let self, !isRefreshing, showsCommits() else { return }
      send(.journal(.changed))
      sync.note()
    }
    if sync.isLinked { sync.note() }
    restorePlace(isReadOnly: isReadOnly)
  }

  private func restorePlace(isReadOnly: Bool) {
    if !keepsPlace {
      guard let memory, let path = journal.path else { return }
      if !isReadOnly { memory.note(path) }
      if journal.isSealed { return memory.removeView(of: path) }
    }
    // An entry that is deleted, or cannot be read now, is not selected.
    let number = place.selected.flatMap { uuid in
      (try? journal.store.inspect { try $0.entry(uuid: uuid)?.number }) ?? nil
    }
    let selection = number.flatMap { (try? journal.listing.results.path(of: $0)) ?? nil }
    guard selection != nil || !place.folded.isEmpty else { return }
    send(
      .list(
        .placeRestored(
          folded: Set(place.folded), selection: selection, screenLine: place.screenLine)))
  }

  /// Saves the view state for the next run; of a sealed journal nothing is kept but its path.
  ///
  /// - Parameter givenFilter: the filter of the command line, which is not saved.
  func leave(_ state: State, givenFilter: String) {
    guard let memory, let path = journal.path, !state.journal.isReadOnly, !journal.isSealed else {
      return
    }
    var view = view(of: state)
    if view.filter == givenFilter { view.filter = "" }
    memory.keep(view, of: path)
  }

  /// The view state of the screen.
  func view(of state: State) -> ViewState {
    let uuid = state.list.widget.selection?.path.flatMap { path in
      (try? journal.actions.entry(.row(path)))??.uuid
    }
    return ViewState(
      state, selected: uuid, settings: configuration.settings,
      leftAt: journal.store.clock.moment().seconds)
  }

  /// Applies a configuration that was read again.
  ///
  /// - Throws: ``Failure`` 64 for a theme that does not exist.
  func use(_ configuration: Configuration, in state: State) throws {
    self.configuration = configuration
    programs.configuration = configuration
    try settings.use(configuration, in: state)
  }

  /// Stops watching the journal.
  func end(in loop: EventLoop) {
    observation = nil
    if let descriptor = journal.store.changeDescriptor { loop.unwatch(descriptor) }
  }

  /// The titles that a link can name for typed letters, within a time; none if it is not enough, or the
  /// journal cannot be read now.
  func titles(matching typed: String, within limit: Duration) -> [FoundTitle] {
    found(within: limit) {
      try journal.store.linkableTitles(matching: typed, limit: Self.mostTitles)
    }
  }

  /// The values of a field that begin with typed letters, the most used first, in the same way.
  func values(of field: FieldBeingTyped, within limit: Duration) -> [String] {
    found(within: limit) {
      try journal.store.fieldValues(named: field.name, beginningWith: field.typed)
    }
  }

  private func found<Value>(within limit: Duration, _ body: () throws -> [Value]) -> [Value] {
    let start = ContinuousClock.now
    let isLate = { start.duration(to: .now) > limit }
    return (try? journal.store.cancellable(isLate, body)).flatMap(\.self) ?? []
  }

  private static let mostTitles = 40

  /// The vocabulary of completion; without tags if the journal cannot be read now.
  func words(in state: State) -> CompletionWords {
    var words = CompletionWords(today: journal.listing.today)
    let counts = (try? journal.store.tagCounts()) ?? []
    words.tags = counts.map { CompletionWords.TagUse($0.tag, count: $0.count) }
    words.fields = ((try? journal.store.fieldNames()) ?? []).map(\.name)
    words.themes = configuration.themes.names
    words.templates = configuration.templates.names
    words.views = state.views.map(\.name)
    words.journals = (memory?.journals ?? []).filter { $0 != journal.path }
      .map(Places.abbreviated)
    words.settings = SettingKey.changeable.map { key in
      CompletionWords.Setting(
        key.name, values: key.name == "theme" ? configuration.themes.names : key.values)
    }
    words.entries = state.list.widget.visibleLines().compactMap { line in
      guard case .row(let path) = line, let row = journal.listing.row(at: path) else { return nil }
      return CompletionWords.EntryName(row.id.number, title: row.title)
    }
    return words
  }

  /// Delivers the commits of other processes.
  ///
  /// - Returns: the time until a retry, in milliseconds, after a busy database.
  func refresh() -> Int? {
    do {
      isRefreshing = true
      defer { isRefreshing = false }
      let found = try journal.store.refresh()
      if found.changed {
        send(.journal(.changed))
        if sync.isLinked { sync.note() }
      }
      switch found.place {
      case .same: break
      case .replaced:
        journal.followReplacement()
        send(
          .journal(
            .failed("\(journal.replacement): Enter or Esc keeps the text and opens it")))
      case .removed: send(.journal(.failed("the journal's file is gone; quit and reopen")))
      }
      return found.retryAfter.map { Int($0) }
    } catch {
      send(.journal(.failed(Failure(explaining: error).screenMessage)))
      return nil
    }
  }
}
