// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

/// A request as SQL over the present rows of a source.
struct RequestSQL {
  let source: ResultsSource
  let keys: [SQLSortKey]
  /// The quoted column of the sections; `nil` without sections.
  let section: String?
  /// Whether the order begins with the column of the sections.
  let isOrderedBySection: Bool
  let filter: SQLCondition?

  /// - Throws: `GRDBResultsError.noSuchColumn`.
  init<Record>(_ request: ResultsRequest<Record>, _ source: ResultsSource) throws
  where
    Record: ResultsRow, Record.Filter: SQLFilter, Record.SortField == ResultsField<Record>,
    Record.SectionField == ResultsField<Record>
  {
    self.source = source
    let table = source.main
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
    filter = request.filter?.condition
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
  var order: String {
    (keys.map(\.order) + [source.key.quoted]).joined(separator: ", ")
  }

  /// The order of the sort values alone, as far as a number of keys.
  func order(keys count: Int) -> String {
    keys.prefix(count).map(\.order).joined(separator: ", ")
  }

  /// The columns of a key: identity, section, sort values.
  var keyColumns: String {
    ([source.key.quoted, section ?? "''"] + keys.map(\.expression)).joined(separator: ", ")
  }

  /// The rows of a part of a range.
  func rows(_ part: RangePart) -> String {
    let conditions = part.conditions + (filter.map { ["(\($0.sql))"] } ?? [])
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return "FROM \(source.from)\(condition)"
  }

  /// The arguments of ``rows(_:)``.
  func arguments(_ part: RangePart = RangePart()) -> [DatabaseValue] {
    source.arguments + part.arguments + (filter?.arguments ?? [])
  }

  func parts(_ range: ResultsKeyRange) -> [RangePart] {
    RangeParts.parts(lower: range.lower, upper: range.upper, keys)
  }
}
