import Journal
import Testing

/// Dates and times as the user wants them written.
struct DateFormatTests {
  private let moment = Moment(seconds: 1_795_252_500, offset: 3_600)

  @Test(
    "times of day are written after strftime",
    arguments: [
      ("%H:%M", "10:15"), ("%-I:%M %p", "10:15 AM"), ("%Hh%M", "10h15"), ("%T", "10:15:00"),
      ("%%", "%"),
    ])
  func times(pattern: String, text: String) throws {
    #expect(try #require(DateFormat(pattern, .time)).text(of: moment) == text)
  }

  @Test(
    "days are written after strftime, with weekday, week and day of the year",
    arguments: [
      ("%d.%m.%Y", "21.11.2026"), ("%a %-d %b", "Sat 21 Nov"), ("%G-W%V-%u", "2026-W47-6"),
      ("%j", "325"), ("%y", "26"),
    ])
  func days(pattern: String, text: String) throws {
    let day = try #require(Day("2026-11-21"))
    #expect(try #require(DateFormat(pattern, .date)).text(of: day) == text)
  }

  @Test(
    "a pattern that means nothing is refused",
    arguments: [
      ("", .date), ("%", .date), ("%H", .date), ("%Q", .date), ("%d", .time), ("a\nb", .time),
      ("%n", .time), (String(repeating: "x", count: 65), .date),
    ] as [(String, DateFormat.Kind)])
  func refused(pattern: String, kind: DateFormat.Kind) {
    #expect(DateFormat(pattern, kind) == nil)
  }

  @Test("every day of 400 years is written as its own text says")
  func everyDay() throws {
    let format = try #require(DateFormat("%Y-%m-%d", .date))
    let first = try #require(Day("1900-01-01")).daysSinceEpoch
    for offset in stride(from: 0, to: 146_097, by: 13) {
      let day = Day(daysSinceEpoch: first + offset)
      #expect(format.text(of: day) == day.description)
    }
  }

  @Test("a style names today and yesterday, and writes other days and headings its own way")
  func style() throws {
    let today = try #require(Day("2026-11-21"))
    let style = DateStyle(date: DateFormat("%d.%m.%Y", .date), time: .halfDayClock)
    let title = { (key: String) in
      Grouping.day.title(ofSection: key, today: today, style: style)
    }
    #expect(title("2026-11-21") == "Today, 21.11.2026")
    #expect(title("2026-11-20") == "Yesterday, 20.11.2026")
    #expect(title("2026-11-19") == "19.11.2026")
    #expect(title("2026-11-22") == "22.11.2026")
    #expect(Grouping.month.title(ofSection: "2026-11", style: style) == "November 2026")
    #expect(style.text(of: moment) == "10:15 AM")
    #expect(DateStyle().text(of: today) == "Saturday 21 November 2026")
  }
}
