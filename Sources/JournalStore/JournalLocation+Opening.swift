import Glibc
import Journal

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
  ///   - attendant: who is told when the journal has to be brought up to date.
  /// - Throws: ``GivenUp`` when the attendant says so; ``StoreError``: for example ``StoreError/Kind/missing`` for a reader of an explicit path
  ///   without a file, ``StoreError/Kind/cannotCreate`` for a writer without a folder.
  package func open(
    mode: OpenMode, clock: WallClock = .system, actor: String = "daybook",
    attendant: OpeningAttendant? = nil
  ) throws -> any EntryStore {
    if kind == .memory { return MemoryEntryStore(clock: clock, actor: actor) }
    if !isExplicit {
      if mode != .create, access(path, F_OK) != 0, errno == ENOENT {
        return MemoryEntryStore(clock: clock, actor: actor)
      }
      if mode == .create { try JournalLocation.makeFolder(JournalFile.folder(of: path)) }
    }
    do {
      return switch kind {
      case .json: try JSONEntryStore.open(path, mode: mode, clock: clock, actor: actor)
      case .sqlite, .memory:
        try SQLiteEntryStore.open(
          path, mode: mode, clock: clock, actor: actor, attendant: attendant)
      }
    } catch let error as StoreError where error.kind == .missing && !isExplicit && mode != .create {
      // The default journal's file is there and empty: nobody wrote to it yet.
      return MemoryEntryStore(clock: clock, actor: actor)
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
