import Journal
import TOMLKit
import Yams

/// The fields of a YAML text, parsed by Yams.
///
/// Scalars keep their spelling: a date is its text, with or without quotes. Time and memory are
/// proportional to the size of the file: texts with many aliases are rejected (``isSafe(_:)``), and
/// at most ``nodeLimit`` values are built.
enum YAMLFields {
  /// The maximum size of a text, in bytes.
  static let sizeLimit = 4 << 20
  /// The maximum number of values; an anchor counts at each use.
  static let nodeLimit = 200_000
  /// The maximum number of aliases.
  static let aliasLimit = 8
  /// The maximum nesting depth.
  static let depthLimit = 64

  /// Parses the fields of a mapping; `nil` for YAML that is a list or a single value.
  ///
  /// - Throws: ``FormatError`` for a text that is not YAML, or is rejected.
  static func read(_ text: String) throws(FormatError) -> [Field]? {
    guard isSafe(text) else { throw FormatError("has too many aliases, or is too large") }
    let root: Node?
    do {
      root = try Parser(yaml: text, encoding: .utf8).singleRoot()
    } catch {
      throw FormatError("is not YAML")
    }
    guard let root else { return [] }
    var builder = Builder()
    switch root {
    case .mapping(let mapping): return try builder.fields(mapping, depth: 0)
    case .scalar(let scalar): return scalar.string.isEmpty ? [] : nil
    case .sequence, .alias: return nil
    }
  }

  /// Whether Yams can parse a text in acceptable time.
  ///
  /// Yams shares the value of an alias, but compares the keys of a mapping completely, so that a
  /// few lines could keep it busy forever. Names after `&` and `*` are counted everywhere: quotes
  /// and blocks may add false ones, but none is missed.
  static func isSafe(_ text: String) -> Bool {
    guard text.utf8.count <= sizeLimit else { return false }
    var anchors: Set<Substring> = []
    var aliases: [Substring: Int] = [:]
    var rest = text[...]
    while let sign = rest.utf8.firstIndex(where: {
      $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "*")
    }) {
      let isAnchor = rest.utf8[sign] == UInt8(ascii: "&")
      let name = rest[rest.utf8.index(after: sign)...].utf8.prefix { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "_")
      }
      rest = rest[max(name.endIndex, rest.utf8.index(after: sign))...]
      guard !name.isEmpty else { continue }
      if isAnchor {
        anchors.insert(Substring(name))
      } else {
        aliases[Substring(name), default: 0] += 1
      }
    }
    return aliases.reduce(0) { $0 + (anchors.contains($1.key) ? $1.value : 0) } <= aliasLimit
  }

  /// Builds values from nodes, within limits.
  private struct Builder {
    private var count = 0

    mutating func fields(
      _ mapping: Node.Mapping, depth: Int
    ) throws(FormatError) -> [Field] {
      var fields: [Field] = []
      for (key, value) in mapping {
        guard case .scalar(let name) = key else {
          throw FormatError("has a key that is not a string")
        }
        let value = try self.value(value, depth: depth + 1)
        if name.string == "<<", case .table(let merged) = value {
          fields += merged.map { Field(name: $0.key, value: $0.value) }
        } else {
          fields.append(Field(name: name.string, value: value))
        }
      }
      return fields
    }

    private mutating func value(_ node: Node, depth: Int) throws(FormatError) -> FieldValue {
      count += 1
      guard count <= nodeLimit, depth <= depthLimit else {
        throw FormatError("is nested too deeply, or has too many values")
      }
      switch node {
      case .scalar(let scalar):
        let isNull =
          scalar.style == .plain && ["~", "null", "Null", "NULL"].contains(scalar.string)
        return .text(isNull ? "" : scalar.string)
      case .sequence(let sequence):
        var values: [FieldValue] = []
        for item in sequence { values.append(try value(item, depth: depth + 1)) }
        return .list(values)
      case .mapping(let mapping):
        let fields = try fields(mapping, depth: depth)
        return .table(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
      case .alias: return .text("")
      }
    }
  }
}

/// The fields of a TOML text, parsed by TOMLKit.
enum TOMLFields {
  /// The maximum size of a text, in bytes.
  static let sizeLimit = 1 << 20

  /// Parses the fields of a text.
  ///
  /// - Throws: ``FormatError`` for a text that is not TOML, or is rejected: the library ends the
  ///   process for many invalid texts, so each is checked first.
  static func read(_ text: String) throws(FormatError) -> [Field] {
    guard text.utf8.count <= sizeLimit else { throw FormatError("is too large") }
    let table: TOMLTable
    do {
      try TOMLSyntax.check(text)
      table = try TOMLTable(string: text)
    } catch {
      throw FormatError("is not TOML")
    }
    return fields(table, of: text)
  }

  private static func fields(_ table: TOMLTable, of text: String) -> [Field] {
    table.keys.compactMap { key in
      table[key].map { Field(name: key, value: value($0, of: text)) }
    }
  }

  private static func value(
    _ value: any TOMLValueConvertible, of source: String
  ) -> FieldValue {
    switch value.type {
    case .table:
      let fields = value.table.map { Self.fields($0, of: source) } ?? []
      return .table(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
    case .array: return .list(value.array.map { $0.map { Self.value($0, of: source) } } ?? [])
    case .string: return .text(value.string ?? "")
    case .int: return .text(value.int.map { "\($0)" } ?? "")
    case .double: return .text(value.double.map { "\($0)" } ?? "")
    case .bool: return .text(value.bool.map { "\($0)" } ?? "")
    case .date: return .text(value.date.map(text) ?? "")
    case .time: return .text(value.time.map(text) ?? "")
    case .dateTime:
      guard let date = value.dateTime else { return .text("") }
      let offset = date.offset.map { text(offset: $0.offset) } ?? ""
      let (day, time) = (text(date.date), text(date.time))
      let isUniversal = date.offset?.offset == 0 && Self.isUniversal(day, time, in: source)
      return .text("\(day) \(time)\(isUniversal ? "Z" : offset)")
    }
  }

  /// Whether a text has a time in UTC, written with `Z`, which the library reads as `+00:00`.
  private static func isUniversal(_ day: String, _ time: String, in text: String) -> Bool {
    text.split(separator: day).dropFirst().contains { rest in
      guard rest.dropFirst().hasPrefix(time) else { return false }
      let zone = rest.dropFirst(1 + time.count).drop { $0 == "." || $0.isNumber }.first
      return zone == "Z" || zone == "z"
    }
  }

  private static func text(_ date: TOMLDate) -> String {
    "\(Digits.padded(date.year, to: 4))-\(Digits.padded(date.month))-\(Digits.padded(date.day))"
  }

  private static func text(_ time: TOMLTime) -> String {
    "\(Digits.padded(time.hour)):\(Digits.padded(time.minute)):\(Digits.padded(time.second))"
  }

  private static func text(offset: Int) -> String {
    "\(offset < 0 ? "-" : "+")\(Digits.padded(abs(offset) / 60)):\(Digits.padded(abs(offset) % 60))"
  }
}
