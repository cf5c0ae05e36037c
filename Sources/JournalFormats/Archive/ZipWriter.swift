import CArchive

/// Writes a zip, file by file, with reproducible bytes.
final class ZipWriter {
  private let zip: OpaquePointer
  private let sink: Sink

  /// Where the bytes go, at an address for C.
  private final class Sink {
    let write: ([UInt8]) throws -> Void
    var failure: (any Error)?

    init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }
  }

  /// Begins a zip.
  ///
  /// - Parameter write: gets the bytes of the zip.
  /// - Throws: ``FormatError`` if the library for archives is missing.
  init(_ write: @escaping ([UInt8]) throws -> Void) throws {
    let sink = Sink(write)
    var reason = CReason()
    let made = reason.fill {
      daybook_zip_new(ZipWriter.write, Unmanaged.passUnretained(sink).toOpaque(), $0, $1)
    }
    guard let made else { throw sink.failure ?? reason.error }
    (zip, self.sink) = (made, sink)
  }

  deinit { daybook_zip_free(zip) }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - size: the number of its bytes.
  ///   - body: calls its argument with all of them, in pieces.
  /// - Throws: ``FormatError``, the errors of `body` and of the writer.
  func add(
    _ name: String, size: Int, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try check { daybook_zip_begin(zip, name, Int64(size), $0, $1) }
    try body { bytes in
      try bytes.withUnsafeBytes { buffer in
        try check { daybook_zip_data(zip, buffer.baseAddress, buffer.count, $0, $1) }
      }
    }
  }

  /// Ends the zip.
  func end() throws {
    try check { daybook_zip_end(zip, $0, $1) }
  }

  private func check(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int32) throws {
    var reason = CReason()
    guard reason.fill(call) != 0 else { return }
    throw sink.failure ?? reason.error
  }

  /// Receives bytes of the zip from the library.
  private static let write: daybook_zip_output = { context, bytes, count in
    guard let context else { return -1 }
    let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
    do {
      try sink.write(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      return 0
    } catch {
      sink.failure = error
      return -1
    }
  }
}
