import Journal

/// Pages of vimwiki in its default syntax.
enum VimwikiFormat: ReadableFormat {
  static let name = "vimwiki"
  static let guide = VimwikiSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    VimwikiSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { VimwikiSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return VimwikiSource.source(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".wiki"]) {
      VimwikiSource($0, path: $1, options: options)
    }
  }
}

/// Reads a page of vimwiki in its default syntax, such as a day of its diary.
///
/// The day is in the name of the page, or in `%date`. Pages in Markdown are read as such.
struct VimwikiSource: EntrySource {
  private var items: ArraySlice<ImportItem>

  /// Makes a source of a page.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    items = Self.items(LineEnds.unified(bytes), path, options)[...]
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? { items.popFirst() }

  /// Whether a file is a page of vimwiki, by its ending.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    path?.fileParts.ending == "wiki"
  }

  /// Whether a directory has pages of vimwiki.
  static func recognises(files: [String]) -> Bool {
    files.outnumberMarkdown(["wiki"])
  }

  /// The files, and where they are.
  static let guide = ImportGuide(
    files: "pages of vimwiki (.wiki)",
    ways: ["vimwiki: the directory diary of the wiki, such as ~/vimwiki/diary"])

  /// The source of a directory of pages.
  static func source(
    _ directory: any ImportDirectory, options: ImportOptions
  ) -> any EntrySource {
    var options = options
    options.learnNames(directory.files)
    return TextFileSource(.directory(directory), options, endings: [".wiki"]) {
      VimwikiSource($0, path: $1, options: options)
    }
  }

  private static func items(
    _ bytes: [UInt8], _ path: String, _ options: ImportOptions
  ) -> [ImportItem] {
    var page = ConvertedPage(path: path, markdown: [])
    var body: [UInt8] = []
    var lines = TextLines(bytes)
    while let line = lines.next() {
      let text = bytes[line.range]
      if !takePlaceholder(text, &page) { body += text }
      body.append(0x0A)
    }
    let isIndex = ["diary", "index"].contains(path.fileParts.name.lowercased())
    if isIndex, page.fields.isEmpty {
      return [.passedBy("left out as an index of pages", ImportPlace())]
    }
    page.markdown = MarkupConverter.markdown(body, VimwikiDialect.dialect)
    // Blank lines before the text are left out.
    page.firstLine =
      1 + body.prefix { ASCII.isSpace($0) }.count { $0 == 0x0A }
    return page.items(options)
  }

  /// `%title`, `%date` and other lines about a page.
  private static func takePlaceholder(
    _ line: ArraySlice<UInt8>, _ page: inout ConvertedPage
  ) -> Bool {
    guard line.first == UInt8(ascii: "%") else { return false }
    let name = line.dropFirst().prefix { ASCII.isLetter($0) }
    let value = String(decoding: ASCII.trimmed(line[name.endIndex...]), as: UTF8.self)
    switch String(decoding: name, as: UTF8.self) {
    case "title" where !value.isEmpty: page.fields.append(("title", value))
    case "date" where !value.isEmpty: page.fields.append(("date", value))
    case "template": page.unkept.append("template")
    case "nohtml", "title", "date": break
    default: return false
    }
    return true
  }
}
