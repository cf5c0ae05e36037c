import Glibc

/// A failed system call on a file.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call: `open`, `write`, `fsync`, `rename`.
  package var call: String
  /// The path of the file to write.
  package var path: String
  /// The value of `errno`.
  package var code: Int32

  /// An error with the current `errno` by default.
  package init(_ call: String, _ path: String, code: Int32 = errno) {
    self.call = call
    self.path = path
    self.code = code
  }

  /// The system's text for ``code``.
  package var reason: String { String(cString: strerror(code)) }

  /// One line: path, call, reason.
  package var description: String { "\(path): \(call): \(reason)" }
}
