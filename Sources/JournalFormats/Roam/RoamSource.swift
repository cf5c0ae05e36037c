import Journal

/// The JSON of Roam Research.
enum RoamFormat: ReadableFormat {
  static let name = "roam"
  static let guide = RoamSource.guide

  static func recognises(json: JSONSketch) -> Bool { RoamSource.recognises(json: json) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) { RoamSource($0, options: options) }
  }
}

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
    case .broken(let error): return .problem(error)
    case .value(let value, let line): return item(value, ImportPlace(line: line))
    }
  }

  /// Whether a file is an export of Roam: a list of pages with titles and children.
  static func recognises(json: JSONSketch) -> Bool {
    let names = json.record
    guard json.root.isEmpty, names.contains("title") else { return false }
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
      return .problem(entry: "has no title", place)
    }
    guard case .date(let time, false, _) = DateText.read(title) else {
      return .passedBy("of pages, whose titles are no days", place)
    }
    var text = RoamBlocks()
    let blocks = page["children"]?.array ?? []
    // A single block is a paragraph.
    text.isParagraph = blocks.count == 1 && (blocks[0]["children"]?.array ?? []).isEmpty
    text.append(blocks, depth: 0)
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
    let converted = ForeignLinks.converted(entry.text, notes: nil, order: nil)
    if converted != entry.text {
      entry.former = ImportedEntry.Former(text: entry.text, time: wall ?? created)
      entry.text = converted
    }
    entry.isAloneAtItsTime = true
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
