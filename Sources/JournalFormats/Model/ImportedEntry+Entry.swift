import Journal

extension ImportedEntry {
  /// The entry as a journal keeps it, without a number.
  ///
  /// The uuid gets its one form, or is derived from text and instant. Without a day it is the one that
  /// the clock showed. Tags beside the text that the text lacks are appended to it, spaces and what no
  /// tag may have as `-`.
  ///
  /// - Throws: ``FormatError`` saying what is wrong: `has no text`.
  /// - Complexity: linear in the bytes of the text.
  public func entry() throws(FormatError) -> Entry {
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
    return Entry(
      uuid: try identity(text), created: created, modified: modified ?? created,
      day: day ?? created.localDay, text: text, starred: starred, deleted: deleted)
  }

  private func identity(_ text: String) throws(FormatError) -> String {
    guard let uuid else { return EntryUUID.derived(text: text, created: created) }
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
    for tag in tags.compactMap(ImportedTag.name) where keys.insert(Tag.key(of: tag)).inserted {
      result = Tag.text(adding: tag, to: result)
    }
    return result
  }
}

/// Tags of programs that allow more in them than a word.
enum ImportedTag {
  /// The tag's name, what cannot stand in one as `-`; `nil` when nothing is left.
  static func name(_ tag: String) -> String? {
    if let name = try? Tag.parse(tag) { return name }
    var name = ""
    for character in tag.drop(while: { $0 == "#" }) {
      let isAllowed = character == "/" || (try? Tag.parse("a\(character)a")) != nil
      if isAllowed && !character.isWhitespace {
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
}
