import Journal

/// Writes entries as CSV by RFC 4180: a header, then one record per entry, without losses.
///
/// The columns have the names and the order of the JSON fields; tags are separated by spaces.
package struct CSVEncoder: EntryEncoder {
  private let isForSpreadsheets: Bool
  /// A field in texts with a column of its own.
  package struct FieldColumn: Sendable {
    /// The name, as given.
    package var name: String
    /// The unit that the numbers of the column are in; `nil` if no value is a number or a duration.
    package var unit: FieldUnit?

    package init(name: String, unit: FieldUnit?) {
      self.name = name
      self.unit = unit
    }

    /// The cell of a value: one that converts as a number without its unit, a duration in seconds; any
    /// other one as it may be typed, with its unit.
    fileprivate func text(of value: Journal.FieldValue) -> String {
      unit?.amount(of: value).map { FixedDecimal(millionths: $0).description } ?? value.description
    }
  }

  private let fields: [FieldColumn]

  /// Makes an encoder.
  ///
  /// - Parameters:
  ///   - isForSpreadsheets: whether fields that a spreadsheet would take for formulas get an apostrophe
  ///     before them, which is a loss.
  ///   - fields: the fields in texts that get a column each, after the others; several values are separated
  ///     by "; ".
  package init(isForSpreadsheets: Bool = false, fields: [FieldColumn] = []) {
    self.isForSpreadsheets = isForSpreadsheets
    self.fields = fields
  }

  /// The characters with which a spreadsheet's formula may begin, also after a quotation mark: the
  /// list of OWASP's page on CSV injection.
  static let formulaStarts: Set<UInt8> = Set("=+-@\t\r\n".utf8)

  /// The columns.
  package static let names = EntrySchema.members.map(\.name)

  /// Always empty.
  package var losses: [String] { [] }

  /// Appends the header.
  package func begin(_ buffer: inout [UInt8]) {
    record(Self.names + fields.map(\.name), to: &buffer)
  }

  /// Appends an entry's record.
  package func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let values = EntrySchema.members.map { exported in
      switch exported.member {
      case .field(let field): field.text(of: entry)
      case .title: entry.title
      case .tags: entry.tags.joined(separator: " ")
      }
    }
    record(values + fieldValues(of: entry), to: &buffer)
  }

  private func fieldValues(of entry: Entry) -> [String] {
    guard !fields.isEmpty else { return [] }
    let found = Journal.Field.all(in: entry.text)
    return fields.map { column in
      let key = Folding.fold(column.name)
      return found.filter { $0.key == key }.map { column.text(of: $0.value) }
        .joined(separator: "; ")
    }
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

  /// A field with an apostrophe before what may be taken for a formula: at its start, and where a
  /// spreadsheet that separates cells by semicolons or tabs would begin another cell.
  private static func withoutFormulas(_ field: String) -> String {
    var bytes: [UInt8] = []
    var isStart = true
    for byte in field.utf8 {
      if isStart, formulaStarts.contains(byte) { bytes.append(UInt8(ascii: "'")) }
      bytes.append(byte)
      isStart = byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a field, in quotation marks if needed.
  private func append(_ field: String, to buffer: inout [UInt8]) {
    let field = isForSpreadsheets ? Self.withoutFormulas(field) : field
    let quote = UInt8(ascii: "\"")
    let needsQuotes =
      isForSpreadsheets
      || field.utf8.contains { byte in
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
