import Glibc

/// Reading and writing whole byte arrays; interrupted calls are taken up again.
enum FileDescriptor {
  /// Reads to the end, or until more than `limit` bytes came.
  ///
  /// - Returns: at most `limit + 1` bytes, so that the caller can tell that there are too many.
  /// - Throws: ``Failure`` when reading fails.
  static func readAll(_ descriptor: Int32, limit: Int, name: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let wanted = min(chunk.count, limit + 1 - bytes.count)
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, wanted) }
      if count == 0 { break }
      if count > 0 {
        bytes.append(contentsOf: chunk[..<count])
      } else if errno != EINTR {
        throw .system(errno, name)
      }
    }
    return bytes
  }

  /// Writes all bytes.
  ///
  /// - Returns: 0, or the `errno` of the call that failed.
  static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
