import TOMLKit

/// The fields of a piece of TOML, read by TOMLKit.
enum TOMLFields {
  /// Reads the fields of a text.
  ///
  /// - Throws: ``FormatError`` for what is no TOML, or is refused (``TOMLShape``).
  static func read(_ text: String) throws(FormatError) -> [Field] {
    guard TOMLShape.isSafe(text) else { throw FormatError("is nested too deeply, or is too large") }
    let table: TOMLTable
    do {
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

/// What TOMLKit may be given: some texts end the process inside the C++ library below it.
public enum TOMLShape {
  /// The largest text, in bytes.
  public static let sizeLimit = 1 << 20
  /// The deepest nesting of brackets, and the most dots of a key.
  public static let depthLimit = 32

  /// Whether a text is small enough, and its brackets and keys nest no deeper than people's do.
  ///
  /// NUL ends a text for the library, and is refused. What follows the first mistake of a text does not
  /// matter, since the library stops there.
  ///
  /// - Complexity: linear in the bytes.
  public static func isSafe(_ text: String) -> Bool {
    guard text.utf8.count <= sizeLimit else { return false }
    let bytes = Array(text.utf8)
    var (depth, dots, index) = (0, 0, 0)
    while index < bytes.count {
      switch bytes[index] {
      case 0: return false
      case UInt8(ascii: "#"):
        index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        index = end(ofStringAt: index, in: bytes)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, dots) = (depth + 1, 0)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): (depth, dots) = (max(depth - 1, 0), 0)
      case UInt8(ascii: "."): dots += 1
      case UInt8(ascii: "="), UInt8(ascii: ","), 0x0A: dots = 0
      default: break
      }
      guard depth <= depthLimit, dots <= depthLimit else { return false }
      index += 1
    }
    return true
  }

  /// The index after a string; a string of one line ends with its line at the latest.
  private static func end(ofStringAt start: Int, in bytes: [UInt8]) -> Int {
    let quote = bytes[start]
    let isLong = bytes[start...].starts(with: [quote, quote, quote])
    var index = start + (isLong ? 3 : 1)
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 2
      } else if isLong {
        if bytes[index...].starts(with: [quote, quote, quote]) {
          // Up to two quotes may belong to the string.
          return bytes[index...].firstIndex { $0 != quote } ?? bytes.count
        }
        index += 1
      } else if byte == quote || byte == 0x0A {
        return index + (byte == quote ? 1 : 0)
      } else {
        index += 1
      }
    }
    return bytes.count
  }
}
