import Journal
import TerminalUI

extension StatisticsPage {
  private static let countColumns = 9

  /// Entries by weekday.
  var weekdays: [RoleLine] {
    let counts = statistics.weekdays
    let most = counts.max() ?? 0
    let names = dates.names.weekdays
    let label = min(12, names.map { TextWidth.columns(of: $0) }.max() ?? 0) + 1
    let rows = (0..<7).map { index in
      let weekday = (firstWeekday - 1 + index) % 7
      var line = RoleLine()
      line.add(field: names[weekday], label, .hint)
      line.add(
        field: Numbers.grouped(counts[weekday]), Self.countColumns - 2, .normal, atRight: true)
      addBar(counts[weekday], of: most, to: &line)
      return line
    }
    return [RoleLine("Weekdays", .heading)] + rows
  }

  /// Entries by hour of the day.
  var hours: [RoleLine] {
    let cell = blockWidth >= 48 ? 2 : 1
    let most = statistics.hours.max() ?? 0
    var chart = RoleLine()
    for count in statistics.hours {
      let sign = BlockSigns.column(count, of: most)
      chart.add(String(repeating: sign, count: cell), count == most ? .changed : .tag)
    }
    var axis = RoleLine()
    for hour in stride(from: 0, to: 24, by: 6) {
      axis.pad(to: hour * cell)
      axis.add("\(hour)", .hint)
    }
    return [RoleLine("Hours of the day", .heading), chart, axis]
  }

  /// The months that the map shows.
  var months: [RoleLine] {
    table("Months", statistics.months(of: days)) { first in
      "\(dates.names.months[first.month - 1].prefix(3)) \(first.year)"
    }
  }

  /// All years with entries.
  var years: [RoleLine] {
    table("Years", statistics.years) { "\($0.year)" }
  }

  /// Periods with entries, words, and a bar for the words.
  private func table(
    _ title: String, _ periods: [PeriodCount], name: (Day) -> String
  ) -> [RoleLine] {
    let names = periods.map { name($0.first) }
    let widest = names.map { TextWidth.columns(of: $0) }.max() ?? 0
    let label = max(widest, TextWidth.columns(of: title))
    var head = RoleLine()
    head.add(field: title, label, .heading)
    for word in ["entries", "words"] {
      head.add(field: word, Self.countColumns, .hint, atRight: true)
    }
    let most = periods.map(\.words).max() ?? 0
    return [head]
      + zip(periods, names).map { period, name in
        var line = RoleLine()
        line.add(field: name, label, .hint)
        for number in [period.entries, period.words] {
          line.add(field: Numbers.grouped(number), Self.countColumns, .normal, atRight: true)
        }
        addBar(period.words, of: most, to: &line)
        return line
      }
  }

  /// The tags used most, with their use in the months that the map shows.
  var tags: [RoleLine] {
    let months = statistics.months(of: days).map(\.first)
    let names = statistics.tags.map { Tag.typed($0.tag) }
    let label = min(max(8, width - 24), names.map { TextWidth.columns(of: $0) }.max() ?? 0)
    let rows = zip(statistics.tags, names).map { tag, name in
      let uses = tag.entries(inMonths: months)
      let most = uses.max() ?? 0
      var line = RoleLine()
      line.add(field: name, label, .tag)
      line.add(field: Numbers.grouped(tag.entries), Self.countColumns, .normal, atRight: true)
      if most > 0 {
        line.add(" ")
        line.add(uses.map { BlockSigns.column($0, of: most) }.joined(), .tag)
      }
      return line
    }
    return [RoleLine("Tags, and the months they were used in", .heading)] + rows
  }

  /// Appends a bar; too little room is left empty.
  private func addBar(_ count: Int, of most: Int, to line: inout RoleLine) {
    let room = blockWidth - line.columns - 1
    guard room >= 4, count > 0 else { return }
    line.add(" ")
    line.add(BlockSigns.bar(count, of: most, columns: min(room, 40)), .tag)
  }
}
