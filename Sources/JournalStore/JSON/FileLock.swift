import Glibc

/// An exclusive lock on a file beside a journal, which all its writers take in turn.
final class FileLock {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Throws: ``StoreError`` when somebody else holds it for as long as ``Patience`` lasts, or it cannot be made.
  init(beside path: String, place: String) throws {
    descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw StoreError(
        WholeFile.failure("write", place, code: code).kind, at: place,
        "its lock file cannot be made (\(JournalFile.message(code))); check the folder")
    }
    var patience = Patience(for: path)
    repeat {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      if errno != EWOULDBLOCK, errno != EINTR {
        throw WholeFile.failure("lock", place)
      }
    } while patience.wait()
    throw StoreError(.busy, at: place, "another program is writing to it; try again")
  }

  /// The system drops the lock with the descriptor, also when the process dies.
  deinit { close(descriptor) }
}
