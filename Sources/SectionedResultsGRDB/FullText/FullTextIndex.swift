// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// An FTS5 table of a source, as its definition describes it.
struct FullTextIndex: Sendable {
  let name: String
  /// The arguments of `fts5(…)` for a copy that keeps its own texts.
  let arguments: [String]
  let columns: [String]
  /// The table with the texts of the documents.
  let content: Content
  /// The column of the store's own table with the `rowid` of the document.
  let column: String
  /// The lengths of the prefixes that have an index.
  let prefixes: Set<Int>

  /// Where the texts of the documents are.
  struct Content: Sendable {
    /// The table; `nil` for the store's own.
    let table: String?
    /// The column of that table with the `rowid` of the document.
    let rowid: String
    /// The text of each column, as SQL over that table.
    let texts: [String]
  }

  var quoted: String { name.quotedIdentifier }

  /// Whether one row is looked up without a pass over all matches: a prefix needs an index of its length.
  func isQuick(_ pattern: String) -> Bool {
    var (length, isWord) = (0, false)
    for character in pattern {
      if character == "*", !prefixes.contains(length) { return false }
      let continues = character.isLetter || character.isNumber
      if continues { length = isWord ? length + 1 : 1 }
      isWord = continues
    }
    return true
  }

  /// The related table that contains the texts, unless they are in the store's own.
  func related(of main: String) -> RelatedTable? {
    content.table.map { RelatedTable($0, content.rowid, equals: column, of: main) }
  }
}

extension FullTextIndex {
  /// Reads the definition of an FTS5 table.
  ///
  /// - Throws: `GRDBResultsError`, or GRDB's `DatabaseError`.
  init(_ db: Database, _ table: FullTextTable, main: TrackedTable) throws {
    let found = try GRDB.Row.fetchOne(
      db,
      sql:
        "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      arguments: [table.table])
    guard let found else { throw GRDBResultsError.noSuchTable(table.table) }
    let name: String = found["name"]
    guard let definition = FullTextDefinition(found["sql"]) else {
      throw GRDBResultsError.unsupportedTable(name, "it is no FTS5 table")
    }
    func refused(_ reason: String) -> GRDBResultsError { .unsupportedTable(name, reason) }
    let options = definition.options
    if options["locale"] ?? "0" != "0" { throw refused("it stores locales") }
    self.name = name
    arguments = definition.copied
    prefixes = Set(
      (options["prefix"] ?? "").split { !$0.isNumber }.compactMap { Int($0) })
    columns = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE NOT hidden", arguments: [name])
    let source = options["content"]
    let isOwn = source?.lowercased() == main.name.lowercased()
    let numbered: String? = isOwn ? try Self.rowid(options, main) : nil
    let key = main.key.count == 1 ? main.key[0].name : nil
    guard let column = (table.column ?? numbered ?? key).flatMap(main.column(_:)),
      column.type.uppercased().contains("INT")
    else { throw refused("no integer column of \(main.name) has the numbers of its documents") }
    self.column = column.name
    if let documents = table.documents {
      guard documents.count == columns.count else {
        throw refused("it has \(columns.count) columns, and \(documents.count) texts were given")
      }
      content = Content(table: nil, rowid: column.name, texts: documents.map { "(\($0))" })
      return
    }
    guard let source else {
      let texts = columns.indices.map { "c\($0)".quotedIdentifier }
      content = Content(table: "\(name)_content", rowid: "id", texts: texts)
      return
    }
    if source.isEmpty { throw refused("it keeps no texts: give the store its `documents`") }
    let texts = columns.map(\.quotedIdentifier)
    if let numbered {
      content = Content(table: nil, rowid: numbered, texts: texts)
      return
    }
    let isView = try Bool.fetchOne(
      db,
      sql: "SELECT 1 FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE",
      arguments: [source])
    if isView == true {
      throw refused("its content is the view \(source): give the store its `documents`")
    }
    let other = try TrackedTable(db, name: source)
    content = Content(table: other.name, rowid: try Self.rowid(options, other), texts: texts)
  }

  /// The column of a content table with the numbers of the documents.
  private static func rowid(
    _ options: [String: String], _ table: TrackedTable
  ) throws -> String {
    let name = options["content_rowid"] ?? "rowid"
    if let column = table.column(name) { return column.name }
    guard ["rowid", "oid", "_rowid_"].contains(name.lowercased()), table.key.count == 1,
      table.key[0].type.uppercased() == "INTEGER"
    else {
      throw GRDBResultsError.unsupportedTable(
        table.name, "it has no column \(name) for the full text")
    }
    return table.key[0].name
  }
}

/// The arguments in the definition of an FTS5 table.
struct FullTextDefinition {
  /// The options, such as `content`, with their values.
  private(set) var options: [String: String] = [:]
  /// The columns and the options that a copy has, too.
  private(set) var copied: [String] = []

  /// - Parameter sql: the definition; `nil` is none.
  /// - Returns: `nil` if it is not that of an FTS5 table.
  init?(_ sql: String?) {
    guard let sql, let (head, arguments) = Self.parts(of: sql) else { return nil }
    let words = head.uppercased().split(whereSeparator: \.isWhitespace)
    guard words.starts(with: ["CREATE", "VIRTUAL"]), words.suffix(2) == ["USING", "FTS5"] else {
      return nil
    }
    for argument in arguments.map({ $0.trimmingCharacters(in: .whitespacesAndNewlines) }) {
      let sides = Self.split(argument, at: "=")
      guard sides.count > 1 else {
        copied.append(argument)
        continue
      }
      let key = sides[0].trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
      options[key] = Self.unquoted(
        argument.dropFirst(sides[0].count + 1).trimmingCharacters(in: .whitespacesAndNewlines))
      if !key.hasPrefix("content") { copied.append(argument) }
    }
  }

  /// The text before the parentheses, and the arguments inside.
  private static func parts(of sql: String) -> (head: String, arguments: [String])? {
    guard let head = split(sql, at: "(").first, head.count < sql.count,
      let end = sql.lastIndex(of: ")")
    else { return nil }
    let start = sql.index(sql.startIndex, offsetBy: head.count + 1)
    guard start <= end else { return nil }
    return (head, split(String(sql[start..<end]), at: ","))
  }

  /// The parts of a text between separators that are not in quotes.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var parts = [""]
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == separator {
        parts.append("")
        continue
      } else if ["'", "\"", "`", "["].contains(character) {
        quote = character == "[" ? "]" : character
      }
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  private static func unquoted(_ value: String) -> String {
    guard let first = value.first, ["'", "\"", "`", "["].contains(first), value.count > 1 else {
      return value
    }
    let inside = String(value.dropFirst().dropLast())
    return first == "[" ? inside : inside.replacing("\(first)\(first)", with: "\(first)")
  }
}
