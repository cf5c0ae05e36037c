import Journal
import Screen

/// Reads one `config.toml` into a configuration.
struct ConfigReader {
  private let directory: String
  private var configuration = Configuration()
  private var changes: [(change: KeyChange, line: Int)] = []

  /// The file's name in messages.
  static let file = "config.toml"

  /// Makes a reader for a directory.
  init(directory: String) {
    self.directory = directory
  }

  /// Reads the file, if it exists.
  mutating func read() -> Configuration {
    configuration.path = "\(directory)/\(Self.file)"
    configuration.themes.directory = "\(directory)/themes"
    configuration.templates.directory = "\(directory)/templates"
    do {
      guard let text = try ConfigFile.text("\(directory)/\(Self.file)", called: Self.file) else {
        return configuration
      }
      take(try ConfigDocument(text, file: Self.file))
    } catch {
      configuration.problems = [error]
      configuration.isIgnored = true
    }
    return configuration
  }

  private mutating func take(_ document: ConfigDocument) {
    var themes: [String: [ConfigItem]] = [:]
    for item in document.items {
      switch item.path.first {
      case "keys" where item.path.count > 1: takeKey(item)
      case "views" where item.path.count > 1: takeView(item)
      case "templates" where item.path.count > 1: takeTemplate(item)
      case "themes" where item.path.count > 1:
        var inner = item
        inner.path.removeFirst(2)
        themes[item.path[1], default: []] += inner.path.isEmpty ? [] : [inner]
      case "keys", "views", "themes", "templates": if item.value != .emptyTable { wrongTable(item) }
      default: takeSetting(item)
      }
    }
    takeThemes(themes)
    checkTheme()
    grantKeys()
    configuration.problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private mutating func complain(_ line: Int, _ message: String) {
    configuration.problems.append(ConfigProblem(file: Self.file, line: line, message: message))
  }

  private mutating func wrongTable(_ item: ConfigItem) {
    let name = item.path.joined(separator: ".")
    complain(item.line, "\(name) must be a table; write [\(name)] on a line of its own")
  }

  // MARK: Settings

  private mutating func takeSetting(_ item: ConfigItem) {
    let name = item.path.joined(separator: ".")
    guard let key = SettingKey.named(name) else {
      return complain(item.line, unknown(item.path))
    }
    if let wanted = key.read(item.value, &configuration.settings) {
      complain(item.line, "\(name) must be \(wanted)")
    } else {
      configuration.origins[name] = .file(Self.file, line: item.line)
    }
  }

  private func unknown(_ path: [String]) -> String {
    let tables = ["keys", "views", "templates", "themes", "sync", "spell"]
    guard path.count > 1, let table = path.first, !tables.contains(table) else {
      return ConfigProblem.unknown(
        "key", path.joined(separator: "."), among: SettingKey.all.map(\.name) + tables,
        else: "daybook config show lists them")
    }
    return ConfigProblem.unknown(
      "table", table, among: tables,
      else: "use [keys], [views], [templates], [sync], [spell] or [themes.NAME]")
  }

  // MARK: Views

  private mutating func takeView(_ item: ConfigItem) {
    let name = item.path.dropFirst().joined(separator: ".")
    guard case .text(let query) = item.value else {
      return complain(item.line, "view \"\(name)\" must be a query in quotes")
    }
    let clock = WallClock.system
    do {
      _ = try Query.parse(
        query, now: clock.moment(), clock: clock, rule: configuration.settings.dayRule)
    } catch {
      return complain(item.line, "view \"\(name)\": \(error)")
    }
    configuration.settings.views.append(SavedView(name: name, query: query))
    configuration.origins["views.\(name)"] = .file(Self.file, line: item.line)
  }

  // MARK: Templates

  /// Reads `default` or a weekday, for all journals or in the table of one.
  private mutating func takeTemplate(_ item: ConfigItem) {
    let place = item.path.dropLast().joined(separator: ".")
    guard let name = item.path.last, item.path.count <= 3, item.value != .emptyTable else {
      if item.value != .emptyTable { complain(item.line, "quote a path that contains a dot") }
      return
    }
    guard let weekday = TemplateRule.keys.firstIndex(of: name) else {
      let words = ConfigProblem.unknown(
        "key", name, among: TemplateRule.keys, else: "use default, or monday to sunday")
      return complain(item.line, "[\(place)]: \(words)")
    }
    let journal = item.path.count == 3 ? item.path[1] : nil
    if let journal, !journal.hasPrefix("/"), !journal.hasPrefix("~/") {
      return complain(
        item.line, "[\(place)]: a journal is a path that begins with / or ~/, in quotes")
    }
    guard case .text(let template) = item.value, !template.contains("/") else {
      return complain(
        item.line, "\(place).\(name) must be the name of a template, or \"\" for none")
    }
    let rule = TemplateRule(
      journal: journal, weekday: weekday == 0 ? nil : weekday, name: template)
    configuration.settings.templates.append(rule)
    configuration.origins[rule.path.joined(separator: ".")] = .file(Self.file, line: item.line)
  }

  // MARK: Themes

  private mutating func takeThemes(_ themes: [String: [ConfigItem]]) {
    for (name, items) in themes {
      let theme = ThemeDescription(items, name: name, file: Self.file)
      configuration.problems += theme.problems
      configuration.themes.own[name] = theme
    }
    for (name, items) in themes {
      guard let line = items.first(where: { $0.path == ["base"] })?.line else { continue }
      do {
        _ = try configuration.themes.theme(named: name)
      } catch {
        complain(line, error.message)
        configuration.themes.own[name]?.forgetBase()
      }
    }
  }

  /// Reports a missing theme with its line, and falls back to the default.
  private mutating func checkTheme() {
    let name = configuration.settings.theme
    guard case .file(_, let line) = configuration.origin(of: "theme"),
      !configuration.themes.contains(name)
    else { return }
    complain(
      line,
      ConfigProblem.unknown(
        "theme", name, among: configuration.themes.names,
        else: "use \(configuration.themes.names.joined(separator: ", "))"))
    configuration.settings.theme = ThemeLibrary.standard
    configuration.origins["theme"] = nil
  }

  // MARK: Keys

  private mutating func takeKey(_ item: ConfigItem) {
    do {
      changes.append((try KeyReader.change(item), item.line))
    } catch {
      complain(item.line, error.message)
    }
  }

  private mutating func grantKeys() {
    guard !changes.isEmpty else { return }
    let refused = KeyTable.standard.changed(by: changes.map(\.change)).refused
    for (index, conflict) in refused {
      complain(changes[index].line, KeyReader.words(conflict, changes[index].change))
    }
    for (index, (change, line)) in changes.enumerated() where refused[index] == nil {
      configuration.keyChanges.append(change)
      configuration.origins[change.path.joined(separator: ".")] = .file(Self.file, line: line)
    }
  }
}

/// An invalid line of a configuration file; the default applies instead.
struct ConfigProblem: Equatable, Error, CustomStringConvertible {
  /// The file's short name.
  var file: String
  /// The line, from 1; nil for the whole file.
  var line: Int?
  /// The column, from 1, if known.
  var column: Int?
  /// The error, and the valid values.
  var message: String
  /// Whether nothing of the file is used.
  var ignoresFile = false

  /// One line, such as `config.toml:3: unknown key "thme", did you mean "theme"?`.
  ///
  /// It may contain words of the file: sanitise it before writing it.
  var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(message)" + (ignoresFile ? "; the file is ignored" : "")
  }

  /// An unknown word with the nearest known one, or else the way to list the known ones.
  static func unknown(
    _ kind: String, _ word: String, among words: [String], else advice: String
  ) -> String {
    let nearest = Spelling.nearest(to: word, among: words)
    let help = nearest.map { ", did you mean \"\($0)\"?" } ?? "; \(advice)"
    return "unknown \(kind) \"\(word)\"\(help)"
  }
}

/// Prints the errors of `config.toml` on standard error, once for each state of the file: a user
/// who runs ten commands needs to read them once.
///
/// `daybook config` always prints them, and so does the screen in its own way.
struct ConfigWarnings {
  private let problems: [String]
  private let path: String?

  init(_ configuration: Configuration) {
    problems = configuration.problems.map(\.description)
    path = configuration.path
  }

  /// Prints the errors unless they were printed for this state of the file.
  ///
  /// - Parameters:
  ///   - isAsked: whether the command is about the configuration.
  ///   - isReadOnly: whether nothing may be written, including the record of printed errors.
  func tell(isAsked: Bool, isReadOnly: Bool) {
    guard !problems.isEmpty else { return }
    let mark = "\(Entry.checksum(of: state))\n"
    let record = (try? Places.state()).map { "\($0)/\(Self.file)" }
    if !isAsked {
      let told = record.flatMap { DraftFile.read($0, limit: 64) }
      if told.map({ String(decoding: $0, as: UTF8.self) }) == mark { return }
    }
    for problem in problems { Console.complain(problem) }
    guard !isReadOnly, let record, let slash = record.lastIndex(of: "/") else { return }
    // If this cannot be recorded, they are printed again.
    try? DraftFile.makeDirectory(String(record[..<slash]))
    try? DraftFile.write(Array(mark.utf8), to: record)
  }

  private static let file = "config-told"

  /// The contents of the file, with all errors in it and in files it refers to.
  private var state: String {
    let text = path.flatMap { try? ConfigFile.text($0, called: "config.toml") }
    return ([path ?? "", text ?? ""] + problems).joined(separator: "\n")
  }
}
