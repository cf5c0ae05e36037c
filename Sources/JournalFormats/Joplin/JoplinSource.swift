import Journal

/// The exports of Joplin as RAW and JEX.
enum JoplinFormat: ReadableFormat {
  static let name = "joplin"
  static let guide = JoplinSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    JoplinSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { JoplinSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    JoplinSource(try input.directory(for: name), options: options)
  }
}

/// Reads an export of Joplin as RAW directory, or as JEX, the same in a tar.
///
/// The files are in no order, so they are read twice: first the notebooks, tags, files and titles of
/// notes, which stay in memory, then the notes one by one.
struct JoplinSource: EntrySource {
  private let directory: any ImportDirectory
  private let options: ImportOptions
  private let attached: AttachedFiles
  private var files: ArraySlice<String>
  private var index: JoplinIndex?

  /// Makes a source of a directory or an archive.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.directory = directory
    self.options = options
    attached = AttachedFiles(directory.files)
    files = directory.files.filter(Self.isItem)[...]
  }

  /// `4891829cefc94f64a6f3978d0e89e07c.md`, in any directory.
  private static func isItem(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasSuffix(".md") && JoplinItem.isIdentifier(name.dropLast(3))
  }

  /// Whether a directory or an archive is an export of Joplin.
  ///
  /// Other programs write notes with an identifier as name, too, but not all of them.
  static func recognises(files: [String]) -> Bool {
    let notes = files.filter { $0.hasSuffix(".md") }
    return !notes.isEmpty && notes.allSatisfy(isItem)
  }

  /// Whether a file is an item: one note of an export.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let path, isItem(path), let item = try? JoplinItem(head, isLossy: true) else {
      return false
    }
    return item.kind != nil
  }

  static let guide = ImportGuide(
    files: "the JEX file, or the RAW directory",
    ways: ["Joplin: File, Export all, JEX - Joplin Export File (or RAW - Joplin Export Directory)"])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    let index = try self.index ?? read()
    self.index = index
    while let file = files.popFirst() {
      if let item = try item(of: file, index) { return item.inFile(file) }
    }
    return nil
  }

  /// Reads all items but the texts of notes.
  private func read() throws -> JoplinIndex {
    var index = JoplinIndex()
    for file in files {
      // The second reading reports errors.
      guard let item = try? item(in: file) else { continue }
      index.add(item)
    }
    return index
  }

  private func item(in file: String) throws -> JoplinItem? {
    let stream = try directory.open(file)
    stream.windowLimit = TextFileSource.sizeLimit
    return try JoplinItem(try stream.rest(), isLossy: options.isLossy)
  }

  private func item(of file: String, _ index: JoplinIndex) throws -> ImportItem? {
    let place = ImportPlace()
    do {
      guard let item = try item(in: file) else {
        return .problem(entry: "is not an item of Joplin", place)
      }
      switch item.kind {
      case .notebook?, .tag?, .noteTag?, .resource?: return nil
      case nil: return .passedBy("with a revision or settings of Joplin", place)
      case .note?: break
      }
      let note = JoplinNote(item: item, index: index, file: file, clock: options.clock)
      return try note.importItem(attached)
    } catch let error as FormatError {
      return .problem(error)
    } catch {
      return .problem("cannot be read: \(error)", place)
    }
  }
}

/// The notebooks, tags, files and titles of an export of Joplin, by their identifiers.
struct JoplinIndex {
  private struct Notebook {
    var title: String
    var parent: String?
  }

  private var notebooks: [String: Notebook] = [:]
  private var tags: [String: String] = [:]
  private var tagsOfNotes: [String: [String]] = [:]
  private var titles: [String: String] = [:]
  private var endings: [String: String] = [:]

  fileprivate mutating func add(_ item: JoplinItem) {
    guard let id = item["id"] else { return }
    switch item.kind {
    case .note?: titles[id] = item.title
    case .notebook?: notebooks[id] = Notebook(title: item.title, parent: item["parent_id"])
    case .resource?: endings[id] = item["file_extension"] ?? ""
    case .tag?: tags[id] = item.title
    case .noteTag?:
      guard let note = item["note_id"], let tag = item["tag_id"] else { return }
      tagsOfNotes[note, default: []].append(tag)
    case nil: break
    }
  }

  /// The tags of a note, in the order of their names: the export has none.
  func tags(of note: String) -> [String] {
    (tagsOfNotes[note] ?? []).compactMap { tags[$0] }.sorted()
  }

  /// The path of a notebook: `Trips/Norway`.
  func path(of notebook: String) -> String {
    var path: [String] = []
    var seen: Set<String> = []
    var next: String? = notebook
    while let id = next, let notebook = notebooks[id], seen.insert(id).inserted, path.count < 16 {
      path.append(notebook.title)
      next = notebook.parent
    }
    return path.reversed().joined(separator: "/")
  }

  /// The title of a note.
  func title(of note: String) -> String? { titles[note] }

  /// The name of a file in the directory `resources`.
  func file(_ id: String) -> String? {
    endings[id].map { $0.isEmpty ? "resources/\(id)" : "resources/\(id).\($0)" }
  }
}
