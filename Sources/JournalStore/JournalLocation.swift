import Glibc
import Journal

/// Where a journal is and what kind it is, from the names a user gave.
package struct JournalLocation: Hashable, Sendable {
  /// The kinds of journal.
  package enum Kind: Hashable, Sendable {
    /// An SQLite file, also under any name that says nothing else.
    case sqlite
    /// A JSON file: `*.json`.
    case json
    /// No file: `:memory:`.
    case memory
  }

  /// The file's path, or `:memory:`.
  package var path: String
  /// Whether the user named it; the default journal's folder is made when needed.
  package var isExplicit: Bool

  /// Makes a location.
  package init(path: String, isExplicit: Bool) {
    self.path = path
    self.isExplicit = isExplicit
  }

  /// The journal's kind, which follows from its name.
  package var kind: Kind {
    if path == ":memory:" { return .memory }
    return path.lowercased().hasSuffix(".json") ? .json : .sqlite
  }

  /// Finds the journal: the option, else `DAYBOOK_JOURNAL`, else `daybook/journal.sqlite` in
  /// `XDG_DATA_HOME` or `~/.local/share`.
  ///
  /// - Parameters:
  ///   - option: the value of `--journal`, if given.
  ///   - environment: the process's variables.
  /// - Throws: ``StoreError`` naming the variable that does not lead anywhere.
  package static func resolve(
    option: String?, environment: [String: String]
  ) throws -> JournalLocation {
    if let option, !option.isEmpty { return JournalLocation(path: option, isExplicit: true) }
    if let path = environment["DAYBOOK_JOURNAL"], !path.isEmpty {
      return JournalLocation(path: path, isExplicit: true)
    }
    // The base directory specification has relative paths ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return JournalLocation(path: "\(data)/daybook/journal.sqlite", isExplicit: false)
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw StoreError(
        .cannotCreate, at: "HOME",
        "the variable is not set to a folder; set it, or name a journal with --journal")
    }
    return JournalLocation(
      path: "\(home)/.local/share/daybook/journal.sqlite", isExplicit: false)
  }
}
