import CSeal
import Files
import GRDB
import Glibc
import Journal
import Seal

/// Seals a journal, unseals it, and changes its passphrase.
///
/// Promises: the journal's path always has the complete old file or the complete new one. The new
/// file is written beside it, synced, and read back before the exchange; no write of another process
/// is lost in between. The readable file is overwritten before it is removed, as far as the disk
/// allows that.
package struct Sealing {
  /// The journal.
  package let location: JournalLocation
  private let clock: WallClock
  /// Sees the progress of copying and verifying, and may give it up.
  package var attendance = WorkAttendance()

  /// The steps between which other processes may write.
  enum Step {
    /// The copy is written, or the new slots are derived.
    case copied
    /// The copy is read back; the lock is taken next.
    case compared
    /// The new file has the journal's path, which is synced next.
    case exchanged
  }
  /// Called after each step; tests write to the journal there, or fail.
  var reached: (Step) throws -> Void = { _ in }

  /// Called before each copy is made: what waits for the journal elsewhere is added to it there.
  package var prepare: () throws -> Void = {}
  /// Makes the exchange under a lock of the caller, unless something is waiting again; returns
  /// whether it was made.
  package var guarding: (_ exchange: () throws -> Void) throws -> Bool = { exchange in
    try exchange()
    return true
  }

  private var shownPath: String { location.path }

  /// - Throws: ``StoreError`` for a journal that is not an SQLite file, with the way out.
  package init(_ location: JournalLocation, clock: WallClock = .system) throws {
    self.location = location
    self.clock = clock
    // A connection copies into a sealed file only if it was opened after this.
    SealedFiles.install
    switch location.kind {
    case .sqlite: break
    case .memory:
      throw StoreError(.unusableFile, at: location.path, "a journal in memory has no file to seal")
    case .json:
      throw StoreError(
        .unusableFile, at: location.path,
        "a JSON journal is readable by nature; import it into a journal called NAME.sqlite and seal"
          + " that one")
    }
  }

  /// The header of the journal.
  ///
  /// - Returns: `nil` for a readable journal.
  /// - Throws: ``StoreError`` when there is no file, or both copies of its header are damaged.
  package static func header(of location: JournalLocation) throws -> SealedHeader? {
    guard location.kind == .sqlite else { return nil }
    return try JournalFile(existing: location.path).seal
  }

  /// Whether a key is the one of a journal.
  package static func isKey(_ key: JournalKey, of location: JournalLocation) -> Bool {
    let descriptor = open(location.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    // Before this process opens the journal: closing a descriptor drops SQLite's locks.
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: SealedHeader.size)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 && SealedHeader.isKey(key, of: Array(bytes.prefix(count)))
  }

  // MARK: Sealing

  /// Seals a readable journal.
  ///
  /// - Parameters:
  ///   - key: a new key, which is registered.
  ///   - slots: its slots.
  /// - Returns: whether the readable file was overwritten before it was removed.
  /// - Throws: ``StoreError``; then the journal is as before. ``GivenUp``.
  @discardableResult
  package func seal(with key: JournalKey, slots: KeySlots) throws -> Bool {
    guard try Sealing.header(of: location) == nil else {
      throw StoreError(.unusableFile, at: shownPath, "it is sealed already")
    }
    key.register()
    do {
      return try exchange(SealedCopy(slots: slots, key: key), wipesOld: true)
    } catch {
      JournalKey.forget(id: key.id)
      throw error
    }
  }

  /// Makes a sealed journal readable.
  ///
  /// - Throws: ``StoreError``; then the journal is as before. ``GivenUp``.
  package func unseal() throws {
    try checkIsSealed()
    _ = try exchange(nil, wipesOld: false)
  }

  private func checkIsSealed() throws {
    guard let header = try Sealing.header(of: location) else {
      throw StoreError(.unusableFile, at: shownPath, "it is not sealed")
    }
    guard header.key != nil else { throw StoreError.locked(at: shownPath) }
  }

  private static let attempts = 5

  private func exchange(_ seal: SealedCopy?, wipesOld: Bool) throws -> Bool {
    Sealing.removeLeftovers(beside: shownPath)
    for _ in 0..<Sealing.attempts {
      if let isWiped = try exchangeOnce(seal, wipesOld: wipesOld) { return isWiped }
    }
    throw stillBusy
  }

  private var stillBusy: StoreError {
    StoreError(.busy, at: shownPath, "another program keeps writing to it; try again")
  }

  /// - Returns: whether the old file was overwritten; `nil` when another process wrote in between, so
  ///   that the copy is out of date.
  private func exchangeOnce(_ seal: SealedCopy?, wipesOld: Bool) throws -> Bool? {
    try prepare()
    let store = try SQLiteEntryStore.open(shownPath, mode: .readWrite, clock: clock)
    guard !store.isReadOnly, let target = store.file?.path else {
      throw StoreError.readOnly(at: shownPath)
    }
    let before = try Sealing.state(of: target, shownPath)
    let staged = try StagedFile(beside: target, shownPath: shownPath)
    defer { staged.remove() }
    let isCopied = try copy(store, before, seal, to: staged)
    store.close()
    guard isCopied else { return nil }
    try reached(.compared)
    let lock = try SQLiteFileLock(target, shownPath: shownPath)
    return try withExtendedLifetime(lock) {
      guard lock.isFile(at: target), FileIdentity(path: target) == store.file?.identity,
        staged.isInPlace, try lock.prefix(Sealing.stateSize, shownPath) == before,
        try !Sealing.hasHotJournal(target, shownPath),
        try guarding({ try replace(target, by: staged) })
      else { return nil }
      // Closing a descriptor of the old file gives the lock back.
      return wipesOld ? Sealing.wipeColdJournal(target) && Sealing.wipe(staged.path) : true
    }
  }

  /// Copies the journal and reads the copy back: its pages, and the number of its entries.
  ///
  /// - Returns: `false` when another process wrote meanwhile.
  private func copy(
    _ store: SQLiteEntryStore, _ before: [UInt8], _ seal: SealedCopy?, to staged: StagedFile
  ) throws -> Bool {
    try store.mapped {
      try SQLiteEntryStore.copy(
        store.queue, into: staged.path, sealed: seal, shownPath: shownPath, attendance)
    }
    try reached(.copied)
    guard try (JournalFile(existing: staged.path).seal != nil) == (seal != nil) else {
      throw StoreError(.io, at: shownPath, "its copy has the wrong form; nothing was changed")
    }
    let copy = try SQLiteEntryStore.open(staged.path, mode: .readOnly, clock: clock)
    defer { copy.close() }
    let isSound = try copy.check(attendance).isEmpty
    if isSound, try copy.count() == store.count() { return true }
    guard isSound, try Sealing.state(of: staged.target, shownPath) != before else {
      throw StoreError(.io, at: shownPath, "its copy is not the same; check the disk")
    }
    return false
  }

  /// Exchanges the files; the staged path then has the old one.
  private func replace(_ target: String, by staged: StagedFile) throws {
    do {
      if try !AtomicFile.exchange(staged.path, target) { try exchangeByNames(target, staged.path) }
    } catch let error as FileError {
      throw WholeFile.failure(error, shownPath)
    }
    do {
      try reached(.exchanged)
      try Directory.sync(of: target)
    } catch {
      let code = (error as? FileError)?.code ?? EIO
      guard (try? AtomicFile.rename(staged.path, to: target)) != nil else {
        // Not overwritten: a power cut may still bring it back to the journal's path.
        staged.isKept = true
        throw StoreError(
          .io, at: shownPath,
          "the new file has its place, but the directory cannot be synced"
            + " (\(JournalFile.message(code))); check the disk, then remove \(staged.path)")
      }
      try? Directory.sync(of: target)
      throw WholeFile.failure("write", shownPath, code: code)
    }
  }

  /// The same without a system call for it: the old file has a second name meanwhile.
  private func exchangeByNames(_ target: String, _ staged: String) throws {
    let old = staged + StagedFile.old
    guard link(target, old) == 0 else { throw FileError("link", target, code: errno) }
    do {
      try AtomicFile.rename(staged, to: target)
    } catch {
      unlink(old)
      throw error
    }
    do {
      try AtomicFile.rename(old, to: staged)
    } catch {
      try AtomicFile.rename(old, to: target)
      throw error
    }
  }

  /// The bytes that change with each commit: SQLite's change counter, or the header copies.
  private static let stateSize = SealedHeader.size

  private static func state(of path: String, _ shownPath: String) throws -> [UInt8] {
    let lock = try SQLiteFileLock(path, shownPath: shownPath)
    return try withExtendedLifetime(lock) { try lock.prefix(stateSize, shownPath) }
  }
}

// MARK: - Passphrase

extension Sealing {
  /// Changes the passphrase: only the header is written, in both copies.
  ///
  /// - Parameter slots: derives the new slots; called again when another process was faster.
  /// - Throws: ``StoreError``; then the old passphrase is valid.
  package func change(_ slots: (SealedHeader, JournalKey) throws -> KeySlots) throws {
    for _ in 0..<Sealing.attempts where try changeOnce(slots) { return }
    throw stillBusy
  }

  /// - Returns: `false` when another process wrote a header in between, or was killed while it wrote.
  private func changeOnce(_ slots: (SealedHeader, JournalKey) throws -> KeySlots) throws -> Bool {
    try checkIsSealed()
    // A killed writer's transaction is rolled back first: it belongs to the header's state.
    let store = try SQLiteEntryStore.open(shownPath, mode: .readWrite, clock: clock)
    guard !store.isReadOnly, let path = store.file?.path else {
      throw StoreError.readOnly(at: shownPath)
    }
    store.close()
    guard let header = try Sealing.header(of: location), let key = header.key else {
      throw StoreError.locked(at: shownPath)
    }
    let new = try slots(header, key)
    try reached(.copied)
    let lock = try SQLiteFileLock(path, shownPath: shownPath)
    return try withExtendedLifetime(lock) {
      guard lock.isFile(at: path), try !Sealing.hasHotJournal(path, shownPath) else { return false }
      do {
        let now = try SealedHeader(lock.prefix(SealedHeader.size, shownPath))
        guard now.id == header.id, now.slots == header.slots else { return false }
        try lock.replaceSlots(new, key: key)
      } catch let error as SealError {
        throw StoreError(error, at: shownPath)
      }
      return true
    }
  }
}

// MARK: - Rollback journals

extension Sealing {
  /// Whether a killed writer's transaction must be rolled back before the file is replaced.
  ///
  /// As SQLite decides it: the rollback journal of a transaction that wrote to the file does not
  /// begin with a zero byte. The caller holds the file's lock.
  private static func hasHotJournal(_ path: String, _ shownPath: String) throws -> Bool {
    let descriptor = open(path + "-journal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw WholeFile.failure("read", shownPath)
    }
    defer { close(descriptor) }
    var first: UInt8 = 0
    guard pread(descriptor, &first, 1, 0) >= 0 else { throw WholeFile.failure("read", shownPath) }
    return first != 0
  }

  /// Overwrites and empties a rollback journal that SQLite ignores: its pages are readable.
  ///
  /// - Returns: whether none is left.
  private static func wipeColdJournal(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path + "-journal", &status) == 0 else { return errno == ENOENT }
    guard status.st_size > 0 else { return true }
    return wipe(path + "-journal") && truncate(path + "-journal", 0) == 0
  }
}

extension Sealing {
  /// The paths of readable journals beside a sealed one, which are probably copies of it.
  ///
  /// They are journals of this program, or their names begin as its name does: dated backups, exports.
  package static func readableCopies(beside path: String) -> [String] {
    let directory = Directory.of(path)
    let name = Directory.name(of: path)
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    return Directory.names(in: directory).sorted().filter { $0 != name }.compactMap { other in
      let place = directory == "." ? other : "\(directory)/\(other)"
      guard let file = try? JournalFile(existing: place), file.looksReadable else { return nil }
      return file.isOurs || other.hasPrefix(stem) ? place : nil
    }
  }
}
