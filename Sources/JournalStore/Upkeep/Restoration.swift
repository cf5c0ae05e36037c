import CStore
import Glibc
import Journal

/// Puts a backup in a journal's place, and keeps the journal that stood there.
///
/// Three promises: the backup is copied and checked before anything happens to the journal; whoever
/// opens the journal's path finds the old file or the new one, whole; and nobody's write is lost
/// between them, since the exchange waits until no other process reads or writes the journal, and a
/// store that has the old file open refuses to write to it (``StoreError/Kind/replaced``).
public final class Restoration {
  /// The journal whose place is taken.
  public let location: JournalLocation
  /// How many entries the backup has outside the trash.
  public let entries: Int
  /// The day of the entry that was written last.
  public let lastDay: Day?
  /// What is wrong with the backup, a line each.
  public let problems: [String]

  private let target: String
  private let staged: String
  private let clock: WallClock

  /// Copies a backup beside the journal and checks the copy.
  ///
  /// - Throws: ``StoreError`` when the file is no journal of the same kind and whole, when the journal
  ///   has no file, or when the disk has no room for the copy; nothing is left then.
  public init(of file: String, to location: JournalLocation, clock: WallClock = .system) throws {
    guard location.kind != .memory else {
      throw StoreError(.cannotCreate, at: location.path, "a memory journal has no file")
    }
    self.location = location
    self.clock = clock
    if let its = FileIdentity(path: file), its == FileIdentity(path: location.path) {
      throw StoreError(.cannotCreate, at: file, "it is the journal itself; name a copy")
    }
    if let copy = try? JournalFile(existing: file), copy.isEmpty {
      throw StoreError.empty(at: file)
    }
    target = try Restoration.checkedTarget(location)
    staged = "\(target).restoring-\(getpid())"
    if !location.isExplicit { try JournalLocation.makeFolder(JournalFile.folder(of: target)) }
    unlink(staged)
    do {
      let store = try Restoration.stage(file, staged, location.kind, clock)
      problems = try store.check()
      entries = try store.count()
      lastDay = try store.lastDay()
      try FreshFile.sync(staged)
    } catch {
      Restoration.remove(staged)
      throw error
    }
  }

  /// The copy goes if nobody wanted it.
  deinit { Restoration.remove(staged) }

  /// Exchanges the files.
  ///
  /// - Returns: where the journal that stood there is kept, or `nil` if there was none.
  /// - Throws: ``StoreError``, with the old journal still in its place: ``StoreError/Kind/busy`` when
  ///   another process does not let go of it for five seconds.
  public func finish() throws -> String? {
    guard access(target, F_OK) == 0 else {
      guard link(staged, target) == 0 || rename(staged, target) == 0 else {
        throw WholeFile.failure("write", target)
      }
      JournalFile.syncFolder(of: target)
      return nil
    }
    // What a killed writer left half-done belongs to the file that is kept.
    if location.kind == .sqlite { _ = try? SQLiteEntryStore.open(target, mode: .readWrite) }
    let lock = try Restoration.lock(target, location.kind)
    return try withExtendedLifetime(lock) {
      let kept = DatedName.free(beside: target, at: clock.moment())
      try exchange(keeping: kept)
      return kept
    }
  }

  private func exchange(keeping kept: String) throws {
    if location.kind == .sqlite { try Restoration.moveCompanions(of: target, to: kept) }
    if daybook_exchange_files(staged, target) == 0 {
      guard rename(staged, kept) == 0 else { throw WholeFile.failure("write", kept) }
    } else {
      // Not every file system can exchange; most of those have links, or no other readers.
      guard link(target, kept) == 0, rename(staged, target) == 0 else {
        throw WholeFile.failure("write", target)
      }
    }
    JournalFile.syncFolder(of: target)
  }

  /// A rollback journal that is still hot after the file was opened belongs to a file that cannot be
  /// opened; under the new file it would be rolled back into it.
  private static func moveCompanions(of target: String, to kept: String) throws {
    for suffix in ["-journal", "-wal", "-shm"] {
      var status = stat()
      guard stat(target + suffix, &status) == 0, status.st_size > 0 else { continue }
      guard rename(target + suffix, kept + suffix) == 0 else {
        throw WholeFile.failure("write", target + suffix)
      }
    }
  }

  private static func lock(_ path: String, _ kind: JournalLocation.Kind) throws -> AnyObject {
    kind == .json
      ? try FileLock(beside: path, place: path) : try SQLiteFileLock(path, place: path)
  }

  private static func stage(
    _ file: String, _ staged: String, _ kind: JournalLocation.Kind, _ clock: WallClock
  ) throws -> any EntryStore {
    if kind == .json {
      _ = try JournalFile(existing: file)
      try WholeFile.write(WholeFile.read(file, place: file), to: staged, place: staged)
      return try JSONEntryStore.open(staged, mode: .readOnly, clock: clock)
    }
    try SQLiteEntryStore.copyChecked(file, to: staged)
    return try SQLiteEntryStore.open(staged, mode: .readWrite, clock: clock)
  }

  /// The file that a link leads to, which may be damaged but must not be another program's.
  private static func checkedTarget(_ location: JournalLocation) throws -> String {
    let file: JournalFile
    do {
      file = try JournalFile(existing: location.path)
    } catch let error as StoreError where error.kind == .missing {
      return location.path
    }
    do {
      if location.kind == .sqlite { try file.checkHeader(place: location.path, forReading: true) }
    } catch let error as StoreError where [.notAJournal, .damaged].contains(error.kind) {
      return file.path
    }
    return file.path
  }

  private static func remove(_ staged: String) {
    for suffix in ["", "-journal", ".lock", ".before-\(Schema.version)"] { unlink(staged + suffix) }
  }
}

extension EntryStore {
  /// The day of the entry that was written last.
  fileprivate func lastDay() throws -> Day? {
    try inspect { reader in
      try reader.numbers(matching: nil).last.flatMap { try reader.entry(number: $0)?.day }
    }
  }
}
