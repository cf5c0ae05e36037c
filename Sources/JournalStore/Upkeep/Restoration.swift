import Files
import Glibc
import Journal

/// Replaces a journal by a backup, and keeps the replaced journal.
///
/// Three promises: the backup is copied and verified before the journal is touched. The journal's
/// path always has the complete old file or the complete new one. No write is lost in between,
/// since the exchange waits until no other process reads or writes the journal, and a store with
/// the old file open refuses to write to it (``StoreError/Kind/replaced``).
package final class Restoration {
  /// The journal to replace.
  package let location: JournalLocation
  /// The number of entries in the backup outside the trash.
  package private(set) var entries: Int
  /// The day of the last written entry.
  package let lastDay: Day?
  /// The faults of the backup, one per line.
  package let problems: [String]

  private let target: String
  private let staged: String
  private let clock: WallClock
  /// Whether the old journal is at ``staged``, between the exchange and its new name.
  private var holdsOldJournal = false

  /// Copies a backup into the journal's directory and verifies the copy.
  ///
  /// - Parameter attendance: sees the progress of copying and verifying, and may give it up.
  /// - Throws: ``StoreError`` when the file is not a complete journal of the same kind, when the
  ///   journal has no file, or when the disk is full; ``GivenUp``. Then no file is left.
  package init(
    of file: String, to location: JournalLocation, clock: WallClock = .system,
    attendance: WorkAttendance = WorkAttendance()
  ) throws {
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
    if !location.isExplicit { try JournalLocation.makeDirectory(JournalFile.directory(of: target)) }
    unlink(staged)
    do {
      let store = try Restoration.stage(file, staged, location.kind, clock, attendance)
      problems = try store.check(attendance)
      entries = try store.count()
      lastDay = try store.lastDay()
      try AtomicFile.sync(staged)
    } catch {
      Restoration.remove(staged)
      if let error = error as? FileError { throw WholeFile.failure(error, staged) }
      throw error
    }
  }

  /// Removes an unused copy.
  deinit {
    if !holdsOldJournal { Restoration.remove(staged) }
  }

  /// Adds entries to the copy that becomes the journal.
  ///
  /// - Throws: ``StoreError``.
  package func add(_ new: [NewEntry]) throws {
    guard !new.isEmpty else { return }
    let store = try SQLiteEntryStore.open(staged, mode: .readWrite, clock: clock)
    defer { store.close() }
    try store.add(new)
    entries = try store.count()
  }

  /// Exchanges the files.
  ///
  /// - Parameter guarding: makes the exchange under a lock of the caller, and returns whether it was
  ///   made; ``StoreError/Kind/busy`` if it was not.
  /// - Returns: the path of the old journal, or `nil` if there was none.
  /// - Throws: ``StoreError``, with the old journal still at its path: ``StoreError/Kind/busy``
  ///   when another process uses it for five more seconds. Only a failed sync of the directory is
  ///   thrown after the exchange, and the message includes this.
  package func finish(
    guarding: (_ exchange: () throws -> Void) throws -> Bool = { exchange in
      try exchange()
      return true
    }
  ) throws -> String? {
    guard try isThere() else {
      try renamed { () throws(FileError) in try AtomicFile.renameExclusively(staged, to: target) }
      try sync("the backup is restored")
      return nil
    }
    // A killed writer's transaction belongs to the old file.
    if location.kind == .sqlite { _ = try? SQLiteEntryStore.open(target, mode: .readWrite) }
    let lock = try Restoration.lock(target, location.kind)
    return try withExtendedLifetime(lock) {
      let kept = DatedCopyName.free(beside: target, at: clock.moment())
      let companions = try moveCompanions(to: kept)
      do {
        guard try guarding({ try exchange(keeping: kept) }) else {
          throw StoreError(
            .busy, at: location.path, "an entry was added to it meanwhile; try again")
        }
      } catch {
        moveBack(companions, from: kept)
        throw error
      }
      try sync("the backup is restored, and the old journal is kept as \(kept)")
      return kept
    }
  }

  /// Whether the journal exists; a disk error is thrown.
  private func isThere() throws -> Bool {
    var status = stat()
    if lstat(target, &status) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else { throw WholeFile.failure("read", target) }
    return false
  }

  /// The old journal has a name at any time: its own, ``staged``, or the one of the kept copy.
  private func exchange(keeping kept: String) throws {
    let isExchanged = try renamed { () throws(FileError) in
      try AtomicFile.exchange(staged, target)
    }
    guard isExchanged else { return try replace(keeping: kept) }
    holdsOldJournal = true
    do {
      try renamed { () throws(FileError) in try AtomicFile.renameExclusively(staged, to: kept) }
    } catch {
      // Reverting may fail, too; then the old journal is at its staged path.
      guard (try? AtomicFile.exchange(staged, target)) == true else {
        throw StoreError(
          .io, at: target,
          "the backup is restored, but the old journal could not be renamed and is \(staged)")
      }
      holdsOldJournal = false
      throw error
    }
    holdsOldJournal = false
  }

  /// Replaces the journal if the file system cannot exchange files.
  ///
  /// The old journal exists throughout: with a second name, or under the name of the kept copy.
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
          .io, at: target, "nothing was restored, and the old journal is now \(kept)")
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
        "\(done), but the directory cannot be synced (\(error.reason)); check the disk")
    }
  }

  /// Moves the old file's companions.
  ///
  /// A rollback journal that is still hot after the file was opened belongs to a file that cannot
  /// be opened; beside the new file it would be rolled back into it.
  ///
  /// - Returns: the suffixes of the moved files.
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
      ? try FileLock(beside: path, shownPath: path) : try SQLiteFileLock(path, shownPath: path)
  }

  private static func stage(
    _ file: String, _ staged: String, _ kind: JournalLocation.Kind, _ clock: WallClock,
    _ attendance: WorkAttendance
  ) throws -> any EntryStore {
    if kind == .json {
      _ = try JournalFile(existing: file)
      try WholeFile.write(WholeFile.readJSON(file, shownPath: file), to: staged, shownPath: staged)
      return try JSONEntryStore.open(staged, mode: .readOnly, clock: clock)
    }
    try SQLiteEntryStore.copyChecked(file, to: staged, attendance)
    return try SQLiteEntryStore.open(staged, mode: .readWrite, clock: clock)
  }

  /// The target of a link, which may be damaged but must not be another program's.
  private static func checkedTarget(_ location: JournalLocation) throws -> String {
    let file: JournalFile
    do {
      file = try JournalFile(existing: location.path)
    } catch let error as StoreError where error.kind == .missing {
      return location.path
    }
    do {
      if location.kind == .sqlite {
        try file.checkHeader(shownPath: location.path, forReading: true)
      }
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
  /// The day of the last written entry.
  fileprivate func lastDay() throws -> Day? {
    try inspect { reader in
      try reader.numbers(matching: nil).last.flatMap { try reader.entry(number: $0)?.day }
    }
  }
}
