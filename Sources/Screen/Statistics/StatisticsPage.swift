import Journal
import TextLayout

/// Statistics as displayed lines: a heat map, numbers, then distributions over weekdays, hours,
/// months, years and tags.
///
/// The screen draws these lines and `daybook stats` prints them. They fit any width from 20 columns
/// on: blocks that do not fit side by side are stacked.
package struct StatisticsPage {
  package let statistics: Statistics
  /// The query of the counted entries; empty for all.
  package let subject: String
  /// The reference day of the current streak.
  package let today: Day
  /// The year; nil for all entries, and a map of the last 53 weeks.
  package let year: Int?
  /// The first weekday, 1 for Monday.
  package let firstWeekday: Int
  package let dates: DateStyle
  /// The width.
  package let columns: Int

  /// Makes a page; its lines are laid out on demand.
  package init(
    statistics: Statistics, subject: String, today: Day, year: Int?, firstWeekday: Int,
    dates: DateStyle, columns: Int
  ) {
    self.statistics = statistics
    self.subject = subject
    self.today = today
    self.year = year
    self.firstWeekday = firstWeekday
    self.dates = dates
    self.columns = columns
  }

  /// The maximum width in columns: wider lines are hard to read.
  package static let widest = 120
  /// The minimum width in columns for blocks side by side.
  package static let wide = 100

  /// The days of the map.
  package var days: ClosedRange<Day> {
    year.flatMap(HeatMap.days(ofYear:))
      ?? HeatMap.lastWeeks(today: today, firstWeekday: firstWeekday)
  }

  /// The number of days for rates: from the first entry to today, or the past days of a year.
  package var span: Int {
    guard year != nil else { return statistics.span(today: today) }
    guard let last = statistics.last else { return 0 }
    let end = min(days.upperBound, max(today, last))
    return end.daysSinceEpoch - days.lowerBound.daysSinceEpoch + 1
  }

  /// All lines.
  package var lines: [RoleLine] {
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

  /// The width for blocks.
  package var width: Int { min(columns, Self.widest) }
  /// The width of a block that may be beside another one.
  package var blockWidth: Int { columns >= Self.wide ? width / 2 - 2 : width }

  /// Blocks side by side if there is room.
  private func rows(of blocks: [[RoleLine]]) -> [[RoleLine]] {
    guard columns >= Self.wide, blocks.count == 2 else { return blocks }
    return [RoleLine.beside(blocks[0], blocks[1], column: width / 2 + 2)]
  }
}

extension StatisticsPage {
  private static let countColumns = 9

  /// Entries by weekday.
  package var weekdays: [RoleLine] {
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
  package var hours: [RoleLine] {
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

  /// The months in the map.
  package var months: [RoleLine] {
    table("Months", statistics.months(of: days)) { first in
      "\(dates.names.months[first.month - 1].prefix(3)) \(first.year)"
    }
  }

  /// All years with entries.
  package var years: [RoleLine] {
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

  /// The most frequent tags, with their use in the months of the map.
  package var tags: [RoleLine] {
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

  /// Appends a bar; if there is too little room, none.
  private func addBar(_ count: Int, of most: Int, to line: inout RoleLine) {
    let room = blockWidth - line.columns - 1
    guard room >= 4, count > 0 else { return }
    line.add(" ")
    line.add(BlockSigns.bar(count, of: most, columns: min(room, 40)), .tag)
  }
}

extension StatisticsPage {
  private typealias Fact = (name: String, value: String)

  /// The numbers, in two columns if they fit.
  package var facts: [RoleLine] {
    let (left, right) = (lines(of: amounts), lines(of: times))
    return columns >= 80 ? RoleLine.beside(left, right, column: 39) : left + right
  }

  private func lines(of facts: [Fact]) -> [RoleLine] {
    facts.map { fact in
      var line = RoleLine()
      line.add(field: fact.name, 16, .hint)
      line.add(fact.value)
      return line
    }
  }

  private var amounts: [Fact] {
    let entries = statistics.entries
    let written = statistics.days.count
    var facts: [Fact] = [
      ("Entries", Numbers.grouped(entries)), ("Words", Numbers.grouped(statistics.words)),
      (
        "Days written",
        written == 0 ? "0" : "\(Numbers.grouped(written)) of \(Numbers.grouped(span))"
      ),
    ]
    if entries > 0 {
      facts.append(("Average entry", "\(Rate(statistics.words, per: entries)) words"))
    }
    if let longest = statistics.longest {
      facts.append(("Longest entry", "\(Numbers.words(longest.words)), no. \(longest.number)"))
    }
    return facts + [
      ("Starred", Numbers.grouped(statistics.starred)),
      ("Tags", Numbers.grouped(statistics.tagCount)),
      ("In the trash", Numbers.grouped(statistics.trash)),
    ]
  }

  private var times: [Fact] {
    guard let first = statistics.first, let last = statistics.last else { return [] }
    var facts: [Fact] = [("First day", "\(first)"), ("Last day", "\(last)")]
    facts.append(
      ("Current streak", text(of: statistics.currentStreak(today: today), "since") ?? "none"))
    if let longest = statistics.longestStreak {
      facts.append(
        ("Longest streak", "\(Numbers.days(longest.length)) up to \(longest.last)"))
    }
    facts.append(("A day", rates(span)))
    facts.append(("A day written", rates(statistics.days.count)))
    if let weekday = statistics.busiestWeekday {
      let count = statistics.weekdays[weekday - 1]
      facts.append(
        ("Busiest weekday", "\(dates.names.weekdays[weekday - 1]), \(Numbers.entries(count))"))
    }
    if let hour = statistics.busiestHour {
      facts.append(
        ("Busiest hour", "\(clock(hour)), \(Numbers.entries(statistics.hours[hour]))"))
    }
    return facts
  }

  private func text(of streak: Streak?, _ word: String) -> String? {
    streak.map { "\(Numbers.days($0.length)) \(word) \($0.first)" }
  }

  private func rates(_ days: Int) -> String {
    "\(Self.short(Rate(statistics.entries, per: days))) entries,"
      + " \(Self.short(Rate(statistics.words, per: days))) words"
  }

  /// Two decimals if they matter.
  private static func short(_ rate: Rate) -> String {
    rate.hundredths < 1_000 ? "\(rate)" : Numbers.grouped((rate.hundredths + 50) / 100)
  }

  /// An hour in the user's format of times.
  private func clock(_ hour: Int) -> String {
    let text = dates.text(of: Moment(seconds: Int64(hour) * 3600, offset: 0))
    return String(text.drop { $0 == " " })
  }
}

extension StatisticsPage {
  /// The heat map below its title: a column for each week, in as many parts as the width requires.
  package var map: [RoleLine] {
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
    // The last weeks end today, and small screens show them first.
    let ordered = year == nil ? parts.reversed() : parts
    let grids = ordered.flatMap { [months(of: $0, label, cell)] + grid($0, label, cell) }
    return period + grids + [legend(label)]
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
        let sign = week[row].map { BlockSigns.shades[$0.level] } ?? " "
        let level = week[row]?.level ?? 0
        // The sign for zero is not repeated: a row of single signs looks lighter.
        line.add(level == 0 ? sign : String(repeating: sign, count: cell), Self.role(level))
        if level == 0 { line.add(TextFit.spaces(cell - 1)) }
      }
      return line
    }
  }

  private func legend(_ label: Int) -> RoleLine {
    var line = RoleLine(TextFit.spaces(label))
    line.add("less ", .hint)
    for (level, sign) in BlockSigns.shades.enumerated() { line.add(sign, Self.role(level)) }
    line.add(" more words a day", .hint)
    return line
  }

  /// One colour for all levels, since the signs differ; the highest is emphasised.
  private static func role(_ level: Int) -> Style.Role {
    switch level {
    case 0: .hint
    case HeatMap.levels: .changed
    default: .tag
    }
  }
}
