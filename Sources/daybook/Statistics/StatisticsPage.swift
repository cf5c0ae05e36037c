import Journal
import TerminalUI

/// Statistics as lines for people: a heat map, numbers, then how they spread over weekdays, hours,
/// months, years and tags.
///
/// The screen draws these lines and `daybook stats` prints them. They fit any width from 20 columns
/// on: what does not fit side by side stands one below the other.
struct StatisticsPage {
  let statistics: Statistics
  /// Which entries they are about, in the words of a query; empty for all.
  let subject: String
  /// The day that the current streak leads to.
  let today: Day
  /// The year they are about; nothing for all entries, and a map of the last 53 weeks.
  let year: Int?
  /// The weekday that weeks begin with, 1 for Monday.
  let firstWeekday: Int
  let dates: DateStyle
  /// The width.
  let columns: Int

  /// The most columns that are used: what is wider is hard to look over.
  static let widest = 120
  /// The columns from which blocks stand side by side.
  static let wide = 100

  /// The days of the map.
  var days: ClosedRange<Day> {
    year.flatMap(HeatMap.days(ofYear:))
      ?? HeatMap.lastWeeks(today: today, firstWeekday: firstWeekday)
  }

  /// The days that rates are over: from the first entry to today, of a year all of them that have come.
  var span: Int {
    guard year != nil else { return statistics.span(today: today) }
    guard let last = statistics.last else { return 0 }
    let end = min(days.upperBound, max(today, last))
    return end.daysSinceEpoch - days.lowerBound.daysSinceEpoch + 1
  }

  /// All lines.
  var lines: [RoleLine] {
    let title = subject.isEmpty ? "Statistics" : "Statistics of \(subject)"
    var blocks = [[RoleLine(title, .header)] + map, facts]
    if statistics.entries > 0 {
      let hasMap = statistics.count(days).entries > 0
      blocks +=
        rows(of: [weekdays, hours])
        + rows(of: year != nil ? [months] : hasMap ? [months, years] : [years])
      if !statistics.tags.isEmpty { blocks.append(tags) }
    }
    return blocks.joined(separator: [RoleLine()]).map(\.trimmed)
  }

  /// The columns that blocks may take.
  var width: Int { min(columns, Self.widest) }
  /// The columns of a block that may stand beside another one.
  var blockWidth: Int { columns >= Self.wide ? width / 2 - 2 : width }

  /// Blocks side by side, where there is room for that.
  private func rows(of blocks: [[RoleLine]]) -> [[RoleLine]] {
    guard columns >= Self.wide, blocks.count == 2 else { return blocks }
    return [RoleLine.beside(blocks[0], blocks[1], column: width / 2 + 2)]
  }
}
