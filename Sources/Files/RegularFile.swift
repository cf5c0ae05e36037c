import Glibc

/// Reads a whole regular file that should be small, such as a configuration file.
///
/// A pipe or device with the name neither blocks the program nor fills its memory.
package enum RegularFile {
  /// The reason that the file was not read.
  package enum Problem: Error, Hashable, Sendable {
    /// A failed call with its `errno`: `ENOENT`, or `ELOOP` for a symbolic link that is not
    /// followed.
    case system(call: String, code: Int32)
    /// A directory, pipe or device.
    case notRegular
    /// A file of another user.
    case notOwn
    /// More bytes than the limit.
    case tooLong
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - limit: in bytes.
  ///   - followsLinks: whether the path may be a symbolic link.
  ///   - isOwn: whether the file must belong to the user.
  /// - Throws: ``Problem``.
  package static func read(
    _ path: String, limit: Int = .max - 1, followsLinks: Bool = false, isOwn: Bool = false
  ) throws(Problem) -> [UInt8] {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(call: "fstat", code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard !isOwn || status.st_uid == geteuid() else { throw .notOwn }
    let contents = Descriptor.readAll(descriptor, limit: limit, expecting: Int(status.st_size))
    if let error = contents.failure {
      throw .system(call: "read", code: (error as? Descriptor.Errno)?.code ?? EIO)
    }
    guard contents.bytes.count <= limit else { throw .tooLong }
    return contents.bytes
  }
}
