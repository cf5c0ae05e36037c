import JournalApp
import TerminalUI

/// What the user has configured: settings, keys and themes, with what was wrong in the file.
///
/// A line that means nothing is a problem and changes nothing; all others hold. Nothing here stops
/// the program: a journal must open, whatever a text file says.
struct Configuration {
  /// The settings.
  var settings = Settings()
  /// The themes that can be chosen.
  var themes = ThemeLibrary()
  /// The templates of new entries.
  var templates = TemplateLibrary()
  /// What is wrong in the file, in the order of its lines.
  var problems: [ConfigProblem] = []
  /// Where settings come from that are not the default, by their key; views by `views.NAME`.
  var origins: [String: ConfigOrigin] = [:]
  /// The user's wishes for keys that could be granted.
  var keyChanges: [KeyChange] = []
  /// The file's path, whether or not it is there; nil when no folder is known.
  var path: String?

  /// The defaults.
  init() {}

  /// The configuration of this process's user, read once.
  static let ofUser = Configuration.load(folder: Places.configuration())

  /// Reads `config.toml` in a folder.
  static func load(folder: String?) -> Configuration {
    guard let folder else { return Configuration() }
    var reader = ConfigReader(folder: folder)
    return reader.read()
  }

  /// The key table with the user's keys.
  var keys: KeyTable {
    keyChanges.isEmpty ? .standard : KeyTable.standard.changed(by: keyChanges).table
  }

  /// Where the value of a key comes from.
  func origin(of key: String) -> ConfigOrigin { origins[key] ?? .standard }

  /// The chosen theme, and what is wrong with it; where it cannot be had, the usual one.
  func theme() -> (theme: Theme, problems: [String]) {
    do {
      let theme = try themes.theme(named: settings.theme)
      // Those of a theme in config.toml itself are among the file's.
      let isOwn = themes.own[settings.theme] != nil
      let wrong = isOwn ? [] : try themes.description(named: settings.theme).problems
      return (theme, wrong.map(\.description))
    } catch {
      let usual = try? ThemeLibrary().theme(named: ThemeLibrary.standard)
      return (usual ?? .plain, [error.message])
    }
  }

  /// One line about everything that is wrong, for a status line; nil when nothing is.
  var summary: String? {
    guard let first = problems.first else { return nil }
    let rest = problems.count - 1
    return rest == 0 ? "\(first)" : "\(first) (and \(rest) more; :config show lists them)"
  }
}
