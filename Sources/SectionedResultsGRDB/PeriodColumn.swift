// SPDX-License-Identifier: MIT

/// A column that a store adds to its rows: the day, week, month or year of a column with dates.
///
/// ```swift
/// let day = PeriodColumn("day", .day, of: "createdAt", secondsFromUTC: 3600)
/// let store = try GRDBResultsStore<Item>(queue, table: "item", periods: [day])
/// let request = ResultsRequest<Item>(
///   sortKeys: [SortKey(\.day), SortKey(\.createdAt)], sections: \.day)
/// ```
///
/// The row type has a property with its name, of type `String`, or `String?` where dates may be `NULL` or no
/// dates. The offset from UTC is part of the column, so that every program groups alike: a `SELECT` of your own
/// must not use SQLite's `'localtime'`, which depends on the environment and which no index takes. A calendar whose offset changes in summer, or in which a day begins at another hour, needs a column of its
/// own, which the program writes.
///
/// With the index of ``indexSQL(on:)`` every read is a seek, as with a stored column.
public struct PeriodColumn: Hashable, Sendable {
  /// The period of a section, and the form of its identity.
  public enum Unit: Hashable, Sendable, CaseIterable {
    /// `2026-11-21`
    case day
    /// The Monday with which the week begins, `2026-11-16`, as ISO 8601 counts weeks.
    case week
    /// `2026-11`
    case month
    /// `2026`
    case year
  }

  /// The form of the dates in the column.
  public enum Storage: Hashable, Sendable, CaseIterable {
    /// Text in UTC, such as `2026-11-21 09:00:00.000`, as GRDB stores a `Date`.
    case text
    /// Seconds since 1970.
    case seconds
  }

  /// The name of the added column.
  public let name: String
  /// The period.
  public let unit: Unit
  /// The column with the dates.
  public let column: String
  /// The form of the dates.
  public let storage: Storage
  /// The offset of the calendar from UTC, in seconds east of Greenwich.
  public let secondsFromUTC: Int

  /// Makes a column.
  ///
  /// - Parameters:
  ///   - name: the name of the added column, which is that of a property of the row type.
  ///   - unit: the period.
  ///   - column: the column of the store's own table with the dates.
  ///   - storage: the form of the dates.
  ///   - secondsFromUTC: the offset of the calendar from UTC, in seconds east of Greenwich.
  public init(
    _ name: String, _ unit: Unit, of column: String, stored storage: Storage = .text,
    secondsFromUTC: Int = 0
  ) {
    (self.name, self.unit, self.column, self.storage) = (name, unit, column, storage)
    self.secondsFromUTC = secondsFromUTC
  }

  /// The statement that makes the index on the period and the date; run it in a migration.
  ///
  /// - Parameter table: the store's table.
  public func indexSQL(on table: String) -> String {
    // An index with the name of another period would stay.
    let index = "\(table)_\(name)_\(unit)_of_\(column)_\(storage)_\(secondsFromUTC)"
      .quotedIdentifier
    return """
      CREATE INDEX IF NOT EXISTS \(index) ON \(table.quotedIdentifier) \
      (\(expression), \(column.quotedIdentifier))
      """
  }

  /// The period of a row; deterministic, so that it can be indexed.
  var expression: String {
    var modifiers = [column.quotedIdentifier]
    if storage == .seconds { modifiers.append("'unixepoch'") }
    if secondsFromUTC != 0 { modifiers.append("'\(secondsFromUTC) seconds'") }
    let arguments = modifiers.joined(separator: ", ")
    return switch unit {
    case .day: "date(\(arguments))"
    case .week: "date(\(arguments), 'weekday 0', '-6 days')"
    case .month: "strftime('%Y-%m', \(arguments))"
    case .year: "strftime('%Y', \(arguments))"
    }
  }

  /// The column in a `SELECT`.
  var selection: String { "\(expression) AS \(name.quotedIdentifier)" }
}
