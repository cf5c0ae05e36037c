import Glibc

/// Reads and writes descriptors: repeats interrupted calls, and waits for a descriptor that another
/// process made non-blocking.
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
  /// - Returns: the number of bytes read, 0 at the end; or the `errno` of the call that failed.
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

  /// The value of `errno` after a failed call.
  package struct Errno: Error, Hashable, Sendable {
    package var code: Int32
  }

  /// Decides whether to repeat a failed call; waits if the descriptor is not ready.
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
  /// - Returns: 0, or the error; `poll` is retried a few times, since it may lack memory for a
  ///   moment.
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
