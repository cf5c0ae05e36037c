// SPDX-License-Identifier: MIT

/// One sort descriptor: a field and a direction.
public struct SortKey<Field: Equatable & Sendable>: Equatable, Sendable {
  /// The field whose values order the rows.
  public var field: Field
  /// The direction.
  public var order: SortValue.Order

  /// Makes a sort key, ascending by default.
  public init(_ field: Field, _ order: SortValue.Order = .ascending) {
    self.field = field
    self.order = order
  }
}

/// The rows that a results controller shows, with their order and sections.
///
/// Rows with equal sort values are ordered by their `id`, ascending (rule 8).
public struct ResultsRequest<Row: ResultsRow>: Equatable, Sendable {
  /// The filter of the rows; `nil` selects all rows.
  public var filter: Row.Filter?
  /// The order of the rows, most significant key first; at least one is needed (rule 1).
  public var sortKeys: [SortKey<Row.SortField>]
  /// The field that rows are grouped by; `nil` makes one section, even without rows (rule 4).
  public var sectionField: Row.SectionField?
  /// The maximum number of rows shown, also after changes (rule 44); `nil` for no limit.
  public var limit: Int?
  /// The number of rows skipped at the start.
  public var offset: Int
  /// The number of row contents read together.
  public var pageSize: Int

  /// Makes a request; a controller checks it when it receives it.
  public init(
    filter: Row.Filter? = nil, sortKeys: [SortKey<Row.SortField>],
    sectionField: Row.SectionField? = nil, limit: Int? = nil, offset: Int = 0, pageSize: Int = 64
  ) {
    self.filter = filter
    self.sortKeys = sortKeys
    self.sectionField = sectionField
    self.limit = limit
    self.offset = offset
    self.pageSize = pageSize
  }
}

extension ResultsRequest {
  /// The sort position of a row in this request: its section and its sort values.
  public func key(of row: Row) -> ResultsKey<Row.ID> {
    ResultsKey(
      section: sectionField.map(row.sectionKey(for:)) ?? "",
      values: sortKeys.map { row.sortValue(for: $0.field) },
      id: row.id)
  }

  /// Compares two lists of sort values in this request's directions, up to the length of the
  /// shorter one.
  ///
  /// A short list is the common prefix of a group's rows, so it compares equal to each of them.
  ///
  /// - Returns: a negative number, zero or a positive number if `lhs` is before, equal to or after
  ///   `rhs`.
  public func compare(_ lhs: [SortValue], _ rhs: [SortValue]) -> Int {
    for index in 0..<min(lhs.count, rhs.count, sortKeys.count) {
      let ascending = lhs[index].order(rhs[index])
      if ascending != 0 { return sortKeys[index].order == .ascending ? ascending : -ascending }
    }
    return 0
  }

  /// Whether one row comes before another: by sort values, then by `id` (rule 8).
  public func precedes(_ lhs: ResultsKey<Row.ID>, _ rhs: ResultsKey<Row.ID>) -> Bool {
    let order = compare(lhs.values, rhs.values)
    return order == 0 ? lhs.id < rhs.id : order < 0
  }
}

/// A row that a results controller can show: the entity of Apple's class, as a value.
///
/// Two rows with the same `id` are two states of one object. Equality defines an observable change:
/// a write that leaves the row equal is not reported (rule 40).
public protocol ResultsRow: Identifiable, Equatable, Sendable where ID: Comparable & Sendable {
  /// The type of a request's filter: a predicate in the terms of the store.
  associatedtype Filter: Equatable & Sendable
  /// The fields by which a request can sort.
  associatedtype SortField: Equatable & Sendable
  /// The fields by which a request can group rows into sections.
  associatedtype SectionField: Equatable & Sendable

  /// The entity's name, part of a cache's identity (rule 17).
  static var entityName: String { get }
  /// The version of the entity's shape, part of a cache's identity (rule 17).
  static var entityVersion: Int { get }

  /// The row's value for a sort field.
  func sortValue(for field: SortField) -> SortValue

  /// The identity of the row's section, for example `2026-11-21`.
  ///
  /// It is not the displayed title: a title may change at midnight without a write (rule 13).
  func sectionKey(for field: SectionField) -> String
}

/// The sort position of a row in a request, without the row's contents.
///
/// A controller keeps keys alone for rows that are not shown.
public struct ResultsKey<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// The identity of the row's section; empty for a request without sections.
  public var section: String
  /// The row's values for the request's sort keys, in their order.
  public var values: [SortValue]
  /// The row's identity.
  public var id: ID

  /// Makes a key from its parts.
  public init(section: String, values: [SortValue], id: ID) {
    self.section = section
    self.values = values
    self.id = id
  }
}

/// The position of a row in sectioned results: the index path of Apple's class.
///
/// Paths are ordered by section, then by row, as on the screen.
public struct RowPath: Hashable, Comparable, Sendable {
  /// The section's index, from 0.
  public var section: Int
  /// The row's index inside its section, from 0.
  public var row: Int

  /// Makes a path from a section index and a row index.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Makes a path from a section index and a row index, in that order.
  public init(_ section: Int, _ row: Int) {
    self.init(section: section, row: row)
  }

  /// Orders by section, then by row.
  public static func < (lhs: RowPath, rhs: RowPath) -> Bool {
    (lhs.section, lhs.row) < (rhs.section, rhs.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// The path as `[section, row]`.
  public var description: String { "[\(section), \(row)]" }
}

/// A value by which rows are sorted.
///
/// Values compare as in SQLite: `null`, then numbers, then text. Text is compared by its UTF-8
/// bytes, never by Swift's canonical equivalence, so that a store's index and this library agree
/// for every string.
public enum SortValue: Codable, Sendable {
  /// No value; it comes before all others.
  case null
  /// An integer.
  case integer(Int64)
  /// A string, compared by its UTF-8 bytes.
  case text(String)
}

extension SortValue {
  /// The direction in which values are ordered.
  public enum Order: Sendable {
    /// Smallest value first.
    case ascending
    /// Largest value first.
    case descending
  }
}

extension SortValue: Hashable {
  /// Whether both are the same value, text byte by byte.
  public static func == (lhs: SortValue, rhs: SortValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  /// Hashes the kind of the value and its bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    }
  }
}

extension SortValue {
  /// A negative number, zero or a positive number if the value is less than, equal to or greater
  /// than another.
  func order(_ other: SortValue) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)):
      return left < right ? -1 : left == right ? 0 : 1
    case (.text(let left), .text(let right)): return SortValue.order(left, right)
    default: return rank - other.rank
    }
  }

  /// Compares the bytes of two strings in one pass; a test for equality first would need two.
  private static func order(_ left: String, _ right: String) -> Int {
    let order = left.utf8.withContiguousStorageIfAvailable { lefts in
      right.utf8.withContiguousStorageIfAvailable { rights in
        for index in 0..<min(lefts.count, rights.count) where lefts[index] != rights[index] {
          return lefts[index] < rights[index] ? -1 : 1
        }
        return lefts.count - rights.count
      }
    }
    // Native Swift strings are contiguous, at least on Linux.
    if let order = order ?? nil { return order }
    return left.utf8.elementsEqual(right.utf8)
      ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }
}

extension SortValue: Comparable {
  /// Whether the left value comes before the right one in ascending order.
  public static func < (lhs: SortValue, rhs: SortValue) -> Bool {
    switch (lhs, rhs) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: lhs.rank < rhs.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .text: 2
    }
  }
}
