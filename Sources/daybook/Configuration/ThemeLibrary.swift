import TerminalUI

/// The themes that can be chosen by name: the user's own in `config.toml`, files of the folder
/// `themes` beside it, and those that are built in.
///
/// A theme is read when it is asked for and not before.
struct ThemeLibrary {
  /// There is no theme of this name, or it cannot be read.
  struct Missing: Error, Equatable {
    /// What is wrong, and what could be meant.
    var message: String
  }

  /// The name of the theme that is used when none is chosen.
  static let standard = "calm"

  /// The user's own themes, by name.
  var own: [String: ThemeDescription] = [:]
  /// The folder of theme files; nil where there is none.
  var folder: String?

  /// Every name, the user's own first.
  var names: [String] {
    var seen: Set<String> = []
    let all = own.keys.sorted() + fileNames + Self.builtIn.map(\.name)
    return all.filter { seen.insert($0).inserted }
  }

  /// The theme with a name.
  ///
  /// Lines of it that mean nothing are left out; ``description(named:)`` has them.
  ///
  /// - Throws: ``Missing``.
  func theme(named name: String) throws(Missing) -> Theme {
    try theme(named: name, depth: 0)
  }

  /// Whether there is a theme of this name.
  func contains(_ name: String) -> Bool {
    own[name] != nil || Self.builtIn.contains { $0.name == name } || fileNames.contains(name)
  }

  /// What a theme says, without its base.
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
        "theme", name, among: names, else: "there are \(names.joined(separator: ", "))")
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
    // A theme of the user's may have the name of the built-in one that it is made from.
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

// MARK: - Where themes come from

extension ThemeLibrary {
  /// The themes that are embedded in the program, from `Resources/themes`.
  static let builtIn: [(name: String, bytes: @Sendable () -> [UInt8])] = [
    ("calm", { PackageResources.calm_toml }),
    ("light", { PackageResources.light_toml }),
    ("dark", { PackageResources.dark_toml }),
    ("contrast", { PackageResources.contrast_toml }),
    ("mono", { PackageResources.mono_toml }),
  ]

  private var fileNames: [String] {
    guard let folder else { return [] }
    return DraftFile.names(in: folder).filter { $0.hasSuffix(".toml") }
      .map { String($0.dropLast(5)) }.filter { !$0.isEmpty }
  }

  /// A name is no path: nothing outside of the folder can be named.
  private func fileText(_ name: String) throws(ConfigProblem) -> String? {
    guard let folder, !name.contains("/"), !name.isEmpty else { return nil }
    return try ConfigFile.text("\(folder)/\(name).toml", called: "themes/\(name).toml")
  }
}
