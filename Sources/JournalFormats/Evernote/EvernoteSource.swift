import Journal

/// Evernote's exports (ENEX).
enum EvernoteFormat: ReadableFormat {
  static let name = "evernote"
  static let guide = EvernoteSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    EvernoteSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool {
    files.contains { $0.lowercased().hasSuffix(".enex") }
  }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    let source = StreamFileSource(input, options, endings: [".enex"]) { stream in
      EvernoteSource(stream, options: options)
    }
    if case .directory = input { return source }
    return EnclosedFilesSource(source)
  }
}

/// Reads an export of Evernote (ENEX), a note at a time.
///
/// The text is the note's ENML as Markdown, with boxes of tasks; the title is its first line. Times
/// are instants and are shown on the clock. Pictures and files are those that the note has in it, at the
/// end of the text if the note does not show them. The place, the author and the address of a clipped
/// page become fields.
struct EvernoteSource: EntrySource {
  private let records: XMLRecords
  private let options: ImportOptions

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = XMLRecords(
      stream, records: ["note"], digesting: ["data", "alternate-data"], isLossy: options.isLossy)
    self.options = options
  }

  /// Whether a file is an export of Evernote.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    let text = String(decoding: head.prefix(4096), as: UTF8.self).drop(while: \.isWhitespace)
    return text.hasPrefix("<") && text.contains("<en-export")
  }

  static let guide = ImportGuide(
    files: "ENEX",
    ways: [
      "Evernote: right click on a notebook, Export notebook, ENEX format (or Export notes)"
    ])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    switch try records.next() {
    case nil: return nil
    case .broken(let error): return .problem(error)
    case .record(let note, _):
      let place = ImportPlace(line: note.line)
      do throws(FormatError) {
        return .entry(try entry(note), place)
      } catch {
        try MarkupParser.load()
        return .problem(error, place)
      }
    }
  }

  private func entry(_ note: XMLElement) throws(FormatError) -> ImportedEntry {
    let files = EvernoteFiles(note)
    let written = note.text("created")
    let changed = note.text("updated")
    let updated = try changed.isEmpty ? nil : moment(changed, "updated")
    guard let created = try written.isEmpty ? updated : moment(written, "created") else {
      throw FormatError(entry: "has no date")
    }
    let (text, remarks, missing) = try text(of: note, files.names)
    var entry = ImportedEntry(
      created: created, modified: updated, text: text,
      tags: note.all("tag").map(\.text.trimmingWhitespace).filter { !$0.isEmpty })
    let title = Self.title(of: note)
    entry.take(title: title)
    guard !entry.text.isEmpty else { throw FormatError(entry: "has no text") }
    entry.remarks = remarks
    entry.files = files.files
    for name in missing + files.empty { entry.miss(name, DirectoryFiles.missing) }
    if files.names != files.formerNames {
      var earlier = ImportedEntry(
        created: created, text: try self.text(of: note, files.formerNames).text)
      earlier.take(title: title)
      entry.former = earlier.former ?? ImportedEntry.Former(text: earlier.text, time: created)
    }
    addFields(note["note-attributes"], to: &entry)
    addUnkept(note, to: &entry)
    return entry
  }

  private static func title(of note: XMLElement) -> String {
    let title = note.text("title")
    return ["Untitled", "Untitled Note", "Untitled note"].contains(title) ? "" : title
  }

  /// The text of a note below its title, with what it calls the files that it lacks.
  ///
  /// - Parameter names: the digest and the name of each of its files.
  private func text(
    of note: XMLElement, _ names: [EvernoteFiles.Name]
  ) throws(FormatError) -> (text: String, remarks: [String], missing: [String]) {
    var used: Set<String> = []
    var missing: [String] = []
    let content = try HTMLText.convert(note["content"]?.text ?? "") { reference in
      if reference.element != "en-media" { return reference.address }
      let digest = reference.attributes["hash"]?.lowercased() ?? ""
      used.insert(digest)
      if let name = names.first(where: { $0.digest == digest })?.name { return name }
      missing.append(digest)
      return digest
    }
    let unused = names.filter { !used.contains($0.digest) }.map(\.link)
    let parts = [content.text, tasks(note), unused.joined(separator: "\n\n")]
    let text = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    return (text, content.remarks, missing)
  }

  private func moment(_ text: String, _ name: String) throws(FormatError) -> Moment {
    guard let moment = InstantText.moment(text, options.clock, acceptsDays: true) else {
      throw FormatError("there is no \(name) \(text.excerpt)")
    }
    return moment
  }

  /// The tasks of newer versions, which are not in the text.
  private func tasks(_ note: XMLElement) -> String {
    note.all("task").compactMap { task in
      let words = task.text("title").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !words.isEmpty else { return nil }
      return task.text("taskStatus") == "completed" ? "- [x] \(words)" : "- [ ] \(words)"
    }.joined(separator: "\n")
  }

  // MARK: Fields

  private func addFields(_ attributes: XMLElement?, to entry: inout ImportedEntry) {
    guard let attributes else { return }
    let names = [("place-name", "place"), ("author", "author"), ("source-url", "source")]
    for (name, field) in names {
      let value = attributes.text(name)
      guard !value.isEmpty, !value.contains(where: \.isNewline) else { continue }
      entry.fields.append(ImportedField(name: field, value: value))
    }
    let (latitude, longitude) = (attributes.text("latitude"), attributes.text("longitude"))
    if Double(latitude) != nil, Double(longitude) != nil {
      entry.fields.append(ImportedField(name: "coordinates", value: "\(latitude), \(longitude)"))
    }
  }

  /// What Evernote notes for itself.
  private static let own: Set = [
    "title", "content", "created", "updated", "tag", "note-attributes", "resource", "task",
    "place-name", "author", "source-url", "latitude", "longitude", "source", "source-application",
    "application-data", "reminder-order", "content-class",
  ]

  private func addUnkept(_ note: XMLElement, to entry: inout ImportedEntry) {
    for element in note.children + (note["note-attributes"]?.children ?? [])
    where !Self.own.contains(element.name) && !element.saysNothing {
      entry.unkept.append(element.name)
    }
  }
}

/// The files of a note of Evernote, by their digests.
struct EvernoteFiles {
  /// What a text calls a file.
  struct Name: Hashable {
    var digest: String
    var name: String
    var isPicture: Bool

    /// A link to the file.
    var link: String {
      var runs = MarkdownRuns()
      runs.appendFile(
        name, text: isPicture ? [] : Array(name.utf8), isPicture: isPicture, link: nil)
      return String(decoding: runs.lines().first ?? [], as: UTF8.self)
    }
  }

  /// The names of the files, each once.
  private(set) var names: [Name] = []
  /// The names that earlier builds gave them.
  private(set) var formerNames: [Name] = []
  /// The files whose bytes the note has.
  private(set) var files: [ImportedFile] = []
  /// The names of the files whose bytes it lacks.
  private(set) var empty: [String] = []

  /// Reads them from a note.
  init(_ note: XMLElement) {
    var (seen, unique) = (Set<String>(), EnclosedNames())
    for resource in note.all("resource") {
      guard let data = resource["data"]?.digest, seen.insert(data.digest).inserted else { continue }
      let mime = resource.text("mime")
      let given = resource["resource-attributes"]?.text("file-name") ?? ""
      let fallback = "\(data.digest).\(Self.ending(mime))"
      var (name, first) = (Name(digest: data.digest, name: "", isPicture: false), EnclosedNames())
      name.isPicture = mime.hasPrefix("image/")
      name.name = first.name(given, else: fallback)
      formerNames.append(name)
      name.name = unique.name(given, else: fallback)
      names.append(name)
      guard !data.bytes.isEmpty else {
        empty.append(name.name)
        continue
      }
      files.append(
        ImportedFile(
          path: "\(data.digest)/\(name.name)", name: name.name, enclosing: data.bytes))
    }
  }

  private static func ending(_ mime: String) -> String {
    let known = ["image/jpeg": "jpg", "audio/mpeg": "mp3", "text/plain": "txt"]
    if let ending = known[mime] { return ending }
    let last = mime.split(separator: "/").last ?? ""
    let isPlain = last.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
    return last.isEmpty || !isPlain || last.count > 8 ? "bin" : String(last)
  }
}
