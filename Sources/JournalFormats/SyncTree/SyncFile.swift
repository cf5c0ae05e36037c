import Journal

/// An entry's file in a sync repository: front matter, a blank line, and the text as it is.
///
/// Equal entries have equal files on every device, and a file that Daybook wrote is read back byte
/// for byte. A file that a person or another program edited is read by the rules of the Markdown
/// import: fields in any order and spelling, `tags` and a `title` that the text lacks become part of
/// the text, dates without an offset are those of the reader's clock. The text stays byte for byte,
/// unless the whole file was converted to CRLF: then its line ends are line feeds again.
package struct SyncFile: Sendable {
  /// The entry, without a number.
  package var entry: Entry
  /// The fields that an entry has no place for, such as Obsidian's `aliases`, which stay in the file.
  package var unknown = UnknownFields()

  /// The maximum size of a file, in bytes: that of a text, and front matter.
  package static let sizeLimit = Entry.textByteLimit + YAMLFields.sizeLimit

  /// The bytes of an entry's file.
  ///
  /// Fields with which the file would mean another entry, or would be another file when it is written
  /// again, are left out, so that equal devices come to rest on any of them.
  ///
  /// - Parameter unknown: the fields of the former file that an entry has no place for.
  /// - Complexity: linear in the bytes of the text.
  package static func encode(_ entry: Entry, _ unknown: UnknownFields = UnknownFields()) -> [UInt8]
  {
    let plain = SyncHeader.encode(entry) + entry.text.utf8
    guard !unknown.isEmpty else { return plain }
    let bytes = SyncHeader.encode(entry, unknown.bytes) + entry.text.utf8
    guard
      let again = try? SyncFile(bytes, uuid: entry.uuid, day: entry.day),
      again.entry.isSameState(as: entry), again.unknown == unknown
    else { return plain }
    return bytes
  }

  /// The fields of a file that an entry has no place for; none if it cannot be read.
  ///
  /// It costs little for a file without such fields.
  package static func unknownFields(
    _ bytes: [UInt8], uuid: String, day: Day?, clock: WallClock
  ) -> UnknownFields {
    guard SyncHeader.decode(bytes) == nil else { return UnknownFields() }
    return (try? SyncFile(bytes, uuid: uuid, day: day, clock: clock))?.unknown ?? UnknownFields()
  }

  /// The bytes of this file as Daybook writes it.
  package func encode() -> [UInt8] { SyncFile.encode(entry, unknown) }

  /// Reads an entry's file.
  ///
  /// - Parameters:
  ///   - uuid: the uuid in the name of the file.
  ///   - day: the day in the path, for a file without a date; `nil` in another directory.
  ///   - clock: the clock with the zone of times without an offset.
  /// - Throws: ``SyncTreeError`` with the reason: the file is left alone.
  package init(
    _ bytes: [UInt8], uuid: String, day: Day?, clock: WallClock = .system
  ) throws(SyncTreeError) {
    try SyncFile.checkSize(bytes)
    guard let own = SyncHeader.decode(bytes) else {
      self = try SyncFile.edited(bytes, uuid, day, clock)
      return
    }
    guard own.entry.uuid == uuid else { throw .otherUUID(own.entry.uuid) }
    var entry = own.entry
    do throws(FormatError) {
      entry.text = try SyncFile.text(bytes[own.textStart...])
      self.entry = try ImportedEntry(entry).entry()
    } catch {
      throw .unreadable(error.reason)
    }
  }

  /// Reads a Markdown file that somebody else put into the repository, as one entry.
  ///
  /// Its identity is that of its front matter or of its name, `<uuid>.md`, else derived from its
  /// path: the same on each device. A daily note is not split at its times.
  ///
  /// - Parameters:
  ///   - path: its path in the repository, which may have its date.
  ///   - clock: the clock with the zone of times without an offset.
  /// - Throws: ``SyncTreeError`` with the reason, such as a file without a date.
  package init(
    foreign bytes: [UInt8], path: String, clock: WallClock = .system
  ) throws(SyncTreeError) {
    try SyncFile.checkSize(bytes)
    if let name = path.split(separator: "/").last, let uuid = SyncPath.uuid(inName: name) {
      self = try SyncFile(bytes, uuid: uuid, day: nil, clock: clock)
      return
    }
    let note = ForeignMarkdown(
      bytes: bytes, path: path, options: ImportOptions(clock: clock), zone: NamedZone.init,
      isWhole: true)
    switch note.items().first {
    case .entry(var imported, _)?:
      imported.uuid = imported.uuid ?? EntryUUID.derived(path: path)
      self = try SyncFile.make(imported)
      unknown = SyncFile.unknown(bytes, path, clock)
    case .problem(let reason, _)?, .passedBy(let reason, _)?: throw .unreadable(reason)
    case .leftOut?, nil: throw .unreadable("has no text")
    }
  }

  private init(_ entry: Entry, _ unknown: UnknownFields = UnknownFields()) {
    self.entry = entry
    self.unknown = unknown
  }

  /// The fields of another program's note that its entry has no place for.
  private static func unknown(
    _ bytes: [UInt8], _ path: String, _ clock: WallClock
  ) -> UnknownFields {
    var lines = TextLines(bytes)
    var matter = FrontMatter(&lines)
    let note = try? Note(&matter, DatedName(path: path), zone: NamedZone.init, clock: clock)
    return note == nil ? UnknownFields() : matter?.unknown ?? UnknownFields()
  }

  private static func checkSize(_ bytes: [UInt8]) throws(SyncTreeError) {
    guard bytes.count <= sizeLimit else { throw .tooLarge(bytes: bytes.count) }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(FormatError) -> String {
    try bytes.withUnsafeBufferPointer { buffer throws(FormatError) in
      try UTF8Text.decode(buffer, isLossy: false)
    }
  }

  private static func make(_ imported: ImportedEntry) throws(SyncTreeError) -> SyncFile {
    do throws(FormatError) {
      return SyncFile(try imported.entry())
    } catch {
      throw .unreadable(error.reason)
    }
  }
}

// MARK: - Edited files

extension SyncFile {
  /// Reads a file whose front matter is not as Daybook writes it.
  private static func edited(
    _ bytes: [UInt8], _ uuid: String, _ day: Day?, _ clock: WallClock
  ) throws(SyncTreeError) -> SyncFile {
    do throws(FormatError) {
      // The reader of front matter would replace invalid bytes.
      _ = try text(bytes[...])
    } catch {
      throw .unreadable(error.reason)
    }
    var lines = TextLines(bytes)
    var matter = FrontMatter(&lines)
    if let other = matter?.take(["uuid"]), EntryUUID.canonical(other) != uuid {
      throw .otherUUID(other)
    }
    do throws(FormatError) {
      let others = try optionalFields(&matter)
      let ownDay = try field("day", &matter, Day.init)
      let created = moment("created", &matter)
      let modified = moment("modified", &matter)
      let name = day.flatMap { DatedName(path: "\($0).md") }
      let note = try Note(&matter, name, zone: NamedZone.init, clock: clock, created: created)
      let time = note.time.moment(offset: note.offset, note.clock ?? clock)
      var imported = ImportedEntry(
        uuid: uuid, created: note.instant ?? time, modified: modified ?? note.modified, day: ownDay,
        text: try text(note, bytes, lines, hasFrontMatter: matter != nil), tags: note.tags)
      imported.others = others
      imported.starred = note.isStarred
      return SyncFile(try imported.entry(), matter?.unknown ?? UnknownFields())
    } catch {
      throw .unreadable(error.reason)
    }
  }

  /// The fields that most entries go without, but for the star, which other programs spell in other
  /// ways.
  private static func optionalFields(
    _ matter: inout FrontMatter?
  ) throws(FormatError) -> Entry {
    var entry = EntrySchema.blank
    for field in EntrySchema.optional where field.name != "starred" {
      guard let text = matter?.take([field.name]) else { continue }
      guard SyncHeader.read(field, text, &entry) else {
        throw FormatError("the \(field.noun) \(text.excerpt) is invalid")
      }
    }
    return entry
  }

  private static func field<Value>(
    _ name: String, _ matter: inout FrontMatter?, _ parse: (String) -> Value?
  ) throws(FormatError) -> Value? {
    guard let text = matter?.take([name]) else { return nil }
    guard let value = parse(text) else {
      throw FormatError("the \(name) \(text.excerpt) is invalid")
    }
    return value
  }

  /// A moment with its offset; `nil` for other spellings, which the import reads.
  private static func moment(_ name: String, _ matter: inout FrontMatter?) -> Moment? {
    matter?.take([name]) { SyncHeader.moment($0) != nil }.flatMap(SyncHeader.moment)
  }

  /// The text after front matter and one blank line, with a title that it does not begin with.
  private static func text(
    _ note: Note, _ bytes: [UInt8], _ lines: TextLines, hasFrontMatter: Bool
  ) throws(FormatError) -> String {
    var lines = lines
    if hasFrontMatter, lines.peek()?.range.isEmpty == true { _ = lines.next() }
    var content = bytes[(lines.peek()?.range.lowerBound ?? bytes.count)...]
    if lines.isPaired { content = withLineFeeds(content) }
    var parts = [try text(content)]
    let first = content.drop(while: ASCII.isSpace).prefix { $0 != 0x0A }
    let opening = ASCII.trimmed(Heading(first)?.text ?? first)
    if let title = note.title, !opening.elementsEqual(title.utf8) { parts.insert(title, at: 0) }
    if let body = note.body { parts.append(body) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// The bytes with a line feed for each CRLF.
  private static func withLineFeeds(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in zip(bytes.indices, bytes) {
      let isPair = byte == 0x0D && index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A
      if !isPair { result.append(byte) }
    }
    return result[...]
  }
}

/// A text that lost against the text of its entry, in a file of its own.
package enum SyncConflict {
  /// The text of a conflict's file, which has nothing else.
  ///
  /// The hash in its name is not compared: a text that somebody edited there is a conflict as well.
  ///
  /// - Throws: ``SyncTreeError``.
  package static func text(of bytes: [UInt8]) throws(SyncTreeError) -> String {
    guard bytes.count <= Entry.textByteLimit else { throw .tooLarge(bytes: bytes.count) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .unreadable("is not UTF-8")
    }
    do throws(EntryTextError) {
      try Entry.validate(text: text)
    } catch {
      throw .unreadable(error.description)
    }
    return text
  }
}
