/// Decimal digits of dates and times, in ASCII only.
enum Digits {
  /// A number with zeros in front, at least so many digits wide.
  static func padded(_ number: Int, to width: Int = 2) -> String {
    var buffer: [UInt8] = []
    append(number, to: width, in: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends a number with zeros in front; exports write millions of them.
  static func append(_ number: Int, to width: Int = 2, in buffer: inout [UInt8]) {
    if width == 2, (0..<100).contains(number) {
      buffer.append(UInt8(ascii: "0") + UInt8(number / 10))
      buffer.append(UInt8(ascii: "0") + UInt8(number % 10))
      return
    }
    if number < 0 { buffer.append(UInt8(ascii: "-")) }
    var divisor: UInt = 1
    for _ in 1..<width { divisor *= 10 }
    while number.magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(number.magnitude / divisor % 10))
      divisor /= 10
    }
  }

  /// The number that bytes spell, when all of them are ASCII digits and it fits.
  static func number(_ bytes: some Collection<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var result = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (product, tooLarge) = result.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      guard !tooLarge, !overflow else { return nil }
      result = sum
    }
    return result
  }
}
