import Glibc

/// A system call on a file failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call: `open`, `write`, `fsync`, `rename`.
  public var call: String
  /// The path of the file that was to be written.
  public var path: String
  /// The value of `errno`.
  public var code: Int32

  /// Makes an error; without a code it takes `errno`.
  public init(_ call: String, _ path: String, code: Int32 = errno) {
    self.call = call
    self.path = path
    self.code = code
  }

  /// The system's words for ``code``.
  public var reason: String { String(cString: strerror(code)) }

  /// One line: path, call, reason.
  public var description: String { "\(path): \(call): \(reason)" }
}
