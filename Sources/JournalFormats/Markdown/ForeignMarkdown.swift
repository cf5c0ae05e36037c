import Journal
import Markdown

/// Reads another program's note.
struct ForeignMarkdown {
  var bytes: [UInt8]
  let path: String
  let options: ImportOptions
  let zone: (String) -> NamedZone?
  /// Whether the note is one entry, also if it has headings of times.
  var isWhole = false
  /// Whether the marks of another program have been read.
  var isRead = false
  /// Its fields, if they are not in its text.
  var matter: FrontMatter?
  /// The date in its path, if that was read before.
  var named: DatedName.Reading?
  /// The part of a long file that it is; `nil` for a whole one.
  var part: Part?

  /// A part of one long file for all days.
  struct Part {
    /// How its days begin.
    let form: NotePieces.Form
    /// The number of its first line.
    let line: Int
    let isFirst: Bool
    let isLast: Bool
  }

  /// All entries of the note, at least one item.
  func items() -> [ImportItem] {
    var bytes = LineEnds.unified(bytes)
    if !isWhole, !isRead, NoteTemplate.recognises(bytes, path: path) {
      return [.passedBy("left out as templates", ImportPlace())]
    }
    if matter == nil, part == nil,
      let items = JrnlExport(bytes, path: path, options: options)?.items(),
      !isWhole || items.count == 1
    {
      return items
    }
    if ZimSource.recognises(bytes) {
      return ListedItems.all(ZimSource(bytes, path: path, options: options))
    }
    bytes = isWhole || isRead ? bytes : NotionPage.asFrontMatter(bytes)
    let isLogseq = !isWhole && !isRead && LogseqPage.recognises(bytes, path: path)
    var lines = TextLines(bytes, from: part?.line ?? 1)
    var matter = part == nil ? self.matter ?? FrontMatter(&lines) : nil
    let start = lines.peek()?.number ?? 1
    let head = bytes[..<(lines.peek()?.range.lowerBound ?? bytes.count)]
    if matter != nil, !options.isLossy, String(validating: head, as: UTF8.self) == nil {
      let place = ImportPlace(line: 1)
      do throws(FormatError) {
        _ = try UTF8Text.decode(Array(head), isLossy: false, at: place)
      } catch {
        return [.problem(error, place)]
      }
    }
    if matter == nil, !isWhole, !isRead, let items = blocks(lines) { return items }
    if isLogseq { return logseqItems(lines, matter) }
    let (form, days) =
      isWhole
      ? (NotePieces.Form(), [])
      : part.map { ($0.form, NotePieces.days(lines, $0.form)) }
        ?? NotePieces.found(lines, in: CalendarMonth(path: path))
    do throws(FormatError) {
      let (note, name) = try note(&matter, days)
      guard NotePieces.areDays(days, of: note?.time.day) else {
        guard let note else { throw FormatError(entry: "has no date") }
        return items(of: note, name, lines, start, days)
      }
      return items(of: days, form, note, &matter, lines, start)
    } catch {
      return [.problem(error, ImportPlace(line: 1))]
    }
  }

  /// The entries of a page of Logseq, whose text lacks what is the program's own.
  private func logseqItems(_ lines: TextLines, _ matter: FrontMatter?) -> [ImportItem] {
    let start = lines.peek()?.range.lowerBound ?? bytes.count
    let unified = LineEnds.unified(bytes)
    let page = LogseqPage(unified[min(start, unified.count)...])
    var note = self
    note.isRead = true
    note.bytes = Array(unified[..<min(start, unified.count)]) + page.text
    let former = self.former(unified)
    return note.items().enumerated().map { index, item in
      guard case .entry(var entry, let place) = item else { return item }
      if index == 0 {
        entry.tags += page.tags.filter { !$0.isEmpty }
        entry.unkept += page.unkept
        if let title = page.title, !title.isEmpty,
          !entry.text.hasPrefix(title), DatedName(path: path) == nil
        {
          entry.text = "\(title)\n\n\(entry.text)"
        }
      }
      entry.former = former.count > index ? former[index] : entry.former
      return .entry(entry, place)
    }
  }

  /// The entries as earlier builds read them, for their identities.
  private func former(_ bytes: [UInt8]) -> [ImportedEntry.Former] {
    var note = self
    note.isRead = true
    note.bytes = bytes
    return note.items().compactMap { item in
      guard case .entry(let entry, _) = item else { return nil }
      return entry.former
        ?? ImportedEntry.Former(text: entry.text, time: entry.wallTime ?? entry.created)
    }
  }

  /// The entries of one file for all days that has marks of its own.
  private func blocks(_ lines: TextLines) -> [ImportItem]? {
    if let first = lines.peek(), NotepadLog.begins(lines.bytes[first.range]) {
      return NotepadLog(lines, options).items()
    }
    return FieldBlocks(lines, options).items()
  }

  /// The fields of the note, and the date in its name; `nil` if only headings have dates.
  private func note(
    _ matter: inout FrontMatter?, _ days: [NotePieces.DayHeading]
  ) throws(FormatError) -> (Note?, DatedName?) {
    var name: DatedName?
    switch named ?? DatedName.read(path, order: options.nameOrder) {
    case .date(let found): name = found
    case .ambiguous(let date) where days.isEmpty && (matter?.texts(Note.dates) ?? []).isEmpty:
      throw FormatError(
        "the date \(date.excerpt) in its name is ambiguous; write it as 2024-01-05")
    case .ambiguous, .none: break
    }
    let before = matter
    do throws(FormatError) {
      let note = try Note(
        &matter, name, zone: zone, clock: options.clock,
        usesChange: !isWhole && !days.contains(where: \.isSure),
        takesFields: !isWhole)
      return (note, name)
    } catch {
      guard NotePieces.areDays(days, of: nil) else { throw error }
      matter = before
      return (nil, nil)
    }
  }

  /// The entries of a note with one date, split at its times if it is a daily note.
  private func items(
    of note: Note, _ name: DatedName?, _ lines: TextLines, _ start: Int,
    _ days: [NotePieces.DayHeading]
  ) -> [ImportItem] {
    let otherDays = days.count { day in
      day.level != nil && day.title.isEmpty && day.day != note.time.day
    }
    // A daily note is split at its headings of times even if front matter has its creation time.
    let isDaily =
      name.map { !$0.hasTime && $0.title.isEmpty && $0.time.day == note.time.day } ?? false
    let whole = NotePieces.whole(lines, start)
    let pieces =
      isWhole || (note.hasTime && !isDaily)
      ? [whole] : NotePieces.times(whole, lines, note.time.day)
    let isSplit = pieces.contains { $0.second != nil }
    return pieces.enumerated().map { index, piece in
      var note = note
      if isSplit { note.becomePart() }
      if index > 0 { note = note.shared }
      if index == 0, !isSplit { note.tags += name?.tags ?? [] }
      if let second = piece.second { note.time.second = second }
      let titles =
        isSplit ? Titles(isGiven: !piece.title.isEmpty) : titles(note, name, piece, lines)
      var item = item(note, titles, piece, lines, isNote: !isSplit, isAlone: isSplit)
      let others = Array(repeating: "heading of another day is text of its note", count: otherDays)
      if index == 0 { item.remark(others) }
      return item
    }
  }

  /// The entries of a note split at its days.
  private func items(
    of days: [NotePieces.DayHeading], _ form: NotePieces.Form, _ whole: Note?,
    _ matter: inout FrontMatter?, _ lines: TextLines, _ start: Int
  ) -> [ImportItem] {
    let parts = NotePieces.split(days, lines, start, isCut: part?.isLast == false)
    var items: [ImportItem] = []
    let isOfLines = days.contains(where: \.isLine)
    let kind = isOfLines || form.hasLines ? "lines" : "headings"
    var doubts = DayDoubts(form)
    var remarks =
      part?.isFirst ?? true
      ? [
        "file is split at the days in its \(kind), such as \(form.examples.joined(separator: ", "))"
      ]
      : []
    if let first = parts.preamble {
      if let whole, !first.hasOnlyHeadings {
        var note = whole
        note.becomePart()
        doubts.day = note.time.day
        items += doubts.items(in: first.piece.content, lines)
        items.append(item(note, Titles(), first.piece, lines))
      } else if first.hasOnlyHeadings {
        let headings = first.piece.content.count { !lines.isBlank($0) }
        remarks += Array(repeating: "heading above the first day is left out", count: headings)
      } else {
        items.append(
          .problem("text above the first day has no date", ImportPlace(line: first.piece.line)))
      }
    }
    for part in parts.days {
      guard case .date(let time, let hasTime, let offset) = part.heading.reading else {
        let date = String(decoding: part.heading.date, as: UTF8.self)
        items.append(
          .problem(
            "the date \(date.excerpt) is ambiguous; write it as 2024-01-05",
            ImportPlace(line: part.piece.line)))
        (doubts.day, doubts.isLeftOut) = (nil, true)
        items += doubts.items(in: part.piece.content, lines)
        continue
      }
      (doubts.day, doubts.isLeftOut) = (time.day, false)
      doubts.dayLevel = part.heading.level
      doubts.dateShape = isOfLines ? DayLook.shape(of: part.heading.date) : nil
      if part.heading.isTight { remarks.append("day begins without a blank line above it") }
      for piece in NotePieces.times(part.piece, lines, time.day) {
        let moment = time.moment(offset: offset, options.clock)
        guard
          var note = whole
            ?? (try? Note(
              &matter, nil, zone: zone, clock: options.clock, created: moment, takesFields: true))
        else { continue }
        note.becomePart()
        // A day without a text is no entry, as in a daily note that was only opened.
        if piece.title.isEmpty, note.tags.isEmpty, note.body == nil,
          piece.content.allSatisfy(lines.isBlank)
        {
          remarks.append("day without a text is left out")
          continue
        }
        if !items.isEmpty { note = note.shared }
        (note.time, note.hasTime, note.offset) = (time, hasTime, offset)
        items += doubts.items(in: piece.content, lines)
        if let second = piece.second { note.time.second = second }
        var item = item(note, Titles(), piece, lines)
        if item.remark(remarks) { remarks = [] }
        items.append(item)
      }
    }
    if let last = items.indices.last { items[last].remark(remarks) }
    items.noteAlone()
    return items.isEmpty ? [.problem(entry: "has no text", ImportPlace(line: start))] : items
  }

  private func item(
    _ note: Note, _ titles: Titles, _ piece: NotePieces.Piece, _ lines: TextLines,
    isNote: Bool = false, isAlone: Bool = false
  ) -> ImportItem {
    let place = ImportPlace(line: piece.line)
    do {
      // A note with only tags is still an entry.
      let text = try text(titles.title, note, piece, lines, at: place)
      guard !text.isEmpty || !note.tags.isEmpty else {
        return .problem(entry: "has no text", place)
      }
      let created =
        note.instant ?? note.time.moment(offset: note.offset, note.clock ?? options.clock)
      var entry = ImportedEntry(
        uuid: note.uuid, created: created, modified: note.modified, day: note.time.day, text: text,
        tags: note.tags, starred: note.isStarred)
      entry.wallTime = note.wallTime
      if titles.former != titles.title || note.former != nil || !piece.weekday.isEmpty {
        var former = piece
        if former.title.isEmpty { former.title = piece.weekday }
        entry.former = ImportedEntry.Former(
          text: try self.text(titles.former, note, former, lines, at: place),
          time: note.former ?? entry.wallTime ?? created)
      }
      entry.unkept = note.unkept.filter { !$0.isEmpty }
      entry.fields = note.fields
      let plain = DatedName.isOfNotion(path: path) ? NotionPage.withoutMentions(text) : text
      let converted = ForeignLinks.converted(
        NoteTags.convertingBrackets(plain), notes: options.notes, order: options.nameOrder)
      if converted != text {
        if entry.former == nil {
          entry.former = ImportedEntry.Former(text: text, time: entry.wallTime ?? created)
        }
        entry.text = converted
      }
      if note.isRepaired {
        entry.remarks = ["front matter is invalid, and its fields were read one by one"]
      }
      if note.isOfChange { entry.remarks.append("date is that of the last change") }
      if titles.losesName {
        entry.remarks.append("file name differs from the title, and is left out")
      }
      entry.tagStyle = .markdown
      (entry.isNote, entry.isAloneAtItsTime) = (isNote, isAlone)
      entry.isTitled = titles.isGiven
      return .entry(entry, place)
    } catch {
      return .problem(error, place)
    }
  }
}

extension ImportItem {
  /// Adds remarks to an entry; `false` for any other item.
  @discardableResult
  fileprivate mutating func remark(_ remarks: [String]) -> Bool {
    guard case .entry(var entry, let place) = self else { return false }
    entry.remarks += remarks
    self = .entry(entry, place)
    return true
  }
}

extension Note {
  /// The fields for a further entry of the same file: what is not kept is counted once.
  fileprivate var shared: Note {
    var note = self
    (note.unkept, note.fields, note.isRepaired) = ([], [], false)
    return note
  }

  /// Drops what belongs to a file as a whole.
  fileprivate mutating func becomePart() {
    if let title { unkept.append(title.isEmpty ? "" : "title") }
    (title, uuid, instant, former) = (nil, nil, nil, nil)
  }
}

// MARK: Titles and texts

extension ForeignMarkdown {
  /// The title before the text of an entry, possibly empty.
  fileprivate struct Titles {
    var title = ""
    /// The title that earlier builds gave the entry.
    var former = ""
    /// Whether the name of the file is lost beside a title in front matter.
    var losesName = false
    /// Whether front matter or the name of the file is a title.
    var isGiven = false
  }

  /// The title from front matter or else the file name, unless the text begins with it.
  private func titles(
    _ note: Note, _ name: DatedName?, _ piece: NotePieces.Piece, _ lines: TextLines
  ) -> Titles {
    let first = piece.content.first { !lines.isBlank($0) }
    let line = first.map { lines.bytes[$0.range] } ?? []
    let heading = Heading(line)
    let opening = ASCII.trimmed(heading?.text ?? line)
    let words = name?.title ?? DatedName.title(path: path)
    if let title = note.title {
      let isThere = opening.elementsEqual(title.utf8)
      let isSame = isWhole || TitleWords.areIn(words, title) || TitleWords.areIn(title, words)
      let kept = isThere ? "" : title
      if !isWhole, case .date(let time, false, _) = DateText.read(title), time.day == note.time.day
      {
        return Titles(former: kept)
      }
      return Titles(title: kept, former: kept, losesName: !isSame, isGiven: true)
    }
    var titles = Titles(isGiven: !words.isEmpty)
    let dated = name.map { $0.beginsWithWords ? "" : $0.title } ?? ""
    if heading == nil, !opening.elementsEqual(dated.utf8) { titles.former = dated }
    let text = String(decoding: opening, as: UTF8.self)
    titles.title = isWhole ? titles.former : TitleWords.areIn(text, words) ? "" : words
    // Links name a note by its whole title.
    if !isWhole, titles.title.isEmpty, !TitleWords.areIn(words, text) {
      (titles.title, titles.former) = (words, "")
    }
    return titles
  }

  private func text(
    _ title: String, _ note: Note, _ piece: NotePieces.Piece, _ lines: TextLines,
    at place: ImportPlace
  ) throws(FormatError) -> String {
    var content = piece.content[...]
    while let last = content.last, lines.isBlank(last) { content.removeLast() }
    content = content.drop(while: lines.isBlank)
    if let first = content.first, let last = content.last {
      try FormatError.check(textOf: last.range.upperBound - first.range.lowerBound)
    }
    var text = title.isEmpty ? Array(piece.title) : Array("\(title)\n".utf8)
    for line in content {
      if !text.isEmpty { text.append(0x0A) }
      text.append(contentsOf: lines.bytes[line.range])
    }
    let trimmed = content.isEmpty ? Array(ASCII.trimmed(text[...])) : text
    let decoded = try UTF8Text.decode(trimmed, isLossy: options.isLossy, at: place)
    guard let body = note.body else { return decoded }
    return [decoded, body].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}
