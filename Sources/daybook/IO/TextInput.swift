/// Turning bytes that somebody gave us into text, or saying which byte is not text.
///
/// Swift's own readers replace what they do not understand; a journal must not.
enum TextInput {
  /// The largest text of one entry, in bytes.
  static let limit = 64 << 20

  /// The text of an entry from standard input or an editor.
  ///
  /// A byte order mark at the start and one line feed at the end are not part of it.
  ///
  /// - Throws: ``Failure`` 65 naming the byte, counted from 1.
  static func entry(from bytes: [UInt8], name: String) throws(Failure) -> String {
    guard bytes.count <= limit else { throw .tooLong(name) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw Failure(.badData, "\(name): looks like UTF-16; convert it with iconv -t UTF-8")
    }
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = try text(from: bytes[mark...], name: name)
    return text.utf8.last == 10 ? String(text.unicodeScalars.dropLast()) : text
  }

  /// The text that some bytes are.
  ///
  /// - Throws: ``Failure`` 65 for NUL and for what is not UTF-8; bytes are counted from 1 at the
  ///   start of the array that `bytes` is a slice of.
  static func text(from bytes: ArraySlice<UInt8>, name: String) throws(Failure) -> String {
    if let index = bytes.firstIndex(of: 0) {
      throw Failure(.badData, "\(name): NUL at byte \(index + 1); nothing saved")
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let index = bytes.startIndex + validPrefix(of: bytes)
    throw Failure(.badData, "\(name): invalid UTF-8 at byte \(index + 1); nothing saved")
  }

  /// How many bytes at the start are valid UTF-8.
  private static func validPrefix(of bytes: ArraySlice<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
    return count
  }
}

extension Failure {
  /// A text that is longer than an entry may be.
  static func tooLong(_ name: String) -> Failure {
    Failure(.badData, "\(name): longer than \(TextInput.limit >> 20) MiB; nothing saved")
  }
}
