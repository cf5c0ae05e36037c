import Journal
import TextLayout

/// The values of a field as displayed lines: a year in one hue, its sums, and a plot.
package struct FieldPage {
  let name: String
  /// The values of the year, or of all years; their parts are those of ``grouping(year:)``.
  let statistics: FieldStatistics
  let today: Day
  /// The year; `nil` for all values, and a map of the last 53 weeks.
  let year: Int?
  let firstWeekday: Int
  let dates: DateStyle
  let columns: Int

  /// The lines of the table: the months of a year, or all years.
  package static func grouping(year: Int?) -> Grouping { year == nil ? .year : .month }

  /// The bars of the plot: the weeks of a year, or all months.
  private var bars: Grouping { year == nil ? .month : .week }

  /// All lines; without values a sentence.
  var lines: [RoleLine] {
    guard statistics.all != nil else { return [RoleLine(absenceSentence)] }
    let days =
      year.flatMap(HeatMap.days(ofYear:))
      ?? HeatMap.lastWeeks(today: today, firstWeekday: firstWeekday)
    let amounts = statistics.days.filter { days.contains($0.day) }.map {
      (day: $0.day, amount: Int(clamping: $0.sum))
    }
    let map = HeatMap(amounts, days: days, firstWeekday: firstWeekday)
    let table = FieldTable(
      name: name, statistics: statistics, grouping: Self.grouping(year: year))
    var blocks: [[RoleLine]] = [[RoleLine(table.heading, .header)]]
    if !amounts.isEmpty {
      let sum = amounts.reduce(Int128(0)) { $0 + Int128($1.amount) }
      blocks[0] += StatisticsPage.period(
        year, "\(statistics.described(rounded: sum)) on \(Numbers.days(amounts.count))",
        columns: columns)
      blocks[0] += MapLines(map, dates: dates, columns: columns).lines("per day") {
        statistics.text(rounded: Int128($0))
      }
    }
    let plot = table.plot(by: bars, columns: min(columns, StatisticsPage.widest))
    if !plot.isEmpty { blocks.append(plot.map { RoleLine($0, .tag) }) }
    blocks.append(
      table.rows(columns: columns).enumerated().map {
        RoleLine($0.element, $0.offset == 0 ? .hint : .normal)
      })
    return blocks.joined(separator: [RoleLine()]).map { $0.trimmed.cut(to: columns) }
  }

  /// Why there is nothing to sum, as a sentence.
  var absenceSentence: String { absence.hasSuffix("?") ? absence : absence + "." }

  /// Why there is nothing to sum, without a full stop.
  private var absence: String {
    guard statistics.others == 0 else {
      return "\(name): no number or duration among"
        + " \(Numbers.counted(statistics.others, "value", "values"))"
    }
    let absence = "No values of \(name)" + (year.map { " in \($0)" } ?? "")
    guard let meant = statistics.meant else { return absence }
    return "\(absence); \(FieldTable.hint(meant) ?? ":fields lists the names in use")"
  }
}
