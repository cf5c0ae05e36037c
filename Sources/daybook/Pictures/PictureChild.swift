import CPictures
import Files
import Glibc

/// The process that decodes one picture: this program again, by a word that no person types.
///
/// The picture is its standard input. It answers on standard output with the width and the height of the
/// shrunk picture, four bytes each with the lowest first, and with its pixels; or it fails, with nothing.
/// Before it reads the first byte it gives up all that could do harm, see `daybook_confine`.
struct PictureChild {
  /// The first word of its command line.
  static let word = "decode-picture"

  private let width: Int32
  private let height: Int32

  /// Recognises a command line; `nil` for others.
  init?(_ words: [String]) {
    guard words.count == 3, words[0] == Self.word, let width = Int32(words[1]),
      let height = Int32(words[2]), width > 0, height > 0
    else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// - Throws: ``Failure`` 69 without libvips or without a kernel that confines the process, 65 for a picture
  ///   that cannot be decoded.
  func run() throws(Failure) {
    var reason = [CChar](repeating: 0, count: 512)
    guard daybook_pictures_load(&reason, reason.count) == 0 else {
      throw Failure(.unavailable, Self.words(reason))
    }
    let size = Int(lseek(STDIN_FILENO, 0, SEEK_END))
    guard size > 0, let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0),
      bytes != MAP_FAILED
    else { throw Failure(.badData, "standard input is no file with a picture") }
    guard daybook_confine() == 0 else {
      let problem = String(cString: strerror(errno))
      throw Failure(
        .unavailable, "a process cannot be confined here, so no picture is decoded: \(problem)")
    }
    var (columns, rows) = (width, height)
    guard let pixels = daybook_picture_decode(bytes, size, &columns, &rows, &reason, reason.count)
    else { throw Failure(.badData, Self.words(reason)) }
    let answer =
      [columns, rows].flatMap { number in (0..<4).map { UInt8(number >> ($0 * 8) & 0xFF) } }
      + UnsafeBufferPointer(start: pixels, count: Int(columns) * Int(rows) * 4)
    let problem = Descriptor.writeAll(STDOUT_FILENO, answer)
    guard problem == 0 else { throw .system(problem, "standard output") }
  }

  private static func words(_ reason: [CChar]) -> String {
    let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
  }
}
