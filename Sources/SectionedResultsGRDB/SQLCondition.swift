// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

/// A piece of SQL with its arguments: a filter, or a `SELECT`.
///
/// ```swift
/// SQLCondition("feed = ? AND NOT read", ["news"])
/// ```
///
/// A store evaluates the same text over the present rows and over the rows of earlier states, so a
/// filter is written once. It must depend on the row alone: neither on the clock, as
/// `datetime('now')` does, nor on random numbers, nor on other rows of the same table.
public struct SQLCondition: Hashable, Sendable {
  /// The SQL text, with a `?` for each argument.
  public var sql: String
  /// The values of the parameters, in order.
  public var arguments: [DatabaseValue]
  /// The full-text searches that rows must match as well.
  public var matches: [FullTextMatch] = []

  /// Makes a condition from SQL and its arguments.
  public init(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) {
    self.sql = sql
    self.arguments = arguments.map(\.databaseValue)
  }
}

extension SQLCondition: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes a condition without arguments.
  public init(stringLiteral value: String) { self.init(value) }

  /// The text and the values of all arguments: a part of a cache's identity.
  public var description: String {
    let values = arguments.map { SortValue(databaseValue: $0).exactText }
    let searches = matches.map {
      " \(SortValue.text($0.table)) MATCH \(SortValue.text($0.pattern))"
    }
    return "\(sql) [\(values.joined(separator: ", "))]\(searches.joined())"
  }
}

/// A request's filter that a ``GRDBResultsStore`` can evaluate.
///
/// A row type without filters needs nothing; ``SQLCondition`` is one; an enum of your own says its
/// condition:
///
/// ```swift
/// enum Filter: SQLFilter {
///   case unread, feed(String)
///   var condition: SQLCondition {
///     switch self {
///     case .unread: "NOT read"
///     case .feed(let name): SQLCondition("feed = ?", [name])
///     }
///   }
/// }
/// ```
public protocol SQLFilter: Equatable, Sendable {
  /// The condition on the columns of the store's table or `SELECT`.
  var condition: SQLCondition { get }
}

extension SQLCondition: SQLFilter {
  /// The condition itself.
  public var condition: SQLCondition { self }
}

extension Never: SQLFilter {
  /// There is no such filter.
  public var condition: SQLCondition { switch self {} }
}
