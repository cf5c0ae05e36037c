import Journal

/// What the name of a note says about it: `2024-01-05.md`, `2024-01-05-title.md`, `20240105.md`,
/// `2024_01_05.md`, `2024-01-05 09.15 Title.md`, `Diary 2024-01-05.md`, `2024/01/05.md`.
struct DatedName {
  /// The day, and the time where the name has one.
  private(set) var time: WallTime
  /// Whether the name has a time.
  private(set) var hasTime = false
  /// The words behind date and time, empty when there are none.
  private(set) var title = ""

  /// Reads a path; nothing when it names no day.
  init?(path: String) {
    var parts = path.split(separator: "/").map { Array($0.utf8) }
    guard var name = parts.popLast() else { return nil }
    if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 9,
      name[(dot + 1)...].allSatisfy(ASCII.isLetter)
    {
      name.removeSubrange(dot...)
    }
    if let (day, rest) = DatedName.leadingDay(name[...]) ?? DatedName.innerDay(name[...]) {
      time = WallTime(day: day)
      read(rest)
    } else if let day = DatedName.day(folders: parts, name: name) {
      time = WallTime(day: day)
    } else {
      return nil
    }
  }

  /// A day at the start of a name, and what follows.
  private static func leadingDay(_ name: ArraySlice<UInt8>) -> (Day, ArraySlice<UInt8>)? {
    let digits = name.prefix(while: ASCII.isDigit)
    if [8, 12, 14].contains(digits.count) {
      return day(name, at: name.startIndex, width: 0)
    }
    return digits.count == 4 ? day(name, at: name.startIndex, width: 1) : nil
  }

  /// The one `2024-01-05` inside a name; two would leave open which is meant.
  private static func innerDay(_ name: ArraySlice<UInt8>) -> (Day, ArraySlice<UInt8>)? {
    let places = name.indices.dropFirst().filter { index in
      !ASCII.isDigit(name[index - 1])
        && day(name, at: index, width: 1).map { $0.1.first.map(ASCII.isDigit) != true } == true
    }
    guard places.count == 1, let (found, _) = day(name, at: places[0], width: 1) else { return nil }
    return (found, [])
  }

  /// A day whose fields stand so many bytes apart.
  private static func day(
    _ name: ArraySlice<UInt8>, at start: Int, width: Int
  ) -> (Day, ArraySlice<UInt8>)? {
    let length = 8 + 2 * width
    guard name.endIndex - start >= length else { return nil }
    let signs = width == 0 ? [] : [name[start + 4], name[start + 7]]
    guard signs.allSatisfy({ "-_. ".utf8.contains($0) }), Set(signs).count <= 1,
      let year = number(name[start..<start + 4]),
      let month = number(name[(start + 4 + width)..<(start + 6 + width)]),
      let day = number(name[(start + 6 + 2 * width)..<(start + length)]),
      let found = Day(year: year, month: month, day: day)
    else { return nil }
    return (found, name[(start + length)...])
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.allSatisfy(ASCII.isDigit) ? Int(String(decoding: bytes, as: UTF8.self)) : nil
  }

  /// Reads a time and a title behind the day.
  private mutating func read(_ rest: ArraySlice<UInt8>) {
    let isSeparator: (UInt8) -> Bool = { "-_. ,".utf8.contains($0) }
    var rest = rest
    let separated =
      rest.first == UInt8(ascii: "T") ? rest.dropFirst() : rest.drop(while: isSeparator)
    if let (second, behind) = DatedName.clock(separated) {
      time.second = second
      hasTime = true
      rest = behind
    }
    let words = rest.drop(while: isSeparator)
    title = DatedName.title(String(decoding: words, as: UTF8.self))
  }

  /// `09.15`, `09:15`, `09-15`, `0915`, `09h15`, perhaps with seconds; nothing when more digits follow.
  private static func clock(_ bytes: ArraySlice<UInt8>) -> (Int, ArraySlice<UInt8>)? {
    var fields: [Int] = []
    var rest = bytes
    while fields.count < 3, let field = number(rest.prefix(2)), rest.count >= 2 {
      fields.append(field)
      rest = rest.dropFirst(2)
      let behind = rest.dropFirst()
      guard let sign = rest.first else { break }
      if ".:-h_".utf8.contains(sign), behind.count >= 2, number(behind.prefix(2)) != nil,
        behind.dropFirst(2).first.map(ASCII.isDigit) != true
      {
        rest = behind
      } else if !ASCII.isDigit(sign) {
        break
      }
    }
    guard fields.count >= 2, fields[0] < 24, fields.dropFirst().allSatisfy({ $0 < 60 }),
      rest.first.map({ ASCII.isDigit($0) || ASCII.isLetter($0) }) != true
    else { return nil }
    return (fields[0] * 3600 + fields[1] * 60 + (fields.count > 2 ? fields[2] : 0), rest)
  }

  /// The words of a title; a name of hyphens has them for spaces, and a weekday is none.
  private static func title(_ text: String) -> String {
    let words = text.contains(" ") ? text : text.split(separator: "-").joined(separator: " ")
    let trimmed = String(decoding: ASCII.trimmed(Array(words.utf8)[...]), as: UTF8.self)
    return DateText.isWeekday(trimmed) ? "" : trimmed
  }

  /// The day that folders and a name spell together: `2024/01/05`, `2024/01-January/05`,
  /// `2024/01-05`.
  private static func day(folders: [[UInt8]], name: [UInt8]) -> Day? {
    let numbers = (folders + [name]).suffix(3).map { leadingNumbers($0) }
    let flat = numbers.flatMap(\.self).suffix(3)
    guard flat.count == 3, numbers.last?.isEmpty == false, let year = flat.first, year >= 1000
    else { return nil }
    let rest = Array(flat.dropFirst())
    return Day(year: year, month: rest[0], day: rest[1])
  }

  /// The numbers that begin a name, joined by hyphens.
  private static func leadingNumbers(_ name: [UInt8]) -> [Int] {
    var numbers: [Int] = []
    for part in name.split(whereSeparator: { "-_ ".utf8.contains($0) }) {
      guard part.count <= 4, let number = number(part) else { break }
      numbers.append(number)
    }
    return numbers
  }
}
