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
    field.value(of: self).sortValue
  }

  /// The identity of the row's section; in a list by tag it is the tag of the row's identity.
  package func sectionKey(for grouping: Grouping) -> String {
    grouping.key(of: day)
      ?? grouping.description.field.map { grouping.sectionKey(of: sortValue(for: $0)) } ?? ""
  }
}

extension EntryRow.OrderValue {
  /// The value as results controllers have it.
  var sortValue: SortValue {
    switch self {
    case .integer(let value): .integer(value)
    case .text(let value): .text(value)
    case .nothing: .null
    }
  }
}

extension Grouping {
  /// The key of the section with a value of ``Grouping/Description/field``, if it is none of days.
  func sectionKey(of value: SortValue) -> String {
    if case .field = self, case .text(let place) = value { return FieldPlace.key(of: place) }
    return value.sectionKey
  }
}

extension ResultsRequest where Row == EntryRow {
  /// Whether a row represents an entry under one of its tags.
  package var isByTag: Bool {
    sectionField?.repeatsEntries ?? false || sortKeys.contains { $0.field == .tag }
  }

  /// The keys of the fields in the texts whose values rows need.
  package var fieldKeys: Set<String> {
    Set((sortKeys.map { $0.field } + aggregatedFields).compactMap { $0.fieldKey })
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
  ///
  /// - Parameter measure: the field whose sums and counts, also of what is left out, each section has.
  package static func entries(
    query: Query? = nil, order: ListOrder = .newest, grouping: Grouping = .day,
    limit: Int? = nil, offset: Int = 0, pageSize: Int = 64, measure: FieldMeasure? = nil
  ) -> ResultsRequest<EntryRow> {
    ResultsRequest(
      filter: query, sortKeys: sectionKeys(order, grouping) + rowKeys(order),
      sectionField: grouping == .none ? nil : grouping, limit: limit, offset: offset,
      pageSize: pageSize, aggregating: measure.map { [.sum($0), .count($0), .others($0)] } ?? [])
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
    return (description.fields + [.number]).map { field in
      SortKey(
        field, description.isDescending && !field.isAlwaysAscending ? .descending : .ascending)
    }
  }
}
