import Files
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

  /// The descriptor to read from.
  ///
  /// - Throws: ``Failure`` 69 if there is no standard input.
  static func descriptor() throws(Failure) -> Int32 {
    guard !wasClosed else {
      throw Failure(.noTerminal, "standard input is closed; name a file")
    }
    return STDIN_FILENO
  }

  /// All bytes, up to one more than the longest text has; with what came before reading failed, or a
  /// signal ended it.
  ///
  /// - Throws: ``Failure`` 69 if there is no standard input.
  static func contents() throws(Failure) -> FileDescriptor.Contents {
    guard !wasClosed else {
      throw Failure(.noTerminal, "standard input is closed; give the text as arguments")
    }
    // Without a pipe to hear of signals, a signal ends the program as ever.
    let interruption = try? Interruption("the text did not come to its end")
    return FileDescriptor.contents(
      STDIN_FILENO, limit: TextInput.limit, name: "standard input", interruption: interruption)
  }

  /// All bytes, up to one more than the longest text has.
  ///
  /// - Throws: ``Failure`` 69 if there is no standard input, 74 if it cannot be read.
  static func bytes() throws(Failure) -> [UInt8] {
    let contents = try contents()
    if let failure = contents.failure { throw failure }
    return contents.bytes
  }

  /// The size of the regular file that stands there, from where reading begins; `nil` for anything else.
  static var remainingFileSize: Int? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return max(0, Int(status.st_size) - max(0, Int(lseek(STDIN_FILENO, 0, SEEK_CUR))))
  }

  /// The first line without its end, or `nil` when there is none.
  ///
  /// Bytes behind it stay unread.
  static func line() -> String? {
    guard !wasClosed else { return nil }
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 1_024,
      withUnsafeMutableBytes(of: &byte, { Descriptor.read(STDIN_FILENO, into: $0) }) == .success(1)
    {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
