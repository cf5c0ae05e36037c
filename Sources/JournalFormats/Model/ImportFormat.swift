import Journal

/// A format of an import, with its name for `--from`.
package struct ImportFormat: Sendable {
  /// The type that recognises and reads it.
  let reader: any ReadableFormat.Type

  init(_ reader: any ReadableFormat.Type) { self.reader = reader }

  /// The files of the format, and how to get them out of each program.
  package var guide: ImportGuide { reader.guide }

  /// All formats, in the order in which detection asks them; add a format here.
  ///
  /// Formats of a program come before those that accept files of many programs.
  static let readable: [any ReadableFormat.Type] = [
    DaybookFormat.self,
    MiniDiaryFormat.self,
    DayOneFormat.self,
    TuiJournalFormat.self,
    EvernoteFormat.self,
    WordPressFormat.self,
    BloggerFormat.self,
    TwitterFormat.self,
    MastodonFormat.self,
    AppleJournalFormat.self,
    JrnlXMLFormat.self,
    GoogleKeepFormat.self,
    StandardNotesFormat.self,
    SimplenoteFormat.self,
    JoplinFormat.self,
    JourneyFormat.self,
    DiariumFormat.self,
    DaylioFormat.self,
    DiaroFormat.self,
    BearFormat.self,
    MemosFormat.self,
    AlmanahFormat.self,
    RedNotebookFormat.self,
    LifeographFormat.self,
    OrgFormat.self,
    VimwikiFormat.self,
    ZimFormat.self,
    TiddlyWikiFormat.self,
    RoamFormat.self,
    CSVFormat.self,
    JrnlFormat.self,
    JrnlTextFormat.self,
    KaydetFormat.self,
    MarkdownFormat.self,
  ]

  package static let daybook = ImportFormat(DaybookFormat.self)
  package static let dayOne = ImportFormat(DayOneFormat.self)
  package static let jrnl = ImportFormat(JrnlFormat.self)
  package static let jrnlText = ImportFormat(JrnlTextFormat.self)
  package static let kaydet = ImportFormat(KaydetFormat.self)
  package static let markdown = ImportFormat(MarkdownFormat.self)
  package static let tuiJournal = ImportFormat(TuiJournalFormat.self)
}

extension ImportFormat: RawRepresentable, CaseIterable, Hashable, CustomStringConvertible {
  /// All formats, sorted by name.
  package static let allCases = readable.map { ImportFormat($0) }
    .sorted { $0.rawValue < $1.rawValue }

  /// The format of a name; `nil` for an unknown name.
  package init?(rawValue: String) {
    guard let found = Self.readable.first(where: { $0.name == rawValue }) else { return nil }
    self.init(found)
  }

  /// The name.
  package var rawValue: String { reader.name }

  package var description: String { rawValue }

  package static func == (left: ImportFormat, right: ImportFormat) -> Bool {
    left.reader == right.reader
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(reader)) }
}

extension ImportFormat {
  /// The entries of a file, directory or archive of this format.
  ///
  /// Nothing is read before the source's first item.
  ///
  /// - Throws: ``FormatError`` if the format does not support such an input.
  package func source(
    _ input: ImportInput, options: ImportOptions = ImportOptions()
  ) throws -> any EntrySource {
    guard case .directory(let directory) = input else {
      return CancellableSource(try reader.source(input, options: options))
    }
    return CancellableSource(try DirectorySource(directory, self, options: options))
  }

  /// The entries of a database of this format.
  ///
  /// - Throws: ``FormatError`` if it is not one of the format.
  package func source(
    _ database: any ForeignDatabase, options: ImportOptions = ImportOptions()
  ) throws -> any EntrySource {
    guard reader.recognises(tables: database.tables) else {
      throw FormatError("is a database, but not of \(rawValue)")
    }
    return CancellableSource(try reader.source(database, options: options))
  }
}

/// The result of detection by a file's first bytes.
package enum ImportDetection: Hashable, Sendable {
  /// A supported format.
  case format(ImportFormat)
  /// An SQLite database: a journal of Daybook, or of another program.
  case database
  /// A zip, a tar or a compressed file, whose files are detected in turn.
  case archive
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
    if ArchiveDirectory.begins(head) { return .archive }
    if TextEncoding.recognised(head) == .utf16 { return .utf16 }
    if JrnlEncryption.made(head, size: size ?? head.count) { return .encrypted }
    let head = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
    guard let start = head.firstIndex(where: { !JSONReader.isSpace($0) }) else { return .empty }
    let sketch = JSONSketch(Array(head[start...]))
    if let found = recognises(head, path, sketch) { return .format(found) }
    if let sketch {
      return readable.first { $0.accepts(json: sketch) }.map { .format(ImportFormat($0)) }
    }
    if let found = readable.first(where: { $0.accepts(head, path: path) }) {
      return .format(ImportFormat(found))
    }
    return ForeignKind(head, path: path).map { .foreign($0) }
  }

  /// The format that has the signs in the first bytes of a file.
  static func recognises(_ head: [UInt8], path: String?) -> ImportFormat? {
    let head = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
    let text = head.drop(while: JSONReader.isSpace)
    return recognises(head, path, JSONSketch(Array(text)))
  }

  private static func recognises(
    _ head: [UInt8], _ path: String?, _ sketch: JSONSketch?
  ) -> ImportFormat? {
    readable.first { format in
      format.recognises(head, path: path) || sketch.map { format.recognises(json: $0) } ?? false
    }.map { ImportFormat($0) }
  }

  /// The format that recognises a JSON file by the names in it.
  static func recognised(json sketch: JSONSketch) -> ImportFormat? {
    readable.first { $0.recognises(json: sketch) }.map { ImportFormat($0) }
  }

  /// Detects a directory's or archive's format from the names of its files.
  ///
  /// Files of kaydet and jrnl are detected by their contents when Markdown is read.
  package static func detect(files: [String]) -> ImportFormat? {
    let files = files.filter { !OwnFile.isOne($0) }
    let found = readable.first { $0.recognises(files: files) }
    return (found ?? readable.first { $0.accepts(files: files) }).map { ImportFormat($0) }
  }

  /// Detects a directory's or archive's format from the names of its files, else from the contents
  /// of the first ones that could have entries.
  ///
  /// - Throws: the error of a file that cannot be read.
  package static func detect(_ directory: any ImportDirectory) throws -> ImportFormat? {
    let files = directory.files.filter { LeftOutKind(backup: $0) == nil }
    if let found = detect(files: files) { return found }
    if ForeignKind(files: files) != nil { return nil }
    for file in files.lazy.filter({ mayBeExport($0) && !OwnFile.isOne($0) }).prefix(1000) {
      // A broken file says nothing of the others.
      guard let head = try? directory.open(file).peek(headLength) else { continue }
      try GivenUp.check()
      if case .format(let found)? = detect(head, path: file) { return found }
    }
    return nil
  }

  /// Whether a file in a directory may be an export, by its ending: pictures are not looked at.
  static func mayBeExport(_ path: String) -> Bool {
    exportEndings.contains(path.fileParts.ending)
  }

  private static let exportEndings: Set = [
    "json", "jsonl", "ndjson", "xml", "csv", "tsv", "html", "htm", "txt", "md", "markdown", "enex",
    "org", "wiki", "tid", "diary", "js", "atom", "jrnl", "journal", "doentry", "db", "sqlite",
    "sqlite3", "zip", "jex", "tar", "gz", "tgz", "bear2bk", "daylio",
  ]

  /// Detects the format of another program's database by its tables.
  package static func detect(tables: [String: Set<String>]) -> ImportFormat? {
    readable.first { $0.recognises(tables: tables) }.map { ImportFormat($0) }
  }
}
