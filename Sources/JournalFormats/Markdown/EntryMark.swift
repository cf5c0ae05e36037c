import Journal

/// The comment at the start of an entry in Daybook's own Markdown, with the data that the text
/// cannot express.
///
/// ```
/// <!-- daybook created=2026-11-21T09:15:00+01:00 uuid=01890a5d-... starred -->
/// ```
///
/// A line of a text that begins like it, after any number of backslashes, gets one more when it is
/// written and loses one when it is read: so any text survives.
///
/// It has the fields of ``EntrySchema`` except the text and those that follow from others. White space
/// and signs in a value are percent-encoded.
struct EntryMark {
  /// The entry of the comment, its text still empty.
  let entry: ImportedEntry

  static let opening: StaticString = "<!-- daybook "

  /// The order of fields since the first version, where later fields follow.
  private static let firstFields = ["created", "modified", "day", "uuid", "starred", "deleted"]

  /// The fields with the bytes before their values; a flag has no value.
  private static let fields: [(field: EntrySchema.Field, name: [UInt8])] = {
    let later = EntrySchema.fields.filter(\.isExported).map(\.name).filter {
      !firstFields.contains($0) && $0 != "number" && $0 != "text"
    }
    return (firstFields + later).compactMap { name in
      guard let field = EntrySchema.fields.first(where: { $0.name == name }) else { return nil }
      if case .flag = field.kind { return (field, Array("\(name) ".utf8)) }
      return (field, Array("\(name)=".utf8))
    }
  }()

  /// Appends the comment of an entry and a line feed.
  static func append(_ entry: Entry, to buffer: inout [UInt8]) {
    opening.withUTF8Buffer { buffer.append(contentsOf: $0) }
    appendFields(entry, to: &buffer)
    buffer.append(contentsOf: "-->\n".utf8)
  }

  /// Appends the fields of an entry, each with a space after it.
  static func appendFields(_ entry: Entry, to buffer: inout [UInt8]) {
    for (field, name) in fields where field.hasOwnValue(in: entry) {
      buffer.append(contentsOf: name)
      if case .flag = field.kind { continue }
      let value = field.text(of: entry)
      // Only a text may need encoding; dates and numbers do not.
      if case .text = field.kind {
        PercentEncoding.append(value, to: &buffer)
      } else {
        buffer.append(contentsOf: value.utf8)
      }
      buffer.append(UInt8(ascii: " "))
    }
  }

  /// Whether a line is a comment of Daybook, valid or not.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    opening.withUTF8Buffer { line.starts(with: $0) }
  }

  /// Whether a line is text that would be a comment with one backslash less.
  static func isEscaped(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == UInt8(ascii: "\\") && begins(line.drop { $0 == UInt8(ascii: "\\") })
  }

  /// Parses a comment.
  ///
  /// - Throws: ``FormatError`` with the missing or invalid field; unknown ones are ignored, since
  ///   later versions may write more.
  init(_ line: ArraySlice<UInt8>) throws(FormatError) {
    // By bytes, since a combining mark in front of a value would be one character with the sign.
    try self.init(fields: line.split(separator: UInt8(ascii: " ")).dropFirst(2))
  }

  /// Parses the words with the fields.
  init(fields words: some Sequence<ArraySlice<UInt8>>) throws(FormatError) {
    var fields: [String: String] = [:]
    for word in words {
      let name = word.prefix { $0 != UInt8(ascii: "=") }
      let value = String(decoding: word.dropFirst(name.count + 1), as: UTF8.self)
      fields[String(decoding: name, as: UTF8.self)] = value
    }
    var entry = EntrySchema.blank
    for (field, _) in EntryMark.fields {
      guard let value = fields[field.name] else {
        if field.name == "created" { throw FormatError(entry: "has no created=... in its comment") }
        continue
      }
      try EntryMark.set(field, value, &entry)
    }
    var imported = ImportedEntry(
      uuid: fields["uuid"], created: entry.created,
      modified: fields["modified"] == nil ? nil : entry.modified,
      day: fields["day"].flatMap(Day.init), text: "")
    imported.others = entry
    imported.isExact = true
    self.entry = imported
  }

  private static func set(
    _ field: EntrySchema.Field, _ value: String, _ entry: inout Entry
  ) throws(FormatError) {
    switch field.kind {
    case .integer(let access):
      guard let number = Int64(value) else {
        throw FormatError("\(field.name)=\(value) is not a whole number")
      }
      access.set(&entry, number)
    case .text(let access):
      let text = PercentEncoding.decode(value)
      guard !text.utf8.contains(0) else {
        throw FormatError(entry: "has a NUL in its \(field.name)")
      }
      access.set(&entry, text)
    case .flag(let access): access.set(&entry, true)
    // A day that is none is that of the clock.
    case .day(let access): if let day = Day(value) { access.set(&entry, day) }
    case .moment(let access): access.set(&entry, try moment(field.name, value))
    case .optionalMoment(let access): access.set(&entry, try moment(field.name, value))
    }
  }

  private static func moment(_ name: String, _ text: String) throws(FormatError) -> Moment {
    guard let moment = Moment(text) else {
      throw FormatError("\(name)=\(text) is not a time such as 2026-11-21T09:15:00+01:00")
    }
    return moment
  }
}

/// Writes any text as one word of a comment: what would end the word, the comment or the line is `%20`
/// and the like.
enum PercentEncoding {
  /// Appends a text; most of it stays readable.
  static func append(_ text: String, to buffer: inout [UInt8]) {
    PercentEscapes.append(text.utf8, to: &buffer) {
      $0 <= 0x20 || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ">") || $0 == 0x7F
    }
  }

  /// The text of a word; a sign that begins no encoded byte stays.
  static func decode(_ word: String) -> String { PercentEscapes.text(of: word) }
}
