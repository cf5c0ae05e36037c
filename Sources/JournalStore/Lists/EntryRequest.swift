import Journal
import SectionedResults

/// A request for a list of entries.
package typealias EntryRequest = FetchRequest<EntryRow>

/// The fields that lists of entries can be sorted by.
package enum EntryField: Hashable, Sendable {
  /// The day of an entry, as days since 1970-01-01.
  case day
  /// The Monday of the day's week, as days since 1970-01-01.
  case week
  /// The day's month, counted from the year 0.
  case month
  /// The day's year.
  case year
  /// The creation time, in seconds since the epoch.
  case created
  /// The time of the last change, in seconds since the epoch.
  case modified
  /// Its number.
  case number
  /// Its title without case and accents.
  case titleKey
  /// The folded tag of the row's section.
  case tag
}

extension EntryRow: ResultsRow {
  /// The query language filters lists.
  package typealias Filter = Query
  /// The sort fields of lists.
  package typealias SortField = EntryField
  /// The section fields of lists.
  package typealias SectionField = Sectioning

  /// The name of the entity in cache identities.
  package static var entityName: String { "entry" }
  /// The version of the entity's shape in cache identities.
  package static var entityVersion: Int { 1 }

  /// The value a row is ordered by.
  package func sortValue(for field: EntryField) -> SortValue {
    switch field {
    case .day, .week, .month, .year: DayFields.value(of: field, day)
    case .created: .integer(created.seconds)
    case .modified: .integer(modified.seconds)
    case .number: .integer(id.number)
    case .titleKey: .text(titleKey)
    case .tag: .text(id.tag)
    }
  }
}

/// The sort values derived from a day.
enum DayFields {
  static func value(of field: EntryField, _ day: Day) -> SortValue {
    switch field {
    case .week: .integer(Int64(day.daysSinceEpoch - day.weekday + 1))
    case .month: .integer(Int64(day.year * 12 + day.month - 1))
    case .year: .integer(Int64(day.year))
    default: .integer(Int64(day.daysSinceEpoch))
    }
  }
}

extension FetchRequest where Row == EntryRow {
  /// A list of entries: the query, the order and the sections.
  ///
  /// Sections are sorted by their keys: the latest first, but the earliest first with
  /// ``ListOrder/oldest``, and tags always ascending. Inside a section rows have the list's order,
  /// ties by number in the same direction. The sort keys begin with the section's field unless the
  /// order implies it, so that every section is contiguous (rule 7).
  ///
  /// ``Sectioning/none`` is a request without sections: one section, even without rows (rule 4).
  /// Without a query the list contains every entry outside the trash.
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
