import Foundation
import Testing

/// The list that somebody keeps who follows the lines of `watch` by the book.
struct WatchedList {
  struct Section: Equatable {
    var key: String
    /// Each row as JSON with sorted fields.
    var rows: [String]
  }

  private(set) var generation = -1
  private(set) var sections: [Section] = []
  private(set) var resets = 0
  private(set) var batches = 0
  private(set) var resumes = 0
  /// The stamp of the last line.
  private(set) var stamp = ""

  /// Applies a line; what does not fit the list is an issue of the test.
  mutating func apply(_ line: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let event = try #require(object as? [String: Any])
    stamp = try #require(event["stamp"] as? String)
    switch event["event"] as? String {
    case "resume":
      generation = try #require(event["generation"] as? Int)
      resumes += 1
    case "reset": try reset(event)
    case "batch": try batch(event)
    default: Issue.record("neither a reset nor a batch: \(line)")
    }
  }

  /// The numbers of the entries in order, each once.
  func numbers() throws -> [Int] {
    var seen: Set<Int> = []
    return try sections.flatMap(\.rows).compactMap { row in
      let object = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any]
      let number = try #require(object?["number"] as? Int)
      return seen.insert(number).inserted ? number : nil
    }
  }

  private mutating func reset(_ event: [String: Any]) throws {
    let generation = try #require(event["generation"] as? Int)
    try #require(generation > self.generation)
    self.generation = generation
    sections = try Self.objects(event, "sections").map(Self.section)
    resets += 1
  }

  private mutating func batch(_ event: [String: Any]) throws {
    try #require(event["from"] as? Int == generation)
    let to = try #require(event["to"] as? Int)
    try #require(to > generation)
    let before = try sections.map { section in
      try #require(Set(section.rows).count == section.rows.count)
      return section.rows.count
    }
    let moves = try Self.objects(event, "moves")
    let updates = try Self.objects(event, "updates")
    try remove(event, moves, updates)
    try insert(event, moves)
    for update in updates {
      let path = try Self.path(update["to"])
      try #require(try row(at: path) == Self.row(update["row"]))
    }
    try #require(event["counts"] as? [Int] == sections.map(\.rows.count))
    try #require(
      !moves.isEmpty || !updates.isEmpty || before != sections.map(\.rows.count)
        || Self.changesRows(event))
    generation = to
    batches += 1
  }

  private static func changesRows(_ event: [String: Any]) -> Bool {
    ["deletedSections", "insertedSections", "deletedRows", "insertedRows"].contains {
      (event[$0] as? [Any])?.isEmpty == false
    }
  }

  private mutating func remove(
    _ event: [String: Any], _ moves: [[String: Any]], _ updates: [[String: Any]]
  ) throws {
    for update in updates {
      let path = try Self.path(update["from"])
      _ = try row(at: path)
      sections[path[0]].rows[path[1]] = try Self.row(update["row"])
    }
    let deleted = try #require(event["deletedRows"] as? [[Int]])
    let gone = try deleted + moves.map { try Self.path($0["from"]) }
    for path in gone.sorted(by: { $1.lexicographicallyPrecedes($0) }) {
      _ = try row(at: path)
      sections[path[0]].rows.remove(at: path[1])
    }
    let indexes = try #require(event["deletedSections"] as? [Int])
    for index in indexes.sorted(by: >) {
      try #require(sections.indices.contains(index))
      sections.remove(at: index)
    }
  }

  private mutating func insert(_ event: [String: Any], _ moves: [[String: Any]]) throws {
    for section in try Self.objects(event, "insertedSections") {
      let index = try #require(section["index"] as? Int)
      try #require((0...sections.count).contains(index))
      sections.insert(try Self.section(section), at: index)
    }
    let come = try Self.objects(event, "insertedRows").map { ($0["at"], $0["row"]) }
    let placed = try (come + moves.map { ($0["to"], $0["row"]) }).map {
      (path: try Self.path($0), row: try Self.row($1))
    }
    for (path, row) in placed.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      try #require(sections.indices.contains(path[0]))
      try #require(path[1] <= sections[path[0]].rows.count)
      sections[path[0]].rows.insert(row, at: path[1])
    }
  }

  private func row(at path: [Int]) throws -> String {
    try #require(sections.indices.contains(path[0]))
    try #require(sections[path[0]].rows.indices.contains(path[1]))
    return sections[path[0]].rows[path[1]]
  }

  private static func objects(_ event: [String: Any], _ name: String) throws -> [[String: Any]] {
    try #require(event[name] as? [[String: Any]])
  }

  private static func section(_ object: [String: Any]) throws -> Section {
    Section(
      key: try #require(object["key"] as? String),
      rows: try #require(object["rows"] as? [Any]).map(row))
  }

  private static func row(_ object: Any?) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: try #require(object), options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  private static func path(_ object: Any?) throws -> [Int] {
    let path = try #require(object as? [Int])
    try #require(path.count == 2)
    return path
  }
}
