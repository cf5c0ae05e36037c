import Journal

/// Reads jrnl's own files: `[2024-01-05 14:30] Title *`, then the body, until the next such line.
///
/// Taken are the dates of any `timeformat` that has a year of four digits: with or without seconds, on
/// 24 or 12 hours, the day alone, names of months and weekdays; `05/01/2024` when another date of the
/// file tells whether the day or the month comes first. Files of jrnl 1, without brackets, are read
/// too, where every bracket belongs to the text; elsewhere one that is no date does. Times are those of
/// the clock given, since jrnl keeps no zone, or of the offset that somebody wrote beside one; an entry's day is the one named, in a folder journal by
/// the path of its file.
///
/// A `*` at the end of the first line, or at its start, is a star, unless the line has another `*`
/// glued to a word: `**bold**` stays what it is. Blank lines around a text are left out, since jrnl
/// sets one between entries.
struct JrnlTextSource: EntrySource {
  private var lines: TextLines
  private let form: JrnlForm
  private let options: ImportOptions
  private var heading: (JrnlHeading, Int)?

  /// Makes a source of a file's bytes.
  ///
  /// - Parameter day: the day of a file of a folder journal.
  /// - Complexity: linear in the bytes.
  init(_ bytes: [UInt8], options: ImportOptions, day: Day? = nil) {
    lines = TextLines(bytes)
    form = JrnlForm(lines, day: day)
    self.options = options
  }

  /// Whether a file is jrnl's: its first line that has something begins an entry.
  ///
  /// - Parameter day: the day of a file of a folder journal, where times alone may begin entries.
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

  /// The next entry, or what stands where one should.
  mutating func next() throws -> ImportItem? {
    if let (heading, number) = heading { return item(of: heading, at: number) }
    let stray = strayLines()
    if let stray {
      let reason = "stands before any entry; an entry begins with [2024-01-05 14:30] and a title"
      return .problem(reason, ImportPlace(line: stray))
    }
    return try heading == nil ? nil : next()
  }

  /// Reads up to the first heading, and returns the first line before it that has something.
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
    let body = takeBody()
    let place = ImportPlace(line: number)
    switch heading {
    case .problem(let reason): return .problem(reason, place)
    case .entry(let time, let offset, let rest):
      do {
        let title = ASCII.trimmed(rest)
        let (kept, isStarred) = JrnlStar.split(title)
        let text = try text(title: kept, body: body, at: place)
        guard !text.isEmpty else { return .problem("has no text", place) }
        var entry = ImportedEntry(
          created: time.moment(offset: offset, options.clock), wallTime: time.moment(offset: 0),
          day: time.day,
          text: text, starred: isStarred)
        entry.tagStyle = .jrnl
        return .entry(entry, place)
      } catch {
        return .problem(error.reason, place)
      }
    }
  }

  /// Takes the lines up to the next heading, and returns those between the first and the last that
  /// have something.
  private mutating func takeBody() -> [TextLines.Line] {
    heading = nil
    var body: [TextLines.Line] = []
    while let line = lines.next() {
      if let next = JrnlHeading(lines.bytes[line.range], form) {
        heading = (next, line.number)
        break
      }
      body.append(line)
    }
    while let last = body.last, lines.isBlank(last) { body.removeLast() }
    return body
  }

  private func text(
    title: ArraySlice<UInt8>, body: [TextLines.Line], at place: ImportPlace
  ) throws(FormatError) -> String {
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
    // The few bytes at the ends are looked at first: most titles have none.
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
