import Foundation
import SectionedResults
import Testing

/// One case of the vector files: rows, one transaction, and the batch to expect.
struct Vector: Sendable, CustomTestStringConvertible {
  /// A statement: what it does to which row, and the values it gives.
  struct Operation: Sendable {
    let kind: String
    let patch: RowPatch
  }

  let name: String
  let options: VectorOptions
  let before: [VectorRow]
  let operations: [Operation]
  let expected: BatchLists
  let delegate: BatchLists
  let after: [[String: [SortValue]]]?

  var testDescription: String { name }

  /// The rows after the transaction, by identity.
  func rowsAfter() -> [SortValue: VectorRow] {
    var rows = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    for operation in operations {
      let id = operation.patch.id
      switch operation.kind {
      case "delete": rows[id] = nil
      case "update": rows[id] = rows[id].map(operation.patch.applied)
      default: rows[id] = operation.patch.row
      }
    }
    return rows
  }
}

/// The values a statement or a line gives to a row; `nil` where it leaves the old one.
struct RowPatch: Sendable {
  var id: SortValue
  var section: String?
  var key: SortValue?
  var value: SortValue?
  var isHidden: Bool?

  /// A new row with these values.
  var row: VectorRow {
    applied(VectorRow(id: id, section: "", key: .null, value: .null))
  }

  /// A row with these values in place of its own.
  func applied(_ row: VectorRow) -> VectorRow {
    VectorRow(
      id: id, section: section ?? row.section, key: key ?? row.key, value: value ?? row.value,
      isHidden: isHidden ?? row.isHidden)
  }
}

/// The six lists of a batch, without generations and counts.
struct BatchLists: Equatable {
  var deletedSections: [Int] = []
  var insertedSections: [Int] = []
  var deletedRows: [RowPath] = []
  var insertedRows: [RowPath] = []
  var moves: [ResultsBatch.Move] = []
  var updates: [RowPath] = []

  init(_ batch: ResultsBatch) {
    deletedSections = batch.deletedSections
    insertedSections = batch.insertedSections
    deletedRows = batch.deletedRows
    insertedRows = batch.insertedRows
    moves = batch.moves
    updates = batch.updates.map(\.from)
  }

  /// The delegate form of a change.
  init(delegate change: ResultsChange<VectorRow>) {
    for section in change.sections {
      switch section {
      case .delete(let index): deletedSections.append(index)
      case .insert(let index): insertedSections.append(index)
      }
    }
    for row in change.rows {
      switch row.kind {
      case .delete(let path): deletedRows.append(path)
      case .insert(let path): insertedRows.append(path)
      case .move(let from, let to): moves.append(ResultsBatch.Move(from: from, to: to))
      case .update(let from, _): updates.append(from)
      }
    }
    sort()
  }

  init(_ json: [String: Any]) {
    func path(_ value: Any) -> RowPath {
      let pair = value as? [Int] ?? []
      return RowPath(pair[0], pair[1])
    }
    func list(_ name: String) -> [Any] { json[name] as? [Any] ?? [] }
    deletedSections = list("deletedSections").compactMap { $0 as? Int }
    insertedSections = list("insertedSections").compactMap { $0 as? Int }
    deletedRows = list("deletedRows").map(path)
    insertedRows = list("insertedRows").map(path)
    updates = list("updates").map(path)
    moves = list("moves").map { value in
      let pair = value as? [Any] ?? []
      return ResultsBatch.Move(from: path(pair[0]), to: path(pair[1]))
    }
    sort()
  }

  private mutating func sort() {
    deletedSections.sort()
    insertedSections.sort()
    deletedRows.sort()
    insertedRows.sort()
    moves.sort { $0.from < $1.from }
    updates.sort()
  }
}

// MARK: - Reading

extension Vector {
  /// The vectors of this package and of the files that `RESULTS_VECTORS` names, separated by `:`.
  static func all() throws -> [Vector] {
    let own = ["flat", "sectioned"].compactMap {
      Bundle.module.path(forResource: $0, ofType: "jsonl", inDirectory: "Vectors")
    }
    let more = ProcessInfo.processInfo.environment["RESULTS_VECTORS"] ?? ""
    return try (own + more.split(separator: ":").map(String.init)).flatMap(read)
  }

  private static func read(_ path: String) throws -> [Vector] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return Vector(json as? [String: Any] ?? [:])
    }
  }

  private init(_ json: [String: Any]) {
    name = json["name"] as? String ?? "?"
    options = VectorOptions(json["options"] as? [String: Any] ?? [:])
    before = (json["before"] as? [[String: Any]] ?? []).map { RowPatch($0).row }
    operations = (json["ops"] as? [[String: Any]] ?? []).map {
      Operation(kind: $0["op"] as? String ?? "", patch: RowPatch($0))
    }
    let expected = json["expect"] as? [String: Any] ?? [:]
    self.expected = BatchLists(expected)
    delegate = BatchLists(json["delegate"] as? [String: Any] ?? expected)
    after = (json["after"] as? [[Any]])?.map { pair in
      [pair[0] as? String ?? "": (pair[1] as? [Any] ?? []).map(SortValue.init(json:))]
    }
  }
}

extension VectorOptions {
  fileprivate init(_ json: [String: Any]) {
    isSectioned = json["sectioned"] as? Bool ?? true
    sectionOrder = json["sectionOrder"] as? String == "desc" ? .descending : .ascending
    keyOrder = json["keyOrder"] as? String == "desc" ? .descending : .ascending
    limit = json["limit"] as? Int
    offset = json["offset"] as? Int ?? 0
  }
}

extension RowPatch {
  fileprivate init(_ json: [String: Any]) {
    id = SortValue(json: json["id"])
    section = json["section"] as? String
    key = json["key"].map(SortValue.init(json:))
    value = json["v"].map(SortValue.init(json:))
    isHidden = json["hidden"] as? Bool
  }
}

extension SortValue {
  fileprivate init(json: Any?) {
    switch json {
    case let number as Int: self = .integer(Int64(number))
    case let text as String: self = .text(text)
    default: self = .null
    }
  }
}
