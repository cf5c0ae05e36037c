import Journal

/// A book of entries, as XHTML: a title page, a chapter for each month, an index of tags.
///
/// Entries are read as in the HTML export, without its search and its scripts. Memory holds the
/// largest month, and a line for each entry with tags. Nothing is loaded from outside.
struct Book {
  /// The chapters that have begun.
  private(set) var chapters: [BookChapter] = []
  /// The index of all tags so far.
  private(set) var index = BookIndex()
  /// The number of entries.
  private(set) var count = 0
  /// The first entry.
  private(set) var first: Entry?
  /// The time of the last change of any entry, in seconds.
  private(set) var modified: Int64 = 0
  private var names: [String: Int] = [:]
  /// The text of the present chapter.
  private var text: [UInt8] = []
  private var day: Day?
  private var days: (first: Day, last: Day)?
  private var tally = LossTally(keeping: ["starred", "deleted", "day"])

  /// The data that a book leaves out.
  var losses: [String] { tally.phrases }

  /// Adds an entry to the chapter of its month.
  ///
  /// - Returns: the chapter before it, if that is complete now.
  mutating func add(_ entry: Entry) -> FinishedChapter? {
    let month = BookChapter.month(of: entry.day)
    var finished: FinishedChapter?
    if chapters.last?.month != month {
      finished = endChapter()
      names[month, default: 0] += 1
      chapters.append(BookChapter(month: month, part: names[month] ?? 1, day: entry.day))
    }
    guard let chapter = chapters.last else { return finished }
    if entry.day != day { beginDay(entry.day) }
    count += 1
    days = (min(days?.first ?? entry.day, entry.day), max(days?.last ?? entry.day, entry.day))
    modified = max(modified, entry.modified.seconds)
    if first == nil { first = entry }
    index.add(entry, in: chapter)
    tally.add(fieldsOf: entry)
    append(entry)
    return finished
  }

  /// Ends the last chapter, if there is one.
  mutating func endChapter() -> FinishedChapter? {
    guard let chapter = chapters.last, day != nil else { return nil }
    write("</section>\n")
    day = nil
    let heading = Array("<section id=\"\(chapter.anchor)\"><h1>\(chapter.title)</h1>\n".utf8)
    defer { text = [] }
    return FinishedChapter(
      chapter: chapter, html: heading + text + Array("</section>\n".utf8))
  }

  /// The title page.
  var title: [UInt8] {
    let style = DateStyle()
    let range = days.map { days in
      days.first == days.last
        ? style.text(of: days.first)
        : "\(style.text(of: days.first)) – \(style.text(of: days.last))"
    }
    return Array(
      """
      <section class="title"><h1>Journal</h1>
      <p>\(range ?? "")</p>
      <p>\(Numbers.entries(count))</p></section>

      """.utf8)
  }

  private mutating func beginDay(_ next: Day) {
    if day != nil { write("</section>\n") }
    day = next
    write("<section><h2>\(DateStyle().text(of: next))</h2>\n")
  }

  private mutating func append(_ entry: Entry) {
    write("<article id=\"\(BookIndex.anchor(entry))\">")
    let star = entry.starred ? " ★" : ""
    let trash = entry.deleted == nil ? "" : " in the trash"
    write("<p class=\"time\">\(entry.created.clockText)\(star)\(trash)</p>\n")
    var html: [UInt8] = []
    HTMLBlocks.append(entry.text, to: &html)
    BookMarkup.append(html, to: &text)
    write("</article>\n")
  }

  private mutating func write(_ html: String) { text.append(contentsOf: html.utf8) }
}

/// A chapter that is complete.
struct FinishedChapter {
  let chapter: BookChapter
  /// Its section.
  let html: [UInt8]
}

/// A chapter of a book: a month.
struct BookChapter {
  /// `2024-01`.
  let month: String
  /// How many chapters of the same month there are, if entries are not in the order of days.
  let part: Int
  /// `January 2024`.
  let title: String

  init(month: String, part: Int, day: Day) {
    self.month = month
    self.part = part
    title = "\(DateNames.english.months[day.civil.month - 1]) \(day.civil.year)"
  }

  /// Its identifier: `m-2024-01`.
  var anchor: String { part == 1 ? "m-\(month)" : "m-\(month)-\(part)" }

  /// Its file in a book of files.
  var file: String { part == 1 ? "\(month).xhtml" : "\(month)-\(part).xhtml" }

  /// The month of a day, which sorts as text.
  static func month(of day: Day) -> String { String("\(day)".prefix(7)) }
}

/// The index of tags of a book.
struct BookIndex {
  private var places: [String: [(day: Day, chapter: BookChapter, anchor: String)]] = [:]
  private var names: [String: String] = [:]

  var isEmpty: Bool { places.isEmpty }

  /// The identifier of an entry in its chapter.
  static func anchor(_ entry: Entry) -> String { "e-\(entry.uuid)" }

  mutating func add(_ entry: Entry, in chapter: BookChapter) {
    for tag in entry.tags {
      let key = Tag.key(of: tag)
      if names[key] == nil { names[key] = Tag.typed(tag) }
      places[key, default: []].append((entry.day, chapter, Self.anchor(entry)))
    }
  }

  /// The tags in alphabetical order, with links to the days.
  ///
  /// - Parameter target: the target of a link to an anchor in a chapter.
  func html(_ target: (BookChapter, String) -> String) -> [UInt8] {
    var bytes = Array("<section><h1>Tags</h1>\n".utf8)
    for key in places.keys.sorted() {
      var name: [UInt8] = []
      HTMLText.append((names[key] ?? key).utf8, to: &name)
      bytes += Array("<p><b>".utf8)
      BookMarkup.append(name, to: &bytes)
      bytes += Array("</b> ".utf8)
      let links = (places[key] ?? []).map {
        "<a href=\"\(target($0.chapter, $0.anchor))\">\($0.day)</a>"
      }
      bytes += Array("\(links.joined(separator: ", "))</p>\n".utf8)
    }
    return bytes + Array("</section>\n".utf8)
  }
}
