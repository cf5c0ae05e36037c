import CArchive
import Glibc

/// Reads the members of a zip or tar in order, from a stream of any size.
///
/// It reads sequentially, so a file that a zip stores uncompressed and without its length in its
/// local header is unreadable. `CArchive.h` explains when the library is loaded.
final class ArchiveReader {
  private let reader: OpaquePointer
  private let input: Input
  /// Whether this reader can read no further file.
  private(set) var isBroken = false

  /// The input of the archive, at an address for C.
  private final class Input {
    let stream: ByteStream
    var lent: [UInt8] = []
    var failure: (any Error)?

    init(_ stream: ByteStream) { self.stream = stream }

    /// The next bytes, none at the end.
    func next() throws -> [UInt8] {
      guard try stream.has(1) else { return [] }
      let bytes = try stream.peek(stream.count)
      stream.take(bytes.count, lines: 0)
      return bytes
    }
  }

  /// Whether the archive is a zip.
  private let isZip: Bool

  /// A member of an archive.
  struct Member {
    /// Its path, in a tar with U+FFFD for invalid UTF-8; `nil` if the archive marks it as UTF-8 and it is
    /// invalid.
    var path: String?
    var kind: Kind

    /// The kinds of members, as the library's function numbers them.
    enum Kind: Int {
      /// A regular file.
      case file = 1
      case directory
      /// A symbolic link, or a further name of a file.
      case link
      /// A pipe or a device.
      case other
      /// The contents of a compressed file that is no archive.
      case contents
    }
  }

  /// Makes a reader.
  ///
  /// - Throws: ``FormatError`` if the library for archives is missing.
  init(_ stream: ByteStream) throws {
    let input = Input(stream)
    let head = try stream.peek(6)
    let isCompressed = ArchiveDirectory.compressions.contains { head.starts(with: $0) }
    isZip = head.starts(with: "PK".utf8)
    var reason = CReason()
    let made = reason.fill { reason, size in
      daybook_archive_reader_new(
        ArchiveReader.read, Unmanaged.passUnretained(input).toOpaque(), isCompressed ? 1 : 0,
        reason, size)
    }
    guard let made else { throw input.failure ?? reason.error }
    reader = made
    self.input = input
  }

  deinit { daybook_archive_reader_free(reader) }

  /// Advances to the next member.
  ///
  /// - Returns: the member, or `nil` at the end.
  /// - Throws: ``FormatError`` when the archive is broken, and the error of the stream.
  func next() throws -> Member? {
    var name: UnsafePointer<CChar>?
    var reason = CReason()
    let result = reason.fill { daybook_archive_reader_next(reader, &name, $0, $1) }
    guard result >= 0 else {
      isBroken = true
      throw input.failure ?? reason.error
    }
    guard result > 0 else { return nil }
    return Member(
      path: name.map(path), kind: Member.Kind(rawValue: Int(result)) ?? .other)
  }

  /// The path of a member: programs for Windows wrote the names in a zip in the letters of the console, and
  /// backslashes between directories.
  private func path(_ name: UnsafePointer<CChar>) -> String {
    guard isZip else { return String(cString: name) }
    let path = String(validatingCString: name) ?? Self.consoleText(name)
    return path.contains("/") ? path : path.replacing("\\", with: "/")
  }

  /// A text in code page 437, whose letters for western Europe are those of 850, too.
  private static func consoleText(_ text: UnsafePointer<CChar>) -> String {
    var result = String.UnicodeScalarView()
    for byte in UnsafeBufferPointer(start: text, count: strlen(text)) {
      let byte = UInt8(bitPattern: byte)
      result.append(byte < 0x80 ? Unicode.Scalar(byte) : consoleLetters[Int(byte) - 0x80])
    }
    return String(result)
  }

  private static let consoleLetters = Array(
    """
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
    """.unicodeScalars)

  /// The next bytes of the file, none at its end.
  ///
  /// - Throws: ``FormatError`` when the archive is broken, and the error of the stream.
  func read() throws -> [UInt8] {
    var reason = CReason()
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      result = reason.fill {
        daybook_archive_reader_read(reader, buffer.baseAddress, buffer.count, $0, $1)
      }
      count = max(result, 0)
    }
    guard result >= 0 else {
      isBroken = result < -1 || input.failure != nil
      throw input.failure ?? reason.error
    }
    return bytes
  }

  /// Called by the library for more bytes of the archive.
  private static let read: daybook_archive_input = { context, bytes in
    guard let context else { return -1 }
    let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
    do {
      input.lent = try input.next()
    } catch {
      input.failure = error
      return -1
    }
    // The array is kept until the next call and not changed meanwhile.
    bytes?.pointee = input.lent.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    return input.lent.count
  }
}
