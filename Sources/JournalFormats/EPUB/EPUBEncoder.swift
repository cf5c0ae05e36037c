import Journal

/// Writes entries as a book (EPUB 3): a title page, a chapter per month, an index of tags.
///
/// Entries are read as in the HTML export, without its search and its scripts. Memory holds the
/// largest month, and a line for each entry with tags. Nothing is loaded from outside.
struct EPUBEncoder: EntryEncoder {
  private var zip = StoredZip()
  private var chapters: [EPUBChapter] = []
  private var names: [String: Int] = [:]
  /// The text of the present chapter.
  private var text: [UInt8] = []
  private var day: Day?
  private var count = 0
  private var days: (first: Day, last: Day)?
  private var modified: Int64 = 0
  private var first: Entry?
  private var index = EPUBIndex()
  private var tally = LossTally(keeping: ["starred", "deleted", "day"])

  init() {}

  /// Appends the beginning of the zip.
  mutating func begin(_ buffer: inout [UInt8]) throws {
    try zip.add("mimetype", Array("application/epub+zip".utf8), to: &buffer)
    try zip.add("META-INF/container.xml", Array(EPUBPage.container.utf8), to: &buffer)
    try zip.add("OEBPS/style.css", Array(EPUBPage.style.utf8), to: &buffer)
  }

  /// Adds an entry to the chapter of its month, and appends the chapter before it.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
    let month = EPUBChapter.month(of: entry.day)
    if chapters.last?.month != month {
      try endChapter(to: &buffer)
      names[month, default: 0] += 1
      chapters.append(EPUBChapter(month: month, part: names[month] ?? 1, day: entry.day))
    }
    guard let chapter = chapters.last else { return }
    if entry.day != day { beginDay(entry.day) }
    count += 1
    days = (min(days?.first ?? entry.day, entry.day), max(days?.last ?? entry.day, entry.day))
    modified = max(modified, entry.modified.seconds)
    if first == nil { first = entry }
    index.add(entry, in: chapter)
    tally.add(fieldsOf: entry)
    append(entry)
  }

  /// Appends the last chapter, the pages around them, and the end of the zip.
  mutating func end(_ buffer: inout [UInt8]) throws {
    try endChapter(to: &buffer)
    let book = EPUBPage(chapters: chapters, hasIndex: !index.isEmpty)
    let title = book.title(count: count, days: days)
    try zip.add("OEBPS/title.xhtml", EPUBPage.page("Journal", title), to: &buffer)
    if !index.isEmpty {
      try zip.add("OEBPS/tags.xhtml", EPUBPage.page("Tags", index.html), to: &buffer)
    }
    try zip.add(
      "OEBPS/nav.xhtml", EPUBPage.page("Contents", Array(book.contents.utf8)), to: &buffer)
    let uuid = EntryUUID.derived(
      text: "book \(first?.uuid ?? "") \(count)",
      created: Moment(seconds: first?.created.seconds ?? 0, offset: 0))
    let package = book.package(uuid: uuid, modified: Moment(seconds: modified, offset: 0))
    try zip.add("OEBPS/package.opf", Array(package.utf8), to: &buffer)
    zip.end(&buffer)
  }

  /// The data that a book leaves out.
  var losses: [String] { tally.phrases }

  private mutating func beginDay(_ next: Day) {
    if day != nil { write("</section>\n") }
    day = next
    write("<section><h2>\(DateStyle().text(of: next))</h2>\n")
  }

  private mutating func append(_ entry: Entry) {
    write("<article id=\"\(EPUBIndex.anchor(entry))\">")
    let star = entry.starred ? " ★" : ""
    let trash = entry.deleted == nil ? "" : " in the trash"
    write("<p class=\"time\">\(entry.created.clockText)\(star)\(trash)</p>\n")
    var html: [UInt8] = []
    HTMLBlocks.append(entry.text, to: &html)
    EPUBPage.append(html, to: &text)
    write("</article>\n")
  }

  private mutating func endChapter(to buffer: inout [UInt8]) throws {
    guard let chapter = chapters.last else { return }
    if day != nil { write("</section>\n") }
    day = nil
    let heading = Array("<section><h1>\(chapter.title)</h1>\n".utf8)
    let page = EPUBPage.page(chapter.title, heading + text + Array("</section>\n".utf8))
    text = []
    try zip.add("OEBPS/\(chapter.file)", page, to: &buffer)
  }

  private mutating func write(_ html: String) { text.append(contentsOf: html.utf8) }
}

/// A chapter of a book: a month.
struct EPUBChapter {
  /// `2024-01`.
  let month: String
  /// How many chapters of the same month there are, if entries are not in the order of days.
  let part: Int
  /// `January 2024`.
  let title: String

  init(month: String, part: Int, day: Day) {
    self.month = month
    self.part = part
    title = "\(Journal.DateNames.english.months[day.civil.month - 1]) \(day.civil.year)"
  }

  /// Its name in the book.
  var file: String { part == 1 ? "\(month).xhtml" : "\(month)-\(part).xhtml" }

  /// The month of a day, which sorts as text.
  static func month(of day: Day) -> String { String("\(day)".prefix(7)) }
}

/// The index of tags of a book.
struct EPUBIndex {
  private var places: [String: [(day: Day, target: String)]] = [:]
  private var names: [String: String] = [:]

  var isEmpty: Bool { places.isEmpty }

  /// The identifier of an entry in its chapter.
  static func anchor(_ entry: Entry) -> String { "e-\(entry.uuid)" }

  mutating func add(_ entry: Entry, in chapter: EPUBChapter) {
    for tag in entry.tags {
      let key = Tag.key(of: tag)
      if names[key] == nil { names[key] = Tag.typed(tag) }
      places[key, default: []].append((entry.day, "\(chapter.file)#\(Self.anchor(entry))"))
    }
  }

  /// The tags in alphabetical order, with links to the days.
  var html: [UInt8] {
    var bytes = Array("<section><h1>Tags</h1>\n".utf8)
    for key in places.keys.sorted() {
      var name: [UInt8] = []
      HTMLText.append((names[key] ?? key).utf8, to: &name)
      bytes += Array("<p><b>".utf8)
      EPUBPage.append(name, to: &bytes)
      bytes += Array("</b> ".utf8)
      let links = (places[key] ?? []).map { "<a href=\"\($0.target)\">\($0.day)</a>" }
      bytes += Array("\(links.joined(separator: ", "))</p>\n".utf8)
    }
    return bytes + Array("</section>\n".utf8)
  }
}
