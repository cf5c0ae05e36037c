import Journal

/// An entry of Lifeograph while its lines are read.
struct LifeographDraft {
  /// The line where it begins.
  let line: Int
  private(set) var isTrashed = false
  private var isStarred = false
  private var todo: UInt8 = 0
  /// The day and the time of day; `nil` for an entry without a date.
  private var time: (day: Day, second: Int, hasTime: Bool)?
  private var created: Int?
  private var changed: Int?
  private var paragraphs: [LifeographParagraph] = []
  private var tags: [String] = []
  private var unkept: [String] = []
  private let version: Int
  private var place: [String] = []

  /// Reads the line that begins an entry: `E --_-2126086145` and the like.
  init(_ line: [UInt8], _ number: Int, _ version: Int) {
    (self.line, self.version) = (number, version)
    let isNew = line.count > 1 && (line[1] == 0x20 || line[1] == UInt8(ascii: "+"))
    let flags = line.dropFirst(isNew ? 2 : 1).prefix { !ASCII.isDigit($0) }
    if isNew {
      isStarred = flags.first == UInt8(ascii: "F")
      isTrashed = flags.dropFirst().first == UInt8(ascii: "T")
      todo = flags.dropFirst(2).first ?? 0
    } else {
      isStarred = flags.first == UInt8(ascii: "f")
      isTrashed = line.first == UInt8(ascii: "e")
      todo = flags.dropFirst(2).first ?? 0
    }
    let start = line.lastIndex { !ASCII.isDigit($0) }.map { $0 + 1 } ?? 0
    let digits = String(decoding: line[start...], as: UTF8.self)
    time = Self.date(digits, version)
  }

  /// The day in a number: digits of version 3000, or bits of older ones.
  private static func date(
    _ digits: String, _ version: Int
  ) -> (day: Day, second: Int, hasTime: Bool)? {
    guard digits.utf8.count <= 18, let number = Int(digits) else { return nil }
    if version >= 3000 || digits.utf8.count >= 15 {
      let clock = number % 1_000_000
      let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
      guard hour < 24, minute < 60, second < 60,
        let day = Day(
          year: number / 100_000_000_000, month: number / 1_000_000_000 % 100,
          day: number / 10_000_000 % 100)
      else { return nil }
      return (day, hour * 3600 + minute * 60 + second, clock > 0)
    }
    // The highest bit tells an entry without a date.
    guard number < 0x8000_0000, number >= 1 << 29 else { return nil }
    return Day(year: number >> 19, month: number >> 15 & 15, day: number >> 10 & 31)
      .map { ($0, 0, false) }
  }

  /// Takes a line below.
  mutating func take(_ line: ArraySlice<UInt8>, _ version: Int) {
    guard let first = line.first else { return }
    guard line.count > 1 else {
      if first == UInt8(ascii: "P") { paragraphs.append(LifeographParagraph(text: [])) }
      return
    }
    let second = line[line.startIndex + 1]
    switch first {
    case UInt8(ascii: "P"):
      paragraphs.append(LifeographParagraph(text: Array(line.dropFirst(2))))
    case UInt8(ascii: "E"): takeNew(second, line.dropFirst(2))
    case UInt8(ascii: "D"):
      let value = Int(String(decoding: line.dropFirst(2).prefix(18), as: UTF8.self))
      if second == UInt8(ascii: "r") { created = value }
      if second == UInt8(ascii: "h") { changed = value }
    case UInt8(ascii: "T"):
      let name = String(decoding: line.dropFirst(2), as: UTF8.self)
      tags.append(String(name.split(separator: "=", maxSplits: 1).first ?? "").trimmingSpace)
    case UInt8(ascii: "L"): place.append(String(decoding: line.dropFirst(2), as: UTF8.self))
    case UInt8(ascii: "M"): unkept.append("theme")
    default: break
    }
  }

  private mutating func takeNew(_ kind: UInt8, _ rest: ArraySlice<UInt8>) {
    let text = String(decoding: rest.prefix(40), as: UTF8.self)
    switch kind {
    case UInt8(ascii: "c"): created = Int(text)
    case UInt8(ascii: "e"): changed = Int(text)
    case UInt8(ascii: "p"): takeParagraph(rest)
    case UInt8(ascii: "f"):
      if !paragraphs.isEmpty { paragraphs[paragraphs.count - 1].addFormat(rest) }
    case UInt8(ascii: "m"): unkept.append("theme")
    case UInt8(ascii: "u"): unkept.append("unit")
    case UInt8(ascii: "l"), UInt8(ascii: "r"):
      if !unkept.contains("location") { unkept.append("location") }
    default: break
    }
  }

  /// `Ep` with its alignment, or in version 3000 fifteen signs of style, or `D` for the default.
  private mutating func takeParagraph(_ rest: ArraySlice<UInt8>) {
    guard let first = rest.first else { return paragraphs.append(LifeographParagraph(text: [])) }
    guard version >= 3000 else {
      paragraphs.append(LifeographParagraph(text: Array(rest.dropFirst())))
      return
    }
    switch first {
    case UInt8(ascii: "D"): paragraphs.append(LifeographParagraph(text: Array(rest.dropFirst())))
    case UInt8(ascii: "<"), UInt8(ascii: "|"), UInt8(ascii: ">"):
      paragraphs.append(
        LifeographParagraph(style: rest.prefix(16), text: Array(rest.dropFirst(16))))
    case UInt8(ascii: "r"):
      if !paragraphs.isEmpty {
        paragraphs[paragraphs.count - 1].address = String(decoding: rest.dropFirst(), as: UTF8.self)
      }
    case UInt8(ascii: "l"): if !unkept.contains("location") { unkept.append("location") }
    default: break
    }
  }

  /// The entry; `nil` without a text.
  func entry(
    _ options: ImportOptions, at place: ImportPlace
  ) throws(FormatError) -> ImportedEntry? {
    var lines: [[UInt8]] = []
    var isAfterItem = false
    var tags = self.tags
    for (index, paragraph) in paragraphs.enumerated() {
      tags += paragraph.tags
      if index > 0, paragraph.isTags { continue }
      let line = paragraph.markdown(isTitle: index == 0)
      if isAfterItem, !paragraph.isItem, !line.isEmpty { lines.append([]) }
      isAfterItem = paragraph.isItem
      lines.append(line)
    }
    var bytes = Array(lines.joined(separator: [0x0A])).trimmingBlankLines
    guard !bytes.isEmpty else { return nil }
    if let box = Self.box(todo) { bytes = Array("- [\(box)] ".utf8) + bytes }
    let text = try UTF8Text.decode(bytes, isLossy: options.isLossy, at: place)
    let written = created.flatMap { moment($0, options.clock) }
    guard let day = time?.day ?? written?.localDay else {
      throw FormatError("has no date")
    }
    var start = WallTime(day: day, second: time?.second ?? 0).moment(options.clock)
    var wall: Moment? = WallTime(day: day, second: time?.second ?? 0).moment(offset: 0)
    if time?.hasTime != true, let written, written.localDay == day {
      start = written
      // A count of seconds is an instant; digits are a local time.
      if !isLocal(created) { wall = nil } else { wall = Self.wall(written) }
    }
    var entry = ImportedEntry(
      created: start, wallTime: wall, modified: changed.flatMap { moment($0, options.clock) },
      day: day, text: text, tags: tags.filter { !$0.isEmpty }, starred: isStarred)
    entry.unkept = unkept
    entry.fields = self.place.compactMap { ImportedField(named: "place", $0) }
    if time == nil { entry.remarks = ["entry of a topic has the day on which it was written"] }
    return entry
  }

  private static func wall(_ moment: Moment) -> Moment {
    let (hour, minute, second) = moment.localTime
    return WallTime(day: moment.localDay, second: hour * 3600 + minute * 60 + second)
      .moment(offset: 0)
  }

  private func isLocal(_ number: Int?) -> Bool { (number ?? 0) > 100_000_000_000 }

  /// A time: seconds since 1970, or digits of a local time.
  private func moment(_ number: Int, _ clock: WallClock) -> Moment? {
    guard isLocal(number) else {
      return number > 0 ? clock.moment(at: Int64(number)) : nil
    }
    return Self.date(String(number), 3000).map {
      WallTime(day: $0.day, second: $0.second).moment(clock)
    }
  }

  private static func box(_ todo: UInt8) -> String? {
    switch todo {
    case UInt8(ascii: "t"), UInt8(ascii: "p"): " "
    case UInt8(ascii: "d"), UInt8(ascii: "c"): "x"
    default: nil
    }
  }
}

/// A paragraph of Lifeograph.
struct LifeographParagraph {
  /// The signs of its style in version 3000.
  var style: [UInt8] = []
  var text: [UInt8]
  /// The address of a picture.
  var address = ""
  /// Formats by their first and last characters.
  private var formats: [(kind: UInt8, range: Range<Int>, value: String)] = []

  init(style: ArraySlice<UInt8> = [], text: [UInt8]) {
    (self.style, self.text) = (Array(style), text)
  }

  /// `EfB36|42|`.
  mutating func addFormat(_ bytes: ArraySlice<UInt8>) {
    guard let kind = bytes.first, formats.count < 10_000 else { return }
    let parts = bytes.dropFirst().split(
      separator: UInt8(ascii: "|"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let start = Int(String(decoding: parts[0].prefix(9), as: UTF8.self)),
      let end = Int(String(decoding: parts[1].prefix(9), as: UTF8.self)), start >= 0, start < end
    else { return }
    let value = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
    formats.append((kind, start..<end, value))
  }

  /// Whether it is an item of a list.
  var isItem: Bool { style.count > 2 && style[2] != UInt8(ascii: "_") }

  /// The words that are tags.
  var tags: [String] {
    let ranges = formats.filter { $0.kind == UInt8(ascii: "T") }.map(\.range)
    guard !ranges.isEmpty else { return [] }
    let characters = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    return ranges.map { range in
      var tag = String.UnicodeScalarView()
      tag.append(contentsOf: characters[range.clamped(to: 0..<characters.count)])
      return String(tag).trimmingSpace
    }
  }

  /// Whether there is nothing but a tag.
  var isTags: Bool {
    tags.count == 1 && tags[0] == String(decoding: text, as: UTF8.self).trimmingSpace
  }

  /// The Markdown of the paragraph.
  func markdown(isTitle: Bool) -> [UInt8] {
    var line = formatted
    if style.count > 6, "IT".utf8.contains(style[6]), !address.isEmpty {
      let picture = MarkupLinks.picture(address)
      return Array(picture.utf8) + (line.isEmpty ? [] : [0x20] + line)
    }
    guard !isTitle else { return Array(ASCII.trimmed(line[...])) }
    guard style.count > 5 else { return Self.marked(line) }
    line = Array(ASCII.trimmed(line[...]))
    guard !line.isEmpty else { return [] }
    let indent = Int(style[5]) - 0x30
    let before = Array(repeating: UInt8(0x20), count: min(max(indent - 1, 0), 8) * 2)
    switch style[2] {
    case UInt8(ascii: "O"), UInt8(ascii: "~"): return before + Array("- [ ] ".utf8) + line
    case UInt8(ascii: "+"), UInt8(ascii: "X"): return before + Array("- [x] ".utf8) + line
    case UInt8(ascii: "-"): return before + Array("- ".utf8) + line
    case UInt8(ascii: "1"), UInt8(ascii: "A"), UInt8(ascii: "a"), UInt8(ascii: "R"),
      UInt8(ascii: "r"):
      return before + Array("1. ".utf8) + line
    default: break
    }
    switch style[1] {
    case UInt8(ascii: "T"): return Array("# ".utf8) + line
    case UInt8(ascii: "S"): return Array("## ".utf8) + line
    case UInt8(ascii: "B"): return Array("### ".utf8) + line
    default:
      return style.count > 4 && style[4] == UInt8(ascii: "Q") ? Array("> ".utf8) + line : line
    }
  }

  /// A line of older versions, where one space begins a heading and two a smaller one, and signs
  /// mark words: `*bold*`, `_italic_`, `=struck=`.
  private static func marked(_ line: [UInt8]) -> [UInt8] {
    let spaces = line.prefix { $0 == 0x20 }.count
    let text = line.dropFirst(spaces)
    guard let first = text.first else { return [] }
    if (1...2).contains(spaces), first != 0x09 {
      return Array(repeating: UInt8(ascii: "#"), count: spaces + 1) + [0x20] + text
    }
    return Array(text)
  }

  /// The text with its formats, or with those that its signs mark.
  private var formatted: [UInt8] {
    guard !formats.isEmpty else {
      guard style.isEmpty else { return text }
      let spaces = text.prefix { $0 == 0x20 || $0 == 0x09 }
      return spaces + InlineConverter.markdown(Array(text.dropFirst(spaces.count)), Self.syntax)
    }
    let characters = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var (before, after) = ([Int: String](), [Int: String]())
    for format in formats {
      let range = format.range.clamped(to: 0..<characters.count)
      guard !range.isEmpty else { continue }
      let (opening, closing) = Self.delimiters(format.kind, format.value)
      before[range.lowerBound, default: ""] += opening
      after[range.upperBound] = closing + (after[range.upperBound] ?? "")
    }
    var result = String.UnicodeScalarView()
    for (index, character) in characters.enumerated() {
      result.append(contentsOf: (after[index] ?? "").unicodeScalars)
      result.append(contentsOf: (before[index] ?? "").unicodeScalars)
      result.append(character)
    }
    result.append(contentsOf: (after[characters.count] ?? "").unicodeScalars)
    return Array(String(result).utf8)
  }

  private static func delimiters(_ kind: UInt8, _ value: String) -> (String, String) {
    switch kind {
    case UInt8(ascii: "B"): ("**", "**")
    case UInt8(ascii: "I"), UInt8(ascii: "U"): ("*", "*")
    case UInt8(ascii: "S"): ("~~", "~~")
    case UInt8(ascii: "L"): value.isEmpty ? ("", "") : ("[", "](\(value))")
    default: ("", "")
    }
  }

  private static let syntax = InlineSyntax(marks: [
    .init("*", .strong, .words), .init("_", .emphasis, .words),
    .init("=", .strikethrough, .words),
  ])
}
