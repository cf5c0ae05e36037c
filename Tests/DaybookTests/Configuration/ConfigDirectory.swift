import Foundation

@testable import daybook

/// A directory with a configuration, like `$XDG_CONFIG_HOME/daybook`; it is deleted with the value.
final class ConfigDirectory {
  let url: URL

  /// Makes a directory with a `config.toml` and theme files.
  init(_ config: String? = nil, themes: [String: String] = [:]) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url.appending(path: "themes"), withIntermediateDirectories: true)
    if let config { try Data(config.utf8).write(to: url.appending(path: "config.toml")) }
    for (name, text) in themes {
      try Data(text.utf8).write(to: url.appending(path: "themes/\(name).toml"))
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Its configuration.
  func load() -> Configuration { Configuration.load(directory: url.path) }
}

extension Configuration {
  /// The configuration in a text.
  static func reading(_ text: String) throws -> Configuration { try ConfigDirectory(text).load() }

  /// All errors as messages.
  var messages: [String] { problems.map(\.description) }
}
