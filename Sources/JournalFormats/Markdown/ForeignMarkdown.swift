import Journal

/// Reads a note that another program wrote.
struct ForeignMarkdown {
  let bytes: [UInt8]
  let path: String
  let options: ImportOptions
  let zone: (String) -> ZoneFile?

  /// A piece of the note with a time of its own.
  private struct Piece {
    var line: Int
    var second: Int?
    var title: ArraySlice<UInt8> = []
    var content: [TextLines.Line] = []
  }

  /// All entries of the note; there is at least a problem.
  func items() -> [ImportItem] {
    var lines = TextLines(bytes)
    let matter = FrontMatter(&lines)
    let start = lines.peek()?.number ?? 1
    let name = DatedName(path: path)
    let date = NoteDate(matter, name)
    guard case .found(let time, let hasTime, let offset) = date else {
      return [.problem(date.problem, ImportPlace(line: 1))]
    }
    // A daily note keeps its headings of times also where front matter says when it was begun.
    let isDaily = name.map { !$0.hasTime && $0.title.isEmpty && $0.time.day == time.day } ?? false
    let pieces =
      hasTime && !isDaily ? [wholeNote(lines, start)] : pieces(lines, start, time.day)
    let isSplit = pieces.contains { $0.second != nil }
    return pieces.map { piece in
      var when = time
      if let second = piece.second { when.second = second }
      var note = Note(matter: matter, time: when, offset: offset)
      if isSplit { note.isWhole = false } else { note.title = title(matter, name, piece, lines) }
      return item(note, piece, lines)
    }
  }

  /// What is said of a piece beside its text.
  private struct Note {
    var matter: FrontMatter?
    var time: WallTime
    var offset: Int?
    var isWhole = true
    var title = ""
  }

  private func item(_ note: Note, _ piece: Piece, _ lines: TextLines) -> ImportItem {
    let place = ImportPlace(line: piece.line)
    do {
      let text = try text(note.title, piece, lines, at: place)
      guard !text.isEmpty else { return .problem("has no text", place) }
      let created = moment(note.time, note.offset, note.matter)
      let matter = note.matter
      let uuid = note.isWhole ? matter?.value("uuid", "id").flatMap(EntryUUID.canonical) : nil
      return .entry(
        ImportedEntry(
          uuid: uuid ?? (note.offset == nil ? note.time.identity(of: text) : nil),
          created: created, modified: modified(matter), day: note.time.day, text: text,
          tags: tags(matter), starred: matter?.isTrue("starred", "pinned", "favorite") ?? false),
        place)
    } catch {
      return .problem(error.reason, place)
    }
  }

  private func moment(_ time: WallTime, _ offset: Int?, _ matter: FrontMatter?) -> Moment {
    if let offset { return time.moment(offset: offset) }
    let name = matter?.value("timezone", "time_zone", "tz")
    return time.moment(name.flatMap(zone)?.clock() ?? options.clock)
  }

  private func modified(_ matter: FrontMatter?) -> Moment? {
    let text = matter?.value(
      "modified", "modified_at", "updated", "updated_at", "edited_at", "lastmod", "last_modified")
    guard let text, case .date(let time, true, let offset) = DateText.read(text) else { return nil }
    return moment(time, offset, matter)
  }

  private func tags(_ matter: FrontMatter?) -> [String] {
    guard let values = matter?.values("tags", "tag", "keywords") else { return [] }
    // One plain value may be several, between commas or else spaces.
    let parts =
      values.count > 1
      ? values
      : values.flatMap { value in
        let separator: Character = value.contains(",") ? "," : " "
        return value.split(separator: separator).map(String.init)
      }
    return parts.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
  }
}

extension ForeignMarkdown {
  private func wholeNote(_ lines: TextLines, _ start: Int) -> Piece {
    var lines = lines
    var piece = Piece(line: start)
    while let line = lines.next() { piece.content.append(line) }
    return piece
  }

  /// Cuts a daily note at its headings of times, those of the level of the first.
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

  /// Whether what stands before the first time is blank, or a heading that repeats the day.
  private func saysNothing(_ piece: Piece, _ lines: TextLines, _ day: Day) -> Bool {
    let content = piece.content.filter { !lines.isBlank($0) }
    guard let first = content.first else { return true }
    guard content.count == 1, let heading = Heading(lines.bytes[first.range]) else { return false }
    let text = String(decoding: ASCII.trimmed(heading.text), as: UTF8.self)
    if case .date(let time, _, _) = DateText.read(text) { return time.day == day }
    return DateText.isWeekday(text)
  }

  /// The title that front matter or the name gives, unless the text begins with it or, for a name, has
  /// a heading of its own.
  private func title(
    _ matter: FrontMatter?, _ name: DatedName?, _ piece: Piece, _ lines: TextLines
  ) -> String {
    let first = piece.content.first { !lines.isBlank($0) }
    let line = first.map { lines.bytes[$0.range] } ?? []
    let heading = Heading(line)
    let opening = ASCII.trimmed(heading?.text ?? line)
    if let title = matter?.value("title") {
      return opening.elementsEqual(title.utf8) ? "" : title
    }
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

/// When a note was written.
enum NoteDate {
  /// The time, whether it is more than the day, and the offset from UTC where the note has one.
  case found(WallTime, hasTime: Bool, offset: Int?)
  /// Why there is none.
  case missing(String)

  /// Asks front matter, then the name.
  init(_ matter: FrontMatter?, _ name: DatedName?) {
    let text = matter?.value("created_at", "created", "date", "creation_date", "datetime", "time")
    if let text {
      switch DateText.read(text) {
      case .date(let time, let hasTime, let offset):
        self = NoteDate.adding(matter, .found(time, hasTime: hasTime, offset: offset))
        return
      case .ambiguous:
        self = .missing("the date \(text) may be two days; write it as 2024-01-05")
        return
      case .impossible:
        self = .missing("there is no date \(text)")
        return
      case .other: break
      }
    }
    guard let name else {
      let reason = text.map { "the date \($0) is none" } ?? "has no date"
      self = .missing("\(reason), in front matter or in its name; 2024-01-05.md would do")
      return
    }
    self = NoteDate.adding(matter, .found(name.time, hasTime: name.hasTime, offset: nil))
  }

  var problem: String {
    if case .missing(let reason) = self { reason } else { "" }
  }

  /// Adds the time of day that has a field of its own.
  private static func adding(_ matter: FrontMatter?, _ date: NoteDate) -> NoteDate {
    guard case .found(var time, false, let offset) = date, let text = matter?.value("time"),
      let second = DateText.time(Array(text.utf8)[...])
    else { return date }
    time.second = second
    return .found(time, hasTime: true, offset: offset)
  }
}
