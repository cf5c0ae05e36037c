/// A buffer for the error message of a function in C.
struct CReason {
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
