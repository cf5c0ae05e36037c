import Glibc
import Journal

/// A window that moves over the bytes of a file, a pipe or an array.
///
/// The window holds the bytes that were read and not yet consumed; readers extend it until their
/// next item is complete, read it in place, and consume it. So a file of any size needs the memory
/// of its largest record, and every byte is copied at most twice.
///
/// A UTF-8 byte order mark at the start is dropped.
package final class ByteStream {
  /// The line of the first byte in the window, from 1, as counted by ``take(_:)``.
  package private(set) var line = 1
  /// The number of consumed bytes.
  package private(set) var offset = 0

  /// The maximum size of the window in bytes; a larger record is an error.
  package var windowLimit = Int.max

  /// Whether a byte order mark belongs to the bytes, as in an attached file.
  private var keepsMark = false
  private let next: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0
  private var isExhausted = false

  /// Makes a stream of pieces.
  ///
  /// - Parameter next: returns the next bytes; an empty array means the end, after which it is not
  ///   called.
  package init(next: @escaping () throws -> [UInt8]) {
    self.next = next
  }

  /// Makes a stream of an array.
  package init(_ bytes: [UInt8]) {
    next = { [] }
    buffer = bytes
    isExhausted = true
    dropMark()
  }

  /// Keeps a byte order mark at the start; to be called before anything is consumed.
  package func keepMark() {
    keepsMark = true
    if offset == 0 { start = 0 }
  }

  /// The number of bytes in the window.
  package var count: Int { buffer.count - start }

  /// Extends the window by the next bytes.
  ///
  /// - Returns: whether there were any.
  /// - Throws: the error of the source, ``FormatError`` above ``windowLimit``, and `GivenUp`.
  package func more() throws -> Bool {
    guard !isExhausted else { return false }
    try GivenUp.check()
    guard count <= windowLimit else {
      throw FormatError(
        "a record is longer than \(windowLimit >> 20) MiB", at: ImportPlace(line: line))
    }
    let bytes = try next()
    isExhausted = bytes.isEmpty
    let isFirst = offset == 0 && count == 0
    if start == buffer.count {
      buffer = bytes
      start = 0
    } else {
      // The rest is moved only if it is the smaller part, so that moving stays linear.
      if start > buffer.count / 2 {
        buffer.removeSubrange(..<start)
        start = 0
      }
      buffer += bytes
    }
    if isFirst { try dropFirstMark() }
    return !bytes.isEmpty
  }

  /// Extends the window to a number of bytes.
  ///
  /// - Returns: whether there are as many.
  package func has(_ wanted: Int) throws -> Bool {
    while count < wanted {
      guard try more() else { return false }
    }
    return true
  }

  /// Calls `body` with the bytes of the window.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try buffer.withUnsafeBufferPointer { buffer throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Consumes bytes at the front of the window, and counts the lines that end in them.
  ///
  /// - Parameter lines: the number of line feeds among them, if the caller knows it.
  package func take(_ taken: Int, lines: Int? = nil) {
    line += lines ?? withBytes { bytes in bytes.prefix(taken).count { $0 == 0x0A } }
    start += taken
    offset += taken
  }

  /// The first bytes, which stay in the window.
  package func peek(_ wanted: Int) throws -> [UInt8] {
    _ = try has(wanted)
    return Array(buffer[start..<min(start + wanted, buffer.count)])
  }

  /// Consumes the bytes of the window, or the next ones if it is empty; none at the end.
  package func piece() throws -> [UInt8] {
    guard try has(1) else { return [] }
    let bytes = Array(buffer[start...])
    take(bytes.count, lines: 0)
    return bytes
  }

  /// Consumes all bytes to the end.
  package func rest() throws -> [UInt8] {
    while try more() {}
    let bytes = start == 0 ? buffer : Array(buffer[start...])
    take(count, lines: 0)
    buffer = []
    start = 0
    return bytes
  }

  /// A source may return its first bytes one by one.
  private func dropFirstMark() throws {
    while count < 3, try more() {}
    dropMark()
  }

  private func dropMark() {
    if !keepsMark, buffer[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
  }
}

extension ByteStream {
  /// Consumes the next line and calls `body` with its bytes, without the line feed and a carriage
  /// return before it.
  ///
  /// - Parameter body: receives the line's bytes and its number, from 1.
  /// - Returns: the result of `body`, or `nil` at the end; a line end at the very end starts no
  ///   line.
  /// - Throws: the errors of the source and `body`; the line is consumed in any case.
  package func nextLine<Result>(
    _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Result
  ) throws -> Result? {
    var searched = 0
    while true {
      if let end = withBytes({ ByteStream.lineFeed(in: $0, from: searched) }) {
        defer { take(end + 1, lines: 1) }
        return try lend(end, body)
      }
      searched = count
      guard try !more() else { continue }
      guard count > 0 else { return nil }
      let end = count
      defer { take(end, lines: 0) }
      return try lend(end, body)
    }
  }

  private func lend<Result>(
    _ end: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Result
  ) throws -> Result {
    try withBytes { bytes in
      let isPair = end > 0 && bytes[end - 1] == 0x0D
      return try body(UnsafeBufferPointer(rebasing: bytes[..<(isPair ? end - 1 : end)]), line)
    }
  }

  private static func lineFeed(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
