import Journal
import JournalStore
import Screen
import TextLayout

/// Changes settings for this run, and saves views.
final class SettingsRunner {
  private let journal: ScreenJournal
  private let display: any Display
  /// The themes, and the path of the file.
  private(set) var configuration: Configuration
  private let send: (Event) -> Void

  init(
    _ journal: ScreenJournal, display: any Display, configuration: Configuration,
    send: @escaping (Event) -> Void
  ) {
    self.journal = journal
    self.display = display
    self.configuration = configuration
    self.send = send
  }

  /// Runs an effect on settings or views.
  ///
  /// - Throws: ``Failure``, and the errors of the store.
  func run(_ effect: SettingsEffect, in state: State) throws {
    switch effect {
    case .useTheme(let name):
      try use(theme: name, on: state.environment.background)
    case .listSettings:
      let lines = SettingKey.all.map { line(for: $0, in: state.settings) }
      send(
        .output(.opened(OutputPage(title: "settings; :set KEY VALUE changes one", lines: lines))))
    case .showSetting(let name):
      send(.journal(.noted(line(for: try SettingKey.find(name), in: state.settings))))
    case .set(let name, let value): try set(name, value, in: state)
    case .saveView(let name, let scope): try save(view: name, scope, in: state)
    case .deleteView(let name): try delete(view: name, in: state)
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
      try use(theme: new.theme, on: state.environment.background)
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
    try use(theme: configuration.settings.theme, on: state.environment.background)
  }

  /// Applies a theme.
  ///
  /// - Throws: ``Failure`` 64 with the nearest name.
  private func use(theme name: String, on background: UInt32?) throws {
    do throws(ThemeLibrary.Missing) {
      display.use(try configuration.themes.theme(named: name, on: background))
      display.follow(background: name == Settings.automaticTheme)
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
}
