import Journal
import SectionedResults

extension FetchRequest where Row == EntryRow {
  /// A list of entries: which ones, in which order, in which sections.
  ///
  /// Sections stand in the order of their keys: the latest first, but the earliest first under
  /// ``ListOrder/oldest``, and tags always ascending. Inside a section rows stand in the list's order,
  /// ties by number in the same direction. The sort keys begin with what the sections are made by
  /// unless the order implies it, so that every section is contiguous (rule 7).
  ///
  /// ``Sectioning/none`` is a request without sections: one section, also over no rows (rule 4).
  /// Without a query the list holds every entry outside the trash.
  package static func entries(
    query: Query? = nil, order: ListOrder = .newest, sectioning: Sectioning = .day,
    limit: Int? = nil, offset: Int = 0, pageSize: Int = 64
  ) -> FetchRequest<EntryRow> {
    FetchRequest(
      filter: query, sortKeys: sectionKeys(order, sectioning) + rowKeys(order, sectioning),
      sectionField: sectioning == .none ? nil : sectioning, limit: limit, offset: offset,
      pageSize: pageSize)
  }

  private static func sectionKeys(
    _ order: ListOrder, _ sectioning: Sectioning
  ) -> [SortKey<EntryField>] {
    let direction: SortOrder = order == .oldest ? .ascending : .descending
    let isByDate = order == .newest || order == .oldest
    return switch sectioning {
    case .none: []
    case .tag: [SortKey(.tag)]
    case .day: isByDate ? [] : [SortKey(.day, direction)]
    case .week: isByDate ? [] : [SortKey(.week, direction)]
    case .month: isByDate ? [] : [SortKey(.month, direction)]
    case .year: isByDate ? [] : [SortKey(.year, direction)]
    }
  }

  private static func rowKeys(
    _ order: ListOrder, _ sectioning: Sectioning
  ) -> [SortKey<EntryField>] {
    switch order {
    case .newest:
      [SortKey(.day, .descending), SortKey(.created, .descending), SortKey(.number, .descending)]
    case .oldest: [SortKey(.day), SortKey(.created), SortKey(.number)]
    case .modified: [SortKey(.modified, .descending), SortKey(.number, .descending)]
    case .title: [SortKey(.titleKey), SortKey(.number)]
    }
  }
}
