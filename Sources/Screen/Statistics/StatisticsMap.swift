import Journal
import TextLayout

extension StatisticsPage {
  /// The heat map below its title: a column for each week, in as many parts as the width requires.
  package var map: [RoleLine] {
    let map = HeatMap(statistics, days: days, firstWeekday: firstWeekday)
    let labels = dates.names.shortWeekdays.map { TextWidth.columns(of: $0) }.max() ?? 0
    let label = columns < 30 ? 0 : min(5, labels) + 1
    // A gap beside each sign separates the days.
    let cell = columns >= 30 ? 2 : 1
    let room = max(1, (columns - label) / cell)
    let pieces = (map.weeks.count + room - 1) / room
    let size = (map.weeks.count + pieces - 1) / pieces
    let parts = stride(from: 0, to: map.weeks.count, by: size).map { start in
      Array(map.weeks[start..<min(start + size, map.weeks.count)])
    }
    let grids = parts.flatMap { [months(of: $0, label, cell)] + grid($0, label, cell) }
    return period + grids + legend(map.words, label)
  }

  /// The period of the map, and its counts.
  private var period: [RoleLine] {
    let count = statistics.count(days)
    let counts =
      "\(Numbers.entries(count.entries)), \(Numbers.words(count.words)), \(Numbers.days(count.days))"
    var line = RoleLine(year.map { "\($0)" } ?? "Last 12 months", .heading)
    guard columns >= 60 else { return [line, RoleLine(counts)] }
    line.add("  " + counts)
    return [line]
  }

  /// The names of the months, above the week with the first day of each.
  private func months(of weeks: [[HeatMap.Cell?]], _ label: Int, _ cell: Int) -> RoleLine {
    var line = RoleLine()
    for (index, week) in weeks.enumerated() {
      let days = week.compactMap { $0?.count.day }
      // A part begins with the name of its month, unless the next one is too close.
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
        let level = week[row]?.level ?? 0
        line.add(week[row] == nil ? " " : Self.sign(level), Self.role(level))
        line.add(TextFit.spaces(cell - 1))
      }
      return line
    }
  }

  /// The words of a day at each level, in as many lines as needed.
  private func legend(_ words: AmountLevels, _ label: Int) -> [RoleLine] {
    var parts: [RoleLine] = []
    for (index, range) in words.ranges.enumerated() {
      guard let range else { continue }
      let isHighest = index + 1 == AmountLevels.highest
      let numbers =
        isHighest && range.count > 1
        ? "\(Numbers.grouped(range.lowerBound))+"
        : ([range.lowerBound] + (range.count > 1 ? [range.upperBound] : []))
          .map(Numbers.grouped).joined(separator: "–")
      var part = RoleLine()
      part.add(Self.sign(index + 1), Self.role(index + 1))
      part.add(" \(numbers)", .hint)
      parts.append(part)
    }
    guard !parts.isEmpty else { return [] }
    parts.append(RoleLine("words per day", .hint))
    var lines = [RoleLine(TextFit.spaces(label))]
    for part in parts {
      let isFirst = lines[lines.count - 1].columns == label
      if !isFirst, lines[lines.count - 1].columns + 2 + part.columns > columns {
        lines.append(RoleLine(TextFit.spaces(label)))
      } else if !isFirst {
        lines[lines.count - 1].add("  ")
      }
      lines[lines.count - 1].add(part)
    }
    return lines
  }

  /// The sign of a level, which has more ink than that of a lower one.
  private static func sign(_ level: Int) -> String {
    level == 0 ? LevelSigns.none : LevelSigns.shapes[level - 1]
  }

  private static func role(_ level: Int) -> Style.Role {
    level == 0 ? .hint : Style.Role.levels[level - 1]
  }
}
