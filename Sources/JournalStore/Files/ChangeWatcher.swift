import Glibc

/// Detects possible writes of other processes to a journal, by inotify on the journal's directory.
///
/// It watches the directory, not the file, because files are replaced. An event arrives before its
/// commit is visible, so a check that finds nothing is repeated after 1, 2, 4, … 64 milliseconds.
final class ChangeWatcher {
  /// Readable after an event in the directory.
  let descriptor: Int32

  private let name: [UInt8]
  /// The delay before the next check, in milliseconds; `nil` when none is due.
  private var delay: Int?

  /// Starts watching; fails if the system has no watches left.
  init?(watching path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    name = Array(JournalFile.name(of: path).utf8)
    guard descriptor >= 0 else { return nil }
    let mask =
      UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO)
      | UInt32(IN_MOVED_FROM)
    guard inotify_add_watch(descriptor, JournalFile.directory(of: path), mask) >= 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Reads the pending events.
  ///
  /// - Returns: whether to check, because of an event of the journal's files or an earlier check
  ///   without a result.
  func takeEvents() -> Bool {
    if drain() { delay = 1 }
    return delay != nil
  }

  /// Drops the events of the store's own commit; another process's last event comes after its
  /// commit, so that no commit is missed.
  func forgetOwnEvents() {
    _ = drain()
  }

  /// Records the result of a check.
  ///
  /// - Returns: the delay before the next check in milliseconds, or `nil`.
  func looked(found: Bool) -> Int? {
    guard !found, let current = delay else {
      delay = nil
      return nil
    }
    delay = current < 64 ? current * 2 : nil
    return current
  }

  /// Reads the events that are pending now; returns whether one concerns the journal.
  ///
  /// Events that arrive meanwhile wait for the next call: a program that writes to a file of the same
  /// directory without a pause would keep this from ever ending.
  private func drain() -> Bool {
    var pending: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &pending) == 0, pending > 0 else { return false }
    var (isOurs, left) = (false, Int(pending))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { buffer.deallocate() }
    while left > 0 {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { break }
      isOurs = mentionsJournal(UnsafeRawBufferPointer(rebasing: buffer[..<count])) || isOurs
      left -= count
    }
    return isOurs
  }

  /// An overflow event has no name and counts, since the dropped events are unknown.
  private func mentionsJournal(_ events: UnsafeRawBufferPointer) -> Bool {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(offset + header + Int(event.len), events.count)
      let eventName = events[(offset + header)..<end].prefix { $0 != 0 }
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || eventName.starts(with: name) { return true }
      offset = end
    }
    return false
  }
}
