import Journal

extension SyncFile {
  /// Reads a file whose front matter is not as Daybook writes it.
  ///
  /// - Parameter known: the entry as it was; `nil` for a new one.
  static func edited(
    _ bytes: [UInt8], _ uuid: String, _ day: Day?, _ clock: WallClock, _ known: Entry?
  ) throws(SyncTreeError) -> SyncFile {
    do throws(FormatError) {
      // The reader of front matter would replace invalid bytes.
      _ = try text(bytes[...])
    } catch {
      throw .unreadable(error.reason)
    }
    var lines = TextLines(bytes)
    var matter = FrontMatter(&lines)
    if isUnclosed(matter, bytes, uuid) {
      throw .unreadable("has front matter without an end: a line --- is missing")
    }
    if let other = matter?.take(["uuid"]), EntryUUID.canonical(other) != uuid {
      if matter?.isRepaired == true { throw .unreadable("has front matter that is not YAML") }
      throw .otherUUID(other)
    }
    var content: String?
    do throws(FormatError) {
      let others = try optionalFields(&matter)
      let ownDay = try field("day", &matter, Day.init)
      let modified = moment("modified", &matter)
      let (note, keptDate) = try note(&matter, day, clock, known)
      let time = note.time.moment(offset: note.offset, note.clock ?? clock)
      content = try text(note, bytes, lines, hasFrontMatter: matter != nil)
      var imported = ImportedEntry(
        uuid: uuid, created: note.instant ?? time, modified: modified ?? note.modified,
        day: ownDay ?? (keptDate ? known?.day : nil), text: content ?? "", tags: note.tags)
      imported.others = others
      imported.isExact = true
      imported.starred = note.isStarred
      return SyncFile(
        try imported.entry(), matter?.unknown ?? UnknownFields(), keptDate: keptDate)
    } catch {
      throw reason(error, of: content)
    }
  }

  /// Reads the metadata: with the date of the file, else the known one, else the day of the path if the
  /// file has no date at all.
  ///
  /// - Returns: also whether the date is the known one.
  /// - Throws: ``FormatError`` for a date that cannot be read, or without any.
  private static func note(
    _ matter: inout FrontMatter?, _ day: Day?, _ clock: WallClock, _ known: Entry?
  ) throws(FormatError) -> (Note, keptDate: Bool) {
    let created = moment("created", &matter)
    var fields = matter
    do throws(FormatError) {
      let note = try Note(&fields, nil, zone: NamedZone.init, clock: clock, created: created)
      matter = fields
      return (note, false)
    } catch {
      if let known {
        let note = try Note(
          &matter, nil, zone: NamedZone.init, clock: clock, created: known.created)
        return (note, true)
      }
      let hasDate = matter?.texts(["created"]).isEmpty == false
      guard let day, let name = DatedName(path: "\(day).md"), !hasDate else { throw error }
      return (try Note(&matter, name, zone: NamedZone.init, clock: clock), false)
    }
  }

  /// Whether the line after the front matter of one of our files is missing, so that the front matter
  /// would be text, or the text front matter.
  private static func isUnclosed(
    _ matter: FrontMatter?, _ bytes: [UInt8], _ uuid: String
  ) -> Bool {
    guard let matter else {
      let lines = bytes.split(separator: 0x0A, maxSplits: 2).map { ASCII.trimmed($0) }
      return lines.count > 1 && lines[0].elementsEqual("---".utf8)
        && lines[1].elementsEqual("uuid: \(uuid)".utf8)
    }
    guard matter.isRepaired, !matter.isTOML else { return false }
    // Prose after a blank line: neither a field nor the rest of one.
    let rest = matter.content.drop { !$0.allSatisfy(ASCII.isSpace) }
    return rest.contains { line in
      line.first.map { !ASCII.isSpace($0) && !"#-[]{}\"'".utf8.contains($0) } ?? false
        && RepairedFields.key(line, isTOML: false) == nil
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
