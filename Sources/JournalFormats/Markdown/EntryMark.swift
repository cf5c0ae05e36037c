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
struct EntryMark: Hashable {
  /// When the entry was written.
  var created: Moment
  /// When it was last changed, if that was later.
  var modified: Moment?
  /// Its day, if it differs from the clock's.
  var day: Day?
  /// Its identity.
  var uuid: String?
  /// Whether it is starred.
  var starred = false
  /// When it was moved to the trash.
  var deleted: Moment?

  static let opening: StaticString = "<!-- daybook "

  init(_ entry: Entry) {
    created = entry.created
    modified = entry.modified == entry.created ? nil : entry.modified
    day = entry.day == entry.created.localDay ? nil : entry.day
    uuid = entry.uuid
    starred = entry.starred
    deleted = entry.deleted
  }

  /// Appends the comment and a line feed.
  func append(to buffer: inout [UInt8]) {
    EntryMark.opening.withUTF8Buffer { buffer.append(contentsOf: $0) }
    var fields = ["created=\(created)"]
    if let modified { fields.append("modified=\(modified)") }
    if let day { fields.append("day=\(day)") }
    if let uuid { fields.append("uuid=\(uuid)") }
    if starred { fields.append("starred") }
    if let deleted { fields.append("deleted=\(deleted)") }
    buffer.append(contentsOf: "\(fields.joined(separator: " ")) -->\n".utf8)
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
    let words = String(decoding: line, as: UTF8.self).split(separator: " ").dropFirst(2)
    var fields: [String: String] = [:]
    for word in words {
      let parts = word.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init)
      fields[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    guard let created = try EntryMark.moment("created", fields) else {
      throw FormatError("has no created=... in its comment")
    }
    self.created = created
    modified = try EntryMark.moment("modified", fields)
    deleted = try EntryMark.moment("deleted", fields)
    day = fields["day"].flatMap(Day.init)
    uuid = fields["uuid"]
    starred = fields["starred"] != nil
  }

  private static func moment(
    _ name: String, _ fields: [String: String]
  ) throws(FormatError) -> Moment? {
    guard let text = fields[name] else { return nil }
    guard let moment = Moment(text) else {
      throw FormatError("\(name)=\(text) is not a time such as 2026-11-21T09:15:00+01:00")
    }
    return moment
  }
}
