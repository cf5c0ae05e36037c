/// The JSON of entries: fields in a fixed order and one way to write each value, so that two exports
/// of the same journal are the same bytes.
///
/// Text stands as UTF-8. Escaped are only `"`, `\`, control characters (those above U+007F too, as a
/// terminal may obey them), U+2028 and U+2029.
public enum EntryJSON {
  /// What a document of entries starts with; each entry follows on a line of its own.
  public static let header = "{\"format\":\"daybook\",\"version\":1,\"entries\":["
  /// What stands between two entries of a document.
  public static let separator = ","
  /// What a document of entries ends with.
  public static let footer = "]}\n"

  /// The JSON of an entry, text included, without a line feed.
  public static func text(of entry: Entry) -> String {
    var buffer: [UInt8] = []
    append(entry, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// The JSON of a row: the entry's without its text.
  public static func text(of row: EntryRow) -> String {
    var buffer: [UInt8] = []
    append(row, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// A whole document: header, entries a line each, footer.
  public static func document(_ entries: some Sequence<Entry>) -> [UInt8] {
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
  public static func append(_ entry: Entry, to buffer: inout [UInt8]) {
    appendFields(of: entry.row(), text: entry.text, to: &buffer)
  }

  /// Appends the JSON of a row: the entry's without its text.
  public static func append(_ row: EntryRow, to buffer: inout [UInt8]) {
    appendFields(of: row, text: nil, to: &buffer)
  }

  private static func appendFields(
    of row: EntryRow, text: String?, to buffer: inout [UInt8]
  ) {
    buffer.append(contentsOf: "{\"uuid\":".utf8)
    JSONText.append(row.uuid, to: &buffer)
    buffer.append(contentsOf: ",\"number\":\(row.id.number),\"created\":\"\(row.created)".utf8)
    buffer.append(contentsOf: "\",\"modified\":\"\(row.modified)\",\"day\":\"\(row.day)".utf8)
    buffer.append(contentsOf: "\",\"title\":".utf8)
    JSONText.append(row.title, to: &buffer)
    if let text {
      buffer.append(contentsOf: ",\"text\":".utf8)
      JSONText.append(text, to: &buffer)
    }
    buffer.append(contentsOf: ",\"tags\":[".utf8)
    for (index, tag) in row.tags.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      JSONText.append(tag, to: &buffer)
    }
    buffer.append(contentsOf: "],\"starred\":\(row.starred),\"deleted\":".utf8)
    buffer.append(contentsOf: (row.deleted.map { "\"\($0)\"" } ?? "null").utf8)
    buffer.append(UInt8(ascii: "}"))
  }
}
