extension Day: LosslessStringConvertible {
  /// The day as ISO 8601 writes it: `2026-11-21`.
  public var description: String {
    let (year, month, day) = civil
    return "\(Digits.padded(year, to: 4))-\(Digits.padded(month))-\(Digits.padded(day))"
  }

  /// Reads exactly the form of ``description``: four digits, two and two, and a day that exists.
  public init?(_ description: String) {
    let bytes = Array(description.utf8.prefix(11))
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Digits.number(bytes[0..<4]), let month = Digits.number(bytes[5..<7]),
      let day = Digits.number(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
