import Glibc
import Journal

/// The path and the kind of a journal, from the user's options.
package struct JournalLocation: Hashable, Sendable {
  /// The kinds of journal.
  package enum Kind: Hashable, Sendable {
    /// An SQLite file, under any name without another meaning.
    case sqlite
    /// A JSON file: `*.json`.
    case json
    /// No file: `:memory:`.
    case memory
  }

  /// The file's path, or `:memory:`.
  package var path: String
  /// Whether the user named it; the default journal's directory is created when needed.
  package var isExplicit: Bool

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
  /// - Throws: ``StoreError`` with the variable that is not usable.
  package static func resolve(
    option: String?, environment: [String: String]
  ) throws -> JournalLocation {
    if let option, !option.isEmpty { return JournalLocation(path: option, isExplicit: true) }
    if let path = environment["DAYBOOK_JOURNAL"], !path.isEmpty {
      return JournalLocation(path: path, isExplicit: true)
    }
    // The XDG base directory specification ignores relative paths.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return JournalLocation(path: "\(data)/daybook/journal.sqlite", isExplicit: false)
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw StoreError(
        .cannotCreate, at: "HOME",
        "the variable is not set to a directory; set it, or name a journal with --journal")
    }
    return JournalLocation(
      path: "\(home)/.local/share/daybook/journal.sqlite", isExplicit: false)
  }
}

extension JournalLocation {
  /// Opens the journal.
  ///
  /// The directories of the default journal are created, readable only by their owner; for an
  /// explicit path only the file is. A default journal that does not exist yet reads as empty.
  ///
  /// - Parameters:
  ///   - mode: whether to write, and to create a missing file.
  ///   - clock: the clock that dates changes.
  ///   - author: the author of the store's changes in the log.
  ///   - observer: called when the journal must be upgraded.
  /// - Throws: ``GivenUp`` when the observer cancels; ``StoreError``: for example
  ///   ``StoreError/Kind/missing`` for a reader of an explicit path without a file,
  ///   ``StoreError/Kind/cannotCreate`` for a writer without a directory.
  package func open(
    mode: OpenMode, clock: WallClock = .system, author: ChangeAuthor = ChangeAuthor(),
    observer: UpgradeObserver? = nil
  ) throws -> any EntryStore {
    if kind == .memory { return try SQLiteEntryStore(clock: clock, author: author) }
    if !isExplicit {
      if mode != .create, access(path, F_OK) != 0, errno == ENOENT {
        return try SQLiteEntryStore(clock: clock, author: author)
      }
      if mode == .create { try JournalLocation.makeDirectory(JournalFile.directory(of: path)) }
    }
    do {
      return switch kind {
      case .json: try JSONEntryStore.open(path, mode: mode, clock: clock, author: author)
      case .sqlite, .memory:
        try SQLiteEntryStore.open(
          path, mode: mode, clock: clock, author: author, observer: observer)
      }
    } catch let error as StoreError where error.kind == .missing && !isExplicit && mode != .create {
      // The default journal's file exists and is empty: nothing was written yet.
      return try SQLiteEntryStore(clock: clock, author: author)
    }
  }

  /// Creates a directory and its parents, for their owner only.
  static func makeDirectory(_ path: String) throws {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != "/", path != "." else { throw directoryError(errno, path) }
    try makeDirectory(JournalFile.directory(of: path))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw directoryError(errno, path) }
  }

  private static func directoryError(_ code: Int32, _ path: String) -> StoreError {
    let kind: StoreError.Kind =
      code == EACCES || code == EPERM || code == EROFS ? .permission : .cannotCreate
    return StoreError(
      kind, at: path,
      "the directory cannot be created (\(JournalFile.message(code))); create it, or name a"
        + " journal with --journal")
  }
}
