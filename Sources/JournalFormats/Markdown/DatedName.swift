import Journal

/// The date, the title and the tags in the path of a note.
///
/// Only these forms are dates, so that no other number is taken for one: `2024-01-05`, `20240105`,
/// `2024年1月5日` and `January 5th, 2024` at the start of a name, `2024-01-05` and `20240105` once
/// inside it, a name of digits alone that count seconds or milliseconds since 1970, and numbers of
/// directories, with names of months and weekdays at most: `2024/01-January/05 Friday`. A time
/// follows the day with `T`, or has `.`, `:` or `h` in it, or ends the name.
struct DatedName {
  /// The result of reading a path.
  enum Reading {
    /// A date.
    case date(DatedName)
    /// A date whose order of day and month is unknown, such as `09-01-2024`.
    case ambiguous(String)
    /// No date.
    case none
  }

  /// The day, and the time if the name has one.
  private(set) var time: WallTime
  /// Whether the name has a time.
  private(set) var hasTime = false
  /// The offset of the time from UTC in seconds, if the name has one.
  private(set) var offset: Int?
  /// Whether the time is in UTC, which says nothing of where the note was written.
  private(set) var isUniversal = false
  /// The other words of the name, possibly empty.
  private(set) var title = ""
  /// The tags of Denote, `__diary_sea` at the end of a name.
  private(set) var tags: [String] = []
  /// Whether words of the title precede the date.
  private(set) var beginsWithWords = false

  /// Whether the day is that of directories alone, so that a date in the note itself counts more.
  private(set) var isOfDirectories = false

  /// Whether the name is a date alone.
  var isDay: Bool { title.isEmpty && tags.isEmpty && !isOfDirectories }

  /// Parses a path; `nil` if it has no day, or an ambiguous one.
  ///
  /// - Parameter order: the order of day and month in the other names of the import.
  init?(path: String, order: DateOrder? = nil) {
    guard case .date(let name) = DatedName.read(path, order: order) else { return nil }
    self = name
  }

  private init(_ day: Day) { time = WallTime(day: day) }

  /// Reads a path.
  static func read(_ path: String, order: DateOrder? = nil) -> Reading {
    guard let (directories, name) = parts(of: path) else { return .none }
    if let (day, rest) = leadingDay(name) {
      var found = DatedName(day)
      found.read(rest, isJoined: rest.first.map(ASCII.isDigit) ?? false)
      return .date(found)
    }
    switch spelled(name, order) {
    case .none: break
    case let found: return found
    }
    if let (day, inner) = innerDay(name) {
      let range = inner.withBrackets(in: name)
      var found = DatedName(day)
      found.read(name[range.upperBound...], isJoined: false)
      found.precede(by: name[..<range.lowerBound])
      return .date(found)
    }
    if let found = counted(name) ?? inDirectories(directories, name) { return .date(found) }
    return .none
  }

  /// The title in the name of a note that has its date elsewhere; empty for an identifier.
  static func title(path: String) -> String {
    guard let (_, name) = parts(of: path), !isIdentifier(name), !isGeneric(name),
      !name.elementsEqual("Untitled".utf8)
    else { return "" }
    return title(String(decoding: name, as: UTF8.self))
  }

  /// The order of day and month that the names of an import show; `nil` if none does, or both are
  /// there.
  static func order(of paths: some Sequence<String>) -> DateOrder? {
    var found: DateOrder?
    for path in paths {
      guard let (_, name) = parts(of: path),
        let word = name.split(separator: 0x20, maxSplits: 1).first,
        let order = DateText.order(of: word)
      else { continue }
      if let found, found != order { return nil }
      found = order
    }
    return found
  }

  /// The directories of a path, and its name without the extension and an identifier of Notion.
  private static func parts(
    of path: String
  ) -> (directories: [[UInt8]], name: ArraySlice<UInt8>)? {
    var parts = path.split(separator: "/").map { Array($0.utf8) }
    guard var name = parts.popLast()?[...] else { return nil }
    if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 9,
      name[(dot + 1)...].allSatisfy(ASCII.isLetter)
    {
      name = name[..<dot]
    }
    if isOfNotion(name) {
      name = name.dropLast(33)
      // Notion writes a date that a page mentions as its title so.
      if name.first == UInt8(ascii: "@") { name = name.dropFirst() }
    }
    return (parts, name)
  }
}

extension DatedName {
  /// Whether a path is that of a page of Notion, whose name ends with an identifier.
  static func isOfNotion(path: String) -> Bool {
    guard let name = path.split(separator: "/").last, name.hasSuffix(".md") else { return false }
    return isOfNotion(Array(name.utf8.dropLast(3))[...])
  }

  private static func isOfNotion(_ name: ArraySlice<UInt8>) -> Bool {
    name.count > 33 && name[name.endIndex - 33] == 0x20 && isIdentifier(name.suffix(32))
  }
}

// MARK: Days

extension DatedName {
  /// A day at the start of a name, and the text after it.
  private static func leadingDay(_ name: ArraySlice<UInt8>) -> (Day, ArraySlice<UInt8>)? {
    let digits = name.prefix(while: ASCII.isDigit)
    if [8, 12, 14].contains(digits.count) {
      return day(name, at: name.startIndex, width: 0)
    }
    guard digits.count == 4 else { return nil }
    return day(name, at: name.startIndex, width: 1) ?? japaneseDay(name)
  }

  /// The only `2024-01-05` or `20240105` inside a name; two would be ambiguous.
  private static func innerDay(_ name: ArraySlice<UInt8>) -> (Day, Range<Int>)? {
    let found = name.indices.dropFirst().compactMap { index -> (Day, Range<Int>)? in
      guard !ASCII.isDigit(name[index - 1]) else { return nil }
      for width in [1, 0] {
        guard let (day, rest) = day(name, at: index, width: width),
          rest.first.map(ASCII.isDigit) != true,
          width == 1 || (1900..<2100).contains(day.year) && !ASCII.isLetter(name[index - 1])
        else { continue }
        return (day, index..<rest.startIndex)
      }
      return nil
    }
    return found.count == 1 ? found[0] : nil
  }

  /// A day whose fields are separated by a number of bytes.
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

  /// `2024年1月5日`.
  private static func japaneseDay(_ name: ArraySlice<UInt8>) -> (Day, ArraySlice<UInt8>)? {
    var rest = name
    var fields: [Int] = []
    for sign in ["年", "月", "日"] {
      let digits = rest.prefix(while: ASCII.isDigit)
      rest = rest[digits.endIndex...]
      guard digits.count <= 4, let field = number(digits), rest.starts(with: sign.utf8) else {
        return nil
      }
      fields.append(field)
      rest = rest.dropFirst(sign.utf8.count)
    }
    return Day(year: fields[0], month: fields[1], day: fields[2]).map { ($0, rest) }
  }

  /// The longest date of ``DateText`` at the start of a name: `Friday, January 5th, 2024 Walk`.
  private static func spelled(_ name: ArraySlice<UInt8>, _ order: DateOrder?) -> Reading {
    guard DateText.mayBegin(ASCII.trimmed(name)) else { return .none }
    let words = name.prefix(80).split(separator: 0x20, maxSplits: 8)
    for count in stride(from: min(words.count, 8), to: 0, by: -1) {
      let date = name[name.startIndex..<words[count - 1].endIndex]
      switch DateText.read(date, order: order) {
      case .date(let time, let hasTime, let offset):
        var found = DatedName(time.day)
        (found.time, found.hasTime, found.offset) = (time, hasTime, offset)
        found.isUniversal = offset == 0 && DateText.isUniversal(date)
        if hasTime {
          found.title = title(String(decoding: trimmed(name[date.endIndex...]), as: UTF8.self))
        } else {
          found.read(name[date.endIndex...], isJoined: false)
        }
        return .date(found)
      case .ambiguous: return .ambiguous(String(decoding: date, as: UTF8.self))
      case .impossible, .other: continue
      }
    }
    return .none
  }

  /// A name that is a count of seconds or milliseconds of this century.
  private static func counted(_ name: ArraySlice<UInt8>) -> DatedName? {
    guard name.count == 10 || name.count == 13, name.first == UInt8(ascii: "1"),
      let count = number(name)
    else { return nil }
    let moment = Moment(seconds: Int64(count / (name.count == 13 ? 1000 : 1)), offset: 0)
    let (hour, minute, second) = moment.localTime
    var found = DatedName(moment.localDay)
    found.time.second = hour * 3600 + minute * 60 + second
    (found.hasTime, found.offset, found.isUniversal) = (true, 0, true)
    return found
  }

  /// The day that directories and a name form together, or directories alone: `2024/01/05.md`,
  /// `2024/January/05 Friday.md`, `2024-01/05.md`, `2024/01/05/entry.md`.
  private static func inDirectories(
    _ directories: [[UInt8]], _ name: ArraySlice<UInt8>
  ) -> DatedName? {
    let last = fields(name)
    var flat = last ?? []
    for directory in directories.reversed() where flat.count < 3 {
      guard let fields = fields(directory[...]) else { return nil }
      flat = fields + flat
    }
    guard flat.count == 3, let year = flat.first, year >= 1000,
      let day = Day(year: year, month: flat[1], day: flat[2])
    else { return nil }
    var found = DatedName(day)
    found.isOfDirectories = last == nil
    if last == nil, !isGeneric(name), !isIdentifier(name) {
      found.title = title(String(decoding: name, as: UTF8.self))
    }
    return found
  }

  /// The numbers of a name that has only numbers, a month and a weekday; `nil` for other words.
  private static func fields(_ name: ArraySlice<UInt8>) -> [Int]? {
    var fields: [Int] = []
    for part in name.split(whereSeparator: { "-_ ,".utf8.contains($0) }) {
      if part.count <= 4, let number = number(part) {
        fields.append(number)
        continue
      }
      let word = String(decoding: part, as: UTF8.self)
      if let month = DateFields.month(named: word.lowercased()) {
        if fields.last != month { fields.append(month) }
      } else if !DateText.isWeekday(word) {
        return nil
      }
    }
    return fields.isEmpty ? nil : fields
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.allSatisfy(ASCII.isDigit) ? Int(String(decoding: bytes, as: UTF8.self)) : nil
  }
}

// MARK: Times and titles

extension DatedName {
  private static func isSeparator(_ byte: UInt8) -> Bool { "-_. ,".utf8.contains(byte) }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let rest = bytes.drop(while: isSeparator)
    let end = rest.lastIndex { !isSeparator($0) } ?? rest.startIndex - 1
    return rest[...end]
  }

  /// Parses a time and a title after the day.
  ///
  /// - Parameter isJoined: whether digits follow the day, as in `202401050915`.
  private mutating func read(_ rest: ArraySlice<UInt8>, isJoined: Bool) {
    let isMarked = rest.first == UInt8(ascii: "T")
    let separated = isMarked ? rest.dropFirst() : rest.drop(while: DatedName.isSeparator)
    var rest = rest
    if let clock = DatedName.clock(separated, isJoined: isJoined || isMarked) {
      (time.second, hasTime) = (clock.second, true)
      (offset, isUniversal) = (clock.offset, clock.isUniversal)
      rest = clock.rest
      if isMarked, readDenote(rest) { return }
    }
    title = DatedName.title(
      String(decoding: rest.drop(while: DatedName.isSeparator), as: UTF8.self))
  }

  /// `--title-words__tag1_tag2` after the identifier of Denote.
  private mutating func readDenote(_ rest: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: rest, as: UTF8.self)
    guard text.hasPrefix("--") || text.hasPrefix("__") else { return false }
    let name = text.hasPrefix("--") ? text.dropFirst(2) : text[...]
    let words = name.firstRange(of: "__")
    title = DatedName.title(String(name[..<(words?.lowerBound ?? name.endIndex)]))
    if let words { tags = name[words.upperBound...].split(separator: "_").map(String.init) }
    return true
  }

  private mutating func precede(by bytes: ArraySlice<UInt8>) {
    let words = DatedName.trimmed(bytes)
    guard !DatedName.isGeneric(words) else { return }
    let before = DatedName.title(String(decoding: words, as: UTF8.self))
    guard !before.isEmpty else { return }
    title = title.isEmpty ? before : "\(before) \(title)"
    beginsWithWords = true
  }

  private struct Clock {
    var second: Int
    var offset: Int?
    var isUniversal = false
    var rest: ArraySlice<UInt8>
  }

  /// `09.15`, `09:15`, `09-15`, `0915`, `09h15`, optionally with seconds and a zone; `nil` if it is
  /// a number of another kind.
  private static func clock(_ bytes: ArraySlice<UInt8>, isJoined: Bool) -> Clock? {
    var fields: [Int] = []
    var rest = bytes
    var isMarked = isJoined
    while fields.count < 3, let field = number(rest.prefix(2)), rest.count >= 2 {
      fields.append(field)
      rest = rest.dropFirst(2)
      guard let sign = rest.first, fields.count < 3 else { break }
      let behind = rest.dropFirst()
      if ".:-h_".utf8.contains(sign), behind.count >= 2, number(behind.prefix(2)) != nil,
        behind.dropFirst(2).first.map(ASCII.isDigit) != true
      {
        isMarked = isMarked || ".:h".utf8.contains(sign)
        rest = behind
      } else if !ASCII.isDigit(sign) {
        break
      }
    }
    guard fields.count >= 2, fields[0] < 24, fields.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    if fields.count == 3, rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst().drop(while: ASCII.isDigit)
    }
    let second = fields[0] * 3600 + fields[1] * 60 + (fields.count > 2 ? fields[2] : 0)
    var clock = Clock(second: second, rest: rest)
    if rest.first == UInt8(ascii: "Z"), rest.dropFirst().first.map(isSeparator) ?? true {
      (clock.offset, clock.isUniversal, clock.rest) = (0, true, rest.dropFirst())
    } else if let offset = offset(rest) {
      (clock.offset, clock.rest) = (offset, [])
    }
    let isOver = clock.rest.first.map { !ASCII.isDigit($0) && !ASCII.isLetter($0) } ?? true
    return isOver && (isMarked || clock.rest.isEmpty) ? clock : nil
  }

  /// `-0500` or `+01:00` at the end of a name.
  private static func offset(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let sign = rest.first, "+-".utf8.contains(sign) else { return nil }
    let digits = rest.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 4, let number = number(digits[...]), number / 100 <= 14,
      number % 100 < 60
    else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (number / 100 * 3600 + number % 100 * 60)
  }

  /// The words of a title; hyphens become spaces in a name without spaces, and a weekday is not a
  /// title.
  private static func title(_ text: String) -> String {
    let words = text.contains(" ") ? text : text.split(separator: "-").joined(separator: " ")
    let trimmed = String(decoding: ASCII.trimmed(Array(words.utf8)[...]), as: UTF8.self)
    return DateText.isWeekday(trimmed) ? "" : trimmed
  }

  /// Whether a name only says that it is a note of a journal.
  private static func isGeneric(_ name: ArraySlice<UInt8>) -> Bool {
    let words = name.split { !ASCII.isLetter($0) }.map {
      String(decoding: $0, as: UTF8.self).lowercased()
    }
    return words.allSatisfy(generic.contains) && !name.contains { $0 >= 0x80 || ASCII.isDigit($0) }
  }

  private static let generic: Set = [
    "daily", "day", "diary", "entry", "index", "journal", "log", "note", "notes",
  ]

  /// Whether a name is a number, or the hexadecimal digits that programs give notes.
  private static func isIdentifier(_ name: ArraySlice<UInt8>) -> Bool {
    let digits = name.filter { $0 != UInt8(ascii: "-") }
    if !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) { return true }
    return digits.count >= 12 && digits.contains(where: ASCII.isDigit)
      && digits.allSatisfy { ASCII.isDigit($0) || (0x61...0x66).contains($0 | 0x20) }
  }
}
