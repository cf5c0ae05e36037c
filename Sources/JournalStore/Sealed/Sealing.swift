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
  /// Called between SQLite's steps; returns whether to cancel.
  ///
  /// Cancelling throws ``GivenUp``.
  package var isGivenUp: () -> Bool = { false }

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
  /// - Throws: ``StoreError``; then the journal is as before. ``GivenUp``.
  package func seal(with key: JournalKey, slots: KeySlots) throws {
    guard try Sealing.header(of: location) == nil else {
      throw StoreError(.unusableFile, at: shownPath, "it is sealed already")
    }
    key.register()
    do {
      try exchange(SealedCopy(slots: slots, key: key), wipesOld: true)
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
    try exchange(nil, wipesOld: false)
  }

  private func checkIsSealed() throws {
    guard let header = try Sealing.header(of: location) else {
      throw StoreError(.unusableFile, at: shownPath, "it is not sealed")
    }
    guard header.key != nil else { throw StoreError.locked(at: shownPath) }
  }

  private static let attempts = 5

  private func exchange(_ seal: SealedCopy?, wipesOld: Bool) throws {
    Sealing.removeLeftovers(beside: shownPath)
    for _ in 0..<Sealing.attempts where try exchangeOnce(seal, wipesOld: wipesOld) { return }
    throw StoreError(.busy, at: shownPath, "another program keeps writing to it; try again")
  }

  /// - Returns: `false` when another process wrote in between, so that the copy is out of date.
  private func exchangeOnce(_ seal: SealedCopy?, wipesOld: Bool) throws -> Bool {
    let store = try SQLiteEntryStore.open(shownPath, mode: .readWrite, clock: clock)
    guard !store.isReadOnly, let target = store.file?.path else {
      throw StoreError.readOnly(at: shownPath)
    }
    let staged =
      "\(Directory.of(target))/\(AtomicFile.temporaryPrefix(of: target, Sealing.mark))\(getpid())"
    defer { Sealing.remove(staged) }
    let before = try Sealing.state(of: target, shownPath)
    guard try store.cancellable(isGivenUp, { try copy(store, seal, to: staged) }) != nil else {
      throw GivenUp()
    }
    store.close()
    let lock = try SQLiteFileLock(target, shownPath: shownPath)
    return try withExtendedLifetime(lock) {
      guard try lock.prefix(Sealing.stateSize, shownPath) == before else { return false }
      try replace(target, by: staged)
      if wipesOld { Sealing.wipe(staged) }
      return true
    }
  }

  /// The copy is read back: its pages, and the number of its entries.
  private func copy(_ store: SQLiteEntryStore, _ seal: SealedCopy?, to staged: String) throws {
    try store.mapped {
      try SQLiteEntryStore.copy(store.queue, to: staged, sealed: seal, shownPath: shownPath)
    }
    guard try (JournalFile(existing: staged).seal != nil) == (seal != nil) else {
      throw StoreError(.io, at: shownPath, "its copy has the wrong form; nothing was changed")
    }
    let copy = try SQLiteEntryStore.open(staged, mode: .readOnly, clock: clock)
    defer { copy.close() }
    guard try copy.check().isEmpty, try copy.count() == store.count() else {
      throw StoreError(.io, at: shownPath, "its copy is not the same; check the disk")
    }
  }

  private func replace(_ target: String, by staged: String) throws {
    do {
      // The staged path then has the old file, which is removed with it.
      if try AtomicFile.exchange(staged, target) {
      } else {
        let old = staged + ".old"
        guard link(target, old) == 0 else { throw FileError("link", target, code: errno) }
        try AtomicFile.rename(staged, to: target)
        try AtomicFile.rename(old, to: staged)
      }
      try Directory.sync(of: target)
    } catch let error as FileError {
      throw WholeFile.failure(error, shownPath)
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
  /// - Throws: ``StoreError``; then the old passphrase is valid.
  package func change(_ slots: (SealedHeader, JournalKey) throws -> KeySlots) throws {
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
    let lock = try SQLiteFileLock(path, shownPath: shownPath)
    try withExtendedLifetime(lock) {
      do {
        try lock.replaceSlots(new, key: key)
      } catch let error as SealError {
        throw StoreError(error, at: shownPath)
      }
    }
  }
}

// MARK: - Leftovers

extension Sealing {
  /// The ending of a file that is not exchanged yet, or already.
  private static let mark = ".sealing-"

  /// Overwrites and removes files of a killed ``seal(with:slots:)`` or ``unseal()``.
  ///
  /// Either may be the readable one.
  package static func removeLeftovers(beside path: String) {
    let directory = Directory.of(path)
    for name in Leftovers.names(beside: path, mark) {
      wipe("\(directory)/\(name)")
      remove("\(directory)/\(name)")
    }
  }

  private static func remove(_ path: String) {
    for suffix in ["", "-journal", ".old"] { unlink(path + suffix) }
  }

  /// Overwrites a file with zeros: what an SSD or a copying file system keeps of it is not reached.
  package static func wipe(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink <= 1
    else { return }
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var left = Int(status.st_size)
    while left > 0 {
      let written = write(descriptor, zeros, min(left, zeros.count))
      guard written > 0 else { break }
      left -= written
    }
    fsync(descriptor)
  }
}

extension Sealing {
  /// The paths of readable journals beside a sealed one, which are probably copies of it.
  ///
  /// Their names begin as its name does: dated backups, copies of an upgrade.
  package static func readableCopies(beside path: String) -> [String] {
    let directory = Directory.of(path)
    let name = Directory.name(of: path)
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    return Directory.names(in: directory).filter { $0.hasPrefix(stem) && $0 != name }
      .map { directory == "." ? $0 : "\(directory)/\($0)" }
      .filter { (try? JournalFile(existing: $0))?.looksReadable == true }
  }
}
