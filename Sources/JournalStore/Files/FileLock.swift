import Files
import Glibc

/// An exclusive lock on a journal that is replaced as a whole, which its writers take in turn.
///
/// It is two locks. That of the file `.lock` beside the journal has the queue: waiters are in the
/// kernel's queue, so the lock passes in the order of requests. With polling, one of twenty writers of
/// a large journal would sometimes time out while the others make progress. The lock of the journal's
/// own file excludes writers, too: somebody may take the lock file for a stale one and remove it, and
/// then the next writer makes and locks another. Both files are locked only if they still are at their
/// paths afterwards.
///
/// The lock file stays when the lock is released: the next waiter would have to ask again, after those
/// that came later.
package final class FileLock {
  private let queue: FileLockQueue
  /// The journal's own file; -1 if there is none, or if its file system cannot lock it.
  private let journal: Int32

  /// Waits for the lock.
  ///
  /// - Throws: ``StoreError`` when another process holds it until the ``BusyTimeout`` ends, or when
  ///   the lock file cannot be made.
  package init(beside path: String, shownPath name: String) throws {
    var timeout = BusyTimeout(for: path)
    queue = try FileLock.queued(path + ".lock", name, &timeout)
    journal = try FileLock.locked(path, name, &timeout)
  }

  deinit {
    // Released before the queue, so that the next holder of the queue finds the file free.
    if journal >= 0 { close(journal) }
  }

  /// The interval between checks for progress of the other writers, in milliseconds.
  private static let interval: Int32 = 50

  private static func busy(_ name: String) -> StoreError {
    StoreError(.busy, at: name, "another program is writing to it; try again")
  }

  /// Waits for the lock of the lock file.
  private static func queued(
    _ path: String, _ name: String, _ timeout: inout BusyTimeout
  ) throws -> FileLockQueue {
    repeat {
      let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        let code = errno
        throw StoreError(
          WholeFile.failure("write", name, code: code).kind, at: name,
          "its lock file cannot be made (\(JournalFile.message(code))); check the directory")
      }
      let queue = FileLockQueue(descriptor)
      guard let code = wait(for: queue, &timeout) else { throw busy(name) }
      if code != 0 { throw WholeFile.failure("lock", name, code: code) }
      if queue.isAt(path) { return queue }
    } while timeout.continues()
    throw busy(name)
  }

  /// - Returns: 0 with the lock, the `errno` of a failed call, or `nil` after the timeout.
  private static func wait(for queue: FileLockQueue, _ timeout: inout BusyTimeout) -> Int32? {
    if let code = queue.tries() { return code }
    let isQueued = queue.enter()
    repeat {
      if let code = isQueued ? queue.answer(within: interval) : queue.asks() { return code }
    } while timeout.continues()
    return nil
  }

  /// Waits for the lock of the journal's own file, which is free unless the lock file was removed.
  private static func locked(
    _ path: String, _ name: String, _ timeout: inout BusyTimeout
  ) throws -> Int32 {
    repeat {
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { return -1 }
      let code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
      if code == 0, FileIdentity(descriptor) == FileIdentity(path: path) { return descriptor }
      close(descriptor)
      // Over NFS the lock would need a descriptor for writing, and would end with any other one.
      guard [0, EWOULDBLOCK, EINTR].contains(code) else { return -1 }
    } while timeout.wait()
    throw busy(name)
  }
}

/// A descriptor in the queue for its file's lock.
///
/// The kernel drops the lock with the descriptor: when this value is released, and when the process
/// dies.
private final class FileLockQueue: Sendable {
  private let descriptor: Int32
  /// The reading end becomes readable when the lock is acquired.
  private let ends: (reading: Int32, writing: Int32)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var both: [Int32] = [-1, -1]
    let isMade = pipe(&both) == 0
    for end in both where isMade { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    ends = isMade ? (both[0], both[1]) : (-1, -1)
  }

  deinit {
    for number in [descriptor, ends.reading, ends.writing] where number >= 0 { close(number) }
  }

  /// Whether the locked file still is at its path.
  func isAt(_ path: String) -> Bool { FileIdentity(descriptor) == FileIdentity(path: path) }

  /// Requests the lock in a thread of its own, because only a signal can interrupt the call.
  ///
  /// The thread keeps this value until it has the lock: if nobody waits any more, the lock is
  /// released with it.
  ///
  /// - Returns: whether a thread could be started.
  func enter() -> Bool {
    guard ends.writing >= 0 else { return false }
    // Signals are for the main thread.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let own = Unmanaged.passRetained(self)
    let problem = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        let queue = Unmanaged<FileLockQueue>.fromOpaque(pointer).takeRetainedValue()
        var code: Int32 = 0
        repeat {
          code = flock(queue.descriptor, LOCK_EX) == 0 ? 0 : errno
        } while code == EINTR
        // Values of `errno` fit in a byte.
        _ = Descriptor.writeAll(queue.ends.writing, [UInt8(clamping: code)])
        return nil
      }, own.toOpaque())
    if problem == 0 { pthread_detach(thread) } else { own.release() }
    return problem == 0
  }

  /// Waits for the lock.
  ///
  /// - Parameter milliseconds: the longest wait.
  /// - Returns: 0 with the lock, the `errno` of a failed call, or `nil` while others have it.
  func answer(within milliseconds: Int32) -> Int32? {
    var poll = Poll()
    let ready = try? poll.wait(for: [.reading(ends.reading)], milliseconds: milliseconds)
    guard ready != nil else { return nil }
    var byte: UInt8 = 0
    let result = withUnsafeMutableBytes(of: &byte) { Descriptor.read(ends.reading, into: $0) }
    return switch result {
    case .success(1): Int32(byte)
    case .success: EIO
    case .failure(let error): error.code
    }
  }

  /// Requests the lock once more outside the queue after a short sleep.
  ///
  /// - Returns: as ``tries()``.
  func asks() -> Int32? {
    usleep(10_000)
    return tries()
  }

  /// Requests the lock without waiting.
  ///
  /// - Returns: 0 with the lock, the `errno` of a failed call, or `nil` while others have it.
  func tries() -> Int32? {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return 0 }
    return errno == EWOULDBLOCK || errno == EINTR ? nil : errno
  }
}
