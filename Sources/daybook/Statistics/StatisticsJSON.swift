import Journal

/// Statistics as one JSON object: the fields, their order and the form of numbers are fixed.
///
/// `today` is the reference day of the current streak, rates have two decimals, days are
/// `2026-11-21`, months `2026-11`; missing values are null or empty. `map` contains the days with
/// entries of the requested year, or of the last 53 weeks, with a level from 1 to 4.
struct StatisticsJSON {
  let statistics: Statistics
  /// The query as typed; empty for all entries.
  let query: String
  let today: Day
  /// The number of days for rates.
  let span: Int
  let map: HeatMap

  /// The object, one field per line.
  var text: String {
    let written = statistics.days.count
    let files = statistics.files.map {
      [("files", Self.object([("count", "\($0.count)"), ("bytes", "\($0.bytes)")]))]
    }
    return Self.object(
      [
        ("format", JSONLine.quoted("daybook-stats")), ("version", "1"),
        ("query", query.isEmpty ? "null" : JSONLine.quoted(query)), ("today", Self.day(today)),
        ("entries", "\(statistics.entries)"), ("words", "\(statistics.words)"),
        ("days", "\(written)"), ("span", "\(span)"), ("first", Self.day(statistics.first)),
        ("last", Self.day(statistics.last)), ("starred", "\(statistics.starred)"),
        ("trash", "\(statistics.trash)"), ("perDay", rates(span)), ("perActiveDay", rates(written)),
        ("averageWords", "\(Rate(statistics.words, per: statistics.entries))"),
        ("longest", longest),
        ("currentStreak", Self.streak(statistics.currentStreak(today: today))),
        ("longestStreak", Self.streak(statistics.longestStreak)),
        ("weekdays", Self.numbers(statistics.weekdays)), ("hours", Self.numbers(statistics.hours)),
        ("years", periods("year", statistics.years, \.yearKey)),
        ("months", periods("month", statistics.months, \.monthKey)),
        ("tagCount", "\(statistics.tagCount)"), ("tags", tags), ("map", days),
      ] + (files ?? []), separator: ",\n")
  }

  private func rates(_ days: Int) -> String {
    Self.object([
      ("entries", "\(Rate(statistics.entries, per: days))"),
      ("words", "\(Rate(statistics.words, per: days))"),
    ])
  }

  private var longest: String {
    guard let longest = statistics.longest else { return "null" }
    return Self.object([
      ("number", "\(longest.number)"), ("day", Self.day(longest.day)),
      ("words", "\(longest.words)"),
    ])
  }

  private func periods(_ name: String, _ periods: [PeriodCount], _ key: (Day) -> String) -> String {
    JSONLine.list(
      periods.map { period in
        Self.object([
          (name, JSONLine.quoted(key(period.first))), ("entries", "\(period.entries)"),
          ("words", "\(period.words)"), ("days", "\(period.days)"),
        ])
      })
  }

  private var tags: String {
    JSONLine.list(
      statistics.tags.map { tag in
        let months = tag.months.map { "\(JSONLine.quoted($0.first.monthKey)):\($0.entries)" }
        return Self.object([
          ("tag", JSONLine.quoted(tag.tag)), ("entries", "\(tag.entries)"),
          ("months", "{\(months.joined(separator: ","))}"),
        ])
      })
  }

  private var days: String {
    let cells = map.weeks.joined().compactMap(\.self).filter { $0.level > 0 }
    let counts = statistics.days(in: map.days)
    return Self.object([
      ("first", Self.day(map.days.lowerBound)), ("last", Self.day(map.days.upperBound)),
      (
        "days",
        JSONLine.list(
          zip(cells, counts).map { cell, count in
            Self.object([
              ("day", Self.day(count.day)), ("entries", "\(count.entries)"),
              ("words", "\(count.words)"), ("level", "\(cell.level)"),
            ])
          })
      ),
    ])
  }

  private static func day(_ day: Day?) -> String { day.map { "\"\($0)\"" } ?? "null" }

  private static func streak(_ streak: Streak?) -> String {
    guard let streak else { return "null" }
    return object([
      ("days", "\(streak.length)"), ("first", day(streak.first)), ("last", day(streak.last)),
    ])
  }

  private static func numbers(_ numbers: [Int]) -> String {
    "[\(numbers.map(String.init).joined(separator: ","))]"
  }

  private static func object(
    _ members: [(name: String, value: String)], separator: String = ","
  ) -> String {
    let inside = members.map { "\(JSONLine.quoted($0.name)):\($0.value)" }
    return separator == ","
      ? "{\(inside.joined(separator: separator))}"
      : "{\n\(inside.joined(separator: separator))\n}"
  }
}
