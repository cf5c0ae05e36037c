import Journal

/// Reads jrnl's own files: `[2024-01-05 14:30] Title *`, then the body, up to the next such line.
///
/// It supports the dates of any `timeformat` with a year of four digits: with or without seconds,
/// with 24 or 12 hours, the day alone, names of months and weekdays; `05/01/2024` if another date
/// of the file shows the order of day and month. Files of jrnl 1, without brackets, are read, too;
/// there every bracket belongs to the text, elsewhere a bracket without a date does. jrnl stores no
/// zone, so times are on the given clock, or have the offset written next to them; an entry's day
/// is the one in the file, in a directory journal the one in the path.
///
/// A `*` at the end of the first line, or at its start, is a star, unless the line has another `*`
/// attached to a word: `**bold**` is unchanged. Blank lines around a text are dropped, since jrnl
/// writes one between entries.
struct JrnlTextSource: EntrySource {
  private var lines: TextLines
  private let form: JrnlForm
  private let options: ImportOptions
  private var heading: (JrnlHeading, Int)?
  /// Lines that look like headings and are part of the text of an entry.
  private var doubtful: ArraySlice<ImportItem> = []

  /// Makes a source of a file's bytes.
  ///
  /// - Parameter day: the day of a file in a directory journal.
  /// - Complexity: linear in the bytes.
  init(_ bytes: [UInt8], options: ImportOptions, day: Day? = nil) {
    lines = TextLines(LineEnds.unified(bytes))
    form = JrnlForm(lines, day: day)
    self.options = options
  }

  /// Whether a file is jrnl's: its first non-blank line begins an entry.
  ///
  /// - Parameter day: the day of a file in a directory journal, where times alone may begin
  ///   entries.
  static func recognises(_ bytes: [UInt8], day: Day? = nil) -> Bool {
    var lines = TextLines(bytes)
    while let line = lines.next() {
      if lines.isBlank(line) { continue }
      let content = bytes[line.range]
      if JrnlHeading.begins(content) { return true }
      guard day != nil, let date = JrnlHeading.bracketed(content)?.date else { return false }
      return DateText.time(date) != nil
    }
    return false
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if let item = doubtful.popFirst() { return item }
    if let (heading, number) = heading { return item(of: heading, at: number) }
    let stray = strayLines()
    if let stray {
      let reason =
        "text before the first entry; an entry begins with [2024-01-05 14:30] and a title"
      return .problem(reason, ImportPlace(line: stray))
    }
    return try heading == nil ? nil : next()
  }

  /// Reads up to the first heading, and returns the first non-blank line before it.
  private mutating func strayLines() -> Int? {
    var found: Int?
    while let line = lines.next() {
      if let next = JrnlHeading(lines.bytes[line.range], form) {
        heading = (next, line.number)
        break
      }
      if found == nil, !lines.isBlank(line) { found = line.number }
    }
    return found
  }

  private mutating func item(of heading: JrnlHeading, at number: Int) -> ImportItem {
    let body = takeBody(of: number)
    let place = ImportPlace(line: number)
    switch heading {
    case .problem(let reason): return .problem(reason, place)
    case .entry(let time, let offset, let rest):
      do {
        let title = ASCII.trimmed(rest)
        let (kept, isStarred) = JrnlStar.split(title)
        let text = try text(title: kept, body: body, at: place)
        guard !text.isEmpty else { return .problem(entry: "has no text", place) }
        let created = time.moment(offset: offset, options.clock)
        var entry = ImportedEntry(
          created: created, wallTime: time.moment(offset: 0), day: time.day, text: text,
          starred: isStarred)
        entry.tagStyle = .jrnl
        return .entry(entry, place)
      } catch {
        return .problem(error, place)
      }
    }
  }

  /// Reads the lines up to the next heading, and returns them without blank lines at both ends.
  private mutating func takeBody(of number: Int) -> [TextLines.Line] {
    heading = nil
    var body: [TextLines.Line] = []
    while let line = lines.next() {
      let content = lines.bytes[line.range]
      if let next = JrnlHeading(content, form) {
        heading = (next, line.number)
        break
      }
      if form.isBracketed, body.last.map(lines.isBlank) ?? false, JrnlHeading.isLike(content) {
        let reason = "looks like an entry, but its date is unknown; it is text of line \(number)"
        doubtful.append(.doubt(reason, ImportPlace(line: line.number)))
      }
      body.append(line)
    }
    while let last = body.last, lines.isBlank(last) { body.removeLast() }
    return body
  }

  private func text(
    title: ArraySlice<UInt8>, body: [TextLines.Line], at place: ImportPlace
  ) throws(FormatError) -> String {
    if let first = body.first, let last = body.last {
      try FormatError.check(textOf: last.range.upperBound - first.range.lowerBound)
    }
    var text: [UInt8] = Array(title)
    for line in title.isEmpty ? body.drop(while: lines.isBlank) : body[...] {
      if !text.isEmpty { text.append(0x0A) }
      text.append(contentsOf: lines.bytes[line.range])
    }
    return try UTF8Text.decode(text, isLossy: options.isLossy, at: place)
  }
}

/// jrnl's mark of a favourite.
enum JrnlStar {
  /// A title without its star, and whether it has one.
  static func split(_ title: ArraySlice<UInt8>) -> (title: ArraySlice<UInt8>, isStarred: Bool) {
    let star = UInt8(ascii: "*")
    // The ends are checked first: most titles have no star.
    guard title.first == star || title.last == star else { return (title, false) }
    let isAlone = title.count { $0 == star } == 1
    if title.last == star {
      let rest = title.dropLast()
      if isAlone || rest.last.map(ASCII.isSpace) ?? true { return (ASCII.trimmed(rest), true) }
    }
    if title.first == star {
      let rest = title.dropFirst()
      if isAlone || rest.first.map(ASCII.isSpace) ?? true { return (ASCII.trimmed(rest), true) }
    }
    return (title, false)
  }
}

/// The form of the entry headings in a jrnl file, found in one pass over the file.
struct JrnlForm {
  /// Whether dates are in brackets, as since jrnl 2: the first entry of the file decides, as no
  /// file of jrnl 1 has an entry in brackets, and each bracket in it is text.
  private(set) var isBracketed = true
  /// The order of day and month in dates with slashes.
  private(set) var order: DateOrder?
  /// The shape of the dates of jrnl 1: digits as `0`, letters as `a`.
  private(set) var shape: [UInt8] = []
  /// The day in the path of a file in a directory journal; it overrides those in the file.
  let day: Day?

  init(_ lines: TextLines, day: Day? = nil) {
    self.day = day
    var lines = lines
    var isKnown = false
    while let line = lines.next() {
      let content = lines.bytes[line.range]
      if let parts = JrnlHeading.bracketed(content), isBracketed {
        if order == nil { order = DateText.order(of: parts.date) }
        if !isKnown { isKnown = DateText.read(parts.date) != .other }
      } else if !isKnown, let shape = JrnlHeading.bareShape(content) {
        (isBracketed, isKnown, self.shape) = (false, true, shape)
      }
      if !isBracketed, order == nil, JrnlHeading.has(content, shape) {
        order = DateText.order(of: content.prefix(shape.count))
      }
      if isKnown, order != nil { return }
    }
  }
}

/// The first line of an entry of jrnl.
enum JrnlHeading {
  /// The local time, the offset if the date has one, and the text after the date.
  case entry(WallTime, offset: Int?, rest: ArraySlice<UInt8>)
  /// A heading with an invalid date, and the reason.
  case problem(String)

  /// Reads a line; `nil` if it belongs to the text of an entry.
  init?(_ line: ArraySlice<UInt8>, _ form: JrnlForm) {
    let date: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if form.isBracketed {
      guard let parts = JrnlHeading.bracketed(line) else { return nil }
      (date, rest) = parts
    } else {
      guard JrnlHeading.has(line, form.shape) else { return nil }
      date = line.prefix(form.shape.count)
      rest = line[date.endIndex...]
    }
    let text = String(decoding: date, as: UTF8.self)
    switch DateText.read(date, order: form.order) {
    case .date(let time, _, let offset):
      let time = WallTime(day: form.day ?? time.day, second: time.second)
      self = .entry(time, offset: offset, rest: rest)
    case .ambiguous:
      self = .problem("the date \(text.excerpt) is ambiguous; write it as 2024-01-05")
    case .impossible: self = .problem("there is no date \(text.excerpt)")
    case .other:
      guard let day = form.day, let second = DateText.time(date) else { return nil }
      self = .entry(WallTime(day: day, second: second), offset: nil, rest: rest)
    }
  }

  /// Whether a line can begin a file of jrnl.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    bracketed(line).map { DateText.read($0.date) != .other } ?? (bareShape(line) != nil)
  }

  /// Whether a line looks like a heading whose date is unknown: brackets with a number, and a time
  /// or the name of a month in some language.
  static func isLike(_ line: ArraySlice<UInt8>) -> Bool {
    guard let date = bracketed(line)?.date, date.contains(where: ASCII.isDigit) else {
      return false
    }
    let hasTime = date.indices.contains { index in
      date[index] == UInt8(ascii: ":") && index > date.startIndex && index + 1 < date.endIndex
        && ASCII.isDigit(date[index - 1]) && ASCII.isDigit(date[index + 1])
    }
    guard !hasTime else { return true }
    let words = date.split { !ASCII.isLetter($0) && $0 < 0x80 }
    return words.contains {
      DateFields.month(named: String(decoding: $0, as: UTF8.self).lowercased()) != nil
    }
  }

  /// The date and the rest of `[date] rest`.
  static func bracketed(
    _ line: ArraySlice<UInt8>
  ) -> (date: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    guard line.first == UInt8(ascii: "["),
      let end = line.prefix(66).firstIndex(of: UInt8(ascii: "]")), end + 1 < line.endIndex,
      line[end + 1] == UInt8(ascii: " ")
    else { return nil }
    return (line[(line.startIndex + 1)..<end], line[(end + 2)...])
  }

  /// The shape of the date and time at the start of a jrnl 1 line; `nil` if there is none.
  ///
  /// All dates of a file have the same: `2014-01-05 14:30 Title`.
  static func bareShape(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.first.map(ASCII.isDigit) == true else { return nil }
    let words = line.prefix(48).split(separator: 0x20, maxSplits: 4)
    for count in stride(from: min(words.count, 4), to: 1, by: -1) {
      let date = line[line.startIndex..<words[count - 1].endIndex]
      let isTimed = DateText.time(line[words[1].startIndex..<date.endIndex]) != nil
      switch DateText.read(date) {
      case .date(_, true, nil): return shape(date)
      case .ambiguous where isTimed, .impossible where isTimed: return shape(date)
      case .date, .other, .ambiguous, .impossible: continue
      }
    }
    return nil
  }

  /// Whether a line begins with a date of a shape, followed by white space or the end.
  static func has(_ line: ArraySlice<UInt8>, _ shape: [UInt8]) -> Bool {
    let date = line.prefix(shape.count)
    guard !shape.isEmpty, date.count == shape.count else { return false }
    let next = date.endIndex < line.endIndex ? line[date.endIndex] : 0x20
    return ASCII.isSpace(next) && self.shape(date) == shape
  }

  private static func shape(_ date: ArraySlice<UInt8>) -> [UInt8] {
    date.map { byte in
      ASCII.isDigit(byte) ? UInt8(ascii: "0") : ASCII.isLetter(byte) ? UInt8(ascii: "a") : byte
    }
  }
}

/// Detects files encrypted by any version of jrnl.
enum JrnlEncryption {
  /// Whether jrnl encrypted a file.
  ///
  /// jrnl 4.4 and later mark their files; jrnl 2 to 4.3 write a Fernet token, whose version and
  /// time determine its first letters. jrnl 1 wrote AES in blocks of 16 bytes without any mark: a
  /// file of such a length whose bytes are neither text nor a known file type.
  ///
  /// - Parameters:
  ///   - head: the file's first bytes.
  ///   - size: the size of the file in bytes.
  static func made(_ head: [UInt8], size: Int) -> Bool {
    if head.starts(with: "JRNLv".utf8) { return true }
    if head.starts(with: "gAAAAA".utf8) {
      return head.allSatisfy { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || ASCII.isSpace(byte)
          || "-_=".utf8.contains(byte)
      }
    }
    return isRandom(head, size: size)
  }

  /// The first bytes of common file types.
  private static let others: [[UInt8]] = [
    [0x1F, 0x8B], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A], [0x28, 0xB5, 0x2F, 0xFD],
    [0x37, 0x7A, 0xBC, 0xAF], [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x7F, 0x45, 0x4C],
    Array("GIF8".utf8), Array("%PDF".utf8), Array("PK".utf8), Array("Rar!".utf8),
    Array("bplist".utf8), Array("SQLite".utf8), Array("OggS".utf8), Array("RIFF".utf8),
    Array("ID3".utf8), Array("age-encryption".utf8), Array("Salted__".utf8), [0x85, 0x02],
    [0x8C, 0x0D], [0xD0, 0xCF, 0x11, 0xE0],
  ]

  /// Whether bytes look random, in whole AES blocks.
  private static func isRandom(_ head: [UInt8], size: Int) -> Bool {
    guard size >= 32, size.isMultiple(of: 16), head.count >= 32 else { return false }
    guard !others.contains(where: { head.starts(with: $0) }) else { return false }
    let sample = head.prefix(4096)
    // Random bytes are one eighth control characters and one half above ASCII; text of any encoding
    // has no such controls, and other file types have far more zeros.
    let isControl: (UInt8) -> Bool = { $0 < 0x20 && !ASCII.isSpace($0) }
    let controls = sample.count(where: isControl)
    let high = sample.count { $0 >= 0x80 }
    let zeros = sample.count { $0 == 0 }
    return controls * 40 >= sample.count && high * 100 >= sample.count * 30
      && high * 100 <= sample.count * 70 && zeros * 32 <= sample.count
  }
}

/// The words of a text that may be tags in jrnl, for look-ups.
///
/// jrnl's tags begin a word, and signs may follow in it: `@work,` has `@work`.
struct JrnlTagWords {
  /// Sorted by bytes, in lower case, so that words with a common prefix are adjacent.
  private let words: [[UInt8]]

  /// Finds the words of a text.
  ///
  /// - Complexity: O(*n* log *n*) in the bytes of the text.
  init(_ text: String) {
    // A text of ASCII, as most are, needs none of Unicode's tables, which take ten times as long.
    let found = text.utf8.allSatisfy { $0 < 0x80 } ? Self.ascii(text.utf8) : Self.words(text)
    words = found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func words(_ text: String) -> Set<[UInt8]> {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    return Set(words.lazy.filter { $0.first.map(isSign) == true }.map { Array($0.utf8) })
  }

  private static func ascii(_ bytes: String.UTF8View) -> Set<[UInt8]> {
    let words = bytes.split(whereSeparator: ASCII.isSpace)
    let found = words.lazy.filter { word in
      word.first.map { !ASCII.isLetter($0) && !ASCII.isDigit($0) } == true
    }
    return Set(found.map { $0.map(ASCII.lowercased) })
  }

  /// Whether a word begins with a tag, including its sign.
  func has(_ tag: String) -> Bool {
    let tag = Array(tag.lowercased().utf8)
    let index = words.partitioningIndex { !$0.lexicographicallyPrecedes(tag) }
    return index < words.endIndex && words[index].starts(with: tag)
  }

  /// Users can configure any sign for tags.
  private static func isSign(_ character: Character) -> Bool {
    !character.isLetter && !character.isNumber
  }
}
