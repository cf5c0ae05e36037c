import CFiles
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
      let code = retryable(errno, .writing(descriptor))
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
      let code = retryable(errno, .reading(descriptor))
      if code != 0 { return .failure(Errno(code: code)) }
    }
  }

  /// Makes a pipe whose ends no started program inherits.
  ///
  /// - Throws: ``Errno`` when there are too many descriptors.
  package static func pipe() throws(Errno) -> (reading: Int32, writing: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let code = withUnsafeMutableBytes(of: &ends) { bytes in
      daybook_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    guard code == 0 else { throw Errno(code: errno) }
    return (reading: ends.0, writing: ends.1)
  }

  /// The bytes read, and the reason that reading ended.
  package struct Contents {
    package var bytes: [UInt8]
    /// The reason that reading ended early; `nil` at the end, or at the limit.
    package var failure: (any Error)?

    package init(bytes: [UInt8], failure: (any Error)? = nil) {
      self.bytes = bytes
      self.failure = failure
    }
  }

  /// Reads to the end, or until there are more than `limit` bytes.
  ///
  /// - Parameters:
  ///   - limit: in bytes.
  ///   - size: the expected number of bytes, if known. A file may be sparse, or claim any size, so
  ///   no more than 64 MiB are reserved before they are read.
  ///   - wait: called before each read; an error it throws ends the reading.
  /// - Returns: at most `limit + 1` bytes, so that the caller can detect an excess; after a failed
  ///   call, the bytes before it with ``Errno``.
  package static func readAll(
    _ descriptor: Int32, limit: Int = .max - 1, expecting size: Int = 0,
    wait: () throws -> Void = {}
  ) -> Contents {
    var contents = Contents(bytes: [])
    contents.bytes.reserveCapacity(max(0, min(size, limit, 64 << 20)) + 1)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while contents.bytes.count <= limit {
      let wanted = min(chunk.count, limit + 1 - contents.bytes.count)
      do {
        try wait()
        let count = try chunk.withUnsafeMutableBytes {
          try read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted])).get()
        }
        if count == 0 { return contents }
        contents.bytes.append(contentsOf: chunk[..<count])
      } catch {
        contents.failure = error
        return contents
      }
    }
    return contents
  }

  /// The `errno` of a failed call.
  package struct Errno: Error, Hashable, Sendable {
    package var code: Int32
    /// The system's text for it.
    package var reason: String { String(cString: strerror(code)) }
  }

  /// Decides whether to repeat a failed call; waits if the descriptor is not ready.
  ///
  /// - Returns: 0 to repeat the call, else the error to report.
  private static func retryable(_ code: Int32, _ request: pollfd) -> Int32 {
    switch code {
    case EINTR: 0
    case EAGAIN, EWOULDBLOCK: wait(for: request)
    default: code
    }
  }

  /// Waits until a descriptor is ready.
  ///
  /// - Returns: 0, or the error.
  private static func wait(for request: pollfd) -> Int32 {
    var poll = Poll()
    do {
      while try poll.wait(for: [request]) == nil {}
      return 0
    } catch {
      return error.code
    }
  }
}
