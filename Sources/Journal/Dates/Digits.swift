/// Decimal digits of dates and times, in ASCII only.
enum Digits {
  /// A number with zeros in front, at least so many digits wide.
  static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return (number < 0 ? "-" : "") + zeros + digits
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
