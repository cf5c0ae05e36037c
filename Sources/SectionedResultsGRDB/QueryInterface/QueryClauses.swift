// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

/// The clauses of the statement that a request of GRDB's query interface makes.
struct QueryClauses {
  /// The clauses in the order of a statement, with the words that begin them.
  enum Clause: String, CaseIterable {
    case with = "WITH"
    case select = "SELECT"
    case from = "FROM"
    case filter = "WHERE"
    case group = "GROUP BY"
    case having = "HAVING"
    case window = "WINDOW"
    case order = "ORDER BY"
    case limit = "LIMIT"
    case offset = "OFFSET"
  }

  private let texts: [Clause: String]
  private let values: [DatabaseValue]

  /// Takes the clauses apart, without compiling them: columns may be those of another statement.
  ///
  /// - Throws: `GRDBResultsError.notLive` for a request that is no list of rows, or GRDB's `DatabaseError`.
  init<Row>(_ request: QueryInterfaceRequest<Row>, _ db: Database) throws {
    let (sql, arguments) = try SQL("\(request)").build(db)
    let texts = try Self.texts(of: sql)
    self.texts = texts
    let count = Clause.allCases.reduce(0) { $0 + Self.placeholders(in: texts[$1]) }
    if arguments.isEmpty || count == 0 {
      values = []
    } else {
      // The values as SQLite receives them.
      let marks = Array(repeating: "(?)", count: count).joined(separator: ", ")
      values = try DatabaseValue.fetchAll(db, sql: "VALUES \(marks)", arguments: arguments)
    }
    guard count == values.count else {
      throw GRDBResultsError.notLive("its arguments have names or numbers")
    }
    try checkGroups()
  }

  subscript(clause: Clause) -> String? { texts[clause] }

  /// A clause with its values.
  func condition(_ clause: Clause) -> SQLCondition? {
    texts[clause].map { condition([clause], $0) }
  }

  /// The statement up to its filter.
  func selection() -> SQLCondition {
    let clauses: [Clause] = [.select, .from, .filter]
    let parts = clauses.compactMap { clause in texts[clause].map { "\(clause.rawValue) \($0)" } }
    return condition(clauses, parts.joined(separator: " "))
  }

  private func condition(_ clauses: [Clause], _ sql: String) -> SQLCondition {
    var condition = SQLCondition(sql)
    var start = 0
    for clause in Clause.allCases {
      let end = start + Self.placeholders(in: texts[clause])
      if clauses.contains(clause) { condition.arguments += values[start..<end] }
      start = end
    }
    return condition
  }

  /// - Throws: `GRDBResultsError.notLive` for what is no row of a table.
  private func checkGroups() throws {
    let reasons: [Clause: String] = [
      .with: "a common table expression: make it a view or a SELECT of the store",
      .group:
        "GROUP BY, also that of an aggregate of an association: a group is no row of the table",
      .having: "HAVING: a group is no row of the table",
      .window: "a window: its rows depend on one another",
    ]
    for clause in Clause.allCases where texts[clause] != nil {
      if let reason = reasons[clause] { throw GRDBResultsError.notLive(reason) }
    }
    if texts[.select]?.uppercased().hasPrefix("DISTINCT ") == true {
      throw GRDBResultsError.notLive("DISTINCT: a distinct value is no row of the table")
    }
  }
}

extension QueryClauses {
  private static func texts(of sql: String) throws -> [Clause: String] {
    var result: [Clause: String] = [:]
    var current: Clause?
    for word in SQLWords(sql) {
      if word.depth == 0, ["UNION", "INTERSECT", "EXCEPT"].contains(word.text.uppercased()) {
        throw GRDBResultsError.notLive("\(word.text): its rows come from several statements")
      }
      if word.depth == 0, let clause = clause(word.text, after: current) {
        current = clause
        result[clause] = ""
      } else if let current {
        result[current]?.append(word.text)
      }
    }
    return result.mapValues { text in
      var text = text[...]
      // The second word of GROUP BY and ORDER BY.
      while text.first == " " { text.removeFirst() }
      if text.uppercased().hasPrefix("BY ") { text = text.dropFirst(3) }
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }

  /// The clause that a word begins, if it may follow another one.
  private static func clause(_ word: String, after current: Clause?) -> Clause? {
    let all = Clause.allCases
    let start = current.flatMap(all.firstIndex(of:)).map { $0 + 1 } ?? 0
    return all[start...].first {
      $0.rawValue.hasPrefix(word.uppercased() + " ") || $0.rawValue == word.uppercased()
    }
  }

  private static func placeholders(in text: String?) -> Int {
    text.map { SQLWords($0).count { $0.text == "?" } } ?? 0
  }
}

/// A text of SQL as words, quoted names and texts, and single characters, with their depth in parentheses.
struct SQLWords: Sequence, IteratorProtocol {
  /// A part of the text.
  struct Word {
    var text: String
    var depth: Int
  }

  private var rest: Substring
  private var depth = 0

  init(_ sql: String) { rest = sql[...] }

  mutating func next() -> Word? {
    guard let first = rest.first else { return nil }
    if let close = ["'": "'", "\"": "\"", "`": "`", "[": "]"][first] as Character? {
      // A doubled quote is two quoted parts that follow each other.
      let end = rest.dropFirst().firstIndex(of: close) ?? rest.index(before: rest.endIndex)
      return take(upTo: rest.index(after: end))
    }
    let isWord = { (character: Character) in
      character.isLetter || character.isNumber || character == "_"
    }
    if isWord(first) { return take(upTo: rest.firstIndex { !isWord($0) } ?? rest.endIndex) }
    if first == ")" { depth -= 1 }
    defer { if first == "(" { depth += 1 } }
    return take(upTo: rest.index(after: rest.startIndex))
  }

  private mutating func take(upTo end: Substring.Index) -> Word {
    defer { rest = rest[end...] }
    return Word(text: String(rest[..<end]), depth: depth)
  }
}
