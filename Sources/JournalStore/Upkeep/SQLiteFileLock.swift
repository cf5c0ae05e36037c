import Glibc

/// Keeps every SQLite away from a database file, by the locks that SQLite itself uses.
///
/// It works without SQLite, so that a file that is too damaged to be opened can be locked too. While it
/// is held no other descriptor of the file may be closed in this process: that drops its locks.
final class SQLiteFileLock {
  private let descriptor: Int32

  /// The bytes from "pending" to the end of "shared", as the file format defines them.
  private static let start = off_t(0x4000_0000)
  private static let length = off_t(512)

  /// Waits up to five seconds until no other process reads or writes the file.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Kind/busy``, ``StoreError/Kind/permission``.
  init(_ path: String, place: String) throws {
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw WholeFile.failure("write", place) }
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
      ? StoreError(.busy, at: place, "another program is using it; try again")
      : WholeFile.failure("lock", place, code: code)
  }

  /// All bytes of the file, read without closing a descriptor of it.
  func bytes(_ place: String) throws -> [UInt8] {
    try WholeFile.read(descriptor, place: place)
  }

  deinit { close(descriptor) }
}
