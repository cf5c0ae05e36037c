import Journal
import TOMLKit

/// The fields of a piece of TOML, read by TOMLKit.
enum TOMLFields {
  /// The largest piece that is read, in bytes.
  static let sizeLimit = 1 << 20

  /// Reads the fields of a text.
  ///
  /// - Throws: ``FormatError`` for what is no TOML, or is refused: the library ends the process for many
  ///   texts that are none, so that each is checked first.
  static func read(_ text: String) throws(FormatError) -> [Field] {
    guard text.utf8.count <= sizeLimit else { throw FormatError("is too large") }
    let table: TOMLTable
    do {
      try TOMLSyntax.check(text)
      table = try TOMLTable(string: text)
    } catch {
      throw FormatError("is not TOML")
    }
    return fields(table)
  }

  private static func fields(_ table: TOMLTable) -> [Field] {
    table.keys.compactMap { key in table[key].map { Field(name: key, value: value($0)) } }
  }

  private static func value(_ value: any TOMLValueConvertible) -> FieldValue {
    switch value.type {
    case .table:
      let fields = value.table.map(fields) ?? []
      return .table(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
    case .array: return .list(value.array.map { $0.map { Self.value($0) } } ?? [])
    case .string: return .text(value.string ?? "")
    case .int: return .text(value.int.map { "\($0)" } ?? "")
    case .double: return .text(value.double.map { "\($0)" } ?? "")
    case .bool: return .text(value.bool.map { "\($0)" } ?? "")
    case .date: return .text(value.date.map(text) ?? "")
    case .time: return .text(value.time.map(text) ?? "")
    case .dateTime:
      guard let date = value.dateTime else { return .text("") }
      let offset = date.offset.map { text(offset: $0.offset) } ?? ""
      return .text("\(text(date.date)) \(text(date.time))\(offset)")
    }
  }

  private static func text(_ date: TOMLDate) -> String {
    "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }

  private static func text(_ time: TOMLTime) -> String {
    "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
  }

  private static func text(offset: Int) -> String {
    "\(offset < 0 ? "-" : "+")\(padded(abs(offset) / 60, 2)):\(padded(abs(offset) % 60, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }
}
