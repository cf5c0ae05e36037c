import Journal
import TOMLKit

/// A TOML file as a flat list of keys with their lines, in the order of the file.
///
/// The parser tells no lines of what it has read, but it has made sure that the text is TOML: then a
/// short scan of our own finds them.
struct ConfigDocument {
  /// The keys.
  let items: [ConfigItem]

  /// Reads a text.
  ///
  /// - Parameter file: what messages call it.
  /// - Throws: ``ConfigProblem`` with line and column for a text that is not TOML.
  init(_ text: String, file: String) throws(ConfigProblem) {
    let table: TOMLTable
    do {
      try TOMLSyntax.check(text)
      table = try TOMLTable(string: text)
    } catch let problem as TOMLSyntax.Problem {
      throw ConfigProblem(
        file: file, line: problem.line, column: problem.column,
        message: "\(problem.reason); the file is ignored")
    } catch let error as TOMLParseError {
      throw ConfigProblem(
        file: file, line: error.source.begin.line, column: error.source.begin.column,
        message: "\(Self.words(error)); the file is ignored")
    } catch {
      throw ConfigProblem(file: file, message: "\(error); the file is ignored")
    }
    var scan = ConfigLines(text)
    let lines = scan.lines()
    items = Self.items(in: table, under: [], lines, 1).sorted { $0.line < $1.line }
  }

  /// The keys below a table, with the table's names taken off.
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
    default: .other("\(value.type)")
    }
  }

  /// The parser's sentence, on one line.
  private static func words(_ error: TOMLParseError) -> String {
    error.description.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
