import Journal

/// Writes entries as CSV after RFC 4180: a line of names, then a record an entry; nothing is lost.
///
/// The columns are named and ordered as the fields of the JSON, and tags are separated by spaces.
package struct CSVEncoder: EntryEncoder {
  private let transform: (String) -> String

  /// Makes an encoder.
  ///
  /// - Parameter transform: what is done to each field, for a terminal that must be protected.
  package init(transform: @escaping (String) -> String = { $0 }) {
    self.transform = transform
  }

  /// The columns.
  package static let names = EntrySchema.members.map(\.name)

  /// Nothing.
  package var losses: [String] { [] }

  /// Appends the names of the columns.
  package func begin(_ buffer: inout [UInt8]) { record(Self.names, to: &buffer) }

  /// Appends an entry's record.
  package func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let values = EntrySchema.members.map { _, member in
      switch member {
      case .field(let field): transform(field.text(of: entry))
      case .title: transform(entry.title)
      case .tags: transform(entry.tags.joined(separator: " "))
      }
    }
    record(values, to: &buffer)
  }

  /// Appends nothing: there is no foot.
  package func end(_ buffer: inout [UInt8]) {}

  private func record(_ fields: [String], to buffer: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(field, to: &buffer)
    }
    buffer.append(contentsOf: "\r\n".utf8)
  }

  /// Appends a field, in quotation marks where it needs them.
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
