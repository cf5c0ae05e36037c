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

extension JournalLocation {
  /// Opens the journal.
  ///
  /// The default journal's folders are made, readable only by their owner; of an explicit path the
  /// file alone is. Reading a default journal that nobody wrote to yet is reading an empty one.
  ///
  /// - Parameters:
  ///   - mode: whether to write, and to make a missing file.
  ///   - clock: the clock that dates changes.
  ///   - actor: the name under which this program's changes stand in the log.
  ///   - observer: called when the journal has to be brought up to date.
  /// - Throws: ``GivenUp`` when the observer says so; ``StoreError``: for example
  ///   ``StoreError/Kind/missing`` for a reader of an explicit path without a file,
  ///   ``StoreError/Kind/cannotCreate`` for a writer without a folder.
  package func open(
    mode: OpenMode, clock: WallClock = .system, actor: String = "daybook",
    observer: UpgradeObserver? = nil
  ) throws -> any EntryStore {
    if kind == .memory { return try SQLiteEntryStore(clock: clock, actor: actor) }
    if !isExplicit {
      if mode != .create, access(path, F_OK) != 0, errno == ENOENT {
        return try SQLiteEntryStore(clock: clock, actor: actor)
      }
      if mode == .create { try JournalLocation.makeFolder(JournalFile.folder(of: path)) }
    }
    do {
      return switch kind {
      case .json: try JSONEntryStore.open(path, mode: mode, clock: clock, actor: actor)
      case .sqlite, .memory:
        try SQLiteEntryStore.open(
          path, mode: mode, clock: clock, actor: actor, observer: observer)
      }
    } catch let error as StoreError where error.kind == .missing && !isExplicit && mode != .create {
      // The default journal's file is there and empty: nobody wrote to it yet.
      return try SQLiteEntryStore(clock: clock, actor: actor)
    }
  }

  /// Makes a folder and those above it, for their owner alone.
  static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != "/", path != "." else { throw folderError(errno, path) }
    try makeFolder(JournalFile.folder(of: path))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw folderError(errno, path) }
  }

  private static func folderError(_ code: Int32, _ path: String) -> StoreError {
    let kind: StoreError.Kind =
      code == EACCES || code == EPERM || code == EROFS ? .permission : .cannotCreate
    return StoreError(
      kind, at: path,
      "the folder cannot be made (\(JournalFile.message(code))); make it, or name a journal with"
        + " --journal")
  }
}
