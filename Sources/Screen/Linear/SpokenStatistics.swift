import Journal
import TextLayout

/// Statistics in words: one line for each number, and no maps and bars.
extension StatisticsPage {
  var spokenLines: [RoleLine] {
    let title = RoleLine(subject.isEmpty ? "Statistics" : "Statistics of \(subject)", .header)
    guard statistics.entries > 0 else { return [title, RoleLine(absence + ".")] }
    return ([title] + spokenFacts + spokenWeekdays + spokenHours + spokenPeriods + spokenTags)
  }

  private var spokenWeekdays: [RoleLine] {
    [RoleLine("Weekdays", .heading)]
      + (0..<7).map { index in
        let weekday = (firstWeekday - 1 + index) % 7
        return line(dates.names.weekdays[weekday], Numbers.entries(statistics.weekdays[weekday]))
      }
  }

  private var spokenHours: [RoleLine] {
    [RoleLine("Hours of the day", .heading)]
      + statistics.hours.enumerated().filter { $0.element > 0 }.map { hour, count in
        let start = dates.text(of: Moment(seconds: Int64(hour) * 3600, offset: 0)).trimmed
        return line("from \(start)", Numbers.entries(count))
      }
  }

  private var spokenPeriods: [RoleLine] {
    let months = statistics.months(of: days).map { period in
      (
        "\(dates.names.months[period.first.month - 1]) \(period.first.year)", period.entries,
        period.words
      )
    }
    let years = statistics.years.map { ("\($0.first.year)", $0.entries, $0.words) }
    let shown = [("Months", months), ("Years", year == nil ? years : [])]
    return shown.filter { !$0.1.isEmpty }.flatMap { title, periods in
      [RoleLine(title, .heading)]
        + periods.map { name, entries, words in
          line(name, "\(Numbers.entries(entries)), \(Numbers.words(words))")
        }
    }
  }

  private var spokenTags: [RoleLine] {
    guard !statistics.tags.isEmpty else { return [] }
    return [RoleLine("Tags", .heading)]
      + statistics.tags.map { line(Tag.typed($0.tag), Numbers.entries($0.entries)) }
  }

  private func line(_ name: String, _ value: String) -> RoleLine { RoleLine("\(name): \(value)") }
}

/// The page of a field in words: its sums, of all values and of each period.
extension FieldPage {
  var spokenLines: [RoleLine] {
    guard let all = statistics.all else { return [RoleLine(absenceSentence)] }
    let table = FieldTable(
      name: name, statistics: statistics, grouping: Self.grouping(year: year))
    let period = year.map { "\($0)" } ?? "all years"
    return [RoleLine(table.heading, .header), line(period, all)]
      + statistics.parts.map { line(name(ofPeriod: $0.key), $0.summary) }
  }

  private func line(_ name: String, _ summary: FieldStatistics.Summary) -> RoleLine {
    let numbers = summary.columns.map { "\($0.name) \(statistics.described(rounded: $0.value))" }
    let count = Numbers.counted(summary.count, "value", "values")
    return RoleLine("\(name): \(([count] + numbers).joined(separator: ", "))")
  }

  /// A year, or a month by its name.
  private func name(ofPeriod key: String) -> String {
    guard let first = Grouping.month.days(ofSection: key)?.lowerBound else { return key }
    return "\(dates.names.months[first.month - 1]) \(first.year)"
  }
}
