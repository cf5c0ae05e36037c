import Files
import Glibc
import Journal

/// Standard input as a source of text.
enum StandardInput {
  // Written once at startup, and only read after that.
  nonisolated(unsafe) private static var wasClosed = false

  /// Records whether the parent provided standard input, before `/dev/null` replaces it.
  static func noteIfClosed() {
    wasClosed = fcntl(STDIN_FILENO, F_GETFD) < 0
  }

  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// The descriptor to read from.
  ///
  /// - Throws: ``Failure`` 69 without standard input.
  static func descriptor() throws(Failure) -> Int32 {
    guard !wasClosed else {
      throw Failure(.unavailable, "standard input is closed; name a file")
    }
    return STDIN_FILENO
  }

  /// All bytes, up to one more than the longest text has, including those before a read error or a
  /// signal.
  ///
  /// - Throws: ``Failure`` 69 if there is no standard input.
  static func contents() throws(Failure) -> Descriptor.Contents {
    guard !wasClosed else {
      throw Failure(.unavailable, "standard input is closed; give the text as arguments")
    }
    // Without a signal pipe, a signal ends the program as usual.
    let work = LongWork("reading", outcome: "the text is incomplete", for: ShellObserver())
    let isListening = (try? work.listen()) != nil
    return Descriptor.readAll(STDIN_FILENO, limit: TextInput.limit) {
      if isListening { try work.wait(for: STDIN_FILENO) }
    }
  }

  /// All bytes, up to one more than the longest text has.
  ///
  /// - Throws: ``Failure`` 69 without standard input, 74 on a read error.
  static func bytes() throws(Failure) -> [UInt8] {
    try contents().whole("standard input")
  }

  /// The size of a regular file on standard input from the current offset; `nil` for other types.
  static var remainingFileSize: Int? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return max(0, Int(status.st_size) - max(0, Int(lseek(STDIN_FILENO, 0, SEEK_CUR))))
  }

  /// The first line without its end, or `nil` when there is none.
  ///
  /// Bytes after it stay unread.
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

extension Descriptor.Contents {
  /// The reason for an early end of reading, as a failure; `nil` at the end, or at the limit.
  func explanation(_ name: String) -> Failure? {
    failure.map { error in
      (error as? Descriptor.Errno).map { .system($0.code, name) } ?? Failure(explaining: error)
    }
  }

  /// The bytes, unless reading ended early.
  ///
  /// - Throws: ``Failure``.
  func whole(_ name: String) throws(Failure) -> [UInt8] {
    if let failure = explanation(name) { throw failure }
    return bytes
  }
}

/// Decodes input as text, or reports the first invalid byte.
///
/// Swift's own readers replace invalid bytes; a journal must not.
enum TextInput {
  /// The largest text of one entry, in bytes.
  static let limit = 64 << 20

  /// The text of an entry from standard input or an editor.
  ///
  /// A byte order mark at the start and one line end at the end are removed.
  ///
  /// - Parameter keepsReturns: whether CR LF and CR stay, which become LF otherwise.
  /// - Throws: ``Failure`` 65 with the byte, counted from 1.
  static func entry(
    from bytes: [UInt8], name: String, keepsReturns: Bool = false
  ) throws(Failure) -> String {
    guard bytes.count <= limit else { throw .tooLong(name) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw Failure(.badData, "\(name): looks like UTF-16; convert it with iconv -t UTF-8")
    }
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let decoded: String
    do {
      decoded = try text(from: bytes[mark...])
    } catch {
      throw Failure(.badData, "\(name): \(error.reason); nothing saved")
    }
    let text = keepsReturns ? decoded : LineEnds.unified(decoded)
    return text.utf8.last == 10 ? String(text.unicodeScalars.dropLast()) : text
  }

  /// Decodes bytes as text.
  ///
  /// - Throws: ``NoText``; bytes are counted from 1 at the start of the array of which `bytes` is a
  ///   slice.
  static func text(from bytes: ArraySlice<UInt8>) throws(NoText) -> String {
    if let index = bytes.firstIndex(of: 0) { throw NoText(reason: "NUL at byte \(index + 1)") }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let index = bytes.startIndex + validPrefix(of: bytes)
    throw NoText(reason: "invalid UTF-8 at byte \(index + 1)")
  }

  /// The bytes are not a text.
  struct NoText: Error {
    var reason: String
  }

  /// The number of valid UTF-8 bytes at the start.
  private static func validPrefix(of bytes: ArraySlice<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
    return count
  }
}

extension Failure {
  /// The failure for a text longer than an entry may be.
  static func tooLong(_ name: String) -> Failure {
    Failure(.badData, "\(name): longer than \(TextInput.limit >> 20) MiB; nothing saved")
  }
}
