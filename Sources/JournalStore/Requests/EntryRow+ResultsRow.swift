import Journal
import SectionedResults

extension EntryRow: ResultsRow {
  /// The name of the entity in cache identities.
  public static var entityName: String { "entry" }
  /// The version of the entity's shape in cache identities.
  public static var entityVersion: Int { 1 }

  /// The value a row is ordered by.
  public func sortValue(for field: EntryField) -> SortValue {
    switch field {
    case .day: .integer(Int64(day.daysSinceEpoch))
    case .week: .integer(Int64(day.adding(days: -(day.weekday - 1)).daysSinceEpoch))
    case .month: .integer(Int64(day.year * 12 + day.month - 1))
    case .year: .integer(Int64(day.year))
    case .created: .integer(created.seconds)
    case .modified: .integer(modified.seconds)
    case .number: .integer(id.number)
    case .titleKey: .text(titleKey)
    case .tag: .text(id.tag)
    }
  }
}
