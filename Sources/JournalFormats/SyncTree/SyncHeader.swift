import Journal

/// The front matter of an entry's file in a sync repository, as Daybook writes it.
///
/// ```
/// ---
/// uuid: 01890a5d-ac96-774b-bcce-b302099a8057
/// created: 2026-11-21T09:15:00+01:00
/// modified: 2026-11-21T09:20:00+01:00
/// starred: true
/// ---
///
/// ```
///
/// It is YAML, a field of ``EntrySchema`` a line, and ends with a blank line. Numbers, which are local
/// to a journal, are left out, and so are a day that is the local one of `created` and fields that
/// most entries go without.
enum SyncHeader {
  /// The order of fields, where later fields follow.
  private static let firstFields = ["uuid", "created", "day", "modified", "starred", "deleted"]

  /// The fields in their order.
  static let fields: [EntrySchema.Field] = {
    let later = EntrySchema.shared.map(\.name).filter {
      !firstFields.contains($0) && $0 != "text"
    }
    return (firstFields + later).compactMap { name in
      EntrySchema.fields.first { $0.name == name }
    }
  }()

  /// The bytes before the text, with the lines of further fields.
  static func encode(_ entry: Entry, _ unknown: [UInt8] = []) -> [UInt8] {
    var bytes = Array("---\n".utf8)
    for field in fields where field.hasOwnValue(in: entry) || field.name == "modified" {
      bytes += "\(field.name): \(text(of: field, in: entry))\n".utf8
    }
    return bytes + unknown + "---\n\n".utf8
  }

  private static func text(of field: EntrySchema.Field, in entry: Entry) -> String {
    switch field.kind {
    case .integer, .flag, .day: field.text(of: entry)
    case .text(let access):
      field.name == "uuid" ? access.get(entry) : quoted(access.get(entry))
    case .moment(let access): text(of: access.get(entry))
    case .optionalMoment(let access): access.get(entry).map(text) ?? ""
    }
  }

  /// A moment in ISO 8601; one on a local day outside the years 1 to 9999 as a count of seconds and
  /// its offset in minutes: `@-62135596800 -60`.
  private static func text(of moment: Moment) -> String {
    let text = moment.description
    return Moment(text) == moment ? text : "\"@\(moment.seconds) \(moment.offset / 60)\""
  }

  /// The moment of a value as this type writes it, without quotes.
  static func moment(_ text: String) -> Moment? {
    guard text.utf8.first == UInt8(ascii: "@") else { return Moment(text) }
    let parts = text.dropFirst().split(separator: " ")
    guard parts.count == 2, let seconds = Int64(parts[0]), let minutes = Int(parts[1]),
      minutes.magnitude < 100_000
    else { return nil }
    return Moment(seconds: seconds, offset: minutes * 60)
  }

  /// A double-quoted scalar of YAML, which is JSON, too: on one line, of printable characters.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C:
        result += "\\"
        result.unicodeScalars.append(scalar)
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Reads front matter that is byte for byte as ``encode(_:)`` writes it; `nil` for any other, which
  /// a person may have edited.
  ///
  /// - Returns: the entry, its text still empty, and the place of the text.
  static func decode(_ bytes: [UInt8]) -> (entry: Entry, textStart: Int)? {
    var entry = EntrySchema.blank
    var hasDay = false
    var start = 4
    guard bytes.starts(with: "---\n".utf8) else { return nil }
    while true {
      guard let end = bytes[start...].prefix(sizeLimit).firstIndex(of: 0x0A) else { return nil }
      let line = bytes[start..<end]
      start = end + 1
      if line.elementsEqual("---".utf8) { break }
      guard let sign = line.firstIndex(of: UInt8(ascii: ":")), sign + 2 <= end,
        let field = fields.first(where: { $0.name.utf8.elementsEqual(line[..<sign]) }),
        let value = String(validating: line[(sign + 2)...], as: UTF8.self),
        set(field, value, &entry)
      else { return nil }
      hasDay = hasDay || field.name == "day"
    }
    if !hasDay { entry.day = entry.created.localDay }
    let header = encode(entry)
    return bytes.starts(with: header) ? (entry, header.count) : nil
  }

  /// The maximum length of a line, in bytes.
  private static let sizeLimit = 1 << 20

  /// Sets a field; `false` if the value is not as this type writes it.
  private static func set(
    _ field: EntrySchema.Field, _ value: String, _ entry: inout Entry
  ) -> Bool {
    switch field.kind {
    case .text(let access):
      let isQuoted = value.utf8.first == UInt8(ascii: "\"")
      guard let text = isQuoted ? try? JSONValue(Array(value.utf8)).string : value else {
        return false
      }
      access.set(&entry, text)
      return true
    case .moment, .optionalMoment:
      let isQuoted = value.utf8.first == UInt8(ascii: "\"")
      return read(field, isQuoted ? String(value.dropFirst().dropLast()) : value, &entry)
    case .integer, .flag, .day: return read(field, value, &entry)
    }
  }

  /// Sets a field to the value of a text; `false` if it is none.
  static func read(
    _ field: EntrySchema.Field, _ text: String, _ entry: inout Entry
  ) -> Bool {
    switch field.kind {
    case .integer(let access):
      guard let number = Int64(text) else { return false }
      access.set(&entry, number)
    case .text(let access): access.set(&entry, text)
    case .flag(let access):
      let word = text.lowercased()
      guard ["true", "yes", "on", "1", "false", "no", "off", "0"].contains(word) else {
        return false
      }
      access.set(&entry, ["true", "yes", "on", "1"].contains(word))
    case .day(let access):
      guard let day = Day(text) else { return false }
      access.set(&entry, day)
    case .moment(let access):
      guard let moment = moment(text) else { return false }
      access.set(&entry, moment)
    case .optionalMoment(let access):
      guard let moment = moment(text) else { return false }
      access.set(&entry, moment)
    }
    return true
  }
}
