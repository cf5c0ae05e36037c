import Journal

/// Markdown files, one per day or per entry, and text files whose names are days.
enum MarkdownFormat: ReadableFormat {
  static let name = "markdown"
  static let guide = ImportGuide(
    files: "notes with a date in front matter, in their names or in headings (.md, .txt)",
    ways: [
      "Obsidian, Logseq, vimwiki, nb, Dendron, Denote, Hugo, Jekyll: the directory of the notes",
      "Joplin: File, Export all, MD - Markdown + Front Matter",
      "Notion: Export, Markdown & CSV",
      "Bear: File, Export Notes, Markdown",
      "zim: the directory of the notebook",
      "one file for all days: a date as heading, or on a line of its own, before each day",
    ])

  static func accepts(_ head: [UInt8], path: String?) -> Bool {
    if path.map({ isMarkdown($0) || isDayFile($0) }) ?? false { return true }
    let text = head.drop(while: JSONReader.isSpace)
    if JrnlExport.begins(text) { return true }
    let line = FirstLine.of(head)
    return ["---", "+++"].contains { line.elementsEqual($0.utf8) } || Heading(line) != nil
      || EntryMark.begins(line) || NotePieces.begins(line)
      // Lines of days below a title of the file.
      || path?.lowercased().hasSuffix(".txt") ?? false
        && NotePieces.found(TextLines(head)).form.hasLines
  }

  static func accepts(files: [String]) -> Bool {
    files.contains { isMarkdown($0) || isDayFile($0) }
  }

  static func source(_ input: ImportInput, options: ImportOptions) throws -> any EntrySource {
    if let source = JrnlDirectorySource(input, options: options) { return source }
    var options = options
    if case .directory(let directory) = input { try options.learnNotes(directory) }
    return TextFileSource(
      input, options, endings: [".md", ".markdown", ".txt"],
      long: { [options] in try LongMarkdownSource.source($0, path: $1, options: options) },
      { [options] in note($0, path: $1, options) })
  }

  /// A file among Markdown: text files may be those of other programs.
  private static func note(
    _ bytes: [UInt8], path: String, _ options: ImportOptions
  ) -> any EntrySource {
    if path.lowercased().hasSuffix(".txt") {
      let head = Array(bytes.prefix(ImportFormat.headLength))
      var options = options
      options.name = path
      if let found = ImportFormat.recognises(head, path: path), found != .markdown,
        let source = try? found.reader.source(.file(ByteStream(bytes)), options: options)
      {
        return source
      }
    }
    return MarkdownSource(bytes, path: path, options: options)
  }

  private static func isMarkdown(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".md") || path.hasSuffix(".markdown")
  }

  /// `2024-01-05.txt`, in any directory.
  static func isDayFile(_ path: String) -> Bool {
    guard path.lowercased().hasSuffix(".txt") else { return false }
    if case .none = DatedName.read(path) { return false }
    return true
  }
}
