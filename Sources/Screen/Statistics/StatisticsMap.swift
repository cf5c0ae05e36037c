import Journal
import TextLayout

/// A heat map as lines: a column for each week, in as many parts below each other as the width requires.
package struct MapLines {
  let map: HeatMap
  let dates: DateStyle
  /// The width.
  let columns: Int

  package init(_ map: HeatMap, dates: DateStyle, columns: Int) {
    (self.map, self.dates, self.columns) = (map, dates, columns)
  }

  /// The months and days, the oldest first, then what the signs mean.
  ///
  /// - Parameters:
  ///   - words: says what an amount is of: `words per day`.
  ///   - text: writes an amount.
  package func lines(_ words: String, _ text: (Int) -> String) -> [RoleLine] {
    // A gap beside each sign separates the days.
    let cell = columns >= 30 ? 2 : 1
    let room = max(1, (columns - label) / cell)
    let pieces = (map.weeks.count + room - 1) / room
    let size = (map.weeks.count + pieces - 1) / pieces
    let parts = stride(from: 0, to: map.weeks.count, by: size).map { start in
      Array(map.weeks[start..<min(start + size, map.weeks.count)])
    }
    return parts.flatMap { [months(of: $0, cell)] + grid($0, cell) } + legend(words, text)
  }

  /// The columns of the names of weekdays.
  private var label: Int {
    let labels = dates.names.shortWeekdays.map { TextWidth.columns(of: $0) }.max() ?? 0
    return columns < 30 ? 0 : min(5, labels) + 1
  }

  /// The names of the months, above the week with the first day of each.
  private func months(of weeks: [[HeatMap.Cell?]], _ cell: Int) -> RoleLine {
    var line = RoleLine()
    for (index, week) in weeks.enumerated() {
      let days = week.compactMap { $0?.day }
      // A part begins with the name of its month, unless the next one is too close.
      let isNear = weeks.dropFirst(index + 1).prefix(3).joined().contains { $0?.day.day == 1 }
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

  private func grid(_ weeks: [[HeatMap.Cell?]], _ cell: Int) -> [RoleLine] {
    (0..<7).map { row in
      var line = RoleLine()
      if label > 0 {
        let name = dates.names.shortWeekdays[(map.firstWeekday - 1 + row) % 7]
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

  /// The amounts of a day at each level, in as many lines as needed.
  private func legend(_ words: String, _ text: (Int) -> String) -> [RoleLine] {
    var parts: [RoleLine] = []
    for (index, range) in map.amounts.ranges.enumerated() {
      guard let range else { continue }
      let isHighest = index + 1 == AmountLevels.highest
      let (low, high) = (text(range.lowerBound), text(range.upperBound))
      let numbers = isHighest && low != high ? "\(low)+" : low == high ? low : "\(low)–\(high)"
      var part = RoleLine()
      part.add(Self.sign(index + 1), Self.role(index + 1))
      part.add(" \(numbers)", .hint)
      parts.append(part)
    }
    guard !parts.isEmpty else { return [] }
    parts.append(RoleLine(words, .hint))
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

extension StatisticsPage {
  /// The heat map below its title.
  package var map: [RoleLine] {
    let map = HeatMap(statistics, days: days, firstWeekday: firstWeekday)
    return period
      + MapLines(map, dates: dates, columns: columns).lines("words per day", Numbers.grouped)
  }

  /// The period of the map, and its counts.
  private var period: [RoleLine] {
    let count = statistics.count(days)
    return Self.period(
      year,
      "\(Numbers.entries(count.entries)), \(Numbers.words(count.words)), \(Numbers.days(count.days))",
      columns: columns)
  }

  /// The line above a map: its period and what is in it, below each other if both do not fit.
  static func period(_ year: Int?, _ counts: String, columns: Int) -> [RoleLine] {
    var line = RoleLine(year.map { "\($0)" } ?? "Last 12 months", .heading)
    guard columns >= 60 else { return [line, RoleLine(counts)] }
    line.add("  " + counts)
    return [line]
  }
}
