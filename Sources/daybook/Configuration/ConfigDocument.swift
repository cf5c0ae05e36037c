import Journal
import TOMLKit

/// A TOML file as a flat list of keys with their lines, in the order of the file.
///
/// The parser does not report lines, but it guarantees that the text is TOML; a short scan then
/// finds them.
struct ConfigDocument {
  /// The keys.
  let items: [ConfigItem]

  /// Parses a text.
  ///
  /// - Parameter file: the file's name in messages.
  /// - Throws: ``ConfigProblem`` with line and column for a text that is not TOML.
  init(_ text: String, file: String) throws(ConfigProblem) {
    let table: TOMLTable
    do {
      try TOMLSyntax.check(text)
      table = try TOMLTable(string: text)
    } catch let problem as TOMLSyntax.Problem {
      throw ConfigProblem(
        file: file, line: problem.line, column: problem.column,
        message: problem.reason, ignoresFile: true)
    } catch let error as TOMLParseError {
      throw ConfigProblem(
        file: file, line: error.source.begin.line, column: error.source.begin.column,
        message: Self.words(error), ignoresFile: true)
    } catch {
      throw ConfigProblem(file: file, message: "\(error)", ignoresFile: true)
    }
    var scan = ConfigLines(text)
    let lines = scan.lines()
    items = Self.items(in: table, under: [], lines, 1).sorted { $0.line < $1.line }
  }

  /// The keys in a table, with paths relative to the table.
  func items(under path: [String]) -> [ConfigItem] {
    items.compactMap { item in
      guard item.path.count > path.count, item.path.starts(with: path) else { return nil }
      return ConfigItem(
        path: Array(item.path.dropFirst(path.count)), value: item.value, line: item.line)
    }
  }

  private static func items(
    in table: TOMLTable, under path: [String], _ lines: [[String]: Int], _ outer: Int
  ) -> [ConfigItem] {
    table.keys.flatMap { key -> [ConfigItem] in
      guard let value = table[key] else { return [] }
      let full = path + [key]
      let line = lines[full] ?? outer
      if let inner = value.table, !inner.isEmpty {
        return items(in: inner, under: full, lines, line)
      }
      return [ConfigItem(path: full, value: plain(value), line: line)]
    }
  }

  private static func plain(_ value: any TOMLValueConvertible) -> ConfigValue {
    switch value.type {
    case .string: value.string.map(ConfigValue.text) ?? .other("string")
    case .int: value.int.map(ConfigValue.number) ?? .other("number")
    case .bool: value.bool.map(ConfigValue.flag) ?? .other("boolean")
    case .table: .emptyTable
    case .array: texts(value) ?? .other("array")
    default: .other("\(value.type)")
    }
  }

  private static func texts(_ value: any TOMLValueConvertible) -> ConfigValue? {
    guard let array = value.array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? .texts(texts) : nil
  }

  /// The parser's message, on one line.
  private static func words(_ error: TOMLParseError) -> String {
    error.description.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// A key with its value in a configuration file, and its line.
struct ConfigItem: Equatable {
  /// The names of the enclosing tables, then its own.
  var path: [String]
  var value: ConfigValue
  /// The line, from 1.
  var line: Int
}

/// A value in a configuration file.
enum ConfigValue: Equatable {
  case text(String)
  case number(Int)
  case flag(Bool)
  /// A list of strings.
  case texts([String])
  /// An empty table; other tables appear as their keys.
  case emptyTable
  /// A date, or another kind that no key accepts.
  case other(String)
}

/// The source of a setting's value.
enum ConfigOrigin: Equatable, CustomStringConvertible {
  /// The default.
  case standard
  /// A line of the configuration file.
  case file(String, line: Int)
  /// A variable of the environment.
  case environment(String)
  /// An option of the command line.
  case option(String)

  /// `default`, `config.toml:3`, `environment EDITOR`, `option --journal`.
  var description: String {
    switch self {
    case .standard: "default"
    case .file(let name, let line): "\(name):\(line)"
    case .environment(let name): "environment \(name)"
    case .option(let name): "option \(name)"
    }
  }
}

/// Encoding of TOML.
enum TOMLText {
  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    quoted.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted.append("\\")
        quoted.append(scalar)
      case "\t": quoted.append(contentsOf: "\\t".unicodeScalars)
      case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
      case "\r": quoted.append(contentsOf: "\\r".unicodeScalars)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        quoted.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
      default: quoted.append(scalar)
      }
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// A key, in quotes only if it needs them.
  static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    return isBare ? name : quoted(name)
  }
}
