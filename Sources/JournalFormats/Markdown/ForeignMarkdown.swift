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
    if let items = JrnlExport(bytes, path: path, options: options)?.items() { return items }
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
    // A daily note keeps its headings of times also where front matter says when it was begun.
    let isDaily =
      name.map { !$0.hasTime && $0.title.isEmpty && $0.time.day == note.time.day } ?? false
    let pieces =
      note.hasTime && !isDaily ? [wholeNote(lines, start)] : pieces(lines, start, note.time.day)
    let isSplit = pieces.contains { $0.second != nil }
    return pieces.enumerated().map { index, piece in
      var note = note
      if isSplit {
        if let title = note.title { note.unkept.append(title.isEmpty ? "" : "title") }
        note.title = nil
        (note.uuid, note.instant) = (nil, nil)
      }
      // What the front matter of several entries has is counted once.
      if index > 0 { (note.unkept, note.isMended) = ([], false) }
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
      // A note that is tagged and no more is still there.
      guard !text.isEmpty || !note.tags.isEmpty else { return .problem("has no text", place) }
      let created =
        note.instant ?? note.time.moment(offset: note.offset, note.clock ?? options.clock)
      var entry = ImportedEntry(
        uuid: note.uuid, created: created, modified: note.modified, day: note.time.day, text: text,
        tags: note.tags, starred: note.isStarred)
      if note.offset == nil, note.instant == nil { entry.wallTime = note.time.moment(offset: 0) }
      entry.unkept = note.unkept.filter { !$0.isEmpty }
      if note.isMended {
        entry.remarks = ["front matter is broken, and its fields were read one by one"]
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
