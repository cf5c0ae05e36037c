import Journal

/// The formats of an import, with the names for `--from`.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// Daybook's own JSON and JSON Lines.
  case daybook
  /// `jrnl --format json`.
  case jrnl
  /// jrnl's own text: `[2024-01-05 14:30] Title *`.
  case jrnlText = "jrnl-text"
  /// tui-journal's `entries.json`, and its exports.
  case tuiJournal = "tui-journal"
  /// Day One's JSON and plain text, alone or in a zip, and the files of Day One Classic.
  case dayOne = "dayone"
  /// Markdown files, one per day or per entry.
  case markdown
  /// kaydet's text files, one per day.
  case kaydet
}

extension ImportFormat {
  /// The files of the format, and how to get them out of each program.
  package var guide: ImportGuide {
    switch self {
    case .daybook:
      ImportGuide(
        files: "JSON, JSON Lines, and journals of Daybook",
        ways: ["Daybook: daybook export -o FILE.json, or the journal's own file"])
    case .jrnl:
      ImportGuide(files: "JSON", ways: ["jrnl: jrnl --format json --file FILE.json"])
    case .jrnlText:
      ImportGuide(
        files: "text with [2024-01-05 14:30] before each entry, and directories YYYY/MM/DD.txt",
        ways: [
          "jrnl: the file that jrnl --list names; jrnl --decrypt first if it is encrypted"
        ])
    case .tuiJournal:
      ImportGuide(
        files: "JSON and SQLite",
        ways: ["tui-journal: its file entries.json or entries.db, or tjournal export"])
    case .dayOne:
      ImportGuide(
        files: "JSON, plain text or zip, and .doentry files",
        ways: [
          "Day One: File, Export, JSON (on a phone: Settings, Import/Export, Export Day One JSON)",
          "Day One Classic: the directory Journal.dayone",
        ])
    case .markdown:
      ImportGuide(
        files: "notes with a date in front matter, in their names or in headings (.md, .txt)",
        ways: [
          "Obsidian, Logseq, vimwiki, nb, Dendron, Denote, Hugo, Jekyll: the directory of the notes",
          "Joplin: File, Export all, MD - Markdown + Front Matter",
          "Notion: Export, Markdown & CSV, then unpack the zip",
          "Bear: File, Export Notes, Markdown",
          "zim: the directory of the notebook",
          "one file for all days: a date as heading, or on a line of its own, before each day",
        ])
    case .kaydet:
      ImportGuide(
        files: "text files of days, 2024-01-05.txt",
        ways: ["kaydet: the directory that kaydet --folder opens"])
    }
  }
}

extension ImportFormat {
  /// The entries of a file or directory of this format.
  ///
  /// Nothing is read before the source's first item.
  ///
  /// - Throws: ``FormatError`` if the format does not support directories, or only directories.
  package func source(
    _ input: ImportInput, options: ImportOptions = ImportOptions()
  ) throws -> any EntrySource {
    guard case .directory(let directory) = input else { return try reader(input, options) }
    return try DirectorySource(directory) { try reader($0, options) }
  }

  /// The reader of the format; ``ImportFormat/detect(_:path:)`` needs a new format, too.
  private func reader(
    _ input: ImportInput, _ options: ImportOptions
  ) throws -> any EntrySource {
    switch self {
    case .daybook: return DaybookSource(try input.stream(for: self), options: options)
    case .jrnl: return JrnlJSONSource(try input.stream(for: self), options: options)
    case .jrnlText:
      if let source = JrnlDirectorySource(input, options: options) { return source }
      return TextFileSource(input, options, endings: [".txt", ".journal", ".jrnl"]) {
        bytes, _ in JrnlTextSource(bytes, options: options)
      }
    case .tuiJournal: return TuiJournalSource(try input.stream(for: self), options: options)
    case .dayOne:
      guard case .directory(let directory) = input else {
        return DayOneArchiveSource(try input.stream(for: self), options: options)
      }
      let photos = DoentrySource.photos(directory.files)
      return TextFileSource(input, options, endings: [".doentry", ".json"]) { bytes, path in
        if path.lowercased().hasSuffix(".doentry") {
          return DoentrySource(bytes, options: options, photos: photos)
        }
        return DayOneArchiveSource(ByteStream(bytes), options: options)
      }
    case .markdown:
      if let source = JrnlDirectorySource(input, options: options) { return source }
      var options = options
      if case .directory(let directory) = input { options.learnNames(directory.files) }
      return TextFileSource(input, options, endings: [".md", ".markdown", ".txt"]) {
        Self.note($0, path: $1, options)
      }
    case .kaydet:
      return TextFileSource(input, options, endings: [".txt"]) {
        KaydetSource($0, path: $1, options: options)
      }
    }
  }
}

extension ImportFormat {
  /// A file among Markdown: text files may be kaydet's or jrnl's.
  private static func note(
    _ bytes: [UInt8], path: String, _ options: ImportOptions
  ) -> any EntrySource {
    if path.lowercased().hasSuffix(".txt") {
      if KaydetSource.recognises(bytes) {
        return KaydetSource(bytes, path: path, options: options)
      }
      if JrnlTextSource.recognises(bytes) { return JrnlTextSource(bytes, options: options) }
    }
    return MarkdownSource(bytes, path: path, options: options)
  }
}

extension ImportInput {
  /// The bytes, for a format of single files.
  ///
  /// - Throws: ``FormatError`` for a directory.
  func stream(for format: ImportFormat) throws(FormatError) -> ByteStream {
    guard case .file(let stream) = self else {
      throw FormatError("is a directory, but \(format.rawValue) needs a file")
    }
    return stream
  }
}

/// The result of detection by a file's first bytes.
package enum ImportDetection: Hashable, Sendable {
  /// A supported format.
  case format(ImportFormat)
  /// An SQLite database: a journal of Daybook, or of another program.
  case database
  /// Text in UTF-16.
  case utf16
  /// A thing of another program that no reader supports.
  case foreign(ForeignKind)
  /// A journal encrypted by jrnl.
  case encrypted
  /// An empty file.
  case empty
}

extension ImportFormat {
  /// The number of bytes at the start of a file that detection needs.
  package static let headLength = 64 << 10

  /// Detects a file's type from its first bytes, and only if they are ambiguous from its name.
  ///
  /// - Parameters:
  ///   - head: the first ``headLength`` bytes, or all.
  ///   - path: the file's name; `nil` for standard input.
  ///   - size: the size of the file in bytes, if known.
  /// - Returns: `nil` for an unknown type.
  package static func detect(
    _ head: [UInt8], path: String? = nil, size: Int? = nil
  ) -> ImportDetection? {
    if head.isEmpty { return .empty }
    // A readable database, or a sealed journal.
    if head.starts(with: "SQLite format 3\0".utf8) || head.starts(with: "Daybook sealed 1".utf8) {
      return .database
    }
    if TextEncoding.recognised(head) == .utf16 { return .utf16 }
    if head.starts(with: "PK\u{3}\u{4}".utf8) { return .format(.dayOne) }
    if JrnlEncryption.made(head, size: size ?? head.count) { return .encrypted }
    if PropertyListReader.begins(head[...]) || head.starts(with: "bplist00".utf8) {
      return .format(.dayOne)
    }
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if DayOnePlainSource.begins(head[mark...]) { return .format(.dayOne) }
    guard let start = head.firstIndex(where: { !JSONReader.isSpace($0) }) else { return .empty }
    if let sketch = JSONSketch(Array(head[start...])) {
      return sketch.foreign.map { .foreign($0) } ?? sketch.format.map { .format($0) }
    }
    if let found = text(head[start...], path: path) { return .format(found) }
    return ForeignKind(head, path: path).map { .foreign($0) }
  }

  /// Detects a directory's format from the names of its files.
  ///
  /// Files of kaydet and jrnl are detected by their contents when Markdown is read.
  package static func detect(files: [String]) -> ImportFormat? {
    if files.contains(where: { $0.lowercased().hasSuffix(".doentry") }) { return .dayOne }
    return files.contains { isMarkdown($0) || isDayFile($0) } ? .markdown : nil
  }

  /// Detects text formats by their first line.
  private static func text(_ head: ArraySlice<UInt8>, path: String?) -> ImportFormat? {
    let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
    if JrnlHeading.begins(line) { return .jrnlText }
    if KaydetHeading(line) != nil { return .kaydet }
    let isMarked = ["---", "+++"].contains { line.elementsEqual($0.utf8) }
    let isDayFile = path.map(isDayFile) ?? false
    if !isMarked, !isDayFile, !EntryMark.begins(line), hasJrnlHeading(head) { return .jrnlText }
    if isDayFile || path.map(isMarkdown) ?? false { return .markdown }
    if JrnlExport.begins(head) { return .markdown }
    if isMarked || Heading(line) != nil || EntryMark.begins(line) { return .markdown }
    return NotePieces.beginsWithDay(line) ? .markdown : nil
  }

  /// Whether a line after a blank one, below a title of the file, begins an entry of jrnl.
  private static func hasJrnlHeading(_ head: ArraySlice<UInt8>) -> Bool {
    var isAfterBlank = false
    for line in head.prefix(4096).split(
      separator: 0x0A, maxSplits: 12, omittingEmptySubsequences: false)
    {
      if isAfterBlank, JrnlHeading.bracketed(line) != nil, JrnlHeading.begins(line) { return true }
      isAfterBlank = line.allSatisfy(ASCII.isSpace)
    }
    return false
  }

  private static func isMarkdown(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".md") || path.hasSuffix(".markdown")
  }

  /// `2024-01-05.txt`, in any directory.
  private static func isDayFile(_ path: String) -> Bool {
    guard path.lowercased().hasSuffix(".txt") else { return false }
    if case .none = DatedName.read(path) { return false }
    return true
  }
}

/// The files of an import format, and how people get them.
package struct ImportGuide: Hashable, Sendable {
  /// The files that are read.
  package let files: String
  /// A line for each program: its name, and how it writes the file.
  package let ways: [String]
}
