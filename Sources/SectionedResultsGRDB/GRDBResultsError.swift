// SPDX-License-Identifier: MIT

/// An error of a ``GRDBResultsStore``; the errors of SQLite are GRDB's `DatabaseError`.
public enum GRDBResultsError: Error, Equatable, Sendable {
  /// No such table exists, or it is a view or a virtual table, which have no triggers of this kind.
  case noSuchTable(String)
  /// The table cannot be followed; the second text says why.
  case unsupportedTable(String, String)
  /// A sort or section field names no column of the store's table or `SELECT`.
  case noSuchColumn(String)
  /// The value of a row's field is not the stored value of the column with its name.
  ///
  /// Rows would be sorted one way by SQLite and another way by the controller. Store the value as
  /// GRDB does, or use a property of type `SortValue` that holds the stored value.
  case fieldDiffersFromColumn(field: String, value: String, column: String)
  /// The `SELECT` or the filter reads tables that the store does not observe; the text names them.
  case undeclaredTable(String)
  /// The request cannot be kept live, or not as it is written; the text says why.
  case notLive(String)
  /// The record is written to another table than the one that the store shows.
  case otherTable(record: String, store: String)
  /// The `SELECT` returned a row of the table twice.
  case repeatedRow(String)
  /// The store was read inside its own write, which only a `DatabasePool` allows.
  case readInsideWrite
  /// Another file has the name of the open database, such as a restored copy, or none has: close the
  /// database, and open it again.
  case databaseReplaced(String)
  /// The change log is missing, or outdated, in a database that is open for reading only.
  case logNeedsWriting
}

extension GRDBResultsError: CustomStringConvertible {
  /// The fault and its place.
  public var description: String {
    switch self {
    case .noSuchTable(let table): "there is no table \(table)"
    case .unsupportedTable(let table, let reason): "table \(table) cannot be followed: \(reason)"
    case .noSuchColumn(let name): "there is no column \(name)"
    case .fieldDiffersFromColumn(let field, let value, let column):
      "the field \(field) of a row is \(value), its column contains \(column)"
    case .undeclaredTable(let tables):
      "\(tables) is not declared in related, but the rows depend on it"
    case .notLive(let reason): "the list cannot be kept live: \(reason)"
    case .otherTable(let record, let store):
      "the record is written to table \(record), the store shows table \(store)"
    case .repeatedRow(let id): "the SELECT returns row \(id) more than once"
    case .readInsideWrite: "the store of a DatabaseQueue cannot be read inside its own write"
    case .databaseReplaced(let path):
      "the database \(path) was replaced or removed; close it and open it again"
    case .logNeedsWriting:
      "the change log must be installed or renewed; open the database once for writing"
    }
  }
}
