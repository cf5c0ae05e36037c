/// Reading a text's UTF-8 in place.
public enum Utf8 {
  /// How many bytes at the start are valid UTF-8, which is where invalid bytes stand.
  ///
  /// - Complexity: linear in that number.
  public static func validPrefix(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
    return count
  }

  /// Lends a text's bytes, without a copy when they lie in one piece, as Swift's own strings do.
  static func withBytes<Result>(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    if let result = try text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return try Array(text.utf8).withUnsafeBufferPointer(body)
  }

  /// A piece of lent bytes as a string of its own.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// How many bytes the scalar that starts with a byte takes; a string's bytes are always valid.
  static func length(startingWith byte: UInt8) -> Int {
    switch byte {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }

  /// The scalar that starts at a place.
  static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Unicode.Scalar {
    let first = bytes[start]
    let length = length(startingWith: first)
    if length == 1 { return Unicode.Scalar(first) }
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for index in start + 1..<min(start + length, bytes.count) {
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Where the scalar starts that ends before a place; the place must not be 0.
  static func start(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> Int {
    var start = end - 1
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  /// A place at or before another one that does not cut a scalar in two.
  static func boundary(_ bytes: UnsafeBufferPointer<UInt8>, atMost limit: Int) -> Int {
    guard limit < bytes.count else { return bytes.count }
    var place = limit
    while place > 0, bytes[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }
}
