import Files
import Glibc
import Journal
import Screen
import Terminal
import TextLayout

/// The user's configuration: settings, keys and themes, with the errors in the file.
///
/// An invalid line is reported and ignored; all others apply. No error here ends the program: a
/// journal must open regardless of a text file.
struct Configuration {
  var settings = Settings()
  /// The available themes.
  var themes = ThemeLibrary()
  /// The templates of new entries.
  var templates = TemplateLibrary()
  /// The errors in the file, in the order of its lines.
  var problems: [ConfigProblem] = []
  /// The sources of all settings that are not defaults, by key; views by `views.NAME`.
  var origins: [String: ConfigOrigin] = [:]
  /// The user's accepted key changes.
  var keyChanges: [KeyChange] = []
  /// The file's path, even if it does not exist; nil if no directory is known.
  var path: String?
  /// Whether the whole file is ignored: it is not TOML, or cannot be read.
  var isIgnored = false

  /// The defaults.
  init() {}

  /// The configuration of this process's user, read once.
  static let ofUser = Configuration.load(directory: Places.configuration())

  /// Reads `config.toml` in a directory.
  static func load(directory: String?) -> Configuration {
    guard let directory else { return Configuration() }
    var reader = ConfigReader(directory: directory)
    return reader.read()
  }

  /// The configuration of the same directory, read again.
  func reloaded() -> Configuration {
    guard let path, let slash = path.lastIndex(of: "/") else { return self }
    return .load(directory: String(path[..<slash]))
  }

  /// The key table with the user's keys.
  var keys: KeyTable {
    keyChanges.isEmpty ? .standard : KeyTable.standard.changed(by: keyChanges).table
  }

  /// The source of a key's value.
  func origin(of key: String) -> ConfigOrigin { origins[key] ?? .standard }

  /// The selected theme and its errors; the default theme if it is missing.
  func theme() -> (theme: Theme, problems: [String]) {
    do {
      let theme = try themes.theme(named: settings.theme)
      // The errors of a theme in config.toml itself are among the file's.
      let isOwn = themes.own[settings.theme] != nil
      let wrong = isOwn ? [] : try themes.description(named: settings.theme).problems
      return (theme, wrong.map(\.description))
    } catch {
      let usual = try? ThemeLibrary().theme(named: ThemeLibrary.standard)
      return (usual ?? .plain, [error.message])
    }
  }

  /// The configuration with another theme, for one run.
  ///
  /// - Throws: ``Failure`` 64 with the nearest name for a theme that does not exist.
  func using(theme name: String) throws(Failure) -> Configuration {
    do {
      _ = try themes.theme(named: name)
    } catch {
      throw Failure(.usage, "--theme: \(error.message)")
    }
    var other = self
    other.settings.theme = name
    return other
  }

  /// One line about all errors, for a status line; nil without errors.
  var summary: String? {
    guard let first = problems.first else { return nil }
    let rest = problems.count - 1
    return rest == 0 ? "\(first)" : "\(first) (and \(rest) more; :config show lists them)"
  }
}

/// Reads files written by users.
enum ConfigFile {
  /// The maximum size of a file, in bytes.
  private static let limit = 1 << 20

  /// The text of a file; nil if it does not exist.
  ///
  /// - Parameters:
  ///   - path: its path. A link to a file elsewhere is followed, since users keep settings that
  ///     way.
  ///   - name: the file's name in messages.
  /// - Throws: ``ConfigProblem`` for an existing file that cannot be read.
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
      return try TextInput.text(from: bytes[...])
    } catch {
      throw problem(name, error.reason)
    }
  }

  private static func problem(_ name: String, _ reason: String) -> ConfigProblem {
    ConfigProblem(file: name, message: reason, ignoresFile: true)
  }
}

extension DateStyle {
  /// The format of dates and times by the user's configuration and locale.
  static let ofUser = Configuration.ofUser.settings.dateStyle(names: .ofUser)
}
