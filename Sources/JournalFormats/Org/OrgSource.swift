import Journal

/// Files of Org mode, also those of org-journal without an ending.
enum OrgFormat: ReadableFormat {
  static let name = "org"
  static let guide = OrgSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    OrgSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { OrgSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return OrgDirectorySource(directory, options: options)
    }
    return StreamFileSource.texts(input, options, endings: [".org"]) {
      OrgSource($0, path: $1, options: options)
    }
  }
}

/// Reads a file of Org mode: a journal of org-journal, a date tree, or notes with timestamps.
///
/// A heading that is a date alone is a day, and the headings below it are its entries; a heading
/// with a time, a timestamp or a property `CREATED` is an entry with all that is below it. A file
/// whose name is a day is split at its headings of times. A note with its date in its name, in
/// `#+date` or in `CREATED` is one entry.
///
/// Tags are inherited, as in Org. Properties, states of tasks, priorities and planning become fields.
///
/// A file without a date of its own is read in pieces of whole headings of the first level.
struct OrgSource: EntrySource {
  private let pieces: TextPieces
  private let path: String
  private let options: ImportOptions
  private var items: ArraySlice<ImportItem> = []
  private var file: OrgFile?

  /// Makes a source of a text with line feeds.
  init(_ text: ByteStream, path: String, options: ImportOptions) {
    (pieces, self.path, self.options) = (TextPieces(text), path, options)
  }

  /// Makes a source of a file's bytes.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    self.init(ByteStream(LineEnds.unified(bytes)), path: path, options: options)
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while items.isEmpty {
      guard file?.isRead != true else { return nil }
      items = try nextItems()[...]
    }
    return items.popFirst()
  }

  private mutating func nextItems() throws -> [ImportItem] {
    var file = file ?? OrgFile(path: path, options)
    var size = TextPieces.size
    while true {
      let head = try pieces.head(size)
      file.read(TextLines(head.lines))
      guard file.needsMore, !head.isAll else { break }
      size *= 2
    }
    let piece = try pieces.next(size) { $0.starts(with: "* ".utf8) }
    var items: [ImportItem] = []
    if let piece {
      var reader = OrgReader(TextLines(piece.bytes, from: piece.line), file, options)
      items = reader.run()
      file = reader.file
    }
    file.isRead = piece?.isLast ?? true
    if file.isRead, !file.hasItems {
      items = [.problem(entry: "has no text", ImportPlace(line: 1))]
    }
    self.file = file
    return items
  }

  /// Whether a file is one of Org mode: by its ending, or a day of org-journal without one.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let path else { return false }
    if path.fileParts.ending == "org" { return true }
    guard isDayFile(path) else { return false }
    let text = head.drop(while: ASCII.isSpace)
    return text.starts(with: "#+".utf8) || OrgHeading.begins(text.prefix { $0 != 0x0A })
  }

  /// Whether a directory has files of Org mode.
  static func recognises(files: [String]) -> Bool {
    files.outnumberMarkdown(["org"])
      || !files.isEmpty && files.allSatisfy { isDayFile($0) || $0.fileParts.ending == "gpg" }
        && files.contains(where: isDayFile)
  }

  /// `20240105`, the default name of org-journal.
  private static func isDayFile(_ path: String) -> Bool {
    let parts = path.fileParts
    return parts.ending.isEmpty && parts.name.utf8.count == 8
      && parts.name.utf8.allSatisfy(ASCII.isDigit) && DatedName(path: path) != nil
  }

  /// The files, and how to get them out of Emacs.
  static let guide = ImportGuide(
    files: "files of Org mode (.org), and those of org-journal without an ending (20240105)",
    ways: [
      "org-journal: the directory that C-h v org-journal-dir names",
      "Emacs, Orgzly, org-roam dailies, a date tree: the file, or its directory",
      "encrypted files: C-x C-f, then C-x C-w under a name without .gpg",
    ])

  /// Whether a file of a directory is read.
  static func reads(_ path: String) -> Bool { path.fileParts.ending == "org" || isDayFile(path) }
}

/// Reads a directory of Org files.
struct OrgDirectorySource: EntrySource {
  private var files: StreamFileSource
  private var encrypted: ArraySlice<String>

  init(_ directory: any ImportDirectory, options: ImportOptions) {
    var options = options
    options.learnNames(directory.files)
    let selected = SelectedFiles(directory, where: OrgSource.reads)
    files = StreamFileSource.texts(.directory(selected), options, endings: [""]) {
      OrgSource($0, path: $1, options: options)
    }
    encrypted = directory.files.filter { ["gpg", "age"].contains($0.fileParts.ending) }[...]
  }

  /// The next entry of any file.
  mutating func next() throws -> ImportItem? {
    if let item = try files.next() { return item }
    return encrypted.popFirst().map {
      .problem("is encrypted; save it under a name without .gpg in Emacs", ImportPlace(file: $0))
    }
  }
}
