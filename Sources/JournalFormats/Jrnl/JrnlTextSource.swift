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
  private let pieces: TextPieces
  private let options: ImportOptions
  private var form: JrnlForm
  private var part: JrnlPart?

  /// Makes a source of a text with line feeds, which is read in pieces.
  ///
  /// - Parameter day: the day of a file in a directory journal.
  init(_ text: ByteStream, options: ImportOptions, day: Day? = nil) {
    pieces = TextPieces(text)
    form = JrnlForm(day: day)
    self.options = options
  }

  /// Makes a source of a file's bytes.
  ///
  /// - Complexity: linear in the bytes.
  init(_ bytes: [UInt8], options: ImportOptions, day: Day? = nil) {
    self.init(ByteStream(LineEnds.unified(bytes)), options: options, day: day)
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
    while true {
      if let item = part?.next() { return item }
      guard let piece = try nextPiece() else { return nil }
      part = JrnlPart(TextLines(piece.bytes, from: piece.line), form, options)
    }
  }

  /// The next entries of the file; more of them where only a later date shows the order of day and
  /// month.
  private mutating func nextPiece() throws -> TextPieces.Piece? {
    var size = TextPieces.size
    while true {
      let head = try pieces.head(size)
      form.read(TextLines(head.lines))
      guard form.lacksOrder, !head.isAll else { break }
      size *= 2
    }
    let form = form
    return try pieces.next(size) { JrnlHeading($0, form) != nil }
  }
}

/// Some entries of a jrnl file.
private struct JrnlPart {
  private var lines: TextLines
  private let form: JrnlForm
  private let options: ImportOptions
  private var heading: (JrnlHeading, Int)?
  /// Lines that look like headings and are part of the text of an entry.
  private var doubtful: ArraySlice<ImportItem> = []

  init(_ lines: TextLines, _ form: JrnlForm, _ options: ImportOptions) {
    (self.lines, self.form, self.options) = (lines, form, options)
  }

  /// The next entry or problem.
  mutating func next() -> ImportItem? {
    if let item = doubtful.popFirst() { return item }
    if let (heading, number) = heading { return item(of: heading, at: number) }
    let stray = strayLines()
    if let stray {
      let reason =
        "text before the first entry; an entry begins with [2024-01-05 14:30] and a title"
      return .problem(reason, ImportPlace(line: stray))
    }
    return heading == nil && doubtful.isEmpty ? nil : next()
  }

  /// Reads up to the first heading, and returns the first non-blank line before it.
  private mutating func strayLines() -> Int? {
    var found: Int?
    while let line = lines.next() {
      if let next = JrnlHeading(lines.bytes[line.range], form) {
        heading = (next, line.number)
        break
      }
      if let date = JrnlHeading.impossibleDate(lines.bytes[line.range], form) {
        doubtful.append(
          .problem("there is no date \(date.excerpt)", ImportPlace(line: line.number)))
      }
      if found == nil, doubtful.isEmpty, !lines.isBlank(line) { found = line.number }
    }
    return found
  }

  private mutating func item(of heading: JrnlHeading, at number: Int) -> ImportItem {
    let body = takeBody(of: heading, number)
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
  private mutating func takeBody(
    of start: JrnlHeading, _ number: Int
  ) -> [TextLines.Line] {
    heading = nil
    let doubts = DayDoubts(day: start.day, order: form.order)
    var body: [TextLines.Line] = []
    while let line = lines.next() {
      let content = lines.bytes[line.range]
      if let next = JrnlHeading(content, form) {
        heading = (next, line.number)
        break
      }
      if let date = JrnlHeading.impossibleDate(content, form) {
        let reason = "there is no date \(date.excerpt), so the line is text of line \(number)"
        doubtful.append(.doubt(reason, ImportPlace(line: line.number)))
      } else if form.isBracketed, body.last.map(lines.isBlank) ?? false, JrnlHeading.isLike(content)
      {
        let reason = "looks like an entry, but its date is unknown; it is text of line \(number)"
        doubtful.append(.doubt(reason, ImportPlace(line: line.number)))
      } else if !form.isBracketed,
        let reason = doubts.reason(
          content,
          isAfterBlank: (body.last.map(lines.isBlank) ?? false)
            || JrnlHeading.bareShape(ASCII.trimmed(content)) != nil)
      {
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
