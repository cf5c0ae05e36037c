import Journal

/// An entry as a file of some format tells it: only what the file says, nothing made up.
package struct ImportedEntry: Hashable, Sendable {
  /// Its permanent identity, in any spelling; `nil` where the file has none: then one is derived from
  /// the content (``EntryUUID/derived(text:created:)``), so that the same file twice adds nothing.
  package var uuid: String?
  /// When it was written, with the offset of the place where it was, as far as the file knows it.
  package var created: Moment
  /// The time the file names without a zone, as if it were UTC; a derived identity is made of it, so
  /// that the same file imported in another zone adds nothing.
  package var wallTime: Moment?
  /// When it was last changed, where the file says so.
  package var modified: Moment?
  /// The calendar day the file names; `nil` for the one that the clock showed at ``created``.
  package var day: Day?
  /// The whole text, title and body.
  package var text: String
  /// Tags that the file keeps beside the text, without `#`, `@name` with its `@`; those that the text
  /// lacks are appended to it.
  package var tags: [String]
  /// The fields that most entries go without, such as the star.
  ///
  /// They are those of ``EntrySchema/optional``; the other fields here do not count.
  package var others: Entry
  /// The names of fields that say something and have no place in an entry.
  package var unkept: [String] = []
  /// What else became of the entry that people should know, by kinds that are counted.
  package var remarks: [String] = []
  /// How the other program finds tags in a text, where that differs from here.
  package var tagStyle: ForeignTagStyle?

  /// Makes an imported entry.
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
  /// The entry as a journal keeps it, without a number.
  ///
  /// The uuid gets its one form, or is derived from the text with its tags and the instant. Without a
  /// day it is the one that the clock showed. Tags beside the text that the text lacks are appended to
  /// it (``ImportedTag``).
  ///
  /// - Throws: ``FormatError`` saying what is wrong: `has no text`.
  /// - Complexity: linear in the bytes of the text.
  package func entry() throws(FormatError) -> Entry {
    let text = textWithTags()
    do {
      try Entry.validate(text: text)
    } catch .empty {
      throw FormatError("has no text")
    } catch .nul(let byte) {
      throw FormatError("has a NUL at byte \(byte) of its text")
    } catch {
      throw FormatError("has a text of \(error)")
    }
    var entry = others
    entry.uuid = try identity(text)
    entry.number = 0
    entry.created = created
    entry.modified = modified ?? created
    entry.day = day ?? created.localDay
    entry.text = text
    return entry
  }

  private func identity(_ text: String) throws(FormatError) -> String {
    guard let uuid else { return EntryUUID.derived(text: text, created: wallTime ?? created) }
    guard let canonical = EntryUUID.canonical(uuid) else {
      throw FormatError("has \"\(uuid.prefix(40))\" as its uuid, which is none")
    }
    return canonical
  }

  private func textWithTags() -> String {
    guard !tags.isEmpty else { return text }
    let names = Tag.names(in: text)
    // An export of ours names the text's own tags.
    guard names != tags else { return text }
    var keys = Set(names.map(Tag.key))
    var result = text
    var words: Set<[UInt8]>?
    for tag in tags.map(ImportedTag.init) {
      switch tag.form {
      case .none: continue
      case .tag(let name):
        if keys.insert(Tag.key(of: name)).inserted { Tag.append(Tag.typed(name), to: &result) }
      case .word(let word):
        let present = words ?? ImportedTag.words(of: text)
        words = present
        guard keys.insert(Tag.key(of: word)).inserted, !present.contains(Array(word.utf8)) else {
          continue
        }
        // The signs of a word are none of its tag: `#C++` has the tag `C`.
        keys.formUnion(Tag.names(in: word).map(Tag.key))
        Tag.append(word, to: &result)
      }
    }
    return result
  }

  /// The tags that are read differently here than by the program the entry comes from.
  package var changedTags: [TagChange] {
    // Most tags are plain words, which need no closer look.
    var changes = tags.filter { !ImportedTag.isPlain($0) }.compactMap { ImportedTag($0).change }
    if let tagStyle { changes += tagStyle.changes(in: text) }
    guard !changes.isEmpty else { return [] }
    var seen: Set<TagChange> = []
    return changes.filter { seen.insert($0).inserted }
  }
}

/// A tag of another program, and what it is here.
package struct TagChange: Hashable, Sendable {
  /// As the other program has it, with its sign where that stands in the text: `C++`, `@C++`.
  package var from: String
  /// The name here, `C`; `nil` where no tag can have it, and it is only a word of the text.
  package var to: String?

  /// Makes a change.
  package init(from: String, to: String?) {
    self.from = from
    self.to = to
  }
}

/// A tag of a program that allows more in it than a word.
///
/// White space and what no tag may have becomes `-`. Where signs only follow or precede the letters
/// (`C++`), the tag is appended as it is written, so that the signs stay in the text, and is the tag
/// of its letters.
struct ImportedTag {
  /// How a tag stands in a text.
  enum Form: Hashable {
    /// As the tag of this name.
    case tag(String)
    /// As this word, with its sign.
    case word(String)
    /// Not at all: it is empty.
    case none
  }

  /// How the tag stands in a text.
  let form: Form
  /// What is different here.
  let change: TagChange?

  /// Reads the name of a tag.
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
    // A word that the scanner finds the same tag in keeps its signs.
    let found = Tag.names(in: word)
    if let name, found != [name] {
      form = .tag(name)
    } else {
      form = .word(word)
    }
    change = TagChange(from: tag, to: name)
  }

  /// The tag's name, what cannot stand in one as `-`; `nil` when nothing is left.
  static func name(_ tag: String) -> String? {
    if let name = try? Tag.parse(tag) { return name }
    var name = ""
    for character in tag.drop(while: { $0 == "#" }) {
      let isAllowed = character == "/" || (try? Tag.parse("a\(character)a")) != nil
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

  /// Whether a tag is nothing but letters without accents.
  static func isPlain(_ tag: String) -> Bool {
    !tag.isEmpty && tag.utf8.allSatisfy(ASCII.isLetter)
  }

  /// The words of a text that begin as tags do, in bytes.
  static func words(of text: String) -> Set<[UInt8]> {
    let words = text.split(whereSeparator: \.isWhitespace)
    return Set(
      words.lazy.filter { $0.utf8.first == UInt8(ascii: "#") || $0.utf8.first == UInt8(ascii: "@") }
        .map { Array($0.utf8) })
  }
}
