import Journal

/// A note of Joplin.
///
/// Its title is the first line, that of a to-do a task. Links to other notes become links by title,
/// those to files the paths in the export. Notebook, place, author and address become fields.
struct JoplinNote {
  let item: JoplinItem
  let index: JoplinIndex
  let file: String
  let clock: WallClock

  /// The properties that are used, repeat others, or are Joplin's own.
  private static let known: Set = [
    "id", "parent_id", "created_time", "updated_time", "user_created_time", "user_updated_time",
    "is_conflict", "latitude", "longitude", "author", "source_url", "is_todo", "todo_due",
    "todo_completed", "source", "source_application", "order", "encryption_cipher_text",
    "encryption_applied", "markup_language", "is_shared", "share_id", "conflict_original_id",
    "master_key_id", "type_", "deleted_time",
  ]

  /// The entry, or the reason why the note is none.
  func importItem(_ attached: AttachedFiles) throws(FormatError) -> ImportItem {
    let place = ImportPlace()
    if item.flag("encryption_applied") {
      throw FormatError(entry: "is encrypted; switch off the encryption in Joplin and export again")
    }
    if item.number("deleted_time") != nil { return .passedBy("in the trash of Joplin", place) }
    if item.flag("is_conflict") { return .passedBy("with a conflict of Joplin", place) }
    let changed = moment("user_updated_time") ?? moment("updated_time")
    guard let created = moment("user_created_time") ?? moment("created_time") ?? changed else {
      throw FormatError(entry: "has no date")
    }
    let isHTML = item["markup_language"] == "2"
    var links = JoplinLinks(index: index, file: file, attached: attached)
    let content = isHTML ? try HTMLText.convert(item.body) : .plain(item.body)
    let note = NoteText(title: item.title, body: links.resolve(content.text))
    var entry = note.entry(created: created, clock: clock)
    entry.remarks += content.remarks
    if item.flag("is_todo") {
      let isDone = item.number("todo_completed") != nil
      entry.text = "- [\(isDone ? "x" : " ")] \(entry.text.isEmpty ? note.title : entry.text)"
    }
    entry.uuid = item["id"].flatMap(EntryUUID.canonical)
    entry.modified = changed
    entry.tags = item["id"].map(index.tags) ?? []
    keepFields(of: &entry)
    if links.hasFound { entry.remarkFileLinks() }
    for name in links.missing { entry.miss(name, DirectoryFiles.missing) }
    guard !entry.text.isEmpty || !entry.tags.isEmpty else {
      throw FormatError(entry: "has no text")
    }
    return .entry(entry, place)
  }

  private func keepFields(of entry: inout ImportedEntry) {
    entry.keep(item["parent_id"].map(index.path), as: "notebook")
    // A zero is no number there, and may be a meridian.
    if item["latitude"] != nil, item["longitude"] != nil {
      entry.keepCoordinates(item.number("latitude") ?? 0, item.number("longitude") ?? 0)
    } else {
      entry.unkept += ["latitude", "longitude"].filter { item.number($0) != nil }
    }
    entry.keep(item["author"], as: "author")
    entry.keep(item["source_url"], as: "source")
    for (property, field) in [("todo_due", "due"), ("todo_completed", "completed")] {
      guard let count = item.number(property).flatMap({ Int64(exactly: $0) }),
        let moment = UnixTime.milliseconds.moment(count, clock)
      else { continue }
      entry.keep("\(moment.localDay) \(moment.clockText)", as: field)
    }
    entry.unkept += item.names.filter { name in
      let isDefault = item.number(name) == nil && Double(item[name] ?? "") != nil
      return !Self.known.contains(name) && !isDefault && item[name] != "{}"
    }
  }

  private func moment(_ name: String) -> Moment? {
    item[name].flatMap { InstantText.moment($0, clock) }
  }
}

/// The links `:/IDENTIFIER` in the text of a note of Joplin.
struct JoplinLinks {
  let index: JoplinIndex
  let file: String
  let attached: AttachedFiles
  /// Whether a link to a file was found.
  private(set) var hasFound = false
  /// The names of files that are not in the export, or what the text has for them.
  private(set) var missing: [String] = []

  init(index: JoplinIndex, file: String, attached: AttachedFiles) {
    self.index = index
    self.file = file
    self.attached = attached
  }

  /// A text whose links have the paths of files and the titles of notes.
  ///
  /// - Complexity: linear in the bytes.
  mutating func resolve(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "(")) {
      position = start + 1
      guard bytes[position...].starts(with: ":/".utf8) else { continue }
      let id = String(decoding: bytes[(start + 3)...].prefix(32), as: UTF8.self)
      let end = start + 3 + 32
      guard JoplinItem.isIdentifier(id), end < bytes.count else { continue }
      position = end
      if let name = index.file(id) {
        guard let path = attached.path(of: name, beside: file) else {
          missing.append(name)
          continue
        }
        hasFound = true
        result.append(contentsOf: bytes[copied...start])
        result.append(contentsOf: path.utf8)
        copied = end
      } else if bytes[end] == UInt8(ascii: ")"), let title = index.title(of: id),
        let label = label(in: bytes[copied..<start]), isPlain(title)
      {
        let words = String(decoding: bytes[(label + 1)..<(start - 1)], as: UTF8.self)
        result.append(contentsOf: bytes[copied..<label])
        let link = words == title ? "[[\(title)]]" : "[[\(title)|\(words)]]"
        result.append(contentsOf: link.utf8)
        copied = end + 1
        position = copied
      } else if index.title(of: id) == nil {
        missing.append(":/\(id)")
      }
    }
    result.append(contentsOf: bytes[copied...])
    return String(decoding: result, as: UTF8.self)
  }

  /// The position of the bracket that begins the label before a link.
  private func label(in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.last == UInt8(ascii: "]") else { return nil }
    let label = bytes.dropLast().suffix(400)
    guard let open = label.lastIndex(of: UInt8(ascii: "[")),
      !label[open...].contains(UInt8(ascii: "|")), !label[open...].contains(0x0A)
    else { return nil }
    let isPicture = open > bytes.startIndex && bytes[open - 1] == UInt8(ascii: "!")
    return isPicture ? nil : open
  }

  /// Whether a title can be in a link.
  private func isPlain(_ title: String) -> Bool {
    !title.isEmpty && !title.contains { "[]|".contains($0) || $0.isNewline }
  }
}
