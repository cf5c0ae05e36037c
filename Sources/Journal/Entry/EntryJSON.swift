/// The JSON of entries: fields in a fixed order and one way to write each value, so that two exports
/// of the same journal are the same bytes.
///
/// Text stands as UTF-8. Escaped are only `"`, `\`, control characters (those above U+007F too, as a
/// terminal may obey them), U+2028 and U+2029.
package enum EntryJSON {
  /// What a document of entries starts with; each entry follows on a line of its own.
  package static let header = "{\"format\":\"daybook\",\"version\":1,\"entries\":["
  /// What stands between two entries of a document.
  package static let separator = ","
  /// What a document of entries ends with.
  package static let footer = "]}\n"

  /// The JSON of an entry, text included, without a line feed.
  package static func text(of entry: Entry) -> String {
    var buffer: [UInt8] = []
    append(entry, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// The JSON of a row: the entry's without its text.
  package static func text(of row: EntryRow) -> String {
    var buffer: [UInt8] = []
    append(row, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// A whole document: header, entries a line each, footer.
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
    appendHead(
      uuid: entry.uuid, number: entry.number, created: entry.created, modified: entry.modified,
      to: &buffer)
    appendString("day", to: &buffer, entry.day.append)
    appendField("title", to: &buffer) { JSONText.append(entry.title, to: &$0) }
    appendField("text", to: &buffer) { JSONText.append(entry.text, to: &$0) }
    appendTail(tags: entry.tags, starred: entry.starred, deleted: entry.deleted, to: &buffer)
  }

  /// Appends the JSON of a row: the entry's without its text.
  package static func append(_ row: EntryRow, to buffer: inout [UInt8]) {
    appendHead(
      uuid: row.uuid, number: row.id.number, created: row.created, modified: row.modified,
      to: &buffer)
    appendString("day", to: &buffer, row.day.append)
    appendField("title", to: &buffer) { JSONText.append(row.title, to: &$0) }
    appendTail(tags: row.tags, starred: row.starred, deleted: row.deleted, to: &buffer)
  }
}

extension EntryJSON {
  private static func appendHead(
    uuid: String, number: Int64, created: Moment, modified: Moment, to buffer: inout [UInt8]
  ) {
    buffer.append(contentsOf: "{\"uuid\":".utf8)
    JSONText.append(uuid, to: &buffer)
    appendField("number", to: &buffer) { Digits.append(Int(number), to: 1, in: &$0) }
    appendString("created", to: &buffer, created.append)
    appendString("modified", to: &buffer, modified.append)
  }

  private static func appendTail(
    tags: [String], starred: Bool, deleted: Moment?, to buffer: inout [UInt8]
  ) {
    appendField("tags", to: &buffer) { buffer in
      buffer.append(UInt8(ascii: "["))
      for (index, tag) in tags.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        JSONText.append(tag, to: &buffer)
      }
      buffer.append(UInt8(ascii: "]"))
    }
    appendField("starred", to: &buffer) { $0.append(contentsOf: "\(starred)".utf8) }
    if let deleted {
      appendString("deleted", to: &buffer, deleted.append)
    } else {
      appendField("deleted", to: &buffer) { $0.append(contentsOf: "null".utf8) }
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Appends a comma, a name and what the body writes.
  private static func appendField(
    _ name: StaticString, to buffer: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    buffer.append(contentsOf: ",\"".utf8)
    name.withUTF8Buffer { buffer.append(contentsOf: $0) }
    buffer.append(contentsOf: "\":".utf8)
    body(&buffer)
  }

  /// Appends a comma, a name and what the body writes between quotation marks.
  private static func appendString(
    _ name: StaticString, to buffer: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    appendField(name, to: &buffer) { buffer in
      buffer.append(UInt8(ascii: "\""))
      body(&buffer)
      buffer.append(UInt8(ascii: "\""))
    }
  }
}

/// Finds bytes that JSON may have to escape, eight at a time: exports look at every byte of a journal.
enum EscapeSearch {
  /// The first place from `start` on with a quotation mark, a backslash, a control character or the
  /// first byte of a character of which some are escaped; the end where there is none.
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
      || byte == 0xC2 || byte == 0xE2
  }

  /// Whether one of eight bytes may be such a byte; none is overlooked.
  ///
  /// Subtracting borrows from a byte that is too small, which sets its high bit; bytes that had it set
  /// before do not count.
  @inline(__always)
  private static func hasStop(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func isZeroed(_ byte: UInt64) -> UInt64 {
      let zeroed = word ^ (ones &* byte)
      return (zeroed &- ones) & ~zeroed
    }
    let stops =
      isZeroed(0x22) | isZeroed(0x5C) | isZeroed(0x7F) | isZeroed(0xC2) | isZeroed(0xE2)
      | (word &- ones &* 0x20) & ~word
    return stops & (ones &* 0x80) != 0
  }
}
