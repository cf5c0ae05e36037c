extension Day: LosslessStringConvertible {
  /// The day as ISO 8601 writes it: `2026-11-21`.
  public var description: String {
    var buffer: [UInt8] = []
    append(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends ``description`` in UTF-8.
  func append(to buffer: inout [UInt8]) {
    let (year, month, day) = civil
    Digits.append(year, to: 4, in: &buffer)
    buffer.append(UInt8(ascii: "-"))
    Digits.append(month, in: &buffer)
    buffer.append(UInt8(ascii: "-"))
    Digits.append(day, in: &buffer)
  }

  /// Reads exactly the form of ``description``: four digits, two and two, and a day that exists.
  public init?(_ description: String) {
    guard description.utf8.count == 10 else { return nil }
    let fields = Utf8.withBytes(of: description) { bytes -> (Int, Int, Int)? in
      guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
        let year = Digits.number(bytes[0..<4]), let month = Digits.number(bytes[5..<7]),
        let day = Digits.number(bytes[8..<10])
      else { return nil }
      return (year, month, day)
    }
    guard let (year, month, day) = fields else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
