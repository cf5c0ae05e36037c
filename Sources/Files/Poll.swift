import Glibc

/// Waits for descriptors: the program's only call of `poll`.
///
/// A wait ends early when a signal interrupts it, so that the caller can check its signal pipe and
/// the clock. It fails when the system lacks memory, which may pass: a failed wait sleeps for 10 ms
/// and returns `nil` as after a timeout; a second of successive failures is an error. So no caller
/// spins, and none waits for ever.
///
/// ```swift
/// var poll = Poll()
/// while true {
///   guard let ready = try poll.wait(for: [.reading(pipe), .reading(signals)]) else { continue }
///   if ready[1].revents != 0 { … }
/// }
/// ```
package struct Poll: Sendable {
  /// The number of successive failures that are an error: a second's worth.
  private static let mostFailures = 100

  private var failures = 0

  package init() {}

  /// Waits until one of several descriptors is ready.
  ///
  /// - Parameters:
  ///   - requests: descriptors and events; negative descriptors are ignored.
  ///   - milliseconds: the longest wait; -1 waits without limit.
  /// - Returns: the requests in their order with `revents` set; `nil` if none is ready: the time is
  ///   over, a signal interrupted the wait, or it failed and may be retried.
  /// - Throws: ``Descriptor/Errno`` of the last of too many successive failures.
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
  /// A request for reading; without a descriptor it is ignored.
  package static func reading(_ descriptor: Int32?) -> pollfd {
    pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
  }

  /// A request for writing.
  package static func writing(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  }

  /// A request for the end of the peer only, which `poll` always reports.
  package static func ending(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: 0, revents: 0)
  }

  /// Whether the peer has closed, or the descriptor is not open.
  package var hasEnded: Bool {
    Int32(revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
  }
}
