import Journal

/// Exports of Apple Journal.
enum AppleJournalFormat: ReadableFormat {
  static let name = "apple-journal"
  static let guide = AppleJournalSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    AppleJournalSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { AppleJournalSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return TextFileSource(input, options, endings: [".html"]) { bytes, path in
      AppleJournalSource(bytes, path: path, options: options)
    }
  }
}

/// Reads an entry of an export of Apple Journal: `Entries/2024-01-05_A_walk.html`.
///
/// The day is the one in the page's header or else in the file's name; an export has no times. The
/// title is the first line, and a question of the app comes before its answer. Pictures, videos and
/// recordings are links to their files in the export.
struct AppleJournalSource: EntrySource {
  private var item: ImportItem?

  /// Makes a source of a page's bytes.
  ///
  /// - Parameter path: its path in the export.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    if !Self.recognises(Array(bytes.prefix(64 << 10)), path: path), !Self.recognises(files: [path])
    {
      item = .passedBy("without an entry of Apple Journal", ImportPlace())
      return
    }
    let reader = AppleJournalPage(bytes, path: path, options: options)
    do throws(FormatError) {
      item = .entry(try reader.entry(), ImportPlace())
    } catch {
      item = .problem(error, ImportPlace())
    }
  }

  /// Whether a page is an entry of Apple Journal.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    return text.contains("<html") && text.contains("class=\"pageHeader\"")
      && (text.contains("class=\"title\"") || text.contains("assetGrid")
        || text.contains("class='title'") || text.contains("class=\"bodyText\""))
  }

  /// Whether a directory or an archive is an export of Apple Journal.
  static func recognises(files: [String]) -> Bool {
    files.contains { file in
      let parts = file.split(separator: "/")
      guard parts.count > 1, file.lowercased().hasSuffix(".html") else { return false }
      return parts[parts.count - 2] == "Entries"
        && (file.hasPrefix("AppleJournalEntries/") || parts.count == 2)
    }
  }

  static let guide = ImportGuide(
    files: "HTML: the directory or zip with Entries and Resources",
    ways: ["Apple Journal: the circle at the top right, Export All Entries"])

  /// The entry, or its problem.
  mutating func next() throws -> ImportItem? {
    try MarkupParser.load()
    defer { item = nil }
    return item
  }
}

/// A page of an export of Apple Journal.
struct AppleJournalPage {
  private let html: String
  private let path: String
  private let options: ImportOptions

  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    html = String(decoding: bytes, as: UTF8.self)
    self.path = path
    self.options = options
  }

  /// The entry of the page.
  func entry() throws(FormatError) -> ImportedEntry {
    let parts = try AppleJournalParts(html)
    let day = try self.day(parts.header)
    let directory = ForeignPath.directory(of: path)
    let content = try HTMLText.convert(parts.body) { reference in
      guard let address = reference.address, reference.element != "a", !address.contains("://")
      else { return reference.address }
      return ForeignPath.inside(directory, address)
    }
    let time = WallTime(day: day)
    var entry = ImportedEntry(
      created: time.moment(options.clock), wallTime: time.moment(offset: 0), day: day,
      text: content.text)
    entry.isAloneAtItsTime = true
    entry.take(title: parts.title)
    guard !entry.text.isEmpty else { throw FormatError(entry: "has no text") }
    entry.remarks = content.remarks
    if !content.files.isEmpty {
      entry.remarkFileLinks()
    }
    return entry
  }

  private func day(_ header: String) throws(FormatError) -> Day {
    if case .date(let time, _, _) = DateText.read(header) { return time.day }
    // Headers are in the language of the phone.
    if let named = DatedName(path: path) { return named.time.day }
    throw FormatError.noDate(header)
  }
}

/// The parts of a page: what its classes name.
struct AppleJournalParts {
  private(set) var header = ""
  private(set) var title = ""
  /// The HTML of everything else.
  private(set) var body = ""

  /// Splits a page.
  ///
  /// - Throws: ``FormatError`` if libxml2 is missing.
  init(_ html: String) throws(FormatError) {
    let parser = try MarkupParser(.html)
    guard html.utf8.contains(where: { !ASCII.isSpace($0) }) else { return }
    var styles: [String: String] = [:]
    var styleSheet: [UInt8]?
    /// The part being read, and the number of open elements in it.
    var part: (name: String, depth: Int)?
    var words: [UInt8] = []
    parser.parse(html) { event in
      switch event {
      case .start(let name, let attributes, _):
        if name == "style" { styleSheet = [] }
        if part != nil {
          part?.depth += 1
          return
        }
        let classes = attributes["class"]?.split(separator: " ").map { String($0) } ?? []
        if let found = classes.first(where: { ["pageHeader", "title"].contains($0) }) {
          part = (found, 1)
          words = []
        } else {
          append(name, attributes, classes.compactMap { styles[$0] })
        }
      case .end(let name):
        if name == "style", let sheet = styleSheet {
          styles = Self.styles(String(decoding: sheet, as: UTF8.self))
          styleSheet = nil
        }
        if let open = part {
          part?.depth -= 1
          guard open.depth == 1 else { return }
          finish(open.name, words)
          part = nil
        } else if !Self.voids.contains(name) {
          body += "</\(name)>"
        }
      case .text(let text):
        if styleSheet != nil {
          styleSheet? += text
        } else if part != nil {
          words += text
        } else {
          body += Self.escaped(String(decoding: text, as: UTF8.self))
        }
      case .problem: break
      }
    }
    // The rest of the page was not read; what converts it says so.
    if parser.isTooDeep { body = html }
  }

  /// Elements without an end.
  private static let voids: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]

  private mutating func finish(_ part: String, _ words: [UInt8]) {
    let text = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    if part == "title" {
      title = title.isEmpty ? text : title
    } else {
      header = header.isEmpty ? text : header
    }
  }

  private mutating func append(
    _ name: String, _ attributes: [String: String], _ styles: [String]
  ) {
    var attributes = attributes
    if !styles.isEmpty {
      attributes["style"] = ([attributes["style"] ?? ""] + styles).joined(separator: ";")
    }
    body += "<\(name)"
    for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
      body += " \(key)=\"\(Self.escaped(value))\""
    }
    body += ">"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  /// The declarations of the classes of a style sheet: `span.s3 {font-weight: bold}`.
  private static func styles(_ sheet: String) -> [String: String] {
    var styles: [String: String] = [:]
    for rule in sheet.split(separator: "}").prefix(2000) {
      let parts = rule.split(separator: "{", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let selector = parts[0].trimmingWhitespace
      guard selector.hasPrefix("span."), !selector.contains(where: \.isWhitespace) else { continue }
      styles[String(selector.dropFirst(5))] = String(parts[1].prefix(2000))
    }
    return styles
  }
}
