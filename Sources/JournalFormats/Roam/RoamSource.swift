import Journal

/// Reads the JSON of Roam Research: pages with nested blocks.
///
/// A page whose title is a day is an entry; other pages are left out and counted. Blocks become
/// nested lists, the boxes of Roam those of Markdown; references to blocks stay as text.
struct RoamSource: EntrySource {
  private let records: JSONRecords
  private let options: ImportOptions

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    self.options = options
  }

  /// The next day or problem.
  mutating func next() throws -> ImportItem? {
    switch try records.nextValue() {
    case nil: return nil
    case .broken(let error): return .problem(error.reason, error.place)
    case .value(let value, let line): return item(value, ImportPlace(line: line))
    }
  }

  /// Whether a file is an export of Roam: a list of pages with titles and children.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = FirstRecord.names(head), names.contains("title") else { return false }
    let others: Set = ["children", "edit-time", "create-time", "uid"]
    return names.intersection(others).count > 1
      || names.contains("children") && names.isDisjoint(with: ["text", "date", "content"])
  }

  /// The file, and how to get it out of Roam.
  static let guide = ImportGuide(
    files: "the JSON of Roam Research",
    ways: ["Roam Research: the menu ..., Export All, JSON, then unpack the zip"])

  private func item(_ page: JSONValue, _ place: ImportPlace) -> ImportItem {
    guard page.members != nil else { return .problem("\(page.kind) is not a page", place) }
    guard let title = page["title"]?.string, !title.isEmpty else {
      return .problem("has no title", place)
    }
    guard case .date(let time, false, _) = DateText.read(title) else {
      return .passedBy("of pages, whose titles are no days", place)
    }
    var text = RoamBlocks()
    text.append(page["children"]?.array ?? [], depth: 0)
    let markdown = text.markdown.trimmingBlankLines
    guard !markdown.isEmpty else { return .passedBy("of days without a text", place) }
    var created = time.moment(options.clock)
    var wall: Moment? = time.moment(offset: 0)
    let written =
      page["create-time"]?.integer ?? page["children"]?.array?.first?["create-time"]?.integer
    if let written, let instant = moment(written), instant.localDay == time.day {
      (created, wall) = (instant, nil)
    }
    var entry = ImportedEntry(
      created: created, wallTime: wall, modified: page["edit-time"]?.integer.flatMap(moment),
      day: time.day, text: String(decoding: markdown, as: UTF8.self))
    entry.unkept = text.unkept.sorted()
    entry.tagStyle = .markdown
    return .entry(entry, place)
  }

  /// The moment of milliseconds since 1970 in this millennium.
  private func moment(_ milliseconds: Int) -> Moment? {
    guard (0..<32_503_680_000_000).contains(milliseconds) else { return nil }
    return options.clock.moment(at: Int64(milliseconds / 1000))
  }
}

/// Converts the blocks of Roam to nested lists.
private struct RoamBlocks {
  private(set) var markdown: [UInt8] = []
  /// The names of members that are left out.
  private(set) var unkept: Set<String> = []

  /// More levels would be code.
  private static let depthLimit = 10

  mutating func append(_ blocks: [JSONValue], depth: Int) {
    for block in blocks {
      append(block, depth: depth)
      append(block["children"]?.array ?? [], depth: depth + 1)
      if let align = block["text-align"]?.string, align != "left" { unkept.insert("text-align") }
    }
  }

  private mutating func append(_ block: JSONValue, depth: Int) {
    let text = LineEnds.unified(block["string"]?.string ?? "")
    guard !text.utf8.allSatisfy(ASCII.isSpace) else { return }
    let (box, words) = Self.box(text)
    let level = min(block["heading"]?.integer ?? 0, 3)
    let indent = min(depth, Self.depthLimit) * 2
    var lines = Self.lines(words)
    if level > 0 {
      lines[0] = Array(repeating: UInt8(ascii: "#"), count: level) + [0x20] + lines[0]
    }
    for (index, line) in lines.enumerated() {
      let marker = index == 0 ? "- \(box)" : "  "
      if line.isEmpty, index > 0 {
        markdown.append(0x0A)
        continue
      }
      markdown += Array(repeating: 0x20, count: indent) + Array(marker.utf8) + line + [0x0A]
    }
  }

  /// The box of a task before its words.
  private static func box(_ text: String) -> (box: String, words: String) {
    for (sign, box) in [
      ("{{[[TODO]]}}", "[ ] "), ("{{TODO}}", "[ ] "), ("{{[[DONE]]}}", "[x] "),
      ("{{DONE}}", "[x] "),
    ] where text.hasPrefix(sign) {
      return (box, String(text.dropFirst(sign.count)).trimmingSpace)
    }
    return ("", text)
  }

  /// The lines of a block; Roam ends code on its last line.
  private static func lines(_ text: String) -> [[UInt8]] {
    var text = text
    if text.contains("```") {
      var (parts, isCode) = ([String](), false)
      for part in text.split(separator: "```", omittingEmptySubsequences: false) {
        let needsEnd = isCode && !part.hasSuffix("\n") && part.contains("\n")
        parts.append(needsEnd ? part + "\n" : String(part))
        isCode.toggle()
      }
      text = parts.joined(separator: "```")
      return text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
    }
    let markdown = InlineConverter.markdown(Array(text.utf8), syntax)
    return markdown.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  }

  private static let syntax: InlineSyntax = {
    var syntax = InlineSyntax(marks: [
      .init("**", .strong), .init("__", .emphasis), .init("~~", .strikethrough), .init("`", .code),
      .init("^^", .plain), .init("$$", .verbatim),
    ])
    syntax.signs = Array("[#!(".utf8)
    syntax.replacement = { scanner, index in
      if let found = scanner.enclosed(at: index, "#[[", "]]"), !found.inner.isEmpty {
        return NoteTags.tag(scanner.text(found.inner)).map { .init($0, end: found.end) }
      }
      if let found = scanner.enclosed(at: index, "[[", "]]") {
        return .init("[[\(scanner.text(found.inner))]]", end: found.end)
      }
      if let found = scanner.enclosed(at: index, "((", "))") {
        return .init("((\(scanner.text(found.inner))))", end: found.end)
      }
      return link(&scanner, index)
    }
    return syntax
  }()

  /// `[words](address)` and `![words](address)` are Markdown.
  private static func link(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    let start = scanner.bytes[index] == UInt8(ascii: "!") ? index + 1 : index
    guard let words = scanner.enclosed(at: start, "[", "]("),
      let close = scanner.position(of: [UInt8(ascii: ")")], from: words.end),
      close - words.end <= InlineScanner.linkLimit,
      !scanner.bytes[words.end..<close].contains(0x0A)
    else { return nil }
    return .init(scanner.text(index..<close + 1), end: close + 1)
  }
}
