import Journal
import SectionedResults

/// A request for a list of entries.
package typealias EntryRequest = ResultsRequest<EntryRow>

/// Tags are folded, so that equal ones have equal bytes.
extension EntryRowID: ResultsID {}

extension EntryRow: ResultsRow {
  /// The query language filters lists.
  package typealias Filter = Query
  /// The sort fields of lists.
  package typealias SortField = EntryField
  /// The section fields of lists.
  package typealias SectionField = Grouping

  /// The name of the entity in cache identities.
  package static var entityName: String { "entry" }
  /// The version of the entity's shape in cache identities.
  package static var entityVersion: Int { 1 }

  /// The value a row is ordered by.
  package func sortValue(for field: EntryField) -> SortValue {
    switch field.value(of: self) {
    case .integer(let value): .integer(value)
    case .text(let value): .text(value)
    }
  }

  /// The identity of the row's section; in a list by tag it is the tag of the row's identity.
  package func sectionKey(for grouping: Grouping) -> String {
    grouping.key(of: day) ?? grouping.description.field.map { sortValue(for: $0).sectionKey } ?? ""
  }
}

extension ResultsRequest where Row == EntryRow {
  /// Whether a row represents an entry under one of its tags.
  package var isByTag: Bool {
    sectionField?.repeatsEntries ?? false || sortKeys.contains { $0.field == .tag }
  }

  /// A list of entries: the query, the order and the sections.
  ///
  /// Sections are sorted by their keys: the latest first, but the earliest first with
  /// ``ListOrder/oldest``, and tags always ascending. Inside a section rows have the list's order,
  /// ties by number in the same direction. The sort keys begin with the section's field unless the
  /// order implies it, so that every section is contiguous (rule 7).
  ///
  /// ``Grouping/none`` is a request without sections: one section, even without rows (rule 4).
  /// Without a query the list contains every entry outside the trash.
  package static func entries(
    query: Query? = nil, order: ListOrder = .newest, grouping: Grouping = .day,
    limit: Int? = nil, offset: Int = 0, pageSize: Int = 64
  ) -> ResultsRequest<EntryRow> {
    ResultsRequest(
      filter: query, sortKeys: sectionKeys(order, grouping) + rowKeys(order),
      sectionField: grouping == .none ? nil : grouping, limit: limit, offset: offset,
      pageSize: pageSize)
  }

  private static func sectionKeys(
    _ order: ListOrder, _ grouping: Grouping
  ) -> [SortKey<EntryField>] {
    let description = grouping.description
    guard let field = description.field, field.period == nil || !order.description.followsDays
    else { return [] }
    return [SortKey(field, description.isDescending ? .descending : .ascending)]
  }

  private static func rowKeys(_ order: ListOrder) -> [SortKey<EntryField>] {
    let description = order.description
    return (description.fields + [.number]).map {
      SortKey($0, description.isDescending ? .descending : .ascending)
    }
  }
}
