// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults
import SectionedResultsSQL

/// A sort key as SQL.
struct SQLSortKey: RangeKey {
  /// The column with the collation `BINARY`, in which sort values are compared.
  let expression: String
  let isDescending: Bool
  /// Whether the column may contain `NULL`.
  let isNullable: Bool
}

/// A request as SQL over the present rows of a source.
struct RequestSQL<Record>: SQLList
where
  Record: ResultsRow, Record.ID: DatabaseValueConvertible, Record.Filter: SQLFilter,
  Record.SortField == ResultsField<Record>, Record.SectionField == ResultsField<Record>
{
  typealias ID = Record.ID

  let source: ResultsSource
  let keys: [SQLSortKey]
  /// The quoted column of the sections; `nil` without sections.
  let section: String?
  /// Whether the order begins with the column of the sections.
  let isOrderedBySection: Bool
  let filter: SQLCondition?
  /// The filter as it is asked of few rows: each of them is looked up in the full-text table.
  private let rowFilter: SQLCondition?
  /// Whether the statement searches in full text, so that each one costs a search.
  var searches = false
  /// Whether looking up one row in the full-text table takes no pass over its matches.
  let isQuick: Bool
  /// Whether each row of a range is looked up in the full-text table.
  var isByRow = false

  /// - Throws: `GRDBResultsError.noSuchColumn`, `ResultsError.unnamedField`.
  init(_ request: ResultsRequest<Record>, _ source: ResultsSource) throws {
    self.source = source
    let table = source.main
    guard
      (request.sortKeys.map(\.field) + [request.sectionField].compactMap(\.self)).allSatisfy(
        \.hasName)
    else { throw ResultsError.unnamedField }
    keys = try request.sortKeys.map { key in
      let column = try Self.column(key.field.name, source)
      let isNotNull = source.select == nil && Self.isNotNull(column, table)
      return SQLSortKey(
        expression: "\(column.quotedIdentifier) COLLATE BINARY",
        isDescending: key.order == .descending, isNullable: !isNotNull)
    }
    section = try request.sectionField.map {
      try Self.column($0.name, source).quotedIdentifier
    }
    isOrderedBySection =
      request.sectionField != nil && request.sectionField == request.sortKeys.first?.field
    filter = try request.filter.map { try source.plain($0.condition, byRow: false) }
    let matches = request.filter?.condition.matches ?? []
    isQuick =
      try !matches.isEmpty && matches.allSatisfy { try source.index(of: $0).isQuick($0.pattern) }
    rowFilter = try request.filter.map { try source.plain($0.condition, byRow: true) }
  }

  /// The name of a column in the spelling of the schema.
  private static func column(_ name: String, _ source: ResultsSource) throws -> String {
    guard let column = source.columns.first(where: { $0.lowercased() == name.lowercased() }) else {
      throw GRDBResultsError.noSuchColumn("\(name) in \(source.main.name)")
    }
    return column
  }

  /// An `INTEGER PRIMARY KEY` is never null, though it is not declared so.
  private static func isNotNull(_ name: String, _ table: TrackedTable) -> Bool {
    guard let column = table.column(name) else { return false }
    return column.isNotNull || (table.key == [column] && column.type.uppercased() == "INTEGER")
  }

  /// The order of the rows: sort values, then identity.
  var order: String { (keys.map(\.term) + [source.identity()]).joined(separator: ", ") }

  /// Rows may have equal values, and then follow their identities.
  var hasDistinctValues: Bool { false }

  /// The columns of a key: identity, section, sort values, any of which may be `NULL`.
  var keyColumns: String {
    (["1", source.identity(), section ?? "''"] + keys.map(\.expression)).joined(separator: ", ")
  }

  func rows(_ part: RangePart) -> SQLText { rows(part, isByRow ? rowFilter : filter) }

  /// `FROM` and `WHERE` of a statement over rows of which the part names only few.
  func fewRows(_ part: RangePart) -> SQLText { rows(part, rowFilter) }

  /// `FROM` and `WHERE` of a statement over the rows of a part that match or not.
  func allRows(_ part: RangePart) -> SQLText { rows(part, nil) }

  private func rows(_ part: RangePart, _ filter: SQLCondition?) -> SQLText {
    let conditions = part.conditions + (filter.map { ["(\($0.sql))"] } ?? [])
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return SQLText(
      sql: "FROM \(source.from)\(condition)",
      arguments: StatementArguments(
        source.arguments + part.arguments + (filter?.arguments ?? [])))
  }

  func keyDecoder() -> (Columns) throws -> ResultsKey<ID> {
    { columns in
      ResultsKey(
        section: SortValue(stored: columns.value(2)).sectionKey,
        values: keys.indices.map { SortValue(stored: columns.value($0 + 3)) },
        id: try identity(columns.value(1)))
    }
  }

  private func identity(_ value: DatabaseValue) throws -> ID {
    guard let id = ID.fromDatabaseValue(value), id.databaseValue == value else {
      throw GRDBResultsError.fieldDiffersFromColumn(
        field: source.identity(), value: "a \(ID.self)",
        column: SortValue(stored: value).description)
    }
    return id
  }
}
