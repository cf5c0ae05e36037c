import CArchive

/// Reads the files of a zip in order, from a stream of any size.
///
/// It reads sequentially, so a file that is stored without its length in its local header is
/// unreadable. `CArchive.h` explains when the library is loaded.
final class ZipReader {
  private let reader: OpaquePointer
  private let input: Input
  /// The number of files so far.
  private var count = 0
  /// Whether no further file can be read.
  private(set) var isBroken = false

  /// The input of the zip, at an address for C.
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

  /// A file of a zip.
  struct File {
    /// Its path; `nil` if the zip marks it as UTF-8 and it is invalid.
    var path: String?
    /// Its position in the zip, from 1.
    var index: Int

    /// Its name in messages.
    var name: String { path ?? "file \(index)" }
  }

  /// Makes a reader.
  ///
  /// - Throws: ``FormatError`` if the library for zips is missing.
  init(_ stream: ByteStream) throws {
    let input = Input(stream)
    var reason = ZipReason()
    let made = reason.fill { reason, size in
      daybook_zip_reader_new(
        ZipReader.read, Unmanaged.passUnretained(input).toOpaque(), reason, size)
    }
    guard let made else { throw input.failure ?? reason.error }
    reader = made
    self.input = input
  }

  deinit { daybook_zip_reader_free(reader) }

  /// Advances to the next file.
  ///
  /// - Returns: its path, with U+FFFD for invalid UTF-8, or no path if the zip has no readable one;
  ///   `nil` at the end.
  /// - Throws: ``FormatError`` when the zip is broken, and the error of the stream.
  func next() throws -> File? {
    var name: UnsafePointer<CChar>?
    var reason = ZipReason()
    let result = reason.fill { daybook_zip_reader_next(reader, &name, $0, $1) }
    guard result >= 0 else { throw input.failure ?? reason.error }
    guard result > 0 else { return nil }
    count += 1
    return File(path: name.map { String(cString: $0) }, index: count)
  }

  /// The next bytes of the file, none at its end.
  ///
  /// - Throws: ``FormatError`` when the zip is broken, and the error of the stream.
  func read() throws -> [UInt8] {
    var reason = ZipReason()
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      result = reason.fill {
        daybook_zip_reader_read(reader, buffer.baseAddress, buffer.count, $0, $1)
      }
      count = max(result, 0)
    }
    guard result >= 0 else {
      isBroken = result < -1 || input.failure != nil
      throw input.failure ?? reason.error
    }
    return bytes
  }

  /// Called by the library for more bytes of the zip.
  private static let read: daybook_zip_input = { context, bytes in
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

/// A buffer for C's error message.
struct ZipReason {
  private var bytes = [CChar](repeating: 0, count: 256)

  /// Calls `body` with the buffer.
  mutating func fill<Result>(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Result) -> Result {
    bytes.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
  }

  /// The message as an error.
  var error: FormatError {
    let text = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return FormatError(String(decoding: text, as: UTF8.self))
  }
}
