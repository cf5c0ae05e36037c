import Journal

/// The notebooks of Zim, and their pages.
enum ZimFormat: ReadableFormat {
  static let name = "zim"
  static let guide = ZimSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    ZimSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { ZimSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return ZimSource.source(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".txt"]) {
      ZimSource($0, path: $1, options: options)
    }
  }
}

/// Reads a page of Zim, such as one of its journal, `Journal/2024/01/05.txt`.
///
/// A page begins with its header; `Creation-Date` is the time of a page whose name is no day, and of
/// its day at most for one of the journal.
struct ZimSource: EntrySource {
  private var items: ArraySlice<ImportItem>

  /// Makes a source of a page.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    items = Self.items(LineEnds.unified(bytes), path, options)[...]
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? { items.popFirst() }

  /// Whether a file is a page of Zim, by its header.
  static func recognises(_ head: [UInt8], path: String? = nil) -> Bool {
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
    return text.starts(with: "Content-Type: text/x-zim-wiki".utf8)
  }

  /// Whether a directory is a notebook of Zim.
  static func recognises(files: [String]) -> Bool {
    files.contains { $0.split(separator: "/").last == "notebook.zim" }
  }

  /// The files, and where they are.
  static let guide = ImportGuide(
    files: "the directory of a notebook of Zim",
    ways: ["Zim: the directory that File, Properties names, with the file notebook.zim"])

  /// The source of a notebook.
  static func source(
    _ directory: any ImportDirectory, options: ImportOptions
  ) -> any EntrySource {
    var options = options
    options.learnNames(directory.files)
    let pages = SelectedFiles(directory) { $0.fileParts.ending == "txt" }
    return TextFileSource(.directory(pages), options, endings: [".txt"]) { bytes, path in
      guard recognises(bytes) else {
        return ListedItems([.passedBy("left out as no pages of Zim", ImportPlace())])
      }
      return ZimSource(bytes, path: path, options: options)
    }
  }

  private static func items(
    _ bytes: [UInt8], _ path: String, _ options: ImportOptions
  ) -> [ImportItem] {
    var lines = TextLines(bytes)
    var page = ConvertedPage(path: path.replacing("_", with: " "), markdown: [])
    if recognises(bytes) {
      while let line = lines.next(), !lines.isBlank(line) { take(bytes[line.range], &page) }
    }
    let start = lines.peek()
    let body = start.map { Array(bytes[$0.range.lowerBound...]) } ?? []
    let attachments = path.hasSuffix(".txt") ? String(path.dropLast(4)) : path
    page.markdown = MarkupConverter.markdown(body, ZimDialect.dialect(attachments: attachments))
    page.firstLine =
      (start?.number ?? 1) + body.prefix { ASCII.isSpace($0) }.count { $0 == 0x0A }
    return page.items(options)
  }

  private static func take(_ line: ArraySlice<UInt8>, _ page: inout ConvertedPage) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self)
    let value = String(decoding: ASCII.trimmed(line[(colon + 1)...]), as: UTF8.self)
    switch name {
    case "Creation-Date": page.fields.append(("created", value))
    case "Modification-Date": page.fields.append(("modified", value))
    case "Content-Type", "Wiki-Format": break
    default: if !value.isEmpty { page.unkept.append(name) }
    }
  }
}
