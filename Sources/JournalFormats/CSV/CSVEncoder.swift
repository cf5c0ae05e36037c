import Journal

/// Writes entries as CSV by RFC 4180: a header, then one record per entry, without losses.
///
/// The columns have the names and the order of the JSON fields; tags are separated by spaces.
package struct CSVEncoder: EntryEncoder {
  private let transform: (String) -> String

  /// Makes an encoder.
  ///
  /// - Parameter transform: converts each field, to protect a terminal.
  package init(transform: @escaping (String) -> String = { $0 }) {
    self.transform = transform
  }

  /// The names of the columns.
  package static let names = [
    "uuid", "number", "created", "modified", "day", "title", "text", "tags", "starred", "deleted",
  ]

  /// Always empty.
  package var losses: [String] { [] }

  /// Appends the header.
  package func begin(_ buffer: inout [UInt8]) { record(Self.names, to: &buffer) }

  /// Appends an entry's record.
  package func append(_ entry: Entry, to buffer: inout [UInt8]) {
    record(
      [
        entry.uuid, "\(entry.number)", "\(entry.created)", "\(entry.modified)", "\(entry.day)",
        entry.title, entry.text, entry.tags.joined(separator: " "), "\(entry.starred)",
        entry.deleted.map { "\($0)" } ?? "",
      ].map(transform), to: &buffer)
  }

  /// Appends nothing: CSV has no footer.
  package func end(_ buffer: inout [UInt8]) {}

  private func record(_ fields: [String], to buffer: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(field, to: &buffer)
    }
    buffer.append(contentsOf: "\r\n".utf8)
  }

  /// Appends a field, in quotation marks if needed.
  private func append(_ field: String, to buffer: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let needsQuotes = field.utf8.contains { byte in ",\"\r\n".utf8.contains(byte) }
    guard needsQuotes else { return buffer.append(contentsOf: field.utf8) }
    buffer.append(quote)
    for byte in field.utf8 {
      if byte == quote { buffer.append(quote) }
      buffer.append(byte)
    }
    buffer.append(quote)
  }
}
