import Journal

/// Reads jrnl's exports as YAML or Markdown.
///
/// - `--format yaml`: one file per entry with `title`, `date`, `starred` and `tags` in this order,
///   then `body: |` with a tab before each line, which is not valid YAML; `...` ends it. Before
///   jrnl 2.5 the body followed the fields without indentation, and there was no fence.
/// - `--format markdown` into a directory: one file per entry, `# DATE TITLE` and the body.
/// - `--format markdown` into one file: a heading per year and per month, and `### DATE TITLE`.
///
/// Headings of a body are as many levels deeper in the export as the title's, and are restored.
/// jrnl's exports lose some data: stars in Markdown, lines with only tags in YAML, whose tags are
/// in a field without `@` or `#`.
struct JrnlExport {
  private enum Shape {
    case yaml(fields: ArraySlice<TextLines.Line>, body: ArraySlice<TextLines.Line>)
    case note
    case book
  }

  private let bytes: [UInt8]
  private let lines: [TextLines.Line]
  private let options: ImportOptions
  private let shape: Shape

  /// Makes a reader of a file's bytes; `nil` if jrnl did not write them.
  init?(_ bytes: [UInt8], path: String, options: ImportOptions) {
    var reader = TextLines(bytes)
    // Most notes are not from jrnl; their first line shows it.
    guard let first = reader.peek(), JrnlExport.mayBegin(bytes[first.range]) else { return nil }
    var lines: [TextLines.Line] = []
    while let line = reader.next() { lines.append(line) }
    self.bytes = bytes
    self.lines = lines
    self.options = options
    let content = lines.map { bytes[$0.range] }
    if let parts = JrnlExport.yaml(content) {
      shape = .yaml(fields: lines[parts.fields], body: lines[parts.body])
    } else if JrnlExport.isBook(content) {
      shape = .book
    } else if JrnlExport.isNote(content[0], path) {
      shape = .note
    } else {
      return nil
    }
  }

  /// Whether a file with this beginning may be an export of jrnl; for files without a name.
  static func begins(_ head: ArraySlice<UInt8>) -> Bool {
    let lines = head.prefix(4096).split(
      separator: 0x0A, maxSplits: 6, omittingEmptySubsequences: false)
    return !lines.isEmpty && (yamlFields(lines, from: 0) != nil || isBook(Array(lines)))
  }

  private static func mayBegin(_ line: ArraySlice<UInt8>) -> Bool {
    let line = ASCII.trimmed(line)
    return line.elementsEqual("---".utf8) || line.starts(with: "title:".utf8)
      || line.starts(with: "# ".utf8) || isYear(line)
  }

  /// The entries of the file.
  func items() -> [ImportItem] {
    switch shape {
    case .yaml(let fields, let body): return [entry(fields: fields, body: body)]
    case .note:
      let text = bytes[lines[0].range].dropFirst(2)
      return [entry(text, body: lines.dropFirst(), shift: 1, at: lines[0].number, nil)]
    case .book: return book()
    }
  }
}

// MARK: YAML

extension JrnlExport {
  private typealias Lines = [ArraySlice<UInt8>]

  /// The number of lines with the first fields of a YAML export: `title`, `date`, `starred`,
  /// `tags`.
  private static func yamlFields(_ lines: Lines, from start: Int) -> Int? {
    let names = [["title:"], ["date:"], ["starred:", "stared:"], ["tags:"]]
    guard lines.count >= start + names.count else { return nil }
    for (offset, spellings) in names.enumerated() {
      let line = lines[start + offset]
      guard spellings.contains(where: { line.starts(with: $0.utf8) }) else { return nil }
    }
    return start + names.count
  }

  /// The lines of the fields and of the body.
  private static func yaml(_ lines: Lines) -> (fields: Range<Int>, body: Range<Int>)? {
    let isFenced = ASCII.trimmed(lines[0]).elementsEqual("---".utf8)
    let start = isFenced ? 1 : 0
    guard let end = yamlFields(lines, from: start) else { return nil }
    guard isFenced else {
      // The fields of Day One's journals may follow, and then a line of one space.
      let body = lines[end...].firstIndex { $0.allSatisfy(ASCII.isSpace) } ?? lines.count
      return (start..<body, body..<lines.count)
    }
    guard let opening = lines[end...].firstIndex(where: { $0.starts(with: "body: |".utf8) }),
      lines[opening].dropFirst(7).allSatisfy(ASCII.isSpace)
    else { return nil }
    let closing =
      lines.lastIndex { ASCII.trimmed($0).elementsEqual("...".utf8) && $0.first != 0x09 }
      ?? lines.count
    guard closing > opening else { return nil }
    let body = (opening + 1)..<closing
    let isTabbed = lines[body].allSatisfy { $0.first == 0x09 || $0.allSatisfy(ASCII.isSpace) }
    return isTabbed ? (start..<opening, body) : nil
  }

  private func entry(
    fields: ArraySlice<TextLines.Line>, body: ArraySlice<TextLines.Line>
  ) -> ImportItem {
    var values: [String: ArraySlice<UInt8>] = [:]
    var unkept: [String] = []
    for line in fields {
      let content = bytes[line.range]
      guard let colon = content.firstIndex(of: UInt8(ascii: ":")), content.first != 0x20 else {
        continue
      }
      let name = String(decoding: content[..<colon], as: UTF8.self)
      values[name] = ASCII.trimmed(content[(colon + 1)...])
      if !["title", "date", "starred", "stared", "tags", "uuid"].contains(name) {
        unkept.append(name)
      }
    }
    let line = fields.first?.number ?? 1
    let date = values["date"] ?? []
    guard case .date(let time, _, _) = DateText.read(date) else {
      let text = String(decoding: date, as: UTF8.self)
      return .problem(.noDate(text), ImportPlace(line: line + 1))
    }
    let star = String(decoding: values["starred"] ?? values["stared"] ?? [], as: UTF8.self)
    let heading = Entry(
      time: time, title: values["title"] ?? [], isStarred: star.lowercased() == "true",
      uuid: values["uuid"].map { String(decoding: $0, as: UTF8.self) },
      tags: (values["tags"] ?? []).split(separator: UInt8(ascii: ",")).map {
        String(decoding: ASCII.trimmed($0), as: UTF8.self)
      }, unkept: unkept)
    return entry(heading, body: body, shift: 1, at: line)
  }
}

// MARK: Markdown

extension JrnlExport {
  private static func isYear(_ line: ArraySlice<UInt8>) -> Bool {
    line.count == 4 && line.allSatisfy(ASCII.isDigit)
  }

  private static func isRule(_ line: ArraySlice<UInt8>, _ sign: Unicode.Scalar) -> Bool {
    let line = ASCII.trimmed(line)
    return !line.isEmpty && line.allSatisfy { $0 == UInt8(ascii: sign) }
  }

  /// Whether a file begins with the headings of a year, a month and an entry.
  private static func isBook(_ lines: [ArraySlice<UInt8>]) -> Bool {
    guard let first = lines.first else { return false }
    let isAtx = first.starts(with: "# ".utf8) && isYear(ASCII.trimmed(first.dropFirst(2)))
    let isSetext = isYear(ASCII.trimmed(first)) && lines.count > 1 && isRule(lines[1], "=")
    guard isAtx || isSetext else { return false }
    let heading = lines.prefix(12).first { $0.starts(with: "### ".utf8) }
    guard let heading, let (reading, rest) = date(heading.dropFirst(4), nil) else { return false }
    // jrnl writes the time of every entry; without times it is a file of its writer.
    guard heading[..<rest.startIndex].contains(UInt8(ascii: ":")) else { return false }
    if case .date(let time, _, _) = reading {
      return "\(time.day.year)".utf8.elementsEqual(
        ASCII.trimmed(isAtx ? first.dropFirst(2) : first))
    }
    return true
  }

  /// Whether a line is `# DATE TITLE` with the day in the file's name.
  private static func isNote(_ line: ArraySlice<UInt8>, _ path: String) -> Bool {
    guard line.starts(with: "# ".utf8), let name = DatedName(path: path), !name.hasTime,
      let last = path.split(separator: "/").last, last.dropFirst(10).first == "_",
      case .date(let time, true, _)? = date(line.dropFirst(2), nil)?.reading
    else { return false }
    return time.day == name.time.day
  }

  /// The longest date at the start of a heading, and the text after it.
  private static func date(
    _ heading: ArraySlice<UInt8>, _ order: DateOrder?
  ) -> (reading: DateReading, rest: ArraySlice<UInt8>)? {
    let words = heading.prefix(80).split(separator: 0x20, maxSplits: 8)
    for count in stride(from: min(words.count, 8), to: 0, by: -1) {
      let end = words[count - 1].endIndex
      // jrnl 1 writes a comma between date and title.
      let text = heading[heading.startIndex..<end]
      let reading = DateText.read(
        text.last == UInt8(ascii: ",") ? text.dropLast() : text, order: order)
      switch reading {
      case .date(_, _, .some), .other: continue
      case .date(_, _, nil), .ambiguous, .impossible: return (reading, heading[end...])
      }
    }
    return nil
  }

  private func book() -> [ImportItem] {
    let opening = Array("### ".utf8)
    let order = lines.lazy.compactMap { line -> DateOrder? in
      let content = bytes[line.range]
      guard content.starts(with: opening) else { return nil }
      let word = content.dropFirst(4).prefix { $0 != 0x20 }
      return DateText.order(of: word)
    }.first
    var items: [ImportItem] = []
    var start: Int?
    for index in lines.indices {
      let content = bytes[lines[index].range]
      guard content.starts(with: opening),
        JrnlExport.date(content.dropFirst(4), order) != nil
      else { continue }
      if let start { items.append(entry(from: start, to: index, order)) }
      start = index
    }
    if let start { items.append(entry(from: start, to: lines.count, order)) }
    return items
  }

  /// The entry of a book from its heading up to the next one.
  private func entry(from start: Int, to end: Int, _ order: DateOrder?) -> ImportItem {
    var body = lines[(start + 1)..<end]
    if end < lines.count { dropHeadings(&body) }
    let text = bytes[lines[start].range].dropFirst(4)
    return entry(text, body: body, shift: 3, at: lines[start].number, order)
  }

  /// Drops the headings of a month and a year from the end of an entry.
  private func dropHeadings(_ body: inout ArraySlice<TextLines.Line>) {
    var rest = body
    dropBlank(&rest)
    guard let last = rest.last else { return }
    let content = bytes[last.range]
    if content.starts(with: "# ".utf8) || content.starts(with: "## ".utf8) {
      rest.removeLast()
    } else if JrnlExport.isRule(content, "=") || JrnlExport.isRule(content, "-"), rest.count > 1 {
      rest.removeLast(2)
    } else {
      return
    }
    body = rest
    dropHeadings(&body)
  }

  private func dropBlank(_ lines: inout ArraySlice<TextLines.Line>) {
    while let last = lines.last, bytes[last.range].allSatisfy(ASCII.isSpace) { lines.removeLast() }
  }
}

// MARK: Entries

extension JrnlExport {
  /// The data of an entry except its body.
  private struct Entry {
    var time: WallTime
    var title: ArraySlice<UInt8>
    var isStarred = false
    var uuid: String?
    var tags: [String] = []
    var unkept: [String] = []
  }

  private func entry(
    _ heading: ArraySlice<UInt8>, body: ArraySlice<TextLines.Line>, shift: Int, at line: Int,
    _ order: DateOrder?
  ) -> ImportItem {
    let place = ImportPlace(line: line)
    guard let (reading, rest) = JrnlExport.date(heading, order) else {
      return .problem(entry: "has no date", place)
    }
    switch reading {
    case .date(let time, _, _):
      let title = ASCII.trimmed(rest)
      return entry(Entry(time: time, title: title), body: body, shift: shift, at: line)
    case .ambiguous:
      return .problem("its date is ambiguous; write it as 2024-01-05", place)
    case .impossible, .other: return .problem("there is no such date", place)
    }
  }

  private func entry(
    _ heading: Entry, body: ArraySlice<TextLines.Line>, shift: Int, at line: Int
  ) -> ImportItem {
    let place = ImportPlace(line: line)
    var body = body
    dropBlank(&body)
    body = body.drop { bytes[$0.range].allSatisfy(ASCII.isSpace) }
    var text = Array(heading.title)
    for line in body {
      if !text.isEmpty { text.append(0x0A) }
      text.append(contentsOf: content(line, shift: shift))
    }
    do {
      let text = try UTF8Text.decode(text, isLossy: options.isLossy, at: place)
      guard !text.isEmpty else { return .problem(entry: "has no text", place) }
      var entry = ImportedEntry(
        uuid: heading.uuid.flatMap(EntryUUID.canonical),
        created: heading.time.moment(options.clock),
        wallTime: heading.time.moment(offset: 0), day: heading.time.day, text: text,
        tags: JrnlExport.tags(heading.tags, missingIn: text), starred: heading.isStarred)
      entry.unkept = heading.unkept
      entry.tagStyle = .jrnl
      return .entry(entry, place)
    } catch {
      return .problem(error, place)
    }
  }

  /// A line of a body restored: without the tab of YAML, its heading at its own level.
  private func content(_ line: TextLines.Line, shift: Int) -> ArraySlice<UInt8> {
    var content = bytes[line.range]
    if case .yaml = shape, content.first == 0x09 { content = content.dropFirst() }
    let signs = content.prefix { $0 == UInt8(ascii: "#") }.count
    let isHeading = signs > shift && content.dropFirst(signs).first == 0x20
    return isHeading ? content.dropFirst(shift) : content
  }

  /// The tags missing in a text, with the sign of its other tags, `@` by default.
  private static func tags(_ names: [String], missingIn text: String) -> [String] {
    let words = JrnlTagWords(text)
    let has: (String, String) -> Bool = { sign, name in words.has(sign + name) }
    let isHashed = names.contains { has("#", $0) } && !names.contains { has("@", $0) }
    return names.filter { !$0.isEmpty && !has("@", $0) && !has("#", $0) }
      .map { isHashed ? $0 : "@\($0)" }
  }
}
