/// Which way a sort key orders its values.
public enum SortOrder: Sendable {
  /// Smallest first.
  case ascending
  /// Largest first.
  case descending
}

/// One sort descriptor: a field and a direction.
public struct SortKey<Field: Equatable & Sendable>: Equatable, Sendable {
  /// The field whose values order the rows.
  public var field: Field
  /// The direction.
  public var order: SortOrder

  /// Makes a sort key, ascending unless told otherwise.
  public init(_ field: Field, _ order: SortOrder = .ascending) {
    self.field = field
    self.order = order
  }
}

/// What a results controller shows: which rows, in which order, in which sections.
///
/// Rows with equal sort values are ordered by their `id`, ascending (rule 8).
public struct FetchRequest<Row: ResultsRow>: Equatable, Sendable {
  /// Which rows; `nil` means all of them.
  public var filter: Row.Filter?
  /// The order of the rows, most significant key first; at least one is needed (rule 1).
  public var sortKeys: [SortKey<Row.SortField>]
  /// What sections are made by; `nil` means one section, also over no rows (rule 4).
  public var sectionField: Row.SectionField?
  /// The most rows shown, also after changes (rule 44); `nil` means no limit.
  public var limit: Int?
  /// How many rows at the start are left out.
  public var offset: Int
  /// How many row contents are read at once, in rows.
  public var pageSize: Int

  /// Makes a request, which is checked when a controller is made with it.
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

extension FetchRequest {
  /// The place of a row in this request's order: its section and its sort values.
  public func key(of row: Row) -> RowKey<Row.ID> {
    RowKey(
      section: sectionField.map(row.sectionKey(for:)) ?? "",
      values: sortKeys.map { row.sortValue(for: $0.field) },
      id: row.id)
  }

  /// Compares two lists of sort values in this request's directions, as far as the shorter one goes.
  ///
  /// A short list is the prefix that all rows of a group share, so it compares equal to each of them.
  ///
  /// - Returns: a negative number, zero or a positive number, as `lhs` stands before, beside or
  ///   behind `rhs`.
  public func compare(_ lhs: [SortValue], _ rhs: [SortValue]) -> Int {
    for index in 0..<min(lhs.count, rhs.count, sortKeys.count) {
      let ascending = lhs[index].order(rhs[index])
      if ascending != 0 { return sortKeys[index].order == .ascending ? ascending : -ascending }
    }
    return 0
  }

  /// Whether one row stands before another: by sort values, then by `id` (rule 8).
  public func precedes(_ lhs: RowKey<Row.ID>, _ rhs: RowKey<Row.ID>) -> Bool {
    let order = compare(lhs.values, rhs.values)
    return order == 0 ? lhs.id < rhs.id : order < 0
  }
}
