// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

/// A piece of SQL with its arguments.
package struct SQLText {
  /// The text, with a `?` for each argument.
  package var sql: String
  /// The values of the parameters, in order.
  package var arguments: StatementArguments

  package init(sql: String = "", arguments: StatementArguments = StatementArguments()) {
    self.sql = sql
    self.arguments = arguments
  }
}

/// A request as the parts of SQL statements: what a store says of its tables.
///
/// ``SQLListReader`` makes the statements of all that a results controller asks for.
package protocol SQLList<ID> {
  /// The identity of a row.
  associatedtype ID: ResultsID
  /// A sort key.
  associatedtype Key: RangeKey

  /// The sort keys, in order.
  var keys: [Key] { get }
  /// The columns that a decoder reads; the first is never `NULL`.
  var keyColumns: String { get }
  /// The terms of `ORDER BY`: the sort values, then the identity, which orders rows with equal ones.
  var order: String { get }
  /// Whether no two rows have equal sort values.
  var hasDistinctValues: Bool { get }

  /// `FROM` and `WHERE` of a statement over a part of a range.
  func rows(_ part: RangePart) -> SQLText

  /// A function that makes the keys of rows that follow each other.
  func keyDecoder() -> (Columns) throws -> ResultsKey<ID>
}

extension SQLList {
  /// Whether sort values are in the order of the list, not equal.
  fileprivate func areInOrder(_ left: [SortValue], _ right: [SortValue]) -> Bool {
    for (key, (left, right)) in zip(keys, zip(left, right)) where left != right {
      return (left < right) != key.isDescending
    }
    return false
  }
}

/// Answers the questions of results controllers about a list over one state of a database.
package struct SQLListReader<List: SQLList> {
  package typealias Key = ResultsKey<List.ID>
  package typealias Group = OutlineGroup<List.ID>

  package let db: Database
  package let list: List

  package init(_ db: Database, _ list: List) {
    self.db = db
    self.list = list
  }

  // MARK: Rows

  /// Calls `body` with columns of the rows of a range until it returns `false`.
  ///
  /// - Parameters:
  ///   - isOrdered: whether the rows must come in order.
  ///   - limit: the largest number of rows.
  package func forEachRow(
    _ columns: String, in range: ResultsKeyRange = .everything, isOrdered: Bool = true,
    limit: Int? = nil, _ body: (Columns) throws -> Bool
  ) throws {
    var left = limit ?? .max
    for part in RangeParts.reading(range, list.keys) where left > 0 {
      let rows = list.rows(part)
      var sql = "SELECT \(columns) \(rows.sql)"
      if isOrdered { sql += " ORDER BY \(list.order)" }
      if limit != nil { sql += " LIMIT ?" }
      let arguments = limit == nil ? rows.arguments : rows.arguments + [left]
      let isAll = try db.forEachUntil(sql, arguments) {
        left -= 1
        return try body($0)
      }
      guard isAll else { return }
    }
  }

  /// Calls `body` with the keys of a range, in order.
  package func forEachKey(
    in range: ResultsKeyRange = .everything, limit: Int? = nil, _ body: (Key) throws -> Void
  ) throws {
    let decode = list.keyDecoder()
    try forEachRow(list.keyColumns, in: range, limit: limit) {
      try body(decode($0))
      return true
    }
  }

  /// The keys of a range, in order.
  package func keys(in range: ResultsKeyRange, limit: Int? = nil) throws -> [Key] {
    var keys: [Key] = []
    if let limit { keys.reserveCapacity(limit) }
    try forEachKey(in: range, limit: limit) { keys.append($0) }
    return keys
  }

  /// The number of rows in a range.
  package func count(in range: ResultsKeyRange) throws -> Int {
    try count(RangeParts.parts(lower: range.lower, upper: range.upper, list.keys))
  }

  private func count(_ parts: [RangePart]) throws -> Int {
    guard !parts.isEmpty else { return 0 }
    var (counts, arguments) = ([String](), StatementArguments())
    for part in parts {
      let rows = list.rows(part)
      counts.append("(SELECT count(*) \(rows.sql))")
      arguments += rows.arguments
    }
    return try db.first("SELECT \(counts.joined(separator: " + "))", arguments) {
      Int($0.integer(0))
    } ?? 0
  }

  // MARK: Groups

  /// The values of the first sort key, in order, with the numbers of their rows.
  package func counts() throws -> [(value: SortValue, count: Int)] {
    let key = list.keys[0]
    let rows = list.rows(RangePart())
    var counts: [(value: SortValue, count: Int)] = []
    try db.forEach(
      """
      SELECT count(*), \(key.expression) \(rows.sql)
      GROUP BY \(key.expression) ORDER BY \(key.term)
      """, rows.arguments
    ) { counts.append((SortValue(stored: $0.value(1)), Int($0.integer(0)))) }
    return counts
  }

  /// The groups of a section, or of the whole list, found by jumps in the index without reading the rows
  /// between.
  ///
  /// A group never begins inside a run of rows with equal sort values: those before the jump's goal go
  /// to the next group, and a run longer than a group is a group.
  ///
  /// - Parameters:
  ///   - prefix: the first sort values of all rows of the section; empty for the whole list.
  ///   - total: the number of the rows.
  ///   - size: the number of rows of a group.
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for an index that is out of order.
  package func groups(
    of prefix: [SortValue] = [], section: String = "", total: Int, size: Int
  ) throws -> [Group] {
    var left = total
    guard left > 0 else { return [] }
    let fixed = prefix.count
    let jump = Jump(self)
    func values(
      _ offset: Int, from lower: [SortValue], isAfter: Bool = false
    ) throws -> [SortValue]? {
      let parts =
        list.hasDistinctValues && fixed == 0
        ? RangeParts.reading(ResultsKeyRange(lower: lower, upper: nil), list.keys)
        : RangeParts.parts(lower: lower, upper: nil, list.keys, fixed: fixed, isAfter: isAfter)
      let found = try jump.values(at: offset, of: parts)
      guard let found, offset > 0 || isAfter, !list.areInOrder(lower, found) else { return found }
      if found.count == lower.count, list.hasDistinctValues || isAfter {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT, message: "an index of the list is out of order")
      }
      return found
    }
    var bound = prefix
    if prefix.isEmpty {
      guard let first = try values(0, from: []) else { return [] }
      bound = first
    }
    var groups: [Group] = []
    while left > size {
      guard var next = try values(size, from: bound) else { break }
      var count = size
      if !list.hasDistinctValues {
        count = try self.count(in: ResultsKeyRange(lower: bound, upper: next))
        if count == 0 {
          guard let after = try values(0, from: next, isAfter: true) else { break }
          next = after
          count = try self.count(in: ResultsKeyRange(lower: bound, upper: next))
        }
      }
      groups.append(Group(section: section, bound: bound, count: count))
      left -= count
      bound = next
    }
    if left > 0 { groups.append(Group(section: section, bound: bound, count: left)) }
    return groups
  }

  /// Reads the sort values of rows that are far from each other.
  private struct Jump {
    let reader: SQLListReader
    let columns: String
    let order: String
    let decode: (Columns) throws -> Key

    init(_ reader: SQLListReader) {
      self.reader = reader
      columns = reader.list.keyColumns
      order = reader.list.keys.map(\.term).joined(separator: ", ")
      decode = reader.list.keyDecoder()
    }

    /// The sort values of a row of some parts that follow each other; `nil` if there are fewer rows.
    func values(at offset: Int, of parts: [RangePart]) throws -> [SortValue]? {
      var offset = offset
      for (index, part) in parts.enumerated() {
        let rows = reader.list.rows(part)
        let values = try reader.db.first(
          "SELECT \(columns) \(rows.sql) ORDER BY \(order) LIMIT 1 OFFSET ?",
          rows.arguments + [offset]
        ) { try decode($0).values }
        if let values { return values }
        // The part has at most `offset` rows.
        if index < parts.count - 1, offset > 0 { offset -= try reader.count([part]) }
      }
      return nil
    }
  }
}

extension ResultsKeyRange {
  /// The whole list.
  package static var everything: ResultsKeyRange { ResultsKeyRange(lower: nil, upper: nil) }
}
