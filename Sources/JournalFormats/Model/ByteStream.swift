import Glibc

/// Bytes of a file, a pipe or an array, seen through a window that moves over them.
///
/// The window holds what was read and not yet taken; readers ask for more of it until what they look
/// for is whole, look at it in place, and take it. So a file of any size needs the memory of its
/// largest record, and every byte is copied once or twice, never more.
///
/// A byte order mark of UTF-8 at the start is dropped.
package final class ByteStream {
  /// The line of the first byte in the window, from 1, as far as ``take(_:)`` counted.
  package private(set) var line = 1
  /// How many bytes have been taken.
  package private(set) var offset = 0

  /// How many bytes the window may have; a file with a larger record ends with an error.
  package var windowLimit = Int.max

  private let next: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0
  private var isExhausted = false

  /// Makes a stream of pieces.
  ///
  /// - Parameter next: gives the next bytes; none at all mean the end, after which it is not called.
  package init(next: @escaping () throws -> [UInt8]) {
    self.next = next
  }

  /// Makes a stream of bytes that are there already.
  package init(_ bytes: [UInt8]) {
    next = { [] }
    buffer = bytes
    isExhausted = true
    dropMark()
  }

  /// How many bytes are in the window.
  package var count: Int { buffer.count - start }

  /// Widens the window by what comes next.
  ///
  /// - Returns: whether something came.
  /// - Throws: what the source throws, and ``FormatError`` above ``windowLimit``.
  package func more() throws -> Bool {
    guard !isExhausted else { return false }
    guard count <= windowLimit else {
      throw FormatError(
        "more than \(windowLimit >> 20) MiB stand in one record", at: ImportPlace(line: line))
    }
    let bytes = try next()
    isExhausted = bytes.isEmpty
    let isFirst = offset == 0 && count == 0
    if start == buffer.count {
      buffer = bytes
      start = 0
    } else {
      // What is left is moved only when it is the smaller part, so that moving stays linear.
      if start > buffer.count / 2 {
        buffer.removeSubrange(..<start)
        start = 0
      }
      buffer += bytes
    }
    if isFirst { try dropFirstMark() }
    return !bytes.isEmpty
  }

  /// Widens the window until it has so many bytes.
  ///
  /// - Returns: whether there are as many.
  package func has(_ wanted: Int) throws -> Bool {
    while count < wanted {
      guard try more() else { return false }
    }
    return true
  }

  /// Lends the bytes of the window.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try buffer.withUnsafeBufferPointer { buffer throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Takes bytes from the front of the window, counting the lines that end in them.
  ///
  /// - Parameter lines: how many line feeds are among them, where the caller knows.
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

  /// Takes all bytes to the end.
  package func rest() throws -> [UInt8] {
    while try more() {}
    let bytes = start == 0 ? buffer : Array(buffer[start...])
    take(count)
    buffer = []
    start = 0
    return bytes
  }

  /// A source may give its first bytes one by one.
  private func dropFirstMark() throws {
    while count < 3, try more() {}
    dropMark()
  }

  private func dropMark() {
    if buffer[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
  }
}

extension ByteStream {
  /// Takes the next line and lends its bytes, without the line feed and a carriage return before it.
  ///
  /// - Parameter body: gets the line's bytes and its number, from 1.
  /// - Returns: what `body` returns, or `nil` at the end; a line end at the very end starts no line.
  /// - Throws: what the source and `body` throw; the line is taken all the same.
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
