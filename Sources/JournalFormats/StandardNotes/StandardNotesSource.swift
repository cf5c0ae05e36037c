import Foundation
import Journal

/// The decrypted backup of Standard Notes.
enum StandardNotesFormat: ReadableFormat {
  static let name = "standard-notes"
  static let guide = StandardNotesSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    StandardNotesSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { StandardNotesSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): StandardNotesSource(stream, options: options)
    case .directory(let directory): StandardNotesSource(directory, options: options)
    }
  }
}

/// Reads a decrypted backup of Standard Notes: a JSON file with notes and tags, alone or in its zip.
///
/// Tags name their notes, wherever in the file they are, so that all notes are in memory until its
/// end. A tag in another one has its path; pinned and starred notes are starred; notes in the trash
/// are left out. Notes of the editor Super become Markdown (``SuperText``), those of the rich text
/// editor from HTML; a spreadsheet, and code in other languages, stays in a block of code.
struct StandardNotesSource: EntrySource {
  private let options: ImportOptions
  private var document: JSONDocument?
  /// The name of the file in the zip.
  private var file: String?
  private var directory: (any ImportDirectory)?
  private var notes: [(uuid: String, entry: ImportedEntry, place: ImportPlace)] = []
  private var tags = StandardNotesTags()
  /// The items that are encrypted; all of them in an encrypted backup.
  private var encrypted: [ImportPlace] = []
  private var finished: ArraySlice<ImportItem> = []
  private var isFinished = false

  /// Makes a source of the file with the notes.
  init(_ stream: ByteStream, options: ImportOptions) {
    self.options = options
    document = Self.document(stream, options)
  }

  /// Makes a source of a directory or an archive with the file in it.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.options = options
    self.directory = directory
    file = directory.files.first(where: Self.isBackup)
  }

  private static func document(_ stream: ByteStream, _ options: ImportOptions) -> JSONDocument {
    JSONDocument(stream, sections: ["items"], options: JSONOptions(isLossy: options.isLossy))
  }

  private static func isBackup(_ path: String) -> Bool {
    let name = (path.split(separator: "/").last ?? "").lowercased()
    return name.hasPrefix("standard notes backup")
      && (name.hasSuffix(".txt") || name.hasSuffix(".json"))
  }

  /// Whether a file is a backup.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = JSONHead(head), names.root.contains("items") else { return false }
    return names.record.isSuperset(of: ["uuid", "content_type"])
      || (names.record.isEmpty && names.root.contains("version"))
  }

  /// Whether a directory or an archive has a backup.
  static func recognises(files: [String]) -> Bool { files.contains(where: isBackup) }

  static let guide = ImportGuide(
    files: "the decrypted backup, as its zip or the JSON in it",
    ways: ["Standard Notes: Preferences, Backups, Data backups, Decrypted, Download backup"])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if isFinished { return finished.popFirst() }
    if document == nil {
      guard let directory, let file else {
        throw FormatError("contains no backup of Standard Notes")
      }
      document = Self.document(try directory.open(file), options)
    }
    do {
      while let record = try document?.next() {
        if let item = try take(record) { return file.map(item.inFile) ?? item }
      }
    } catch var error as FormatError {
      error.place.file = file
      throw error
    }
    do throws(FormatError) {
      try finish()
    } catch {
      var error = error
      error.place.file = file
      throw error
    }
    return finished.popFirst()
  }

  /// Takes a record; a note or a tag is for later.
  private mutating func take(_ record: JSONDocument.Record) throws -> ImportItem? {
    let value: JSONValue
    switch record.value {
    case .failure(let error): return .problem(error)
    case .success(let read): value = read
    }
    guard let uuid = value["uuid"]?.string, let type = value["content_type"]?.string else {
      return .problem(entry: "is not an item of Standard Notes", record.place)
    }
    guard type == "Note" || type == "Tag", value["deleted"]?.bool != true else { return nil }
    let content: JSONValue
    switch self.content(of: value) {
    case .readable(let read): content = read
    case .encrypted:
      encrypted.append(record.place)
      return nil
    case .none: return .problem(entry: "has no content", record.place)
    }
    if type == "Tag" {
      tags.add(content, uuid)
      return nil
    }
    if content["trashed"]?.bool == true {
      return .passedBy("in the trash of Standard Notes", record.place)
    }
    let note = StandardNote(value: value, content: content, clock: options.clock)
    do throws(FormatError) {
      notes.append((uuid, try note.entry(), record.place))
    } catch {
      return .problem(error, record.place)
    }
    return nil
  }

  /// The content of an item, which is a string in encrypted and in old backups.
  private func content(of item: JSONValue) -> Content {
    guard let text = item["content"]?.string else {
      return item["content"].flatMap { $0.members == nil ? nil : .readable($0) } ?? .none
    }
    guard text.hasPrefix("000"), let data = Data(base64Encoded: String(text.dropFirst(3))) else {
      return .encrypted
    }
    let value = try? JSONValue(Array(data), options: JSONOptions(isLossy: options.isLossy))
    return value.map(Content.readable) ?? .none
  }

  /// What an item has.
  private enum Content {
    case readable(JSONValue)
    case encrypted
    case none
  }

  private mutating func finish() throws(FormatError) {
    isFinished = true
    if notes.isEmpty, !encrypted.isEmpty {
      throw FormatError("is an encrypted backup of Standard Notes; export it as Decrypted")
    }
    finished =
      notes.map { note in
        var entry = note.entry
        entry.tags = tags.names(of: note.uuid)
        guard !entry.text.isEmpty || !entry.tags.isEmpty else {
          return ImportItem.problem(entry: "has no text", note.place)
        }
        return .entry(entry, note.place)
      }[...]
    finished += encrypted.map { .problem(entry: "is still encrypted; export it as Decrypted", $0) }
    if let file { finished = finished.map { $0.inFile(file) }[...] }
    notes = []
  }
}

/// The tags of a backup of Standard Notes, and the notes that each names.
private struct StandardNotesTags {
  private struct Tag {
    var title: String
    var parent: String?
  }

  private var tags: [String: Tag] = [:]
  private var byNote: [String: [String]] = [:]

  mutating func add(_ content: JSONValue, _ uuid: String) {
    var tag = Tag(title: content["title"]?.string ?? "", parent: content["parentId"]?.string)
    for reference in content["references"]?.array ?? [] {
      guard let other = reference["uuid"]?.string else { continue }
      if reference["content_type"]?.string == "Tag" {
        tag.parent = other
      } else {
        byNote[other, default: []].append(uuid)
      }
    }
    tags[uuid] = tag
  }

  /// The tags of a note, each with the path to it: `work/plans`.
  func names(of note: String) -> [String] {
    (byNote[note] ?? []).compactMap { uuid in
      var path: [String] = []
      var seen: Set<String> = []
      var next: String? = uuid
      while let current = next, let tag = tags[current], seen.insert(current).inserted,
        path.count < 8
      {
        path.append(tag.title)
        next = tag.parent
      }
      // Before there were parents, a point separated the parts of a path.
      let parts = path.reversed().flatMap { $0.split(separator: ".") }
      return parts.isEmpty ? nil : parts.joined(separator: "/")
    }
  }
}

/// A note of Standard Notes.
private struct StandardNote {
  let value: JSONValue
  let content: JSONValue
  let clock: WallClock

  private var appData: JSONValue? { content["appData"]?["org.standardnotes.sn"] }

  func entry() throws(FormatError) -> ImportedEntry {
    guard let created = InstantText.moment(value["created_at"], clock), created.seconds != 0 else {
      throw FormatError(entry: "has no date")
    }
    let text = try StandardNoteText(content: content)
    let note = NoteText(title: content["title"]?.string ?? "", body: text.markdown)
    var entry = note.entry(created: created, clock: clock)
    entry.uuid = value["uuid"]?.string.flatMap(EntryUUID.canonical)
    entry.modified =
      InstantText.moment(appData?["client_updated_at"], clock)
      ?? InstantText.moment(value["updated_at"], clock)
    // Never changed.
    if entry.modified?.seconds == 0 { entry.modified = nil }
    entry.starred = [appData?["pinned"], content["starred"]].contains { $0?.bool == true }
    for name in ["archived", "locked"] where appData?[name]?.bool == true {
      entry.unkept.append(name)
    }
    if content["protected"]?.bool == true { entry.unkept.append("protected") }
    if text.hasFiles { entry.unkept.append("files") }
    if let remark = text.remark { entry.remark(remark) }
    return entry
  }
}

/// The text of a note of Standard Notes, by the editor that wrote it.
private struct StandardNoteText {
  let markdown: String
  /// Whether it mentions files, which a backup has in another one.
  var hasFiles = false
  /// A remark for the user.
  var remark: String?

  init(content: JSONValue) throws(FormatError) {
    let text = content["text"]?.string ?? ""
    let editor = content["editorIdentifier"]?.string ?? ""
    switch content["noteType"]?.string {
    case "super"?:
      guard let superText = SuperText(text) else {
        markdown = text
        return
      }
      (markdown, hasFiles) = (superText.markdown, superText.hasFiles)
    case "rich-text"? where text.contains("<"):
      let content = try HTMLText.convert(text)
      (markdown, remark) = (content.text, content.remarks.first)
    case "code"?: markdown = Self.fenced(text)
    case "spreadsheet"?, "authentication"?:
      markdown = Self.fenced(text)
      remark = "note of a special editor of Standard Notes is kept as its data"
    default:
      // Super notes of the first versions have only the editor.
      let superText = editor == "com.standardnotes.super-editor" ? SuperText(text) : nil
      markdown = superText?.markdown ?? text
      hasFiles = superText?.hasFiles ?? false
    }
  }

  /// A text in a block of code.
  private static func fenced(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    return "\(fence)\n\(text.hasSuffix("\n") ? text : "\(text)\n")\(fence)"
  }
}
