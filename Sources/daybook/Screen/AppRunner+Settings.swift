import Journal
import Screen
import Terminal
import TextLayout

/// Settings that are changed for the time the program runs, and views that are written down.
extension AppRunner {
  /// Does an effect about settings, views, tags or journals.
  func performOnPages(_ effect: Effect) throws {
    switch effect {
    case .listTags: try listTags()
    case .listJournals: try listJournals()
    case .listSettings:
      let lines = SettingKey.all.map(told)
      send(.pageOpened(Page(title: "settings; :set KEY VALUE changes one", lines: lines)))
    case .showSetting(let name):
      send(.saved(Saved(told(try SettingKey.find(name)))))
    case .set(let name, let value): try set(name, value)
    case .saveView(let name, let scope): try save(view: name, scope)
    case .deleteView(let name): try delete(view: name)
    case .openJournal(let path): try open(journal: path)
    default: break
    }
  }

  /// What holds, as `config show` says it.
  private func told(_ key: SettingKey) -> String {
    switch key.name {
    case "editor":
      let value = TOMLText.quoted(EditorProcess.command(setting: settings.editor))
      let variable = ["VISUAL", "EDITOR"].first { Places.variable($0) != nil }
      guard settings.editor == nil, let variable else { return "editor = \(value)" }
      return "editor = \(value), from \(variable)"
    case "journal": return "journal = \(TOMLText.quoted(store.place))"
    default: return key.shown(settings).map { "\(key.name) = \($0)" } ?? "\(key.name) is not set"
    }
  }

  private func listTags() throws {
    let counts = try store.tagCounts().sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    guard !counts.isEmpty else { throw Failure(.notDone, "no entry has a tag") }
    let keys = counts.map(\.key)
    let parents = Set(keys.flatMap(Self.parents))
    let items = try counts.map { count in
      let name = Tag.typed(count.tag)
      var detail = count.count == 1 ? "1 entry" : "\(count.count) entries"
      if parents.contains(count.key) {
        // What Enter shows: its children belong to a tag.
        let all = try store.numbers(matching: .tag(count.key)).count
        if all > count.count { detail += ", \(all) with those below it" }
      }
      return Menu.Item(name, detail: detail, command: "list \(name)")
    }
    send(.menuOpened(Menu(title: "tags", items: items)))
  }

  /// The tags above a tag: `work` and `work/api` above `work/api/v2`.
  private static func parents(of key: String) -> [String] {
    let parts = key.split(separator: "/")
    return (1..<max(1, parts.count)).map { parts.prefix($0).joined(separator: "/") }
  }

  private func set(_ name: String, _ text: String) throws {
    let key = try SettingKey.find(name)
    guard key.isChangeable else {
      throw Failure(.usage, "\(key.name) is read at the start only; write it in config.toml")
    }
    var new = settings
    if let wanted = key.read(key.value(text), &new) {
      throw Failure(.usage, "\(key.name) must be \(wanted)")
    }
    if new.theme != settings.theme {
      try checkTheme(new.theme)
      try display.use(theme: new.theme)
    }
    if new.hearsMouse != settings.hearsMouse { display.hear(mouse: new.hearsMouse) }
    take(new)
    send(.saved(Saved("\(key.name) = \(key.shown(new) ?? "")")))
  }

  /// Checks that there is a theme of a name.
  ///
  /// - Throws: ``Failure`` 64 naming the nearest.
  func checkTheme(_ name: String) throws(Failure) {
    let names = configuration.themes.names
    guard !configuration.themes.contains(name) else { return }
    throw Failure(
      .usage,
      ConfigProblem.unknown(
        "theme", name, among: names, else: "there are \(names.joined(separator: ", "))"))
  }

  // MARK: Views

  private func save(view name: String, _ scope: ListScope) throws {
    let view = SavedView(name: name, query: try listing.written(scope))
    let edit = try ConfigEdit(configuration.path)
    let isNew = try edit.set(view)
    send(.viewsChanged(state.views.filter { $0.name != name } + [view]))
    send(.saved(Saved("\(isNew ? "saved" : "replaced") view \(name): \(view.query)")))
  }

  private func delete(view name: String) throws {
    guard state.views.contains(where: { $0.name == name }) else {
      let names = state.views.map(\.name)
      throw Failure(
        .usage,
        ConfigProblem.unknown(
          "view", name, among: names,
          else: names.isEmpty ? "no views are saved" : "there are \(names.joined(separator: ", "))")
      )
    }
    try ConfigEdit(configuration.path).remove(view: name)
    send(.viewsChanged(state.views.filter { $0.name != name }))
    send(.saved(Saved("deleted view \(name)")))
  }
}
