import Glibc
import Journal
import Seal

/// Locks every SQLite out of a database file, with SQLite's own locks.
///
/// It works without SQLite, so that a file too damaged to be opened can be locked, too. While it is
/// held, this process must not close another descriptor of the file: that drops its locks.
final class SQLiteFileLock {
  private let descriptor: Int32

  /// The lock bytes from "pending" to the end of "shared", as the file format defines them.
  private static let start = off_t(0x4000_0000)
  private static let length = off_t(512)

  /// Waits up to five seconds until no other process reads or writes the file.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Kind/busy``, ``StoreError/Kind/permission``.
  init(_ path: String, shownPath: String) throws {
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw WholeFile.failure("write", shownPath) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = SQLiteFileLock.start
    lock.l_len = SQLiteFileLock.length
    for _ in 0..<1000 {
      if fcntl(descriptor, F_SETLK, &lock) == 0 { return }
      guard errno == EAGAIN || errno == EACCES else { break }
      usleep(5000)
    }
    let code = errno
    // The descriptor is closed by deinit, which also runs after an error.
    throw code == EAGAIN || code == EACCES
      ? StoreError(.busy, at: shownPath, "another program is using it; try again")
      : WholeFile.failure("lock", shownPath, code: code)
  }

  /// Copies the file into a new one without closing one of its descriptors.
  ///
  /// - Throws: as ``WholeFile/copy(_:to:shownPath:_:)``.
  func copy(to path: String, shownPath: String, _ attendance: WorkAttendance) throws {
    try WholeFile.copy(from: descriptor, to: path, shownPath: shownPath, attendance)
  }

  /// The first bytes of the file.
  func prefix(_ count: Int, _ shownPath: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, 0)
    guard read >= 0 else { throw WholeFile.failure("read", shownPath) }
    return Array(bytes.prefix(read))
  }

  /// Whether a path has the locked file: it may have been replaced during the wait for the lock.
  func isFile(at path: String) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(path: path) == FileIdentity(status)
  }

  /// Replaces the slots of a sealed journal.
  ///
  /// - Throws: ``SealError``.
  func replaceSlots(_ slots: KeySlots, key: JournalKey) throws(SealError) {
    try slots.replace(in: descriptor, key: key)
  }

  deinit { close(descriptor) }
}

/// Whether another process is inside a transaction.
///
/// Its rollback journal looks like the one of a killed writer, and the pages it has written may be
/// inconsistent. SQLite distinguishes the two by the lock of a live writer, and so does this type.
struct WriterAtWork {
  private let path: String

  /// The "reserved" byte, as the file format defines it.
  private static let reserved = off_t(0x4000_0001)
  private static let pause: UInt32 = 20_000
  private static let patience = 3000

  init(_ file: JournalFile) {
    path = file.path
  }

  /// Waits up to a minute until nobody writes.
  ///
  /// Call it before this process opens the file: closing any descriptor of it drops the locks that
  /// SQLite holds.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/busy``.
  func waitUntilDone(shownPath: String) throws {
    for _ in 0..<Self.patience {
      if !isThere { return }
      usleep(Self.pause)
    }
    throw StoreError(.busy, at: shownPath, "another program keeps writing to it; try again")
  }

  private var isThere: Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.reserved
    lock.l_len = 1
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }
}

/// A copy of a database and its rollback journal in a private directory, deleted with the value.
///
/// SQLite rolls back a hot journal before it reads a byte. In the copy it may.
final class ScratchCopy {
  /// The path of the copy, after the rollback.
  let path: String
  private let directory: String

  /// Copies a file and its companions.
  ///
  /// - Throws: ``StoreError`` when the disk is full; ``GivenUp``.
  init(of file: JournalFile, shownPath: String, _ attendance: WorkAttendance) throws {
    directory = try ScratchCopy.makeDirectory(shownPath)
    path = "\(directory)/journal.sqlite"
    do {
      for suffix in ["", "-journal", "-wal"]
      where try file.hasCompanion(suffix, shownPath: shownPath) {
        try WholeFile.copy(
          file.path + suffix, to: path + suffix, shownPath: shownPath, attendance)
      }
    } catch {
      remove()
      throw error
    }
    // A file that cannot be rolled back is examined without it.
    _ = try? RawDatabase.open(path, isReadOnly: false)
  }

  deinit { remove() }

  private static let prefix = "daybook-doctor"

  private func remove() { ScratchCopy.remove(directory) }

  private static func remove(_ directory: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      unlink("\(directory)/journal.sqlite\(suffix)")
    }
    rmdir(directory)
  }

  private static func makeDirectory(_ shownPath: String) throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    for left in Leftovers.directories(prefix, in: parent) { remove(left) }
    var template = Array(Leftovers.directoryTemplate(prefix, in: parent).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(
        .cannotCreate, at: shownPath,
        "cannot create a directory for a copy in \(parent); set TMPDIR")
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension JournalFile {
  /// Whether a companion file with this suffix exists.
  ///
  /// - Throws: ``StoreError`` when the disk fails: a copy without its rollback journal would be
  ///   another journal.
  func hasCompanion(_ suffix: String, shownPath: String) throws -> Bool {
    var status = stat()
    if lstat(path + suffix, &status) == 0 { return true }
    guard errno == ENOENT else { throw WholeFile.failure("read", shownPath) }
    return false
  }

  /// Whether SQLite would write to the file before it reads it: after a killed writer, or in
  /// write-ahead mode.
  var needsRecovery: Bool { hasRollbackJournal || isInWriteAheadMode }

  /// Whether bytes 18 and 19 of the header give write-ahead mode.
  var isInWriteAheadMode: Bool { header.count == 100 && header[18] == 2 }
}
