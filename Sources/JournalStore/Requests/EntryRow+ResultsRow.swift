import Journal
import SectionedResults

extension EntryRow: ResultsRow {
  /// Lists are filtered by the query language.
  package typealias Filter = Query
  /// Lists are sorted by these fields.
  package typealias SortField = EntryField
  /// Lists are sectioned like this.
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
