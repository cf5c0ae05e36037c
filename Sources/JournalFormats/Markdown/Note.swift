import Journal

/// The metadata of a note from its front matter and file name.
struct Note {
  /// When it was written, on the local clock of its zone.
  var time: WallTime
  /// Whether ``time`` has a time of day.
  var hasTime: Bool
  /// The offset of that clock from UTC, in seconds, if the note has one.
  var offset: Int?
  /// When it was written, if the note has a count of seconds or milliseconds.
  var instant: Moment?
  /// The clock of its zone.
  var clock: WallClock?
  var modified: Moment?
  var title: String?
  /// A text in a field, as in jrnl's exports.
  var body: String?
  var tags: [String] = []
  var isStarred = false
  var uuid: String?
  /// The fields that an entry cannot store.
  var unkept: [String] = []
  /// Whether the front matter is broken.
  var isRepaired = false

  private static let dates = [
    "created_at", "created", "date", "creation_date", "created_time", "date_created",
    "created_date", "createdat", "datetime", "time",
  ]
  private static let changes = [
    "modified", "modified_at", "updated", "updated_at", "updatedat", "edited_at", "lastmod",
    "last_modified", "last_modified_at", "date_modified", "updated_time",
  ]

  /// Reads the fields.
  ///
  /// - Parameter created: when it was written, if that is known already.
  /// - Throws: ``FormatError`` with the reason if there is no date.
  init(
    _ matter: inout FrontMatter?, _ name: DatedName?, zone: (String) -> NamedZone?,
    clock: WallClock, created: Moment? = nil
  ) throws(FormatError) {
    var fields = matter
    defer { matter = fields }
    let named = fields?.take(["timezone", "time_zone", "tz"]) { zone($0) != nil }
    self.clock = named.flatMap(zone)?.clock()
    let date: Found
    if let created {
      date = Note.found(created)
    } else {
      date = try Note.date(&fields, name, self.clock ?? clock)
    }
    (time, hasTime, offset, instant) = (date.time, date.hasTime, date.offset, date.instant)
    guard fields != nil else { return }
    modified = Note.change(&fields, self.clock ?? clock)
    title = fields?.takeTexts(["title"], separator: ", ")?.trimmingBlankLines
    body = fields?.takeTexts(["body"], separator: "\n\n")?.trimmingBlankLines
    tags = Note.tags(fields?.takeValues(["tags", "tag", "keywords"]))
    isStarred =
      fields?.takeFlag(["starred", "pinned", "favorite", "favourite", "stared"]) ?? false
    uuid = fields?.take(["uuid", "id"]) { EntryUUID.canonical($0) != nil }
      .flatMap(EntryUUID.canonical)
    unkept = fields?.unkept ?? []
    isRepaired = fields?.isRepaired ?? false
  }

  private typealias Found = (time: WallTime, hasTime: Bool, offset: Int?, instant: Moment?)

  private static func found(_ instant: Moment) -> Found {
    let (hour, minute, second) = instant.localTime
    let time = WallTime(day: instant.localDay, second: hour * 3600 + minute * 60 + second)
    return (time, true, nil, instant)
  }

  /// The date from front matter, else from the file name.
  private static func date(
    _ matter: inout FrontMatter?, _ name: DatedName?, _ clock: WallClock
  ) throws(FormatError) -> Found {
    let candidates = matter?.texts(dates) ?? []
    for (field, text) in candidates {
      if let instant = EpochText.moment(text, clock) {
        matter?.take(name: field)
        return found(instant)
      }
      switch DateText.read(text) {
      case .date(let time, let hasTime, let offset):
        matter?.take(name: field)
        return adding(&matter, (time, hasTime, offset, nil))
      case .ambiguous:
        throw FormatError("the date \(text.excerpt) is ambiguous; write it as 2024-01-05")
      case .impossible: throw FormatError("there is no date \(text.excerpt)")
      case .other: continue
      }
    }
    guard let name else {
      let reason =
        candidates.first.map { "the date \($0.text.excerpt) is invalid" } ?? "has no date"
      throw FormatError(
        "\(reason), in front matter or in its name; use a name such as 2024-01-05.md")
    }
    return adding(&matter, (name.time, name.hasTime, nil, nil))
  }

  /// Adds the time of day from a field of its own.
  private static func adding(_ matter: inout FrontMatter?, _ found: Found) -> Found {
    guard !found.hasTime,
      let text = matter?.take(
        ["time"], where: { DateText.time(Array($0.utf8.prefix(80))[...]) != nil }),
      let second = DateText.time(Array(text.utf8)[...])
    else { return found }
    var found = found
    found.time.second = second
    found.hasTime = true
    return found
  }

  private static func change(_ matter: inout FrontMatter?, _ clock: WallClock) -> Moment? {
    for (field, text) in matter?.texts(changes) ?? [] {
      if let moment = EpochText.moment(text, clock) {
        matter?.take(name: field)
        return moment
      }
      guard case .date(let time, true, let offset) = DateText.read(text) else { continue }
      matter?.take(name: field)
      return time.moment(offset: offset, clock)
    }
    return nil
  }

  /// The tags of a list, or of a value separated by commas, or else by spaces.
  private static func tags(_ value: FieldValue?) -> [String] {
    let parts: [String]
    switch value {
    case nil, .table?: return []
    case .text(let text)?:
      let separator: Character = text.contains(",") ? "," : " "
      parts = text.split(separator: separator).map(String.init)
    case .list?: parts = value?.texts ?? []
    }
    return parts.map { part in
      let tag = String(decoding: ASCII.trimmed(Array(part.utf8)[...]), as: UTF8.self)
      return tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
    }
    .filter { !$0.isEmpty }
  }
}

extension String {
  /// The text without leading and trailing blank lines.
  var trimmingBlankLines: String {
    var lines = Array(utf8).split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    while lines.first?.allSatisfy(ASCII.isSpace) == true { lines.removeFirst() }
    while lines.last?.allSatisfy(ASCII.isSpace) == true { lines.removeLast() }
    return String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
  }
}

/// The date and title in the file name of a note: `2024-01-05.md`, `2024-01-05-title.md`,
/// `20240105.md`, `2024_01_05.md`, `2024-01-05 09.15 Title.md`, `Diary 2024-01-05.md`,
/// `2024/01/05.md`.
struct DatedName {
  /// The day, and the time if the name has one.
  private(set) var time: WallTime
  /// Whether the name has a time.
  private(set) var hasTime = false
  /// The words after date and time, possibly empty.
  private(set) var title = ""

  /// Parses a path; `nil` if it has no day.
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
    } else if let day = DatedName.day(directories: parts, name: name) {
      time = WallTime(day: day)
    } else {
      return nil
    }
  }

  /// A day at the start of a name, and the text after it.
  private static func leadingDay(_ name: ArraySlice<UInt8>) -> (Day, ArraySlice<UInt8>)? {
    let digits = name.prefix(while: ASCII.isDigit)
    if [8, 12, 14].contains(digits.count) {
      return day(name, at: name.startIndex, width: 0)
    }
    return digits.count == 4 ? day(name, at: name.startIndex, width: 1) : nil
  }

  /// The only `2024-01-05` inside a name; two would be ambiguous.
  private static func innerDay(_ name: ArraySlice<UInt8>) -> (Day, ArraySlice<UInt8>)? {
    let places = name.indices.dropFirst().filter { index in
      !ASCII.isDigit(name[index - 1])
        && day(name, at: index, width: 1).map { $0.1.first.map(ASCII.isDigit) != true } == true
    }
    guard places.count == 1, let (found, _) = day(name, at: places[0], width: 1) else { return nil }
    return (found, [])
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

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.allSatisfy(ASCII.isDigit) ? Int(String(decoding: bytes, as: UTF8.self)) : nil
  }

  /// Parses a time and a title after the day.
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

  /// `09.15`, `09:15`, `09-15`, `0915`, `09h15`, optionally with seconds; `nil` if more digits
  /// follow.
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

  /// The words of a title; hyphens become spaces in a name without spaces, and a weekday is not a
  /// title.
  private static func title(_ text: String) -> String {
    let words = text.contains(" ") ? text : text.split(separator: "-").joined(separator: " ")
    let trimmed = String(decoding: ASCII.trimmed(Array(words.utf8)[...]), as: UTF8.self)
    return DateText.isWeekday(trimmed) ? "" : trimmed
  }

  /// The day that directories and a name form together: `2024/01/05`, `2024/01-January/05`,
  /// `2024/01-05`.
  private static func day(directories: [[UInt8]], name: [UInt8]) -> Day? {
    let numbers = (directories + [name]).suffix(3).map { leadingNumbers($0) }
    let flat = numbers.flatMap(\.self).suffix(3)
    guard flat.count == 3, numbers.last?.isEmpty == false, let year = flat.first, year >= 1000
    else { return nil }
    let rest = Array(flat.dropFirst())
    return Day(year: year, month: rest[0], day: rest[1])
  }

  /// The numbers at the start of a name, separated by hyphens.
  private static func leadingNumbers(_ name: [UInt8]) -> [Int] {
    var numbers: [Int] = []
    for part in name.split(whereSeparator: { "-_ ".utf8.contains($0) }) {
      guard part.count <= 4, let number = number(part) else { break }
      numbers.append(number)
    }
    return numbers
  }
}
