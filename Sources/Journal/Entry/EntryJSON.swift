/// The JSON of entries: fields in a fixed order and one form for each value, so that two exports of
/// the same journal have the same bytes.
///
/// Text is UTF-8. Only `"`, `\`, control characters (including those above U+007F, which a terminal
/// may interpret), U+2028 and U+2029 are escaped.
package enum EntryJSON {
  /// The start of a document of entries; each entry follows on its own line.
  package static let header = "{\"format\":\"daybook\",\"version\":1,\"entries\":["
  /// The separator between two entries of a document.
  package static let separator = ","
  /// The end of a document of entries.
  package static let footer = "]}\n"

  /// The JSON of an entry, text included, without a line feed.
  ///
  /// - Parameter files: the objects of its files, which are a member if there are any.
  package static func text(of entry: Entry, files: [JSONValue] = []) -> String {
    var buffer: [UInt8] = []
    append(entry, to: &buffer)
    append(files, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends files to the JSON of an entry, before its last brace.
  private static func append(_ files: [JSONValue], to buffer: inout [UInt8]) {
    guard !files.isEmpty else { return }
    buffer.removeLast()
    buffer.append(contentsOf: ",\"files\":".utf8)
    JSONValue.array(files).append(to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }

  /// The JSON of a row: the entry's without its text.
  package static func text(of row: EntryRow) -> String {
    var buffer: [UInt8] = []
    append(row, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// A whole document: header, one entry per line, footer.
  package static func document(_ entries: some Sequence<Entry>) -> [UInt8] {
    var buffer = Array(header.utf8)
    var isFirst = true
    for entry in entries {
      buffer.append(contentsOf: isFirst ? "\n".utf8 : "\(separator)\n".utf8)
      append(entry, to: &buffer)
      isFirst = false
    }
    if !isFirst { buffer.append(UInt8(ascii: "\n")) }
    buffer.append(contentsOf: footer.utf8)
    return buffer
  }

  /// Appends the JSON of an entry, text included, without a line feed.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func append(_ entry: Entry, to buffer: inout [UInt8]) {
    append(entry, title: entry.title, tags: entry.tags, hasText: true, to: &buffer)
  }

  /// Appends the JSON of an entry with its links, fields and files, if it has any: `"links":["Potato soup"]`,
  /// `"fields":{"run":5.2}` with numbers, durations in seconds, other values as texts, and an array where
  /// there are several values, by the folded names; `"units":{"run":"km"}` has the units in the same way, `s` of
  /// durations and an empty text for none, of the fields with any.
  package static func appendWithMarks(
    _ entry: Entry, files: [JSONValue] = [], to buffer: inout [UInt8]
  ) {
    append(entry, to: &buffer)
    defer { append(files, to: &buffer) }
    let marks = Marks(entry.text)
    guard !marks.links.isEmpty || !marks.fields.isEmpty else { return }
    buffer.removeLast()
    if !marks.links.isEmpty {
      buffer.append(contentsOf: ",\"links\":".utf8)
      append(marks.links.map(\.target), to: &buffer)
    }
    if !marks.fields.isEmpty {
      buffer.append(contentsOf: ",\"fields\":".utf8)
      JSONValue.object(members(marks.fields, value)).append(to: &buffer)
      let keys = Set(marks.fields.lazy.filter { !unit(of: $0.value).isEmpty }.map(\.key))
      if !keys.isEmpty {
        buffer.append(contentsOf: ",\"units\":".utf8)
        let units = members(marks.fields.filter { keys.contains($0.key) }) { .string(unit(of: $0)) }
        JSONValue.object(units).append(to: &buffer)
      }
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private static func members(
    _ fields: [Field], _ value: (FieldValue) -> JSONValue
  ) -> [JSONMember] {
    var names: [(key: String, values: [JSONValue])] = []
    var places: [String: Int] = [:]
    for field in fields {
      if let place = places[field.key] {
        names[place].values.append(value(field.value))
      } else {
        places[field.key] = names.count
        names.append((field.key, [value(field.value)]))
      }
    }
    return names.map {
      JSONMember($0.key, $0.values.count == 1 ? $0.values[0] : .array($0.values))
    }
  }

  private static func value(_ value: FieldValue) -> JSONValue {
    switch value {
    case .number(let number, _), .duration(let number): .number("\(number)")
    case .day, .words: .string(value.description)
    }
  }

  private static func unit(of value: FieldValue) -> String {
    value.kind == .duration ? "s" : value.unit
  }

  /// Appends the JSON of a row: the entry's without its text.
  package static func append(_ row: EntryRow, to buffer: inout [UInt8]) {
    append(row.entry(text: ""), title: row.title, tags: row.tags, hasText: false, to: &buffer)
  }
}

extension EntryJSON {
  private enum Member {
    case field(EntrySchema.Kind)
    case text
    case title
    case tags
  }

  /// The members of an entry, each with the bytes before its value.
  private static let members: [(name: [UInt8], member: Member)] =
    EntrySchema.members.enumerated().map { index, member in
      let bytes = Array("\(index == 0 ? "{" : ",")\"\(member.name)\":".utf8)
      switch member.member {
      case .title: return (bytes, .title)
      case .tags: return (bytes, .tags)
      case .field(let field): return (bytes, field.name == "text" ? .text : .field(field.kind))
      }
    }

  private static func append(
    _ entry: Entry, title: String, tags: [String], hasText: Bool, to buffer: inout [UInt8]
  ) {
    for (name, member) in members {
      if case .text = member, !hasText { continue }
      buffer.append(contentsOf: name)
      switch member {
      case .field(let kind): append(kind, of: entry, to: &buffer)
      case .text: JSONText.append(entry.text, to: &buffer)
      case .title: JSONText.append(title, to: &buffer)
      case .tags: append(tags, to: &buffer)
      }
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private static func append(_ kind: EntrySchema.Kind, of entry: Entry, to buffer: inout [UInt8]) {
    switch kind {
    case .integer(let access): Digits.append(Int(access.get(entry)), to: 1, in: &buffer)
    case .text(let access): JSONText.append(access.get(entry), to: &buffer)
    case .flag(let access):
      buffer.append(contentsOf: access.get(entry) ? "true".utf8 : "false".utf8)
    case .day(let access): appendQuoted(to: &buffer, access.get(entry).append)
    case .moment(let access): appendQuoted(to: &buffer, access.get(entry).append)
    case .optionalMoment(let access):
      if let moment = access.get(entry) {
        appendQuoted(to: &buffer, moment.append)
      } else {
        buffer.append(contentsOf: "null".utf8)
      }
    }
  }

  private static func append(_ tags: [String], to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "["))
    for (index, tag) in tags.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      JSONText.append(tag, to: &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  private static func appendQuoted(to buffer: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    buffer.append(UInt8(ascii: "\""))
    body(&buffer)
    buffer.append(UInt8(ascii: "\""))
  }
}

/// Finds bytes that JSON may have to escape, eight at a time: exports scan every byte of a journal.
enum EscapeSearch {
  /// The first index from `start` on of a quotation mark, a backslash, a control character or the
  /// first byte of a character that may need an escape; the end if there is none.
  @inline(__always)
  static func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var index = start
    let end = bytes.count
    while index + 8 <= end,
      !hasStop(UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    {
      index += 8
    }
    while index < end, !isStop(base[index]) { index += 1 }
    return index
  }

  @inline(__always)
  private static func isStop(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
      || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
  }

  /// Whether one of eight bytes may be such a byte, without false negatives.
  ///
  /// Subtraction borrows from a smaller byte, which sets its high bit; bytes with that bit set
  /// before are masked.
  @inline(__always)
  private static func hasStop(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func isZeroed(_ byte: UInt64) -> UInt64 {
      let zeroed = word ^ (ones &* byte)
      return (zeroed &- ones) & ~zeroed
    }
    let stops =
      isZeroed(0x22) | isZeroed(0x5C) | isZeroed(0x7F) | isZeroed(0xC2) | isZeroed(0xD8)
      | isZeroed(0xE2) | (word &- ones &* 0x20) & ~word
    return stops & (ones &* 0x80) != 0
  }
}
