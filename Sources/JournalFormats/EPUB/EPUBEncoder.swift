import Journal

/// Writes entries as a book (EPUB 3): ``Book`` in a zip.
struct EPUBEncoder: EntryEncoder {
  private var zip = StoredZip()
  private var book = Book()

  init() {}

  /// Appends the beginning of the zip.
  mutating func begin(_ buffer: inout [UInt8]) throws {
    try zip.add("mimetype", Array("application/epub+zip".utf8), to: &buffer)
    try zip.add("META-INF/container.xml", Array(EPUBPage.container.utf8), to: &buffer)
    try zip.add("OEBPS/style.css", Array(BookMarkup.style.utf8), to: &buffer)
  }

  /// Adds an entry to the chapter of its month, and appends the chapter before it.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
    try add(book.add(entry), to: &buffer)
  }

  /// Appends the last chapter, the pages around them, and the end of the zip.
  mutating func end(_ buffer: inout [UInt8]) throws {
    try add(book.endChapter(), to: &buffer)
    let pages = EPUBPage(chapters: book.chapters, hasIndex: !book.index.isEmpty)
    try zip.add("OEBPS/title.xhtml", EPUBPage.page("Journal", book.title), to: &buffer)
    if !book.index.isEmpty {
      let index = book.index.html { "\($0.file)#\($1)" }
      try zip.add("OEBPS/tags.xhtml", EPUBPage.page("Tags", index), to: &buffer)
    }
    try zip.add(
      "OEBPS/nav.xhtml", EPUBPage.page("Contents", Array(pages.contents.utf8)), to: &buffer)
    let uuid = EntryUUID.derived(
      text: "book \(book.first?.uuid ?? "") \(book.count)",
      created: Moment(seconds: book.first?.created.seconds ?? 0, offset: 0))
    let package = pages.package(uuid: uuid, modified: Moment(seconds: book.modified, offset: 0))
    try zip.add("OEBPS/package.opf", Array(package.utf8), to: &buffer)
    zip.end(&buffer)
  }

  /// The data that a book leaves out.
  var losses: [String] { book.losses }

  private mutating func add(_ finished: FinishedChapter?, to buffer: inout [UInt8]) throws {
    guard let finished else { return }
    let page = EPUBPage.page(finished.chapter.title, finished.html)
    try zip.add("OEBPS/\(finished.chapter.file)", page, to: &buffer)
  }
}
