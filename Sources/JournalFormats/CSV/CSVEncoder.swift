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

  /// The columns.
  package static let names = EntrySchema.members.map(\.name)

  /// Always empty.
  package var losses: [String] { [] }

  /// Appends the header.
  package func begin(_ buffer: inout [UInt8]) { record(Self.names, to: &buffer) }

  /// Appends an entry's record.
  package func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let values = EntrySchema.members.map { exported in
      switch exported.member {
      case .field(let field): transform(field.text(of: entry))
      case .title: transform(entry.title)
      case .tags: transform(entry.tags.joined(separator: " "))
      }
    }
    record(values, to: &buffer)
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
    let needsQuotes = field.utf8.contains { byte in
      byte == quote || byte == UInt8(ascii: ",") || byte == 0x0D || byte == 0x0A
    }
    guard needsQuotes else { return buffer.append(contentsOf: field.utf8) }
    buffer.append(quote)
    for byte in field.utf8 {
      if byte == quote { buffer.append(quote) }
      buffer.append(byte)
    }
    buffer.append(quote)
  }
}
