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

  /// The maximum width in columns of text: wider lines are hard to read.
  package static let widest = 120
  /// The minimum width in columns for blocks side by side.
  package static let wide = 100
  /// The minimum width in columns for months and years beside the map.
  package static let widestMap = 160
  /// The first column of blocks beside the map.
  private static let besideMap = 116

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

  package var lines: [RoleLine] {
    let title = RoleLine(subject.isEmpty ? "Statistics" : "Statistics of \(subject)", .header)
    guard statistics.entries > 0 else { return [title, RoleLine(absence + ".")] }
    let map = [title] + map
    let tags = statistics.tags.isEmpty ? [] : [self.tags]
    let periods = year != nil ? [months] : hasMap ? [months, years] : [years]
    let blocks: [[RoleLine]]
    if columns >= Self.widestMap {
      let left = Self.joined([map, facts, beside(weekdays, hours)] + tags)
      let right = [RoleLine()] + Self.joined(periods)
      blocks = [RoleLine.beside(left, right, column: Self.besideMap)]
    } else if columns >= Self.wide, periods.count == 2 {
      blocks = [map, facts, beside(weekdays, hours), beside(months, years)] + tags
    } else if columns >= Self.wide {
      blocks = [map, facts, beside(weekdays, hours)] + periods + tags
    } else {
      blocks = [map, facts, weekdays, hours] + periods + tags
    }
    return Self.joined(blocks).map(\.trimmed)
  }

  /// The reason why there is nothing to count, without a full stop.
  package var absence: String {
    let trash = statistics.trash
    if let year { return "No entries in \(year)" }
    if !subject.isEmpty { return "No entries match" }
    return trash > 0 ? "No entries; \(Numbers.grouped(trash)) in the trash" : "No entries yet"
  }

  private var hasMap: Bool { statistics.count(days).entries > 0 }

  /// Blocks below each other, with an empty line between them.
  private static func joined(_ blocks: [[RoleLine]]) -> [RoleLine] {
    Array(blocks.joined(separator: [RoleLine()]))
  }

  /// Two blocks side by side.
  private func beside(_ left: [RoleLine], _ right: [RoleLine]) -> [RoleLine] {
    RoleLine.beside(left, right, column: blockWidth + 4)
  }

  /// The width for blocks.
  package var width: Int { min(columns, Self.widest) }
  /// The width of a block that may be beside another one.
  package var blockWidth: Int {
    if columns >= Self.widestMap { return 52 }
    return columns >= Self.wide ? width / 2 - 2 : width
  }
}

extension StatisticsPage {
  private static let countColumns = 9
  private static let longestBar = 24

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
      chart.add(sign, count == most ? .changed : .tag)
      chart.add(TextFit.spaces(cell - 1))
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
    line.add(BlockSigns.bar(count, of: most, columns: min(room, Self.longestBar)), .tag)
  }
}

extension StatisticsPage {
  private typealias Fact = (name: String, value: String)

  /// The numbers, in two columns if they fit.
  package var facts: [RoleLine] {
    let (left, right) = (lines(of: amounts), lines(of: times))
    return columns >= 80 ? RoleLine.beside(left, right, column: 39) : left + right
  }

  /// The numbers in words, one in a line.
  var spokenFacts: [RoleLine] {
    (amounts + times).map { RoleLine("\($0.name): \($0.value)") }
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
      facts.append(("Average entry", "\(Self.short(Rate(statistics.words, per: entries))) words"))
    }
    if let longest = statistics.longest {
      facts.append(("Longest entry", "\(Numbers.words(longest.words)), no. \(longest.number)"))
    }
    if let files = statistics.files {
      facts.append(("Files", "\(Numbers.grouped(files.count)), \(Numbers.bytes(files.bytes))"))
    }
    return facts + [
      ("Starred", Numbers.grouped(statistics.starred)),
      ("Tags", Numbers.grouped(statistics.tagCount)),
      ("In the trash", Numbers.grouped(statistics.trash)),
    ]
  }

  private var times: [Fact] {
    guard let first = statistics.first, let last = statistics.last else { return [] }
    var facts: [Fact] = [
      ("First day", dates.shortText(of: first)), ("Last day", dates.shortText(of: last)),
    ]
    facts.append(
      ("Current streak", text(of: statistics.currentStreak(today: today), "since") ?? "none"))
    if let longest = statistics.longestStreak {
      facts.append(
        (
          "Longest streak",
          "\(Numbers.days(longest.length)) up to \(dates.shortText(of: longest.last))"
        ))
    }
    facts.append(("Per day", rates(span)))
    facts.append(("Per day written", rates(statistics.days.count)))
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
    streak.map { "\(Numbers.days($0.length)) \(word) \(dates.shortText(of: $0.first))" }
  }

  private func rates(_ days: Int) -> String {
    "\(Self.short(Rate(statistics.entries, per: days))) entries,"
      + " \(Self.short(Rate(statistics.words, per: days))) words"
  }

  /// Two decimals below one, one below ten, and none that is nought.
  private static func short(_ rate: Rate) -> String {
    guard rate.hundredths >= 100 else { return "\(rate)" }
    let tenths = (rate.hundredths + 5) / 10
    guard tenths < 100, tenths % 10 != 0 else {
      return Numbers.grouped((rate.hundredths + 50) / 100)
    }
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// An hour in the user's format of times.
  private func clock(_ hour: Int) -> String {
    let text = dates.text(of: Moment(seconds: Int64(hour) * 3600, offset: 0))
    return String(text.drop { $0 == " " })
  }
}
