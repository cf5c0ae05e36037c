import Journal
import Markdown

/// Reads another program's note.
struct ForeignMarkdown {
  let bytes: [UInt8]
  let path: String
  let options: ImportOptions
  let zone: (String) -> NamedZone?
  /// Whether the note is one entry, also if it has headings of times.
  var isWhole = false

  /// A part of the note with a time of its own.
  private struct Piece {
    var line: Int
    var second: Int?
    var title: ArraySlice<UInt8> = []
    var content: [TextLines.Line] = []
  }

  /// All entries of the note, at least one item.
  func items() -> [ImportItem] {
    if let items = JrnlExport(bytes, path: path, options: options)?.items(),
      !isWhole || items.count == 1
    {
      return items
    }
    var lines = TextLines(bytes)
    var matter = FrontMatter(&lines)
    let start = lines.peek()?.number ?? 1
    let head = bytes[..<(lines.peek()?.range.lowerBound ?? bytes.count)]
    if matter != nil, !options.isLossy, String(validating: head, as: UTF8.self) == nil {
      let place = ImportPlace(line: 1)
      do throws(FormatError) {
        _ = try UTF8Text.decode(Array(head), isLossy: false, at: place)
      } catch {
        return [.problem(error.reason, place)]
      }
    }
    let name = DatedName(path: path)
    let note: Note
    do throws(FormatError) {
      note = try Note(&matter, name, zone: zone, clock: options.clock)
    } catch {
      return [.problem(error.reason, ImportPlace(line: 1))]
    }
    // A daily note is split at its headings of times even if front matter has its creation time.
    let isDaily =
      name.map { !$0.hasTime && $0.title.isEmpty && $0.time.day == note.time.day } ?? false
    let pieces =
      isWhole || (note.hasTime && !isDaily)
      ? [wholeNote(lines, start)] : pieces(lines, start, note.time.day)
    let isSplit = pieces.contains { $0.second != nil }
    return pieces.enumerated().map { index, piece in
      var note = note
      if isSplit {
        if let title = note.title { note.unkept.append(title.isEmpty ? "" : "title") }
        note.title = nil
        (note.uuid, note.instant) = (nil, nil)
      }
      // Front matter shared by several entries is counted once.
      if index > 0 { (note.unkept, note.isRepaired) = ([], false) }
      if let second = piece.second { note.time.second = second }
      return item(note, title(note, name, piece, lines, isSplit: isSplit), piece, lines)
    }
  }

  private func item(
    _ note: Note, _ title: String, _ piece: Piece, _ lines: TextLines
  ) -> ImportItem {
    let place = ImportPlace(line: piece.line)
    do {
      var text = try text(title, piece, lines, at: place)
      if let body = note.body {
        text = [text, body].filter { !$0.isEmpty }.joined(separator: "\n\n")
      }
      // A note with only tags is still an entry.
      guard !text.isEmpty || !note.tags.isEmpty else { return .problem("has no text", place) }
      let created =
        note.instant ?? note.time.moment(offset: note.offset, note.clock ?? options.clock)
      var entry = ImportedEntry(
        uuid: note.uuid, created: created, modified: note.modified, day: note.time.day, text: text,
        tags: note.tags, starred: note.isStarred)
      if note.offset == nil, note.instant == nil { entry.wallTime = note.time.moment(offset: 0) }
      entry.unkept = note.unkept.filter { !$0.isEmpty }
      if note.isRepaired {
        entry.remarks = ["front matter is invalid, and its fields were read one by one"]
      }
      entry.tagStyle = .markdown
      return .entry(entry, place)
    } catch {
      return .problem(error.reason, place)
    }
  }
}

extension ForeignMarkdown {
  private func wholeNote(_ lines: TextLines, _ start: Int) -> Piece {
    var lines = lines
    var piece = Piece(line: start)
    while let line = lines.next() { piece.content.append(line) }
    return piece
  }

  /// Splits a daily note at its headings of times, those at the level of the first.
  private func pieces(_ lines: TextLines, _ start: Int, _ day: Day) -> [Piece] {
    var lines = lines
    var fences = CodeFences()
    var level: Int?
    var pieces = [Piece(line: start)]
    while let line = lines.next() {
      let content = lines.bytes[line.range]
      let isCode = fences.holds(content)
      guard !isCode, let heading = Heading(content), let time = heading.time,
        level == nil || level == heading.level
      else {
        pieces[pieces.count - 1].content.append(line)
        continue
      }
      level = heading.level
      let title = ASCII.trimmed(time.rest.drop { "-:|, ".utf8.contains($0) })
      pieces.append(Piece(line: line.number, second: time.second, title: title))
    }
    if pieces.count > 1, saysNothing(pieces[0], lines, day) { pieces.removeFirst() }
    return pieces
  }

  /// Whether the text before the first time is blank, or a heading that repeats the day.
  private func saysNothing(_ piece: Piece, _ lines: TextLines, _ day: Day) -> Bool {
    let content = piece.content.filter { !lines.isBlank($0) }
    guard let first = content.first else { return true }
    guard content.count == 1, let heading = Heading(lines.bytes[first.range]) else { return false }
    let text = String(decoding: ASCII.trimmed(heading.text), as: UTF8.self)
    if case .date(let time, _, _) = DateText.read(text) { return time.day == day }
    return DateText.isWeekday(text)
  }

  /// The title from front matter or the file name, unless the text begins with it or, for a file
  /// name, has a heading of its own.
  private func title(
    _ note: Note, _ name: DatedName?, _ piece: Piece, _ lines: TextLines, isSplit: Bool
  ) -> String {
    guard !isSplit else { return "" }
    let first = piece.content.first { !lines.isBlank($0) }
    let line = first.map { lines.bytes[$0.range] } ?? []
    let heading = Heading(line)
    let opening = ASCII.trimmed(heading?.text ?? line)
    if let title = note.title { return opening.elementsEqual(title.utf8) ? "" : title }
    guard let title = name?.title, heading == nil, !opening.elementsEqual(title.utf8) else {
      return ""
    }
    return title
  }

  private func text(
    _ title: String, _ piece: Piece, _ lines: TextLines, at place: ImportPlace
  ) throws(FormatError) -> String {
    var content = piece.content[...]
    while let last = content.last, lines.isBlank(last) { content.removeLast() }
    content = content.drop(while: lines.isBlank)
    var text = title.isEmpty ? Array(piece.title) : Array("\(title)\n".utf8)
    for line in content {
      if !text.isEmpty { text.append(0x0A) }
      text.append(contentsOf: lines.bytes[line.range])
    }
    let trimmed = content.isEmpty ? Array(ASCII.trimmed(text[...])) : text
    return try UTF8Text.decode(trimmed, isLossy: options.isLossy, at: place)
  }
}

/// Reads a Markdown or text file: one from ``MarkdownEncoder``, a note with front matter, or one
/// with a date in its name, such as a daily note of Obsidian.
///
/// A note's date comes from its front matter (`date`, `created`, `created_at`, `time`), else from
/// its name, and never from the file system; its tags, star, uuid and title come from front matter,
/// too, and all other fields are skipped. A daily note with headings of times (`## 09:15 Title`) is
/// one entry per heading.
struct MarkdownSource: EntrySource {
  private var items: ArraySlice<ImportItem> = []
  private var own: OwnMarkdown
  private var foreign: ForeignMarkdown?

  /// Makes a source of a file.
  ///
  /// - Parameters:
  ///   - path: its path below the imported directory, with the date in it.
  ///   - zone: returns a zone by its name in front matter.
  init(
    _ bytes: [UInt8], path: String, options: ImportOptions,
    zone: @escaping (String) -> NamedZone? = NamedZone.init
  ) {
    own = OwnMarkdown(TextLines(bytes), isLossy: options.isLossy)
    let preamble = own.preamble()
    foreign = preamble.map {
      ForeignMarkdown(bytes: $0, path: path, options: options, zone: zone)
    }
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if let note = foreign {
      items = note.items()[...]
      foreign = nil
    }
    return items.popFirst() ?? own.next()
  }
}

/// A Markdown heading, `## text`.
struct Heading {
  /// The level, 1 to 6.
  var level: Int
  /// The text after the `#` signs and spaces.
  var text: ArraySlice<UInt8>

  /// Parses a line; `nil` if it is not a heading.
  init?(_ line: ArraySlice<UInt8>) {
    let rest = line.drop { $0 == UInt8(ascii: "#") }
    level = rest.startIndex - line.startIndex
    guard (1...6).contains(level), rest.isEmpty || rest.first.map(ASCII.isSpace) == true else {
      return nil
    }
    text = rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// The time at the start of a heading, in seconds after midnight, and the text after it: `09:15`,
  /// `9:15 PM - Title`.
  var time: (second: Int, rest: ArraySlice<UInt8>)? {
    guard text.first.map(ASCII.isDigit) == true else { return nil }
    let words = text.prefix(40).split(separator: 0x20, maxSplits: 2)
    for count in [2, 1] where words.count >= count {
      let end = words[count - 1].endIndex
      guard let second = DateText.time(text[text.startIndex..<end]) else { continue }
      return (second, text[end...])
    }
    return nil
  }
}

/// Tracks line by line whether lines are in fenced code.
struct CodeFences {
  private var fence: CodeFence?

  /// Whether the next line is inside code, or ends it.
  var isOpen: Bool { fence != nil }

  /// Whether a line belongs to fenced code, including the fences themselves.
  mutating func holds(_ line: ArraySlice<UInt8>) -> Bool {
    if let fence {
      if fence.isClosed(by: line) { self.fence = nil }
      return true
    }
    fence = CodeFence(opening: line)
    return isOpen
  }
}
