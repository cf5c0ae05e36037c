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

  /// Makes a sort key of a property, ascending by default.
  public init<Row, Value: SortValueConvertible & SendableMetatype>(
    _ property: any KeyPath<Row, Value> & Sendable, _ order: SortValue.Order = .ascending
  ) where Field == ResultsField<Row> {
    self.init(ResultsField(property), order)
  }
}

/// The rows that a results controller shows, with their order and sections.
///
/// Rows with equal sort values are ordered by their `id`, ascending (rule 8).
public struct ResultsRequest<Row: ResultsRow>: Equatable, Sendable {
  /// The filter of the rows; `nil` selects all rows.
  public var filter: Row.Filter?
  /// The order of the rows, most significant key first; at least one is needed (rule 1).
  public var sortKeys: [SortKey<Row.SortField>] { didSet { order = SortOrder(sortKeys) } }
  /// The field that rows are grouped by; `nil` makes one section, even without rows (rule 4).
  public var sectionField: Row.SectionField?
  /// The maximum number of rows shown, also after changes (rule 44); `nil` for no limit.
  public var limit: Int?
  /// The number of rows skipped at the start.
  public var offset: Int
  /// The number of row contents read together.
  public var pageSize: Int
  /// The fields with a ``ResultsAggregate`` per section and list, which follows every commit.
  public var aggregatedFields: [Row.SortField]
  /// The directions of the sort keys.
  private(set) var order: SortOrder

  /// Makes a request; a controller checks it when it receives it.
  public init(
    filter: Row.Filter? = nil, sortKeys: [SortKey<Row.SortField>],
    sectionField: Row.SectionField? = nil, limit: Int? = nil, offset: Int = 0, pageSize: Int = 64,
    aggregating aggregatedFields: [Row.SortField] = []
  ) {
    self.filter = filter
    self.sortKeys = sortKeys
    order = SortOrder(sortKeys)
    self.sectionField = sectionField
    self.limit = limit
    self.offset = offset
    self.pageSize = pageSize
    self.aggregatedFields = aggregatedFields
  }
}

extension ResultsRequest where Row.SectionField == ResultsField<Row> {
  /// Makes a request with the sections of a property; a controller checks it when it receives it.
  public init<Value: SortValueConvertible & SendableMetatype>(
    filter: Row.Filter? = nil, sortKeys: [SortKey<Row.SortField>],
    sections: any KeyPath<Row, Value> & Sendable, limit: Int? = nil, offset: Int = 0,
    pageSize: Int = 64, aggregating aggregatedFields: [Row.SortField] = []
  ) {
    self.init(
      filter: filter, sortKeys: sortKeys, sectionField: ResultsField(sections), limit: limit,
      offset: offset, pageSize: pageSize, aggregating: aggregatedFields)
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

  /// Whether a write changed a row: by its equality, by its key, or in an aggregated field.
  ///
  /// A key may differ although the rows are equal, since Swift takes texts for equal that are so in
  /// Unicode, and keys are compared by bytes. So may an aggregated field: `1` and `1.0` are equal, but
  /// not in a sum. A store that omits unchanged rows asks this. Without sort
  /// keys every write counts as a change, since it may be one for another request.
  public func isChanged(_ images: RowImages<Row>) -> Bool {
    if images.before != images.after { return true }
    guard let before = images.before, let after = images.after else { return false }
    return sortKeys.isEmpty || key(of: before) != key(of: after)
      || aggregatedFields.contains {
        before.sortValue(for: $0).preciseOrder(after.sortValue(for: $0)) != 0
      }
  }

  /// Compares two lists of sort values in this request's directions, up to the length of the
  /// shorter one.
  ///
  /// A short list is the common prefix of a group's rows, so it compares equal to each of them.
  ///
  /// - Returns: a negative number, zero or a positive number if `lhs` is before, equal to or after
  ///   `rhs`.
  public func compare(_ lhs: [SortValue], _ rhs: [SortValue]) -> Int {
    order.compare(lhs, rhs)
  }

  /// Whether one row comes before another: by sort values, then by `id` (rule 8).
  public func precedes(_ lhs: ResultsKey<Row.ID>, _ rhs: ResultsKey<Row.ID>) -> Bool {
    let order = compare(lhs.values, rhs.values)
    return order == 0 ? lhs.id.exact < rhs.id.exact : order < 0
  }

  /// Keys in the order of the request.
  func sorted(_ keys: [ResultsKey<Row.ID>]) -> [ResultsKey<Row.ID>] {
    guard keys.count > 1 else { return keys }
    let places = order.sortedPlaces(of: keys.map { $0.values }) {
      keys[$0].id.exact < keys[$1].id.exact
    }
    return places.map { keys[$0] }
  }
}

/// The sort position of a row in a request, without the row's contents.
///
/// A controller keeps keys alone for rows that are not shown.
public struct ResultsKey<ID: ResultsID>: Sendable {
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

extension ResultsKey: Hashable {
  /// Whether both are the same row at the same position, compared by bytes.
  public static func == (lhs: ResultsKey, rhs: ResultsKey) -> Bool {
    lhs.id.exact == rhs.id.exact && lhs.values == rhs.values
      && lhs.section.hasBytes(of: rhs.section)
  }

  /// Hashes the row's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id.exact) }
}

/// The position of a row in sectioned results: the index path of Apple's class.
///
/// Paths are ordered by section, then by row, as on the screen.
public struct RowPath: Hashable, Comparable, Codable, Sendable {
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
