import Glibc

/// Whether another process is in the middle of a transaction.
///
/// Its rollback journal looks like the one that a killed writer leaves, and pages that it has written
/// make no sense yet. SQLite tells both apart by the byte that a writer keeps locked, and so do we.
struct WriterAtWork {
  private let path: String

  /// The "reserved" byte, as the file format defines it.
  private static let reserved = off_t(0x4000_0001)
  private static let pause: UInt32 = 20_000
  private static let patience = 3000

  /// Asks about a journal's file.
  init(_ file: JournalFile) {
    path = file.path
  }

  /// Waits up to a minute until nobody writes.
  ///
  /// Call it before the file is opened in this process:
  /// closing any descriptor of it drops the locks that SQLite holds.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/busy``.
  func waitUntilDone(place: String) throws {
    for _ in 0..<Self.patience {
      if !isThere { return }
      usleep(Self.pause)
    }
    throw StoreError(.busy, at: place, "another program keeps writing to it; try again")
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
