import Files
import Glibc

/// Reading whole byte arrays; interrupted calls are taken up again.
enum FileDescriptor {
  /// Bytes that were read, and why no more were.
  struct Contents {
    /// What was read.
    var bytes: [UInt8]
    /// Why reading ended before the end; `nil` at the end, or at the limit.
    var failure: Failure?
  }

  /// Reads to the end, or until more than `limit` bytes came.
  ///
  /// - Returns: at most `limit + 1` bytes, so that the caller can tell that there are too many.
  /// - Throws: ``Failure`` when reading fails.
  static func readAll(_ descriptor: Int32, limit: Int, name: String) throws(Failure) -> [UInt8] {
    let contents = contents(descriptor, limit: limit, name: name)
    if let failure = contents.failure { throw failure }
    return contents.bytes
  }

  /// The same, with what was read when reading fails.
  ///
  /// - Parameter interruption: what ends the reading too, with the failure that it throws.
  static func contents(
    _ descriptor: Int32, limit: Int, name: String, interruption: Interruption? = nil
  ) -> Contents {
    var contents = Contents(bytes: [])
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while contents.bytes.count <= limit {
      let wanted = min(chunk.count, limit + 1 - contents.bytes.count)
      do {
        try interruption?.wait(for: descriptor)
      } catch {
        contents.failure = Failure(explaining: error)
        return contents
      }
      let result = chunk.withUnsafeMutableBytes {
        Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
      }
      switch result {
      case .success(0): return contents
      case .success(let count): contents.bytes.append(contentsOf: chunk[..<count])
      case .failure(let error):
        contents.failure = .system(error.code, name)
        return contents
      }
    }
    return contents
  }
}
