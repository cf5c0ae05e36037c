import Journal

/// Notes of Google Keep, in the export by Google Takeout.
enum GoogleKeepFormat: ReadableFormat {
  static let name = "keep"
  static let guide = GoogleKeepSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    GoogleKeepSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { GoogleKeepSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): GoogleKeepSource(stream, options: options)
    case .directory(let directory): GoogleKeepSource(directory, options: options)
    }
  }
}

/// Reads the notes of Google Keep in an export by Google Takeout: a JSON file per note, with its
/// pictures beside it.
///
/// The title is the first line, labels are tags, pinned notes are starred, check boxes are tasks, and
/// the pages behind links are added as links. Notes in the trash are left out, as are the same notes
/// as HTML.
struct GoogleKeepSource: EntrySource {
  private var source: JSONFileSource

  /// Makes a source of a directory or an archive, which may have the data of other products.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.init(.directory(directory), options, AttachedFiles(directory.files))
  }

  /// Makes a source of a single note.
  init(_ stream: ByteStream, options: ImportOptions) {
    self.init(.file(stream), options, AttachedFiles())
  }

  private init(_ input: ImportInput, _ options: ImportOptions, _ files: AttachedFiles) {
    source = JSONFileSource(
      input, options, recognises: { Self.recognises($0, path: nil) },
      reader: { value, file in
        let note = GoogleKeepNote(value: value, file: file, files: files, clock: options.clock)
        do throws(FormatError) {
          return [try note.item()]
        } catch {
          return [.problem(error)]
        }
      })
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? { try source.next() }

  /// Whether a file is a note.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = JSONHead(head), !names.isList else { return false }
    return [
      ["userEditedTimestampUsec"], ["isTrashed", "isPinned", "isArchived", "color"],
      ["textContent", "isPinned"], ["listContent", "isPinned"],
    ].contains { names.root.isSuperset(of: $0) }
  }

  /// Whether a directory or an archive is an export by Google Takeout with notes.
  ///
  /// The name of the directory is translated, so the list of labels and the notes as HTML count, too.
  static func recognises(files: [String]) -> Bool {
    let names = Set(files)
    return files.contains { file in
      guard file.hasSuffix(".json") else { return false }
      let path = "/\(file)"
      if path.contains("/Takeout/Keep/") || path.contains("/Takeout/Google Keep/") { return true }
      guard path.contains("/Takeout/") else { return false }
      let directory = file[...(file.lastIndex(of: "/") ?? file.startIndex)]
      return names.contains("\(directory)Labels.txt")
        && names.contains("\(file.dropLast(5)).html")
    }
  }

  static let guide = ImportGuide(
    files: "JSON files of notes, in the zip or directory of Google Takeout",
    ways: ["Google Keep: takeout.google.com, Deselect all, Keep, Next step, Create export"])
}

/// A note of Google Keep.
struct GoogleKeepNote {
  let value: JSONValue
  let file: String
  let files: AttachedFiles
  let clock: WallClock

  /// The members that are used, or repeat others.
  private static let known: Set = [
    "title", "textContent", "textContentHtml", "listContent", "labels", "attachments",
    "annotations", "isPinned", "isTrashed", "createdTimestampUsec", "userEditedTimestampUsec",
    "trashedTimestampUsec",
  ]

  func item() throws(FormatError) -> ImportItem {
    let place = ImportPlace()
    if value["isTrashed"]?.bool == true { return .passedBy("in the trash of Google Keep", place) }
    let edited = UnixTime.microseconds.moment(value["userEditedTimestampUsec"], clock)
    let made = UnixTime.microseconds.moment(value["createdTimestampUsec"], clock)
    guard let created = made ?? edited else { return .problem(entry: "has no date", place) }
    let note = NoteText(title: value["title"]?.string ?? "", body: try body())
    var entry = note.entry(created: created, clock: clock)
    entry.modified = edited
    entry.tags = (value["labels"]?.array ?? []).compactMap { $0["name"]?.string }
    entry.starred = value["isPinned"]?.bool ?? false
    let attached = (value["attachments"]?.array ?? []).compactMap { $0["filePath"]?.string }
    entry.attach(attached, in: files, beside: file)
    entry.unkept += value.unkept(but: Self.known).filter { name in
      name != "color" || value["color"]?.string != "DEFAULT"
    }
    if made == nil { entry.remark("date is that of the last change") }
    guard !entry.text.isEmpty || !entry.tags.isEmpty else {
      return .problem(entry: "has no text", place)
    }
    return .entry(entry, place)
  }

  /// The text, the list and the links.
  private func body() throws(FormatError) -> String {
    let (text, list) = (try text(), list)
    // The text of a list is its items again in some exports.
    let isListAgain = !list.isEmpty && isRepeated(text)
    return [isListAgain ? "" : text, list, links].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
  }

  /// The text, from HTML only if that says more.
  private func text() throws(FormatError) -> String {
    let html = value["textContentHtml"]?.string ?? ""
    if let text = value["textContent"]?.string, !hasFormatting(html) {
      return LineEnds.unified(text).trimmingBlankLines
    }
    return try HTMLText.markdown(html)
  }

  private func isRepeated(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline).map { OneLine.text(String($0)) }
    let items = (value["listContent"]?.array ?? []).map { OneLine.text($0["text"]?.string ?? "") }
    return lines == items.filter { !$0.isEmpty }
  }

  private var list: String {
    (value["listContent"]?.array ?? []).compactMap { item -> String? in
      let lines = LineEnds.unified(item["text"]?.string ?? "").split(separator: "\n")
      guard let first = lines.first else { return nil }
      let box = item["isChecked"]?.bool == true ? "- [x] " : "- [ ] "
      return ([box + first] + lines.dropFirst().map { "  \($0)" }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The pages that Keep shows below a note, if its text does not mention them.
  private var links: String {
    let text = value["textContent"]?.string ?? ""
    return (value["annotations"]?.array ?? []).compactMap { page -> String? in
      guard let address = page["url"]?.string, !address.isEmpty, !text.contains(address) else {
        return nil
      }
      let title = OneLine.text(page["title"]?.string ?? "").filter { $0 != "[" && $0 != "]" }
      return title.isEmpty ? "<\(address)>" : "[\(title)](\(address))"
    }.joined(separator: "\n")
  }

  /// Whether HTML has bold or italic text or headings, which the plain text lacks.
  private func hasFormatting(_ html: String) -> Bool {
    ["font-weight:700", "font-style:italic", "<h1", "<h2", "<b>", "<i>"].contains {
      html.contains($0)
    }
  }
}
