import Files
import Glibc
import Journal

/// Puts a backup in a journal's place, and keeps the journal that stood there.
///
/// Three promises: the backup is copied and checked before anything happens to the journal; whoever
/// opens the journal's path finds the old file or the new one, whole; and nobody's write is lost
/// between them, since the exchange waits until no other process reads or writes the journal, and a
/// store that has the old file open refuses to write to it (``StoreError/Kind/replaced``).
package final class Restoration {
  /// The journal whose place is taken.
  package let location: JournalLocation
  /// How many entries the backup has outside the trash.
  package let entries: Int
  /// The day of the entry that was written last.
  package let lastDay: Day?
  /// The faults of the backup, a line each.
  package let problems: [String]

  private let target: String
  private let staged: String
  private let clock: WallClock
  /// Whether the journal that stood there is at ``staged``, between the exchange and its new name.
  private var holdsOldJournal = false

  /// Copies a backup beside the journal and checks the copy.
  ///
  /// - Throws: ``StoreError`` when the file is no journal of the same kind and whole, when the journal
  ///   has no file, or when the disk has no room for the copy; nothing is left then.
  package init(of file: String, to location: JournalLocation, clock: WallClock = .system) throws {
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
    let prefix = AtomicFile.temporaryPrefix(of: target, ".restoring-")
    staged = "\(Directory.of(target))/\(prefix)\(getpid())"
    if !location.isExplicit { try JournalLocation.makeFolder(JournalFile.folder(of: target)) }
    unlink(staged)
    do {
      let store = try Restoration.stage(file, staged, location.kind, clock)
      problems = try store.check()
      entries = try store.count()
      lastDay = try store.lastDay()
      try AtomicFile.sync(staged)
    } catch {
      Restoration.remove(staged)
      if let error = error as? FileError { throw WholeFile.failure(error, staged) }
      throw error
    }
  }

  /// The copy goes if nobody wanted it.
  deinit {
    if !holdsOldJournal { Restoration.remove(staged) }
  }

  /// Exchanges the files.
  ///
  /// - Returns: where the journal that stood there is kept, or `nil` if there was none.
  /// - Throws: ``StoreError``, with the old journal still in its place: ``StoreError/Kind/busy`` when
  ///   another process does not let go of it for five seconds. Only a failed sync of the directory is
  ///   thrown after the exchange, and says so.
  package func finish() throws -> String? {
    guard try isThere() else {
      try renamed { () throws(FileError) in try AtomicFile.renameExclusively(staged, to: target) }
      try sync("the copy is in its place")
      return nil
    }
    // What a killed writer left half-done belongs to the file that is kept.
    if location.kind == .sqlite { _ = try? SQLiteEntryStore.open(target, mode: .readWrite) }
    let lock = try Restoration.lock(target, location.kind)
    return try withExtendedLifetime(lock) {
      let kept = DatedCopyName.free(beside: target, at: clock.moment())
      let companions = try moveCompanions(to: kept)
      do {
        try exchange(keeping: kept)
      } catch {
        moveBack(companions, from: kept)
        throw error
      }
      try sync("the copy is in its place, and the journal before is kept as \(kept)")
      return kept
    }
  }

  /// Whether a journal stands there; an error of the disk is no answer.
  private func isThere() throws -> Bool {
    var status = stat()
    if lstat(target, &status) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else { throw WholeFile.failure("read", target) }
    return false
  }

  /// The old journal has a name at any time: its own, ``staged``, or the one under which it is kept.
  private func exchange(keeping kept: String) throws {
    let isExchanged = try renamed { () throws(FileError) in
      try AtomicFile.exchange(staged, target)
    }
    guard isExchanged else { return try replace(keeping: kept) }
    holdsOldJournal = true
    do {
      try renamed { () throws(FileError) in try AtomicFile.renameExclusively(staged, to: kept) }
    } catch {
      // Going back may fail too; then the old journal is found where it is.
      guard (try? AtomicFile.exchange(staged, target)) == true else {
        throw StoreError(
          .io, at: target,
          "the copy is in its place, but the journal before could not be renamed and is \(staged)")
      }
      holdsOldJournal = false
      throw error
    }
    holdsOldJournal = false
  }

  /// Replaces the journal where the file system cannot exchange files.
  ///
  /// With a second name, or under the one it is kept by, the old journal is there in between.
  private func replace(keeping kept: String) throws {
    if link(target, kept) == 0 {
      do {
        try renamed { () throws(FileError) in try AtomicFile.rename(staged, to: target) }
      } catch {
        unlink(kept)
        throw error
      }
      return
    }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else {
      throw WholeFile.failure("write", target)
    }
    try renamed { () throws(FileError) in try AtomicFile.renameExclusively(target, to: kept) }
    do {
      try renamed { () throws(FileError) in try AtomicFile.renameExclusively(staged, to: target) }
    } catch {
      guard (try? AtomicFile.renameExclusively(kept, to: target)) != nil else {
        throw StoreError(
          .io, at: target, "nothing was restored, and the journal before is now \(kept)")
      }
      throw error
    }
  }

  @discardableResult
  private func renamed<Value>(_ body: () throws(FileError) -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw WholeFile.failure(error, target)
    }
  }

  private func sync(_ done: String) throws {
    do {
      try Directory.sync(of: target)
    } catch {
      throw StoreError(
        .io, at: target,
        "\(done), but the folder cannot be synced (\(error.reason)); check the disk")
    }
  }

  /// A rollback journal that is still hot after the file was opened belongs to a file that cannot be
  /// opened; under the new file it would be rolled back into it.
  ///
  /// - Returns: the endings of the files that were moved.
  private func moveCompanions(to kept: String) throws -> [String] {
    guard location.kind == .sqlite else { return [] }
    var moved: [String] = []
    for suffix in ["-journal", "-wal", "-shm"] {
      do {
        var status = stat()
        guard lstat(target + suffix, &status) == 0 else {
          if errno == ENOENT { continue }
          throw WholeFile.failure("read", target + suffix)
        }
        guard status.st_size > 0 else { continue }
        try renamed { () throws(FileError) in
          try AtomicFile.rename(target + suffix, to: kept + suffix)
        }
        moved.append(suffix)
      } catch {
        moveBack(moved, from: kept)
        throw error
      }
    }
    return moved
  }

  private func moveBack(_ suffixes: [String], from kept: String) {
    for suffix in suffixes { try? AtomicFile.rename(kept + suffix, to: target + suffix) }
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
      try WholeFile.write(WholeFile.readJSON(file, place: file), to: staged, place: staged)
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
