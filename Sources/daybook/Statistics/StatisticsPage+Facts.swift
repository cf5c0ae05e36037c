import Journal
import TerminalUI

extension StatisticsPage {
  private typealias Fact = (name: String, value: String)

  /// The numbers, in two columns where they fit.
  var facts: [RoleLine] {
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

  /// Two decimals where they tell something.
  private static func short(_ rate: Rate) -> String {
    rate.hundredths < 1_000 ? "\(rate)" : Numbers.grouped((rate.hundredths + 50) / 100)
  }

  /// An hour as the user writes times of day.
  private func clock(_ hour: Int) -> String {
    let text = dates.text(of: Moment(seconds: Int64(hour) * 3600, offset: 0))
    return String(text.drop { $0 == " " })
  }
}
