import Journal
import TerminalUI

extension StatisticsPage {
  /// The heat map below its title: a column for each week, in as many pieces as the width asks for.
  var map: [RoleLine] {
    let map = HeatMap(statistics, days: days, firstWeekday: firstWeekday)
    let labels = dates.names.shortWeekdays.map { TextWidth.columns(of: $0) }.max() ?? 0
    let label = columns < 30 ? 0 : min(5, labels) + 1
    let cell = label + 2 * map.weeks.count <= columns ? 2 : 1
    let room = max(1, (columns - label) / cell)
    let pieces = (map.weeks.count + room - 1) / room
    let size = (map.weeks.count + pieces - 1) / pieces
    let parts = stride(from: 0, to: map.weeks.count, by: size).map { start in
      Array(map.weeks[start..<min(start + size, map.weeks.count)])
    }
    // The last weeks lead up to today, which small screens are to show first.
    let ordered = year == nil ? parts.reversed() : parts
    let grids = ordered.flatMap { [months(of: $0, label, cell)] + grid($0, label, cell) }
    return period + grids + [legend(label)]
  }

  /// What the map shows, and what was written in that time.
  private var period: [RoleLine] {
    let count = statistics.count(days)
    let counts =
      "\(Numbers.entries(count.entries)), \(Numbers.words(count.words)), \(Numbers.days(count.days))"
    var line = RoleLine(year.map { "\($0)" } ?? "Last 12 months", .heading)
    guard columns >= 60 else { return [line, RoleLine(counts)] }
    line.add("  " + counts)
    return [line]
  }

  /// The names of the months, above the week that has the first of them.
  private func months(of weeks: [[HeatMap.Cell?]], _ label: Int, _ cell: Int) -> RoleLine {
    var line = RoleLine()
    for (index, week) in weeks.enumerated() {
      let days = week.compactMap { $0?.count.day }
      // A piece begins with the name of its month, unless the next one follows at once.
      let isNear = weeks.dropFirst(index + 1).prefix(3).joined().contains { $0?.count.day.day == 1 }
      let shown = days.first { $0.day == 1 } ?? (index == 0 && !isNear ? days.first : nil)
      let column = label + index * cell
      guard let day = shown, line.columns == 0 || line.columns < column else { continue }
      let name = String(dates.names.months[day.month - 1].prefix(3))
      guard column + TextWidth.columns(of: name) <= label + weeks.count * cell else { continue }
      line.pad(to: column)
      line.add(name, .hint)
    }
    return line
  }

  private func grid(_ weeks: [[HeatMap.Cell?]], _ label: Int, _ cell: Int) -> [RoleLine] {
    (0..<7).map { row in
      var line = RoleLine()
      if label > 0 {
        let name = dates.names.shortWeekdays[(firstWeekday - 1 + row) % 7]
        line.add(field: name, label - 1, .hint)
        line.add(" ")
      }
      for week in weeks {
        let sign = week[row].map { BlockSigns.shades[$0.level] } ?? " "
        let level = week[row]?.level ?? 0
        // The sign for nothing stands alone: a row of them is lighter than one that is filled.
        line.add(level == 0 ? sign : String(repeating: sign, count: cell), Self.role(level))
        if level == 0, cell > 1 { line.add(String(repeating: " ", count: cell - 1)) }
      }
      return line
    }
  }

  private func legend(_ label: Int) -> RoleLine {
    var line = RoleLine(String(repeating: " ", count: label))
    line.add("less ", .hint)
    for (level, sign) in BlockSigns.shades.enumerated() { line.add(sign, Self.role(level)) }
    line.add(" more words a day", .hint)
    return line
  }

  /// One colour for all levels, since the signs differ; the highest stands out.
  private static func role(_ level: Int) -> Style.Role {
    switch level {
    case 0: .hint
    case HeatMap.levels: .changed
    default: .tag
    }
  }
}
