import Journal
import JournalStore
import Screen
import TextLayout

/// Changes settings for this run, saves views, and lists names in menus.
final class SettingsRunner {
  private let journal: ScreenJournal
  private let display: any Display
  /// The themes, and the path of the file.
  private(set) var configuration: Configuration
  private let memory: RecentJournals?
  private let send: (Event) -> Void
  /// Opens another journal.
  private let openJournal: (String) throws -> Void

  init(
    _ journal: ScreenJournal, display: any Display, configuration: Configuration,
    memory: RecentJournals?, openJournal: @escaping (String) throws -> Void,
    send: @escaping (Event) -> Void
  ) {
    self.journal = journal
    self.display = display
    self.configuration = configuration
    self.memory = memory
    self.openJournal = openJournal
    self.send = send
  }

  /// Runs an effect on settings, views, tags or journals.
  ///
  /// - Throws: ``Failure``, and the errors of the store.
  func run(_ effect: SettingsEffect, in state: State) throws {
    switch effect {
    case .useTheme(let name):
      try use(theme: name, on: state.background)
    case .listTags:
      let isUpdate = if case .menu(let menu) = state.mode { menu.title == Self.tags } else { false }
      try listTags(filtering: state.scope, isUpdate: isUpdate)
    case .listJournals: try listJournals()
    case .listSettings:
      let lines = SettingKey.all.map { line(for: $0, in: state.settings) }
      send(
        .output(.opened(OutputPage(title: "settings; :set KEY VALUE changes one", lines: lines))))
    case .showSetting(let name):
      send(.journal(.noted(line(for: try SettingKey.find(name), in: state.settings))))
    case .set(let name, let value): try set(name, value, in: state)
    case .saveView(let name, let scope): try save(view: name, scope, in: state)
    case .deleteView(let name): try delete(view: name, in: state)
    case .openJournal(let path): try openJournal(path)
    }
  }

  // MARK: Settings

  /// A setting as `config show` prints it.
  private func line(for key: SettingKey, in settings: Settings) -> String {
    if key.name == "journal" { return "journal = \(TOMLText.quoted(journal.store.path))" }
    guard key.name == "editor" else {
      return key.shown(settings).map { "\(key.name) = \($0)" } ?? "\(key.name) is not set"
    }
    let value = TOMLText.quoted(EditorProcess.command(setting: settings.editor))
    let variable = ["VISUAL", "EDITOR"].first { Places.variable($0) != nil }
    guard settings.editor == nil, let variable else { return "editor = \(value)" }
    return "editor = \(value), from \(variable)"
  }

  private func set(_ name: String, _ text: String, in state: State) throws {
    let settings = state.settings
    let key = try SettingKey.find(name)
    guard key.isChangeable else {
      throw Failure(.usage, "\(key.name) takes effect only at the start; set it in config.toml")
    }
    var new = settings
    if let wanted = key.read(key.value(text), &new) {
      throw Failure(.usage, "\(key.name) must be \(wanted)")
    }
    if new.theme != settings.theme {
      try use(theme: new.theme, on: state.background)
    }
    apply(new, in: state)
    send(.journal(.noted("\(key.name) = \(key.shown(new) ?? "")")))
  }

  private func apply(_ settings: Settings, in state: State) {
    if settings.hearsMouse != state.settings.hearsMouse {
      display.hear(mouse: settings.hearsMouse)
    }
    journal.actions.rule = settings.dayRule
    send(.settings(.changed(settings)))
    journal.listing.use(settings)
  }

  /// Applies a configuration that was read again, also in place of settings changed meanwhile.
  ///
  /// - Throws: ``Failure`` 64 for a theme that does not exist.
  func use(_ configuration: Configuration, in state: State) throws {
    self.configuration = configuration
    apply(configuration.settings, in: state)
    send(.settings(.viewsChanged(configuration.settings.views)))
    try use(theme: configuration.settings.theme, on: state.background)
  }

  /// Applies a theme.
  ///
  /// - Throws: ``Failure`` 64 with the nearest name.
  private func use(theme name: String, on background: UInt32?) throws {
    do throws(ThemeLibrary.Missing) {
      display.use(try configuration.themes.theme(named: name, on: background))
    } catch {
      throw Failure(.usage, error.message)
    }
  }

  // MARK: Views

  private func save(view name: String, _ scope: ListScope, in state: State) throws {
    let view = SavedView(name: name, query: try journal.listing.written(scope))
    let edit = try ConfigEdit(configuration.path)
    let isNew = try edit.set(view)
    send(.settings(.viewsChanged(state.views.filter { $0.name != name } + [view])))
    send(.journal(.noted("\(isNew ? "saved" : "replaced") view \(name): \(view.query)")))
  }

  private func delete(view name: String, in state: State) throws {
    guard state.views.contains(where: { $0.name == name }) else {
      let names = state.views.map(\.name)
      throw Failure(
        .usage,
        ConfigProblem.unknown(
          "view", name, among: names,
          else: names.isEmpty ? "no views are saved" : "use \(names.joined(separator: ", "))")
      )
    }
    try ConfigEdit(configuration.path).remove(view: name)
    send(.settings(.viewsChanged(state.views.filter { $0.name != name })))
    send(.journal(.noted("deleted view \(name)")))
  }

  // MARK: Menus of names

  /// The title of the menu of tags.
  private static let tags = "tags"

  private func listTags(filtering scope: ListScope, isUpdate: Bool) throws {
    let counts = try journal.store.tagTotals().sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    guard !counts.isEmpty || isUpdate else {
      throw Failure(.notDone, "no tags yet; press t to tag an entry, or write #home in its text")
    }
    let items = counts.map { count in
      let name = Tag.typed(count.tag)
      var detail = Numbers.entries(count.count)
      // The count for Enter's filter, which includes the tag's children.
      if let all = count.total, all > count.count {
        detail += " (\(Numbers.grouped(all)) with subtags)"
      }
      return Menu.Item(
        name, detail: detail, effect: .query(.show(scope.filtered(by: name), .top)))
    }
    let menu = Menu(title: Self.tags, items: items, refresh: .settings(.listTags))
    send(.menu(isUpdate ? .updated(menu) : .opened(menu)))
  }

  /// Lists the journals opened recently, the latest first.
  private func listJournals() throws {
    let paths = (memory?.journals ?? []).filter { $0 != journal.path }
    guard !paths.isEmpty else {
      throw Failure(.usage, "no recent journals; type :open PATH")
    }
    let items = paths.map { path in
      Menu.Item(Places.abbreviated(path), effect: .settings(.openJournal(path)))
    }
    send(.menu(.opened(Menu(title: "journals", items: items))))
  }
}
