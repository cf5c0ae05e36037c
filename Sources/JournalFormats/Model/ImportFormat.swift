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
      return TextFileSource(input, name: options.name, endings: [".txt", ".journal", ".jrnl"]) {
        bytes, _ in JrnlTextSource(bytes, options: options)
      }
    case .tuiJournal: return TuiJournalSource(try input.stream(for: self), options: options)
    case .dayOne:
      guard case .directory(let directory) = input else {
        return DayOneArchiveSource(try input.stream(for: self), options: options)
      }
      let photos = DoentrySource.photos(directory.files)
      return TextFileSource(input, name: nil, endings: [".doentry", ".json"]) { bytes, path in
        if path.lowercased().hasSuffix(".doentry") {
          return DoentrySource(bytes, options: options, photos: photos)
        }
        return DayOneArchiveSource(ByteStream(bytes), options: options)
      }
    case .markdown:
      if let source = JrnlDirectorySource(input, options: options) { return source }
      return TextFileSource(input, name: options.name, endings: [".md", ".markdown", ".txt"]) {
        Self.note($0, path: $1, options)
      }
    case .kaydet:
      return TextFileSource(input, name: options.name, endings: [".txt"]) {
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
  /// Text in UTF-16, which must be converted first.
  case utf16
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
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return .utf16 }
    if head.starts(with: "PK\u{3}\u{4}".utf8) { return .format(.dayOne) }
    if JrnlEncryption.made(head, size: size ?? head.count) { return .encrypted }
    if PropertyListReader.begins(head[...]) || head.starts(with: "bplist00".utf8) {
      return .format(.dayOne)
    }
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if DayOnePlainSource.begins(head[mark...]) { return .format(.dayOne) }
    guard let start = head.firstIndex(where: { !JSONReader.isSpace($0) }) else { return .empty }
    if let sketch = JSONSketch(Array(head[start...])) { return sketch.format.map { .format($0) } }
    return text(head[start...], path: path).map { .format($0) }
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
    if let path, isMarkdown(path) || isDayFile(path) { return .markdown }
    if JrnlExport.begins(head) { return .markdown }
    let isMarked = ["---", "+++"].contains { line.elementsEqual($0.utf8) }
    return isMarked || Heading(line) != nil || EntryMark.begins(line) ? .markdown : nil
  }

  private static func isMarkdown(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".md") || path.hasSuffix(".markdown")
  }

  /// `2024-01-05.txt`, in any directory.
  private static func isDayFile(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".txt") && DatedName(path: path) != nil
  }
}

/// The input of an import: bytes, or a directory of files.
package enum ImportInput {
  /// A file, a pipe or an archive.
  case file(ByteStream)
  /// A directory.
  case directory(any ImportDirectory)
}

/// A directory to import.
package protocol ImportDirectory {
  /// The regular files below it, by their relative paths with `/`, in the order of their bytes,
  /// without hidden files and links to other directories.
  var files: [String] { get }
  /// The other contents that cannot be opened, without hidden files.
  var leftOut: [LeftOutKind] { get }
  /// Opens one of them.
  ///
  /// - Throws: the system's error if it cannot be read.
  func open(_ file: String) throws -> ByteStream
}

extension ImportDirectory {
  /// By default there are only files.
  package var leftOut: [LeftOutKind] { [] }
}

/// Options of an import.
package struct ImportOptions: Sendable {
  /// Whether to replace invalid UTF-8 by U+FFFD; otherwise it makes its record invalid.
  package var isLossy: Bool
  /// The clock with the zone of times without one.
  package var clock: WallClock
  /// The name of a single file, which contains the day in some formats; `nil` for standard input.
  package var name: String?

  package init(isLossy: Bool = false, clock: WallClock = .system, name: String? = nil) {
    self.isLossy = isLossy
    self.clock = clock
    self.name = name
  }
}
