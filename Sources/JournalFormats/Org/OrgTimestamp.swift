import Journal

/// A timestamp of Org mode: `<2024-01-05 Fri 09:15>`, or in square brackets an inactive one.
struct OrgTimestamp {
  var time: WallTime
  var hasTime: Bool
  /// Whether it is an appointment, `<…>`.
  var isActive: Bool
  /// The text between the brackets.
  var text: String
  /// The position after it.
  var end: Int

  /// Parses a timestamp at the start of some bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first else { return nil }
    isActive = first == UInt8(ascii: "<")
    guard isActive || first == UInt8(ascii: "[") else { return nil }
    let closing = UInt8(ascii: isActive ? ">" : "]")
    guard let end = bytes.prefix(80).firstIndex(of: closing) else { return nil }
    let inner = bytes[(bytes.startIndex + 1)..<end]
    guard inner.count >= 10, let day = Day(String(decoding: inner.prefix(10), as: UTF8.self)) else {
      return nil
    }
    time = WallTime(day: day)
    hasTime = false
    for word in inner.dropFirst(10).split(separator: 0x20) {
      let clock = word.prefix { $0 != UInt8(ascii: "-") }
      guard word.first.map(ASCII.isDigit) == true, clock.contains(UInt8(ascii: ":")) else {
        continue
      }
      // `25:00` is no time, and the whole no timestamp: nobody is to think that it was read.
      guard let second = DateText.time(clock) else { return nil }
      (time.second, hasTime) = (second, true)
      break
    }
    text = String(decoding: inner, as: UTF8.self)
    self.end = end + 1
  }

  /// Removes the first timestamp of a heading, and a range after it.
  static func take(_ title: inout ArraySlice<UInt8>) -> OrgTimestamp? {
    guard let start = title.firstIndex(where: { "<[".utf8.contains($0) }) else { return nil }
    var index = start
    // Few headings have more than a handful of brackets.
    for _ in 0..<8 {
      if let found = OrgTimestamp(title[index...]) {
        var rest = title[found.end...]
        if rest.starts(with: "--".utf8), let second = OrgTimestamp(rest.dropFirst(2)) {
          rest = title[second.end...]
        }
        let before = ASCII.trimmed(title[..<index])
        let after = ASCII.trimmed(rest.drop { ":- ".utf8.contains($0) })
        let isGap = before.isEmpty || after.isEmpty
        title = (before + (isGap ? [] : [0x20]) + after)[...]
        return found
      }
      guard let next = title[(index + 1)...].firstIndex(where: { "<[".utf8.contains($0) }) else {
        return nil
      }
      index = next
    }
    return nil
  }
}
