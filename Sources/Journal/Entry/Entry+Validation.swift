import Glibc

/// Why a text cannot be stored as an entry.
public enum EntryTextError: Error, Equatable, Sendable {
  /// There is no text, or only white space.
  case empty
  /// There is a NUL, which SQLite would cut the text at; the byte counts from 1.
  case nul(byte: Int)
  /// There is more text than an entry holds, in bytes.
  case tooLong(bytes: Int)
}

extension EntryTextError: CustomStringConvertible {
  /// What is wrong, where, and what to do, on one line.
  public var description: String {
    switch self {
    case .empty: "nothing to save"
    case .nul(let byte): "NUL at byte \(byte): an entry is text; remove it and try again"
    case .tooLong(let bytes):
      "\(bytes) bytes are too many: an entry holds \(Entry.textByteLimit >> 20) MiB;"
        + " split the text"
    }
  }
}

extension Entry {
  /// The most bytes of UTF-8 a text has: 64 MiB.
  public static let textByteLimit = 64 << 20

  /// Checks that a text can be stored.
  ///
  /// - Throws: ``EntryTextError``, the length first, so that a text of any size is refused at once.
  /// - Complexity: linear in the bytes of the text.
  public static func validate(text: String) throws(EntryTextError) {
    let problem = Utf8.withBytes(of: text) { bytes -> EntryTextError? in
      if bytes.count > textByteLimit { return .tooLong(bytes: bytes.count) }
      if let base = bytes.baseAddress, let nul = memchr(base, 0, bytes.count) {
        return .nul(byte: UnsafeRawPointer(nul) - UnsafeRawPointer(base) + 1)
      }
      return TextLine.firstNonBlank(in: bytes) == nil ? .empty : nil
    }
    if let problem { throw problem }
  }
}
