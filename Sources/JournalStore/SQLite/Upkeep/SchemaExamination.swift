import GRDB

/// Compares the objects of a journal's file with those it should have.
struct SchemaExamination {
  let db: Database

  /// What is wrong, and whether tables are missing, so that nothing else can be looked at.
  struct Result {
    var findings: [Finding] = []
    var lacksTables = false
  }

  func run() throws -> Result {
    var result = Result()
    let found = try objects()
    for object in Schema.parts {
      guard let there = found[object.name] else {
        result.findings.append(missing(object))
        if object.kind == .table { result.lacksTables = true }
        continue
      }
      if there.sql != object.sql {
        let remedy: Finding.Remedy = object.kind == .table ? .salvage : .mending
        result.findings.append(
          Finding("the \(object.kind.rawValue) \(object.name) is altered", remedy))
        if object.kind == .table { result.lacksTables = true }
      }
    }
    let known = Set(Schema.parts.map(\.name))
    for (name, object) in found.sorted(by: { $0.key < $1.key })
    where !known.contains(name) && !Schema.isInternal(kind: object.kind, name: name) {
      result.findings.append(foreign(object.kind, name))
    }
    return result
  }

  private func objects() throws -> [String: (kind: String, sql: String)] {
    var objects: [String: (kind: String, sql: String)] = [:]
    try db.forEach(
      """
      SELECT ifnull(CAST(name AS TEXT), ''), ifnull(CAST(type AS TEXT), ''), CAST(sql AS TEXT)
      FROM sqlite_schema WHERE sql IS NOT NULL
      """
    ) { objects[$0.text(0)] = ($0.text(1), $0.text(2)) }
    return objects
  }

  /// Tables that follow from the entries can be made anew; without entries or the log nothing can.
  private func missing(_ object: Schema.Part) -> Finding {
    let isLost = ["entry", "change", "change_set"].contains(object.name)
    return Finding(
      "the \(object.kind.rawValue) \(object.name) is missing", isLost ? .salvage : .mending)
  }

  private func foreign(_ kind: String, _ name: String) -> Finding {
    Finding(
      "the \(kind) \(name) is not of this program", .person,
      advice:
        "remove it with sqlite3, DROP \(kind.uppercased()) \"\(name)\", if you know what it is")
  }
}
