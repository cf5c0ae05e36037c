/// The TOML values other than strings: numbers, booleans, dates and times.
enum TOMLScalar {
  /// Whether bytes without blanks, except one between a date and its time, are a value.
  static func isValid(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count <= 256, let first = word.first else { return false }
    switch String(decoding: word, as: UTF8.self) {
    case "true", "false", "inf", "nan", "+inf", "+nan", "-inf", "-nan": return true
    default: break
    }
    guard isDigit(first) || first == UInt8(ascii: "+") || first == UInt8(ascii: "-") else {
      return false
    }
    return isInteger(word) || isFloat(word) || isMoment(word)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func value(ofHex byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  // MARK: Numbers

  /// An integer of 64 bits: `-17`, `1_000`, `0xff`, `0o17`, `0b1`.
  private static func isInteger(_ word: ArraySlice<UInt8>) -> Bool {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.starts(with: prefix.utf8) {
      return number(word.dropFirst(2), radix: radix) != nil
    }
    let digits = withoutSign(word)
    guard hasNoLeadingZero(digits), plain(digits) != nil else { return false }
    return Int64(String(decoding: word.filter { $0 != underscore }, as: UTF8.self)) != nil
  }

  private static func number(_ word: ArraySlice<UInt8>, radix: Int) -> Int64? {
    guard let digits = plain(word, { value(ofHex: $0).map { Int($0) < radix } ?? false }) else {
      return nil
    }
    return Int64(String(decoding: digits, as: UTF8.self), radix: radix)
  }

  /// `3.14`, `5e+22`, `6.626e-34`.
  private static func isFloat(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = withoutSign(word)
    let whole = rest.prefix { isDigit($0) || $0 == underscore }
    guard hasNoLeadingZero(whole), plain(whole) != nil else { return false }
    rest = rest.dropFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { isDigit($0) || $0 == underscore }
      guard plain(fraction) != nil else { return false }
      rest = rest.dropFirst(fraction.count + 1)
      if rest.isEmpty { return true }
    }
    guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return false }
    // A larger exponent overflows to infinity or underflows to zero.
    let exponent = withoutSign(rest.dropFirst())
    return exponent.count <= 4 && plain(exponent) != nil
  }

  private static let underscore = UInt8(ascii: "_")

  /// Digits without the underscores between them; `nil` for other bytes.
  private static func plain(
    _ word: ArraySlice<UInt8>, _ isDigit: (UInt8) -> Bool = TOMLScalar.isDigit
  ) -> [UInt8]? {
    guard let first = word.first, let last = word.last, first != underscore, last != underscore
    else { return nil }
    var digits: [UInt8] = []
    var wasUnderscore = false
    for byte in word {
      if byte == underscore, wasUnderscore { return nil }
      wasUnderscore = byte == underscore
      if wasUnderscore { continue }
      guard isDigit(byte) else { return nil }
      digits.append(byte)
    }
    return digits
  }

  private static func hasNoLeadingZero(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.count <= 1 || digits.first != UInt8(ascii: "0")
  }

  private static func withoutSign(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    word.first == UInt8(ascii: "+") || word.first == UInt8(ascii: "-") ? word.dropFirst() : word
  }

  // MARK: Dates

  /// Whether ten bytes are a calendar day: `2026-11-21`.
  static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
    fields(word, "dddd-dd-dd").map {
      (1...12).contains($0[1]) && $0[2] >= 1 && $0[2] <= Day.length(ofMonth: $0[1], year: $0[0])
    } ?? false
  }

  /// A date, a time, or both with an offset or without one.
  private static func isMoment(_ word: ArraySlice<UInt8>) -> Bool {
    guard isDate(word.prefix(10)) else { return isTime(word) }
    let rest = word.dropFirst(10)
    guard let mark = rest.first else { return true }
    guard [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(mark) else {
      return false
    }
    let time = rest.dropFirst().prefix { isDigit($0) || $0 == 0x3A || $0 == 0x2E }
    return isTime(time) && isOffset(rest.dropFirst(1 + time.count))
  }

  /// `07:32:00`, with an optional fraction of a second.
  private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
    guard let fields = fields(word.prefix(8), "dd:dd:dd"), fields[0] < 24, fields[1] < 60,
      fields[2] < 60
    else { return false }
    let fraction = word.dropFirst(8)
    if fraction.isEmpty { return true }
    return fraction.first == UInt8(ascii: ".") && fraction.count > 1
      && fraction.dropFirst().allSatisfy(isDigit)
  }

  /// An empty text, `Z` or `-07:00`.
  private static func isOffset(_ word: ArraySlice<UInt8>) -> Bool {
    guard let sign = word.first else { return true }
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return word.count == 1 }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let fields = fields(word.dropFirst(), "dd:dd")
    else { return false }
    return fields[0] < 24 && fields[1] < 60
  }

  /// The numbers in bytes with the given form, in which `d` is a digit; `nil` for another form.
  private static func fields(_ word: ArraySlice<UInt8>, _ form: StaticString) -> [Int]? {
    form.withUTF8Buffer { form in
      guard word.count == form.count else { return nil }
      var fields = [0]
      for (byte, mark) in zip(word, form) {
        if mark == UInt8(ascii: "d") {
          guard isDigit(byte) else { return nil }
          fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
        } else {
          guard byte == mark else { return nil }
          fields.append(0)
        }
      }
      return fields
    }
  }
}
