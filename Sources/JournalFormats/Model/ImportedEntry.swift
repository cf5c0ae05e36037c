import Journal

/// An entry as read from a file, with only the data in the file.
package struct ImportedEntry: Hashable, Sendable {
  /// Its permanent identity, in any spelling; `nil` if the file has none: then it is derived from
  /// the content (``EntryUUID/derived(text:created:)``), so that the same file twice adds nothing.
  package var uuid: String?
  /// When it was written, with the local offset if the file has it.
  package var created: Moment
  /// The local time in the file without a zone, as if it were UTC; a derived identity uses it, so
  /// that the same file imported in another zone adds nothing.
  package var wallTime: Moment?
  /// When it was last changed, if the file has it.
  package var modified: Moment?
  /// When the state was changed that Daybook wrote to the file, if somebody changed the file since.
  package var written: Moment?
  /// The calendar day in the file; `nil` for the local day at ``created``.
  package var day: Day?
  /// The whole text, title and body.
  package var text: String
  /// Tags that the file stores beside the text, without `#`, `@name` with its `@`; those missing in
  /// the text are appended to it.
  package var tags: [String]
  /// The fields that most entries go without, such as the star.
  ///
  /// They are those of ``EntrySchema/optional``; the other fields here do not count.
  package var others: Entry
  /// The names of fields that say something and have no place in an entry.
  package var unkept: [String] = []
  /// Fields that become lines `name:: value` below the text.
  package var fields: [ImportedField] = []
  /// Further remarks for the user, counted by kind.
  package var remarks: [String] = []
  /// The other program's tag syntax, if it differs from Daybook's.
  package var tagStyle: ForeignTagStyle?
  /// Whether the text has the bytes that Daybook wrote; the line ends of other programs become LF.
  package var isExact = false
  /// Whether the text has links to files in an export, whose directories do not count for the
  /// identity.
  var hasFileLinks = false
  /// The files that the text names in vain.
  package var missing: [MissingFile] = []
  /// The files that the text names and the import has.
  package var files: [ImportedFile] = []
  /// Whether the entry is a whole note, whose name distinguishes it from an equal one.
  package var isNote = false
  /// Whether the name or a property of the note is a title, so that one with another title is another note.
  package var isTitled = false
  /// Whether the file has one record for its day or time, so that it is the same one when its text changed.
  package var isAloneAtItsTime = false
  /// Whether it is a day in a file for all days, so that one of its time with its text is the same.
  package var isOfDays = false
  /// Text and time from which earlier builds derived the identity, if they differ.
  package var former: Former?

  /// A file that is not there.
  package struct MissingFile: Hashable, Sendable {
    /// What of it, in the words of a remark: `file that the text names is not in this journal`.
    var reason: String
    /// What the text calls it.
    var name: String
  }

  /// The content of an entry as earlier builds read it.
  package struct Former: Hashable, Sendable {
    var text: String
    var time: Moment
  }

  package init(
    uuid: String? = nil, created: Moment, wallTime: Moment? = nil, modified: Moment? = nil,
    day: Day? = nil, text: String, tags: [String] = [], starred: Bool = false,
    deleted: Moment? = nil
  ) {
    self.uuid = uuid
    self.created = created
    self.wallTime = wallTime
    self.modified = modified
    self.day = day
    self.text = text
    self.tags = tags
    others = EntrySchema.blank
    others.starred = starred
    others.deleted = deleted
  }

  /// Makes an imported entry of all that a stored one has.
  package init(_ entry: Entry) {
    self.init(
      uuid: entry.uuid, created: entry.created, modified: entry.modified, day: entry.day,
      text: entry.text)
    others = entry
    isExact = true
  }

  /// Whether it is starred.
  package var starred: Bool {
    get { others.starred }
    set { others.starred = newValue }
  }
  /// When it went to the trash, where the format knows a trash.
  package var deleted: Moment? {
    get { others.deleted }
    set { others.deleted = newValue }
  }
}

extension ImportedEntry {
  /// The entry for a journal, without a number.
  ///
  /// The uuid gets its canonical form, or is derived from the text with its tags and the instant.
  /// Without a day it is the local day. Fields become lines of a paragraph below the text, and tags
  /// missing in it are appended (``ImportedTag``): an export takes them off the end again. Fields do
  /// not count for a derived identity unless there is nothing else, so that an import without them
  /// adds nothing after one with them.
  ///
  /// - Throws: ``FormatError`` with the reason: `has no text`.
  /// - Complexity: linear in the bytes of the text.
  ///
  /// - Parameter count: how many equal entries without a uuid the file has up to this one: the
  ///   second one gets an identity of its own.
  package func entry(count: Int = 1) throws(FormatError) -> Entry {
    let plain = plainText
    let text = textWithTags(plain)
    let shown = fields.isEmpty ? text : textWithTags(textWithFields(plain))
    do {
      try Entry.validate(text: shown)
    } catch {
      throw switch error {
      case .empty: FormatError(entry: "has no text")
      case .nul(let byte): FormatError(entry: "has a NUL at byte \(byte) of its text")
      case .tooLong(let bytes): FormatError.tooLong(bytes)
      }
    }
    var entry = others
    entry.uuid = try identity((try? Entry.validate(text: text)) == nil ? shown : text, count)
    entry.number = 0
    entry.created = created
    entry.modified = modified ?? created
    entry.day = day ?? created.localDay
    entry.text = shown
    return entry
  }

  /// The text with its fields in a paragraph at its end, but for lines that it has already.
  private func textWithFields(_ text: String) -> String {
    var lines = fields.compactMap(\.line)
    guard !lines.isEmpty else { return text }
    let known = Set(text.split(whereSeparator: \.isNewline))
    var seen: Set<String> = []
    lines = lines.filter { !known.contains($0[...]) && seen.insert($0).inserted }
    guard !lines.isEmpty else { return text }
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) }
    let body = end.map { text[..<$0] } ?? ""
    return (body.isEmpty ? "" : "\(body)\n\n") + lines.joined(separator: "\n")
  }

  /// The text with the line ends of Daybook.
  private var plainText: String { isExact ? text : LineEnds.unified(text) }

  private func identity(_ text: String, _ count: Int) throws(FormatError) -> String {
    guard let uuid else {
      let named = hasFileLinks ? ImportedEntry.namingFiles(text) : text
      let text = count > 1 ? "\(named)\u{0}\(count)" : named
      return EntryUUID.derived(text: text, created: wallTime ?? created)
    }
    guard let canonical = EntryUUID.canonical(uuid) else {
      throw FormatError(entry: "has an invalid uuid \"\(uuid.prefix(40))\"")
    }
    return canonical
  }

  /// The identity that earlier builds derived, if it is another one.
  ///
  /// An archive that one of them imported is not added again.
  package var formerUUID: String? {
    guard uuid == nil else { return nil }
    if hasFileLinks {
      return EntryUUID.derived(text: textWithTags(plainText), created: wallTime ?? created)
    }
    guard former != nil || !tags.isEmpty || !isExact && text.utf8.contains(0x0D) else { return nil }
    return EntryUUID.derived(
      text: textWithTags(former?.text ?? text, Tag.appendInLine),
      created: former?.time ?? wallTime ?? created)
  }

  private func textWithTags(
    _ text: String, _ append: (String, inout String) -> Void = Tag.append
  ) -> String {
    guard !tags.isEmpty else { return text }
    let names = Tag.names(in: text)
    // In Daybook's own export the field lists the tags of the text.
    guard names != tags else { return text }
    var keys = Set(names.map(Tag.key))
    var appended: [String] = []
    var words: Set<[UInt8]>?
    for tag in tags.map(ImportedTag.init) {
      switch tag.form {
      case .none: continue
      case .tag(let name):
        if keys.insert(Tag.key(of: name)).inserted { appended.append(Tag.typed(name)) }
      case .word(let word):
        let present = words ?? ImportedTag.words(of: text)
        words = present
        guard keys.insert(Tag.key(of: word)).inserted, !present.contains(Array(word.utf8)) else {
          continue
        }
        // Trailing signs do not belong to a tag: `#C++` has the tag `C`.
        keys.formUnion(Tag.names(in: word).map(Tag.key))
        appended.append(word)
      }
    }
    var result = text
    if !appended.isEmpty { append(appended.joined(separator: " "), &result) }
    return result
  }

  /// The tags that differ between the other program and Daybook.
  package var changedTags: [TagChange] {
    // Most tags are plain words and unchanged.
    var changes = tags.filter { !ImportedTag.isPlain($0) }.compactMap { ImportedTag($0).change }
    if let tagStyle { changes += tagStyle.changes(in: text) }
    guard !changes.isEmpty else { return [] }
    var seen: Set<TagChange> = []
    return changes.filter { seen.insert($0).inserted }
  }
}

/// A tag of another program, and its form here.
package struct TagChange: Hashable, Sendable {
  /// The other program's form, with its sign if the text has it: `C++`, `@C++`.
  package var from: String
  /// The name here, `C`; `nil` if it is not a valid tag and remains a plain word of the text.
  package var to: String?

  package init(from: String, to: String?) {
    self.from = from
    self.to = to
  }
}

/// A tag of a program with a less strict syntax.
///
/// White space and characters that are invalid in tags become `-`. If there are only leading or
/// trailing signs (`C++`), the tag is appended unchanged, so that the text keeps the signs, and the
/// tag consists of its letters.
struct ImportedTag {
  /// The form of a tag in a text.
  enum Form: Hashable {
    /// A tag with this name.
    case tag(String)
    /// This word, with its sign.
    case word(String)
    /// No text: the tag is empty.
    case none
  }

  /// The form of the tag in a text.
  let form: Form
  /// The difference between the two programs.
  let change: TagChange?

  init(_ tag: String) {
    let trimmed = String(tag.drop(while: \.isWhitespace))
    if let name = try? Tag.parse(tag) {
      form = .tag(name)
      let bare = trimmed.hasPrefix("#") ? String(trimmed.dropFirst()) : trimmed
      change = name == bare ? nil : TagChange(from: tag, to: name)
      return
    }
    let word = Tag.typed(tag.split(whereSeparator: \.isWhitespace).joined(separator: "-"))
    let name = ImportedTag.name(tag)
    guard word.unicodeScalars.count > 1 else {
      form = .none
      change = nil
      return
    }
    // A word in which the scanner finds the same tag keeps its signs.
    let found = Tag.names(in: word)
    if let name, found != [name] {
      form = .tag(name)
    } else {
      form = .word(word)
    }
    change = TagChange(from: tag, to: name)
  }

  /// The tag's name with `-` for invalid characters; `nil` if it would be empty.
  static func name(_ tag: String) -> String? {
    if let name = try? Tag.parse(tag) { return name }
    var name = ""
    for character in tag.drop(while: { $0 == "#" }) {
      let isAllowed = character == "/" || (try? Tag.parse("z\(character)z")) != nil
      if (isAllowed && !character.isWhitespace) || (name.isEmpty && character == "@") {
        name.append(character)
      } else if !name.isEmpty, name.last != "-", name.last != "/" {
        name.append("-")
      }
    }
    let parts = name.split(separator: "/").compactMap { part in
      let inner = part.drop { $0 == "-" }
      return inner.lastIndex { $0 != "-" }.map { String(inner[...$0]) }
    }
    return try? Tag.parse(parts.joined(separator: "/"))
  }

  /// Whether a tag consists of unaccented letters.
  static func isPlain(_ tag: String) -> Bool {
    !tag.isEmpty && tag.utf8.allSatisfy(ASCII.isLetter)
  }

  /// The words of a text that begin like tags, in bytes.
  static func words(of text: String) -> Set<[UInt8]> {
    let words = text.split(whereSeparator: \.isWhitespace)
    return Set(
      words.lazy.filter { $0.utf8.first == UInt8(ascii: "#") || $0.utf8.first == UInt8(ascii: "@") }
        .map { Array($0.utf8) })
  }
}
