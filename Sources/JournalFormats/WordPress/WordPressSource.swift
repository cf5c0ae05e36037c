import Journal

/// WordPress's exports (WXR).
enum WordPressFormat: ReadableFormat {
  static let name = "wordpress"
  static let guide = WordPressSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    WordPressSource.recognises(head, path: path)
  }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return StreamFileSource(input, options, endings: [".xml"]) { stream in
      WordPressSource(stream, options: options)
    }
  }
}

/// Reads an export of WordPress (WXR), an item at a time.
///
/// Posts of every status are entries; the status of one that is not published becomes a field, as
/// does its author if the file has several. The day and the time are those of the blog, with the
/// offset that follows from the time in UTC. Categories and tags are tags. Pages, attachments and
/// the parts of the site are counted.
struct WordPressSource: EntrySource {
  private let records: XMLRecords
  private let options: ImportOptions
  private var authors: Set<String> = []

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = XMLRecords(stream, records: ["item", "wp:author"], isLossy: options.isLossy)
    self.options = options
  }

  /// Whether a file is an export of WordPress.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    let text = String(decoding: head.prefix(8192), as: UTF8.self).drop(while: \.isWhitespace)
    return text.hasPrefix("<") && text.contains("<rss") && text.contains("wordpress.org/export/")
  }

  static let guide = ImportGuide(
    files: "XML (WXR)", ways: ["WordPress: Tools, Export, Posts, then unpack the zip"])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while true {
      switch try records.next() {
      case nil: return nil
      case .broken(let error): return .problem(error)
      case .record(let item, _):
        if item.name == "wp:author" {
          authors.insert(item.text("wp:author_login"))
          continue
        }
        let place = ImportPlace(line: item.line)
        if let reason = leftOut(item) { return .passedBy(reason, place) }
        do throws(FormatError) {
          return .entry(try entry(item), place)
        } catch {
          try MarkupParser.load()
          return .problem(error, place)
        }
      }
    }
  }

  /// Why an item is no entry.
  private func leftOut(_ item: XMLElement) -> String? {
    let kind = item.text("wp:post_type")
    guard kind == "post" || kind.isEmpty else { return "of type \"\(kind.excerpt)\" left out" }
    let status = item.text("wp:status")
    return ["trash", "auto-draft", "inherit"].contains(status) ? "in \(status) left out" : nil
  }

  private func entry(_ item: XMLElement) throws(FormatError) -> ImportedEntry {
    let date = try WordPressDate(of: item, options.clock)
    let content = try HTMLText.convert(WordPressText.html(item["content:encoded"]?.text ?? ""))
    let title = try HTMLText.markdown(item.text("title"))
    var entry = ImportedEntry(
      created: date.created, wallTime: date.wallTime,
      modified: WordPressDate.modified(item, options.clock), day: date.day, text: content.text,
      tags: tags(item), starred: item.text("wp:is_sticky") == "1")
    entry.isAloneAtItsTime = true
    entry.take(title: title)
    guard !entry.text.isEmpty else { throw FormatError(entry: "has no text") }
    entry.remarks = content.remarks
    let status = item.text("wp:status")
    if !status.isEmpty, status != "publish" {
      entry.fields.append(ImportedField(name: "status", value: status))
    }
    let author = item.text("dc:creator")
    if authors.count > 1, !author.isEmpty {
      entry.fields.append(ImportedField(name: "author", value: author))
    }
    for (name, label) in [("excerpt:encoded", "excerpt"), ("wp:post_password", "password")]
    where !item.text(name).isEmpty {
      entry.unkept.append(label)
    }
    entry.unkept += item.all("wp:comment").map { _ in "comment" }
    return entry
  }

  private func tags(_ item: XMLElement) -> [String] {
    var tags: [String] = []
    for category in item.all("category") {
      let domain = category.attributes["domain"] ?? ""
      guard ["category", "post_tag", "tag", ""].contains(domain),
        category.attributes["nicename"] != "uncategorized"
      else { continue }
      let name = category.text.trimmingWhitespace.replacing("&amp;", with: "&")
      if !name.isEmpty, !tags.contains(name) { tags.append(name) }
    }
    return tags
  }
}

/// When a post of WordPress was written, by its own date or else its last change.
struct WordPressDate {
  let created: Moment
  let day: Day
  /// The local time, if the time in UTC is unknown.
  private(set) var wallTime: Moment?

  init(of item: XMLElement, _ clock: WallClock) throws(FormatError) {
    for name in ["post_date", "post_modified"] {
      let universal = Self.time(item, "wp:\(name)_gmt")
      if let local = Self.time(item, "wp:\(name)") {
        created = Self.moment(local, universal, clock)
        day = local.day
        wallTime = universal == nil ? local.moment(offset: 0) : nil
        return
      }
      if let universal {
        created = clock.moment(at: universal.moment(offset: 0).seconds)
        day = created.localDay
        return
      }
    }
    // A blog of another program may have this alone.
    let date = item.text("pubDate")
    guard let moment = InstantText.moment(date, clock, acceptsDays: true) else {
      throw FormatError.noDate(date)
    }
    created = moment
    day = moment.localDay
  }

  /// When it was last changed.
  static func modified(_ item: XMLElement, _ clock: WallClock) -> Moment? {
    time(item, "wp:post_modified").map { moment($0, time(item, "wp:post_modified_gmt"), clock) }
  }

  /// A local time with the offset that the time in UTC shows.
  private static func moment(_ local: WallTime, _ universal: WallTime?, _ clock: WallClock)
    -> Moment
  {
    guard let universal else { return local.moment(clock) }
    let offset = local.moment(offset: 0).seconds - universal.moment(offset: 0).seconds
    // No zone is farther from Greenwich.
    guard abs(offset) <= 14 * 3600, offset % 60 == 0 else { return local.moment(clock) }
    return local.moment(offset: Int(offset))
  }

  /// `2024-01-05 09:15:00`; WordPress writes zeros for none.
  private static func time(_ item: XMLElement, _ name: String) -> WallTime? {
    let text = item.text(name)
    guard !text.hasPrefix("0000"), case .date(let time, _, _) = DateText.read(text) else {
      return nil
    }
    return time
  }
}

/// The text of a post of WordPress as HTML.
///
/// Texts of the classic editor have paragraphs without elements: blank lines end them, and each
/// line end is a line break.
enum WordPressText {
  /// The HTML.
  ///
  /// - Complexity: linear in the bytes.
  static func html(_ content: String) -> String {
    let text = LineEnds.unified(Array(content.utf8))
    let hasParagraphs = paragraphs.contains { text.firstPosition(of: $0) != nil }
    return withoutShortcodes(
      hasParagraphs ? String(decoding: text, as: UTF8.self) : withParagraphs(text))
  }

  /// What only texts with paragraphs as elements have.
  private static let paragraphs = ["<!-- wp:", "<p>", "<p "].map { Array($0.utf8) }

  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "caption", "center", "col", "colgroup", "dd",
    "details", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "iframe", "li", "main", "nav", "ol", "p", "pre",
    "script", "section", "style", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
  ]

  private static func withParagraphs(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    /// Whether a block has just begun or ended, where line ends mean nothing.
    var isAtBlock = true
    var literal: String?
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), let tag = Self.tag(in: bytes, at: index) {
        result += bytes[index..<tag.end]
        index = tag.end
        isAtBlock = blocks.contains(tag.name)
        if let open = literal {
          if tag.isEnd, tag.name == open { literal = nil }
        } else if !tag.isEnd, ["pre", "script", "style"].contains(tag.name) {
          literal = tag.name
        }
      } else if bytes[index] == 0x0A, literal == nil {
        let end = bytes[index...].firstIndex { !ASCII.isSpace($0) } ?? bytes.count
        let count = bytes[index..<end].count { $0 == 0x0A }
        let next =
          end < bytes.count ? Self.tag(in: bytes, at: end).map { blocks.contains($0.name) } : true
        if isAtBlock || next == true {
          result.append(0x0A)
        } else {
          result += Array((count > 1 ? "<p></p>" : "<br>").utf8)
        }
        index = end
      } else {
        if !ASCII.isSpace(bytes[index]) { isAtBlock = false }
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The tag at a position.
  private static func tag(
    in bytes: [UInt8], at start: Int
  ) -> (name: String, isEnd: Bool, end: Int)? {
    guard bytes[start] == UInt8(ascii: "<") else { return nil }
    let isEnd = start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "/")
    let first = start + (isEnd ? 2 : 1)
    let name = bytes[first...].prefix(16).prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
    guard !name.isEmpty, let end = bytes[first...].firstIndex(where: { "<>".utf8.contains($0) }),
      bytes[end] == UInt8(ascii: ">")
    else { return nil }
    return (String(decoding: name, as: UTF8.self).lowercased(), isEnd, end + 1)
  }

  /// A text without the marks of captions and embedded pages, whose contents stay.
  private static func withoutShortcodes(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
    var text = text
    for name in ["[/caption]", "[embed]", "[/embed]"] { text = text.replacing(name, with: " ") }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "[caption") {
      guard let end = rest[start.upperBound...].prefix(500).firstIndex(of: "]") else { break }
      result += rest[..<start.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
