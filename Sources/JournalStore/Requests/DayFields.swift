import Journal
import SectionedResults

/// The sort values that follow from a day.
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
