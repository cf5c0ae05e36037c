import Glibc

/// Notices that another process may have written to a journal, by inotify on the journal's folder.
///
/// The folder is watched and not the file, because files come and go. An event comes before the
/// commit it belongs to can be seen, so a look that finds nothing is repeated after 1, 2, 4, … 64
/// milliseconds.
final class ChangeWatcher {
  /// Readable when something happened in the folder.
  let descriptor: Int32

  private let name: [UInt8]
  /// How long to wait before the next look, in milliseconds; `nil` when nothing is under way.
  private var delay: Int?

  /// Starts watching; fails where the system has no more watches to give.
  init?(watching path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    name = Array(JournalFile.name(of: path).utf8)
    guard descriptor >= 0 else { return nil }
    let mask =
      UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO)
      | UInt32(IN_MOVED_FROM)
    guard inotify_add_watch(descriptor, JournalFile.folder(of: path), mask) >= 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Takes the events that came.
  ///
  /// - Returns: whether it is time to look, because something happened to the journal's files or an
  ///   earlier look found nothing yet.
  func takeEvents() -> Bool {
    if drain() { delay = 1 }
    return delay != nil
  }

  /// Drops the events of a commit of our own; another process's last event comes after its commit,
  /// so that no commit is missed by it.
  func forgetOwnEvents() {
    _ = drain()
  }

  /// Notes what a look found.
  ///
  /// - Returns: after how many milliseconds to look again, or `nil`.
  func looked(found: Bool) -> Int? {
    guard !found, let current = delay else {
      delay = nil
      return nil
    }
    delay = current < 64 ? current * 2 : nil
    return current
  }

  /// Reads all waiting events; tells whether one was about the journal.
  private func drain() -> Bool {
    var isOurs = false
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return isOurs }
      isOurs = mentionsJournal(UnsafeRawBufferPointer(rebasing: buffer[..<count])) || isOurs
    }
  }

  /// An overflow has no name and counts, since anything may have been in what was dropped.
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
