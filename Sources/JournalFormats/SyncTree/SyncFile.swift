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
  /// Whether the file has no readable date, so that the entry has the one that was known.
  package private(set) var keptDate = false

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
  ///   - known: the entry as it was, whose date stays if the file has none that can be read.
  /// - Throws: ``SyncTreeError`` with the reason: the file is left alone.
  package init(
    _ bytes: [UInt8], uuid: String, day: Day?, clock: WallClock = .system, known: Entry? = nil
  ) throws(SyncTreeError) {
    try SyncFile.checkSize(bytes)
    guard let own = SyncHeader.decode(bytes) else {
      self = try SyncFile.edited(bytes, uuid, day, clock, known)
      return
    }
    guard own.entry.uuid == uuid else { throw .otherUUID(own.entry.uuid) }
    var entry = own.entry
    do throws(FormatError) {
      entry.text = try SyncFile.text(bytes[own.textStart...])
      self.entry = try ImportedEntry(entry).entry()
    } catch {
      throw SyncFile.reason(error, of: entry.text)
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
    case .problem(let error)?: throw .unreadable(error.reason)
    case .passedBy(let reason, _)?: throw .unreadable(reason)
    case .doubt?, .leftOut?, nil: throw .unreadable("has no text")
    }
  }

  init(_ entry: Entry, _ unknown: UnknownFields = UnknownFields(), keptDate: Bool = false) {
    (self.entry, self.unknown, self.keptDate) = (entry, unknown, keptDate)
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

  /// The reason why an entry with this text cannot be made.
  static func reason(_ error: FormatError, of text: String?) -> SyncTreeError {
    text?.allSatisfy(\.isWhitespace) == true ? .blank : .unreadable(error.reason)
  }

  static func text(_ bytes: ArraySlice<UInt8>) throws(FormatError) -> String {
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
