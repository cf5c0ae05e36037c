import Glibc

/// Waits for descriptors: the program's one call of `poll`.
///
/// A wait ends early when a signal interrupts it, so that the caller can look at its pipe of
/// signals and at the clock. It fails when the system lacks memory, which may pass: a failed wait
/// sleeps for 10 ms and ends like one whose time is over, until a second's worth of them in a row
/// is an error. So no caller spins, and none waits for ever.
///
/// ```swift
/// var poll = Poll()
/// while true {
///   guard let ready = try poll.wait(for: [.reading(pipe), .reading(signals)]) else { continue }
///   if ready[1].revents != 0 { … }
/// }
/// ```
package struct Poll: Sendable {
  /// So many failing waits in a row, a second's worth, are an error.
  private static let mostFailures = 100

  private var failures = 0

  package init() {}

  /// Waits until one of several descriptors is ready.
  ///
  /// - Parameters:
  ///   - requests: descriptors and events; negative descriptors are passed over.
  ///   - milliseconds: the longest wait; -1 waits without limit.
  /// - Returns: the requests in their order with `revents` set; `nil` when none is ready: the time
  ///   is over, a signal interrupted the wait, or it failed and may be tried again.
  /// - Throws: ``Descriptor/Errno`` of the last of many waits that failed in a row.
  package mutating func wait(
    for requests: [pollfd], milliseconds: Int32 = -1
  ) throws(Descriptor.Errno) -> [pollfd]? {
    var requests = requests
    let count = poll(&requests, nfds_t(requests.count), milliseconds)
    if count >= 0 {
      failures = 0
      return count > 0 ? requests : nil
    }
    let code = errno
    guard code != EINTR else { return nil }
    failures += 1
    guard failures < Self.mostFailures else { throw Descriptor.Errno(code: code) }
    usleep(10_000)
    return nil
  }
}

extension pollfd {
  /// Asks whether a descriptor can be read; without a descriptor the request is passed over.
  package static func reading(_ descriptor: Int32?) -> pollfd {
    pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
  }

  /// Asks whether a descriptor can be written.
  package static func writing(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  }

  /// Asks only whether the other end of a descriptor is gone, which `poll` always reports.
  package static func ending(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: 0, revents: 0)
  }

  /// Whether the other end is gone, or the descriptor is not open.
  package var hasEnded: Bool {
    Int32(revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
  }
}
