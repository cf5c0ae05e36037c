import Journal
import Terminal
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Weeks in the month calendar: each day in its column, each row with the number of its ISO week.
struct CalendarWeekTests {
  /// The drawn rows of a month: the text before the days, and the days by column.
  private func rows(_ month: Day, firstWeekday: Int) -> [(week: Int?, days: [Int?])] {
    var canvas = Canvas(width: 60, height: 9)
    let rect = CanvasRect(column: 0, row: 0, width: 60, height: 9)
    CalendarView(
      calendar: MonthCalendar(day: month), today: month, firstWeekday: firstWeekday,
      dates: DateStyle()
    ).draw(in: rect, on: &canvas)
    return (2..<8).map { row in
      let cells = canvas[row: row].map(\.text)
      func number(_ columns: Range<Int>) -> Int? {
        Int(cells[columns].joined().filter { $0 != " " })
      }
      return (number(14..<17), (0..<7).map { number(17 + $0 * 4..<20 + $0 * 4) })
    }.filter { row in row.days.contains { $0 != nil } }
  }

  @Test("every day of 2015 to 2032 stands in its column", arguments: [1, 6, 7])
  func columns(firstWeekday: Int) throws {
    for index in 0..<(18 * 12) {
      let month = try #require(Day(year: 2015, month: 1, day: 1)).adding(months: index)
      let rows = rows(month, firstWeekday: firstWeekday)
      let days = rows.flatMap { $0.days.compactMap { $0 } }
      #expect(days == Array(1...Day.length(ofMonth: month.month, year: month.year)))
      for row in rows {
        for (column, number) in row.days.enumerated() {
          guard let number else { continue }
          let weekday = month.adding(days: number - 1).weekday
          #expect((weekday - firstWeekday + 7) % 7 == column, "\(month)")
        }
        // A row with its Thursday in the month has that day's week; others have a neighbour's.
        let column = (4 - firstWeekday + 7) % 7
        let thursday = row.days[column].map { month.adding(days: $0 - 1) }
        if let thursday { #expect(row.week == Self.slowWeek(thursday), "\(thursday)") }
        #expect(row.week != nil)
      }
    }
  }

  @Test("the turns of years have the weeks that ISO 8601 gives them")
  func turns() throws {
    for (text, week) in [
      ("2015-12-01", [49, 50, 51, 52, 53]), ("2016-01-01", [53, 1, 2, 3, 4]),
      ("2018-12-01", [48, 49, 50, 51, 52, 1]), ("2021-01-01", [53, 1, 2, 3, 4]),
      ("2026-12-01", [49, 50, 51, 52, 53]), ("2027-01-01", [53, 1, 2, 3, 4]),
    ] {
      let month = try #require(Day(text))
      #expect(rows(month, firstWeekday: 1).map(\.week) == week, "\(text)")
    }
  }

  @Test("a screen without room for the numbers has none, and the months stand where they stood")
  func narrow() throws {
    var canvas = Canvas(width: 30, height: 9)
    let day = try #require(Day("2026-11-21"))
    CalendarView(calendar: MonthCalendar(day: day), today: day, dates: DateStyle()).draw(
      in: CanvasRect(column: 0, row: 0, width: 30, height: 9), on: &canvas)
    let line = canvas[row: 3].map(\.text).joined()
    #expect(line.hasPrefix("   2   3   4"))
  }

  /// How many Thursdays the year has had.
  private static func slowWeek(_ thursday: Day) -> Int {
    var week = 1
    var day = thursday.adding(days: -7)
    while day.year == thursday.year {
      week += 1
      day = day.adding(days: -7)
    }
    return week
  }
}
