import Glibc

/// Standard input as a source of text.
enum StandardInput {
  // Written once, before anything else runs, and only read after that.
  nonisolated(unsafe) private static var wasClosed = false

  /// Remembers whether the parent gave us a standard input, before `/dev/null` takes its place.
  static func noteIfClosed() {
    wasClosed = fcntl(STDIN_FILENO, F_GETFD) < 0
  }

  /// Whether a person sits there.
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// All bytes, up to one more than the longest text has.
  ///
  /// - Throws: ``Failure`` 69 if there is no standard input, 74 if it cannot be read.
  static func bytes() throws(Failure) -> [UInt8] {
    guard !wasClosed else {
      throw Failure(.noTerminal, "standard input is closed; give the text as arguments")
    }
    return try FileDescriptor.readAll(
      STDIN_FILENO, limit: TextInput.limit, name: "standard input")
  }
}
