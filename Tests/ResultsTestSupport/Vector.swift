import Foundation
import SectionedResults
import Testing

/// One case of the vector files: rows, one transaction, and the batch to expect.
package struct Vector: Sendable, CustomTestStringConvertible {
  /// A statement: what it does to which row, and the values it gives.
  package struct Operation: Sendable {
    package let kind: String
    package let patch: RowPatch
  }

  package let name: String
  package let options: VectorOptions
  package let before: [VectorRow]
  package let operations: [Operation]
  package let expected: BatchLists
  package let delegate: BatchLists
  package let after: [[String: [SortValue]]]?

  package var testDescription: String { name }

  /// The rows after the transaction, by identity.
  package func rowsAfter() -> [SortValue: VectorRow] {
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
package struct RowPatch: Sendable {
  package var id: SortValue
  package var section: String?
  package var key: SortValue?
  package var value: SortValue?
  package var isHidden: Bool?

  /// A new row with these values.
  package var row: VectorRow {
    applied(VectorRow(id: id, section: "", key: .null, value: .null))
  }

  /// A row with these values in place of its own.
  package func applied(_ row: VectorRow) -> VectorRow {
    VectorRow(
      id: id, section: section ?? row.section, key: key ?? row.key, value: value ?? row.value,
      isHidden: isHidden ?? row.isHidden)
  }
}

// MARK: - Reading

extension Vector {
  /// The vectors of this package and of the files that `RESULTS_VECTORS` names, separated by `:`.
  package static func all() throws -> [Vector] {
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
