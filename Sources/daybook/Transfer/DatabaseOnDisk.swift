import JournalFormats
import JournalStore

/// The SQLite file of another program, for the formats that read one.
struct DatabaseOnDisk: ForeignDatabase {
  private let file: OtherDatabase

  /// Opens a file for reading.
  ///
  /// - Throws: ``StoreError`` when it cannot be read.
  init(_ path: String) throws { file = try OtherDatabase(path: path) }

  var tables: [String: Set<String>] { file.tables }

  /// The error for a file that no format reads.
  var unknown: StoreError { file.unknown }

  func rows(_ selection: ForeignSelection) throws -> [ForeignRow] {
    let match = selection.match.map { ($0.column, OtherDatabase.Value($0.value)) }
    let rows = try file.rows(
      OtherDatabase.Selection(
        table: selection.table, columns: selection.columns, match: match, after: selection.after,
        limit: selection.limit))
    return rows.map { row in
      ForeignRow(
        id: row.id, columns: selection.columns, values: row.values.map { ForeignValue($0) })
    }
  }
}

extension OtherDatabase.Value {
  fileprivate init(_ value: ForeignValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      }
  }
}

extension ForeignValue {
  fileprivate init(_ value: OtherDatabase.Value) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      }
  }
}
