import Files
import Glibc
import Journal
import Screen
import Terminal
import TextLayout

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

/// Reading files that a user has written for us.
enum ConfigFile {
  /// The largest file that is read, in bytes.
  private static let limit = 1 << 20

  /// The text of a file; nil when there is none.
  ///
  /// - Parameters:
  ///   - path: where it is. A link to a file elsewhere is followed, as people keep their settings.
  ///   - name: what messages call it.
  /// - Throws: ``ConfigProblem`` for a file that is there and cannot be read.
  static func text(_ path: String, called name: String) throws(ConfigProblem) -> String? {
    let bytes: [UInt8]
    do {
      bytes = try RegularFile.read(path, limit: limit, followsLinks: true)
    } catch {
      switch error {
      case .system(_, ENOENT), .system(_, ENOTDIR): return nil
      case .system(_, let code): throw problem(name, String(cString: strerror(code)))
      case .notRegular, .notOwn: throw problem(name, "not a file")
      case .tooLong: throw problem(name, "longer than 1 MiB")
      }
    }
    do {
      return try TextInput.text(from: bytes[...], name: name)
    } catch {
      throw problem(name, reason(of: error, name))
    }
  }

  /// The failure's words without the name, and without what it says about saving.
  private static func reason(of failure: Failure, _ name: String) -> String {
    var words = failure.message[...]
    if words.hasPrefix("\(name): ") { words = words.dropFirst(name.count + 2) }
    return String(words.prefix { $0 != ";" })
  }

  private static func problem(_ name: String, _ reason: String) -> ConfigProblem {
    ConfigProblem(file: name, message: "\(reason); the file is ignored")
  }
}

extension DateStyle {
  /// Dates and times as the user's configuration and locale want them.
  static let ofUser = Configuration.ofUser.settings.dateStyle(names: .ofUser)
}
