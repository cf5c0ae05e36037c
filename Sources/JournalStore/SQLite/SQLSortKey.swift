import GRDB
import Journal
import SectionedResults

/// One sort key of a request as SQL.
struct SQLSortKey {
  let field: EntryField
  let order: SortOrder
  /// The expression that gives the value, on the source's aliases.
  let expression: String
  /// The column that holds the day.
  let dayExpression: String

  /// - Parameter alias: the table that `day` and `created` are read from.
  init(_ key: SortKey<EntryField>, alias: String) {
    field = key.field
    order = key.order
    expression = SQLSortKey.expression(key.field, alias)
    dayExpression = "\(alias).day"
  }

  var term: String { order == .ascending ? expression : "\(expression) DESC" }

  /// Whether an index holds the value itself.
  var isColumn: Bool { !isPeriod }

  /// Whether the value stands for several days.
  var isPeriod: Bool { field == .week || field == .month || field == .year }

  /// A sort value as the column holds it.
  func stored(_ value: SortValue) -> any DatabaseValueConvertible {
    switch value {
    case .null: DatabaseValue.null
    case .text(let text): text
    case .integer(let number):
      field == .day ? Day(daysSinceEpoch: Int(number)).description : number
    }
  }

  /// The days that a value of a period stands for.
  func days(of value: SortValue) -> ClosedRange<Day>? {
    guard case .integer(let number) = value else { return nil }
    switch field {
    case .week:
      let monday = Day(daysSinceEpoch: Int(number))
      return monday...monday.adding(days: 6)
    case .month:
      let (year, month) = (Int(number) / 12, Int(number) % 12 + 1)
      return SQLSortKey.range(year, month...month)
    case .year: return SQLSortKey.range(Int(number), 1...12)
    default: return nil
    }
  }

  private static func range(_ year: Int, _ months: ClosedRange<Int>) -> ClosedRange<Day>? {
    let length = Day.length(ofMonth: months.upperBound, year: year)
    guard let first = Day(year: year, month: months.lowerBound, day: 1),
      let last = Day(year: year, month: months.upperBound, day: length)
    else { return nil }
    return first...last
  }

  private static func expression(_ field: EntryField, _ alias: String) -> String {
    switch field {
    case .day: "\(alias).day"
    case .week: week("CAST(julianday(\(alias).day) - 2440587.5 AS INTEGER)")
    case .month:
      "(CAST(substr(\(alias).day, 1, 4) AS INTEGER) * 12"
        + " + CAST(substr(\(alias).day, 6, 2) AS INTEGER) - 1)"
    case .year: "CAST(substr(\(alias).day, 1, 4) AS INTEGER)"
    case .created: "\(alias).created"
    case .modified: "e.modified"
    case .number: "\(alias).number"
    case .titleKey: "e.title_key"
    case .tag: "t.tag"
    }
  }

  /// The Monday of a day; 1970-01-01 was a Thursday.
  private static func week(_ day: String) -> String { "(\(day) - (\(day) % 7 + 10) % 7)" }
}
