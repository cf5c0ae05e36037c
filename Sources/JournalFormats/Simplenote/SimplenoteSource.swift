import Journal

/// The export of Simplenote.
enum SimplenoteFormat: ReadableFormat {
  static let name = "simplenote"
  static let guide = SimplenoteSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    SimplenoteSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { SimplenoteSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): SimplenoteSource(stream, options: options)
    case .directory(let directory): SimplenoteSource(directory, options: options)
    }
  }
}

/// Reads an export of Simplenote: `source/notes.json` in its zip, in a stream.
///
/// A note's first line is its title already; pinned notes are starred, and those in the trash are
/// left out, as are the same notes as text files.
struct SimplenoteSource: EntrySource {
  private let options: ImportOptions
  private let directory: (any ImportDirectory)?
  private let file: String?
  private var document: JSONDocument?

  /// Makes a source of the file with the notes.
  init(_ stream: ByteStream, options: ImportOptions) {
    self.options = options
    (directory, file) = (nil, nil)
    document = Self.document(stream, options)
  }

  /// Makes a source of a directory or an archive with the file in it.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.options = options
    self.directory = directory
    file = directory.files.first(where: Self.isNotes)
  }

  private static func document(_ stream: ByteStream, _ options: ImportOptions) -> JSONDocument {
    JSONDocument(
      stream, sections: ["activeNotes", "trashedNotes"],
      options: JSONOptions(isLossy: options.isLossy))
  }

  private static func isNotes(_ path: String) -> Bool {
    path == "notes.json" || path.hasSuffix("/notes.json")
  }

  /// Whether a file is an export.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = JSONHead(head), !names.isList else { return false }
    return names.root.contains("activeNotes") || names.root.contains("trashedNotes")
  }

  /// Whether a directory or an archive is an export.
  static func recognises(files: [String]) -> Bool {
    files.contains { "/\($0)".hasSuffix("/source/notes.json") }
  }

  static let guide = ImportGuide(
    files: "notes.zip, or source/notes.json in it",
    ways: ["Simplenote: Settings, Tools, Export Notes (on the web: app.simplenote.com)"])

  private static let known: Set = [
    "id", "content", "creationDate", "lastModified", "pinned", "tags",
    // What the text is read as anyway.
    "markdown",
  ]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if document == nil {
      guard let directory, let file else { throw FormatError("contains no notes of Simplenote") }
      document = Self.document(try directory.open(file), options)
    }
    do {
      guard let record = try document?.next() else { return nil }
      let item = item(of: record)
      return file.map(item.inFile) ?? item
    } catch var error as FormatError {
      error.place.file = file
      throw error
    }
  }

  private func item(of record: JSONDocument.Record) -> ImportItem {
    let value: JSONValue
    switch record.value {
    case .failure(let error): return .problem(error)
    case .success(let read): value = read
    }
    if record.section == "trashedNotes" {
      return .passedBy("in the trash of Simplenote", record.place)
    }
    guard value.members != nil else {
      return .problem("\(value.kind) is not an entry", record.place)
    }
    let clock = options.clock
    let changed = InstantText.moment(value["lastModified"], clock)
    let made = InstantText.moment(value["creationDate"], clock)
    guard let created = made ?? changed else { return .problem(entry: "has no date", record.place) }
    let text = LineEnds.unified(value["content"]?.string ?? "").trimmingBlankLines
    let (tags, unkept) = (value.texts("tags"), value.unkept(but: Self.known))
    guard !text.isEmpty || !tags.isEmpty else {
      return .problem(entry: "has no text", record.place)
    }
    // A first line that is a date is the day, as in a note with a title of its own.
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let note = NoteText(
      title: String(lines.first ?? ""), body: lines.count > 1 ? String(lines[1]) : "")
    var entry = ImportedEntry(created: created, text: text)
    if note.date != nil, !note.body.isEmpty { entry = note.entry(created: created, clock: clock) }
    entry.uuid = value["id"]?.string.flatMap(EntryUUID.canonical)
    entry.modified = changed
    entry.tags = tags
    entry.starred = value["pinned"]?.bool ?? false
    entry.unkept += unkept
    if made == nil { entry.remark("date is that of the last change") }
    return .entry(entry, record.place)
  }
}
