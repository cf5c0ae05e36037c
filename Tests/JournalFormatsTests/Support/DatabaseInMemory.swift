import JournalFormats

/// A database of another program, made of arrays: `["memo": [["id": .integer(1), …]]]`.
///
/// Its row ids are the positions from 1, or the integer in the column `id`.
struct DatabaseInMemory: ForeignDatabase {
  let contents: [String: [[String: ForeignValue]]]
  /// The texts of the files beside it, by their paths.
  let beside: [String: String]

  init(
    _ contents: [String: [[String: ForeignValue]]], beside: [String: String] = [:]
  ) {
    (self.contents, self.beside) = (contents, beside)
  }

  func files(in directories: Set<String>) -> (any ImportDirectory)? {
    beside.isEmpty ? nil : DirectoryInMemory(beside)
  }

  var tables: [String: Set<String>] {
    contents.mapValues { rows in rows.reduce(into: Set()) { $0.formUnion($1.keys) } }
  }

  func rows(_ selection: ForeignSelection) throws -> [ForeignRow] {
    let rows = (contents[selection.table] ?? []).enumerated().map { index, row in
      (id: row["id"]?.integer ?? Int64(index + 1), row: row)
    }
    let found = rows.sorted { $0.id < $1.id }.filter { id, row in
      guard id > selection.after else { return false }
      return selection.match.map { row[$0.column] ?? .null == $0.value } ?? true
    }
    return found.prefix(selection.limit).map { id, row in
      ForeignRow(
        id: id, columns: selection.columns, values: selection.columns.map { row[$0] ?? .null })
    }
  }
}
