// SPDX-License-Identifier: MIT

import SectionedResults

/// The tables that a request of GRDB's query interface reads, and how they are joined.
struct QueryJoins {
  /// The first table.
  private(set) var table = ""
  /// The joined tables, in order, by the columns of their conditions.
  private(set) var related: [RelatedTable] = []

  /// - Parameter from: the clause, as GRDB makes it: quoted names, and conditions in parentheses.
  init(_ from: String) {
    var tables: [String: String] = [:]
    for (index, item) in Self.items(of: from).enumerated() {
      let words = SQLWords(item).map(\.text).filter { $0 != " " }
      guard let name = words.first.map(Self.unquoted) else { continue }
      let alias = words.dropFirst().first.flatMap { $0.hasPrefix("\"") ? Self.unquoted($0) : nil }
      tables[alias ?? name] = name
      if index == 0 {
        table = name
      } else {
        related.append(Self.link(name, alias ?? name, tables, words))
      }
    }
  }

  /// The parts of the clause between the words `JOIN`.
  private static func items(of from: String) -> [String] {
    var items = [""]
    for word in SQLWords(from) {
      if word.depth == 0, word.text == "JOIN" {
        items.append("")
      } else if word.depth > 0 || word.text != "LEFT" {
        items[items.count - 1].append(word.text)
      }
    }
    return items
  }

  /// The first condition that a column equals one of an earlier table, which is not inside an `OR`.
  private static func link(
    _ table: String, _ alias: String, _ tables: [String: String], _ words: [String]
  ) -> RelatedTable {
    guard !words.contains(where: { ["OR", "NOT", "CASE"].contains($0) }) else {
      return RelatedTable(anyRowOf: table)
    }
    for place in words.indices where words[place] == "=" && place >= 3 && place + 3 < words.count {
      let left = Array(words[place - 3..<place])
      let right = Array(words[place + 1...place + 3])
      guard left[1] == ".", right[1] == "." else { continue }
      for (own, other) in [(left, right), (right, left)] {
        let parent = unquoted(other[0])
        guard unquoted(own[0]) == alias, parent != alias, let name = tables[parent] else {
          continue
        }
        return RelatedTable(table, unquoted(own[2]), equals: unquoted(other[2]), of: name)
      }
    }
    return RelatedTable(anyRowOf: table)
  }

  static func unquoted(_ name: String) -> String {
    name.hasPrefix("\"") ? String(name.dropFirst().dropLast()) : name
  }
}
