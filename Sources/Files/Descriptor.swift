import Glibc

/// Reads and writes on descriptors: interrupted calls are repeated, and a descriptor that another
/// process made non-blocking is waited for.
package enum Descriptor {
  /// Writes all bytes.
  ///
  /// - Returns: 0, or the `errno` of the call that failed.
  package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count >= 0 {
        done += count
        continue
      }
      let code = retryable(errno, descriptor, POLLOUT)
      if code != 0 { return code }
    }
    return 0
  }

  /// Reads once.
  ///
  /// - Returns: how many bytes were read, 0 at the end; or the `errno` of the call that failed.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> Result<Int, Errno> {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return .success(count) }
      let code = retryable(errno, descriptor, POLLIN)
      if code != 0 { return .failure(Errno(code: code)) }
    }
  }

  /// A value of `errno` that a call ended with.
  package struct Errno: Error, Hashable, Sendable {
    /// The value.
    package var code: Int32
  }

  /// Decides whether a failed call is to be repeated, after waiting if the descriptor is not ready.
  ///
  /// - Returns: 0 to repeat the call, else the error to report.
  private static func retryable(_ code: Int32, _ descriptor: Int32, _ events: Int32) -> Int32 {
    switch code {
    case EINTR: 0
    case EAGAIN, EWOULDBLOCK: wait(for: descriptor, events)
    default: code
    }
  }

  /// Waits until a descriptor is ready.
  ///
  /// - Returns: 0, or the error: `poll` may lack memory for a moment, so it is tried some times.
  private static func wait(for descriptor: Int32, _ events: Int32) -> Int32 {
    var code: Int32 = 0
    for _ in 0..<100 {
      var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      if poll(&request, 1, -1) >= 0 { return 0 }
      code = errno
      if code != EINTR { usleep(10_000) }
    }
    return code
  }
}
