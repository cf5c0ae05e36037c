import Foundation

@testable import daybook

/// A folder with a configuration, as `$XDG_CONFIG_HOME/daybook` is; it goes with the value.
final class ConfigFolder {
  let url: URL

  /// Makes a folder with a `config.toml` and theme files.
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

  /// What is read from it.
  func load() -> Configuration { Configuration.load(folder: url.path) }
}

extension Configuration {
  /// What is read from a text.
  static func reading(_ text: String) throws -> Configuration { try ConfigFolder(text).load() }

  /// Everything that is wrong, as it is told.
  var messages: [String] { problems.map(\.description) }
}
