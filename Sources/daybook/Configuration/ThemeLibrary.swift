import Files
import Screen
import Terminal
import TextLayout

/// The available themes: the user's own in `config.toml`, files of the directory `themes` beside
/// it, and the built-in ones.
///
/// Each theme is read when it is first needed.
struct ThemeLibrary {
  /// A theme that does not exist or cannot be read.
  struct Missing: Error, Equatable {
    /// The error, with the nearest theme.
    var message: String
  }

  /// The name of the default theme.
  static let standard = Settings.automaticTheme

  /// The user's own themes, by name.
  var own: [String: ThemeDescription] = [:]
  /// The directory of theme files; nil if there is none.
  var directory: String?

  /// Every name, the user's own first.
  var names: [String] {
    var seen: Set<String> = []
    let all = own.keys.sorted() + fileNames + Self.builtIn.map(\.name)
    return all.filter { seen.insert($0).inserted }
  }

  /// The theme with a name.
  ///
  /// Its invalid lines are ignored; ``description(named:)`` reports them.
  ///
  /// - Parameter background: the terminal's colour as `0xRRGGBB`, by which `auto` is `light` or
  ///   `dark`; `nil` if it is unknown.
  /// - Throws: ``Missing``.
  func theme(named name: String, on background: UInt32? = nil) throws(Missing) -> Theme {
    guard let background, name == Settings.automaticTheme, own[name] == nil,
      !fileNames.contains(name)
    else { return try theme(named: name, depth: 0) }
    let chosen = Contrast.isDark(background) ? "dark" : "light"
    return try theme(named: chosen, depth: 0).adapted(to: background)
  }

  /// Whether there is a theme of this name.
  func contains(_ name: String) -> Bool {
    own[name] != nil || Self.builtIn.contains { $0.name == name } || fileNames.contains(name)
  }

  /// The description of a theme, without its base.
  ///
  /// - Throws: ``Missing``.
  func description(named name: String) throws(Missing) -> ThemeDescription {
    if let own = own[name] { return own }
    do {
      if let text = try fileText(name) {
        return try Self.read(text, name, file: "themes/\(name).toml")
      }
    } catch {
      throw Missing(message: "\(error)")
    }
    guard let bytes = Self.builtIn.first(where: { $0.name == name })?.bytes() else {
      let message = ConfigProblem.unknown(
        "theme", name, among: names, else: "use \(names.joined(separator: ", "))")
      throw Missing(message: message)
    }
    do {
      return try Self.read(String(decoding: bytes, as: UTF8.self), name, file: "\(name).toml")
    } catch {
      throw Missing(message: "\(error)")
    }
  }

  private func theme(named name: String, depth: Int) throws(Missing) -> Theme {
    let description = try description(named: name)
    guard let base = description.base else { return description.theme }
    guard depth < Self.deepest else {
      throw Missing(message: "theme \"\(name)\" is its own base; choose another one")
    }
    // A user's theme may have the same name as the built-in theme on which it is based.
    let below = base == name ? ThemeLibrary() : self
    return description.theme(over: try below.theme(named: base, depth: depth + 1))
  }

  private static let deepest = 8

  private static func read(
    _ text: String, _ name: String, file: String
  ) throws(ConfigProblem) -> ThemeDescription {
    ThemeDescription(try ConfigDocument(text, file: file).items, name: name, file: file)
  }
}

// MARK: - Sources of themes

extension ThemeLibrary {
  /// The themes that are embedded in the program, from `Resources/themes`.
  static let builtIn: [(name: String, bytes: @Sendable () -> [UInt8])] = [
    ("auto", { PackageResources.auto_toml }),
    ("calm", { PackageResources.calm_toml }),
    ("light", { PackageResources.light_toml }),
    ("dark", { PackageResources.dark_toml }),
    ("contrast", { PackageResources.contrast_toml }),
    ("mono", { PackageResources.mono_toml }),
  ]

  private var fileNames: [String] {
    guard let directory else { return [] }
    return Directory.names(in: directory).filter { $0.hasSuffix(".toml") }
      .map { String($0.dropLast(5)) }.filter { !$0.isEmpty }
  }

  /// A name is not a path: it cannot refer to files outside the directory.
  private func fileText(_ name: String) throws(ConfigProblem) -> String? {
    guard let directory, !name.contains("/"), !name.isEmpty else { return nil }
    return try ConfigFile.text("\(directory)/\(name).toml", called: "themes/\(name).toml")
  }
}

/// A theme in a file or a table of the configuration, parsed line by line.
///
/// ```toml
/// about = "what it is good for"
/// base = "calm"                    # what holds for roles that are not named
/// header = "bold #0087af"
/// [basic]                          # terminals of 8 or 16 colours
/// header = "bold blue"
/// ```
struct ThemeDescription {
  /// The base theme for everything that this one does not set.
  private(set) var base: String?
  /// The theme without its base.
  private(set) var theme: Theme
  /// The invalid lines.
  private(set) var problems: [ConfigProblem] = []

  /// Reads the keys of a theme.
  init(_ items: [ConfigItem], name: String, file: String) {
    theme = Theme(name: name, looks: [:])
    for item in items {
      if let message = take(item) {
        problems.append(ConfigProblem(file: file, line: item.line, message: message))
      }
    }
  }

  /// Removes the base.
  mutating func forgetBase() { base = nil }

  /// The theme merged with its base.
  func theme(over base: Theme?) -> Theme {
    guard let base else { return theme }
    var whole = theme
    whole.looks = base.looks.merging(theme.looks) { $1 }
    // The base's fallback colours would hide the colours that were changed here.
    let kept = base.basic.filter { theme.looks[$0.key] == nil }
    let own = theme.looks.merging(theme.basic) { $1 }
    whole.basic = base.basic.isEmpty && theme.basic.isEmpty ? [:] : kept.merging(own) { $1 }
    return whole
  }

  private mutating func take(_ item: ConfigItem) -> String? {
    let isBasic = item.path.first == "basic" && item.path.count == 2
    guard item.path.count == 1 || isBasic, let key = item.path.last else {
      return unknown(item.path.joined(separator: "."))
    }
    if key == "basic", item.value == .emptyTable { return nil }
    guard case .text(let text) = item.value else { return "\(key) must be a string in quotes" }
    switch key {
    case "about" where !isBasic: theme.about = text
    case "base" where !isBasic: base = text
    default: return take(key, text, isBasic: isBasic)
    }
    return nil
  }

  private mutating func take(_ key: String, _ text: String, isBasic: Bool) -> String? {
    guard let role = Style.Role(rawValue: key) else { return unknown(key) }
    guard let look = ResolvedStyle(text) else {
      return "\(key) = \"\(text)\" is not a style; write for example \"bold cyan on black\", "
        + "\"underline #d08770\" or \"reverse\""
    }
    if isBasic { theme.basic[role] = look } else { theme.looks[role] = look }
    return nil
  }

  private func unknown(_ word: String) -> String {
    let roles = Style.Role.allCases.map(\.rawValue)
    return ConfigProblem.unknown(
      "role", word, among: roles, else: "use \(roles.joined(separator: ", "))")
  }
}

/// The themes for `daybook config themes`: the name, a sample in its colours, and its purpose.
struct ThemeListing {
  private let configuration: Configuration
  private let ink: Ink

  /// Makes a listing with samples if the ink has colours.
  init(_ configuration: Configuration, _ ink: Ink) {
    self.configuration = configuration
    self.ink = ink
  }

  /// A line per theme; the current one has a star.
  var text: String {
    let names = configuration.themes.names
    let widest = names.map { TextWidth.columns(of: $0) }.max() ?? 0
    return names.map { name in
      let safe = Sanitizing.line(name)
      let mark = name == configuration.settings.theme ? "*" : " "
      return "\(mark) \(TextFit.pad(safe, columns: widest))  \(sample(name))"
    }.joined(separator: "\n")
  }

  /// A list of objects with `name`, `about` and `problem`.
  var json: String {
    JSONLine.list(
      configuration.themes.names.map { name in
        do throws(ThemeLibrary.Missing) {
          let theme = try configuration.themes.theme(named: name)
          return JSONLine.object([("name", name), ("about", theme.about), ("problem", nil)])
        } catch {
          return JSONLine.object([("name", name), ("about", nil), ("problem", error.message)])
        }
      })
  }

  private func sample(_ name: String) -> String {
    do {
      let theme = try configuration.themes.theme(named: name)
      let sample = ink.with(theme).sample
      return ([sample].filter { !$0.isEmpty } + [Sanitizing.line(theme.about)])
        .joined(separator: "  ")
    } catch {
      return Sanitizing.line(error.message)
    }
  }
}

extension Ink {
  /// The same number of colours with another theme.
  func with(_ theme: Theme) -> Ink { Ink(theme: theme, profile: profile) }

  /// A line with the most visible roles; empty without colours.
  fileprivate var sample: String {
    guard profile > .none else { return "" }
    let parts: [(String, Style.Role)] = [
      (" Today ", .header), ("09:15 ", .time), ("★ ", .star), ("Bought bread ", .normal),
      ("#home ", .tag), (" selected ", .selected), (" found ", .match), (" status ", .status),
    ]
    return parts.map { paint($0.0, $0.1) }.joined()
  }
}
