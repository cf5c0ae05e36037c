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
    var (tags, unkept) = (self.tags, self.unkept)
    for (index, paragraph) in paragraphs.enumerated() {
      tags += paragraph.tags
      if index > 0, paragraph.isTags { continue }
      if paragraph.isChart, !unkept.contains("chart") { unkept.append("chart") }
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
      throw FormatError(entry: "has no date")
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
