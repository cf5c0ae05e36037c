import Journal

/// An object that tells of an entry, member by member, in whatever order they stand.
struct StoredEntry {
  /// The text; a before image has none where the next state has the same.
  private(set) var text: String?
  /// The members that are not an entry's, in their order.
  private(set) var extra: [JSONMember] = []
  /// Its short number, where it has one.
  private(set) var number: Int64?
  private var uuid: String?
  private var title: String?
  private var created: Moment?
  private var modified: Moment?
  private var day: Day?
  private var isStarred = false
  private var deleted: Moment?
  private var check: String?

  /// Reads the next value, which must be an object.
  init(_ reader: inout JSONReader) throws(JSONError) {
    var entry = self
    try reader.object { name, reader throws(JSONError) in try entry.take(name, &reader) }
    self = entry
  }

  private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "uuid": uuid = try reader.stringIfAny().flatMap(EntryUUID.canonical)
    case "number": number = try reader.integerIfAny()
    case "created": created = try reader.momentIfAny()
    case "modified": modified = try reader.momentIfAny()
    case "day": day = try reader.stringIfAny().flatMap { Day($0) }
    case "title": title = try reader.stringIfAny()
    case "text": text = try reader.stringIfAny()
    // Tags follow from the text; that they are JSON is looked at all the same.
    case "tags": _ = try reader.value()
    case "starred": isStarred = try reader.boolIfAny() ?? false
    case "deleted": deleted = try reader.momentIfAny()
    case "check": check = try reader.stringIfAny()
    default: extra.append(JSONMember(name, try reader.value()))
    }
  }

  /// The entry with this text; `nil` where there is no date.
  func entry(text: String) -> Entry? {
    guard let created else { return nil }
    return Entry(
      uuid: uuid ?? "", number: max(number ?? 0, 0), created: created,
      modified: modified ?? created, day: day ?? created.localDay, text: text,
      starred: isStarred, deleted: deleted)
  }

  /// The entry as it stands in a journal; `nil` where it has no text that can be stored, or no date.
  func item() -> JSONDocument.Item? {
    guard let text, !text.utf8.contains(0), var entry = entry(text: text) else { return nil }
    if entry.uuid.isEmpty {
      entry.uuid = EntryUUID.derived(text: entry.text, created: entry.created)
    }
    var isIntact = check == JSONDocument.checksum(of: entry)
    // All else being as a store wrote it, a title of its own was written by a person, who means it.
    if isIntact, let title, isNew(title, of: entry) {
      entry.text = Entry.text(entry.text, titled: title)
      isIntact = false
    }
    return JSONDocument.Item(
      entry: entry, isChecked: check != nil, isIntact: isIntact,
      extra: extra.lastOfEachName())
  }

  private func isNew(_ title: String, of entry: Entry) -> Bool {
    !title.isSame(as: entry.title) && !title.utf8.contains(0) && !title.allSatisfy(\.isWhitespace)
  }
}
