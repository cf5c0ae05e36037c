import Journal
import Testing

@testable import JournalFormats

struct DateTextTests {
  private static func words(_ reading: DateReading) -> String {
    switch reading {
    case .ambiguous: return "ambiguous"
    case .impossible: return "impossible"
    case .other: return "other"
    case .date(let time, let hasTime, let offset):
      let clock = hasTime ? " \(time.second / 60)" : ""
      let seconds = time.second % 60 > 0 ? "+\(time.second % 60)" : ""
      return "\(time.day)\(clock)\(seconds)\(offset.map { " Z\($0 / 60)" } ?? "")"
    }
  }

  @Test(
    "a date is read in every usual form",
    arguments: [
      ("2024-01-05 14:30", "2024-01-05 870"), ("2024-01-05", "2024-01-05"),
      ("2024-01-05 02:30:00 PM", "2024-01-05 870"), ("2024-01-05 12:05 AM", "2024-01-05 5"),
      ("2024-01-05T14:30:15Z", "2024-01-05 870+15 Z0"),
      ("2024-01-05T14:30:15.250+01:00", "2024-01-05 870+15 Z60"),
      ("2024-01-05 14:30:00 -0500", "2024-01-05 870 Z-300"), ("05.01.2024 14:30", "2024-01-05 870"),
      ("05.01.24", "2024-01-05"), ("Fr., 05.01.24 14:30", "2024-01-05 870"),
      ("31.12.99", "1999-12-31"),
      ("25/12/2024 08:00", "2024-12-25 480"), ("12/25/2024", "2024-12-25"),
      ("07/07/2024", "2024-07-07"), ("Friday, January 5, 2024 2:30 p.m.", "2024-01-05 870"),
      ("Fri 5 Jan 2024 14:30", "2024-01-05 870"), ("5th", "other"),
      ("January 5th, 2024", "2024-01-05"), ("05-Jan-2024 14:30", "2024-01-05 870"),
      ("Fri Jan  5 14:30:00 2024", "2024-01-05 870"), ("20240105", "2024-01-05"),
      ("2024/1/5", "2024-01-05"), ("2024-01-05, 14:30", "2024-01-05 870"),
      ("2024-01-05 at 14:30", "2024-01-05 870"), ("9999-12-31 23:59", "9999-12-31 1439"),
      ("2024-01-05 12:30 PM", "2024-01-05 750"),
      ("2024-01-05 14:30 +05:30", "2024-01-05 870 Z330"),
      ("2024-01-05 14:30 -03:30", "2024-01-05 870 Z-210"),
      ("2024-01-05 14:30 +0545", "2024-01-05 870 Z345"),
    ])
  func reads(text: String, words: String) {
    #expect(Self.words(DateText.read(text)) == words)
  }

  @Test(
    "what is no date, or may be two, is never guessed",
    arguments: [
      ("03/04/2026", "ambiguous"), ("12/05/2026", "ambiguous"), ("05/12/2026", "ambiguous"),
      ("03-04-2026 10:00", "ambiguous"), ("2024-13-45", "impossible"),
      ("2024-02-30 14:30", "impossible"), ("2024-01-05 25:00", "impossible"), ("1", "other"),
      ("x", "other"), ("", "other"), ("link", "other"), ("10.15.7", "other"), ("1/2", "other"),
      ("2024", "other"), ("2024-01-05 notes", "other"), ("may", "other"), ("24-01-05", "other"),
      (String(repeating: "1", count: 70), "other"), ("日本", "other"),
      ("99999999999999999999", "other"),
    ])
  func refuses(text: String, words: String) {
    #expect(Self.words(DateText.read(text)) == words)
  }

  @Test("another date of the file tells the order of this one")
  func order() {
    #expect(Self.words(DateText.read("03/04/2026", order: .dayFirst)) == "2026-04-03")
    #expect(Self.words(DateText.read("03/04/2026", order: .monthFirst)) == "2026-03-04")
    #expect(DateText.order(of: utf8("25/12/2024")[...]) == .dayFirst)
    #expect(DateText.order(of: utf8("12/25/2024 10:00")[...]) == .monthFirst)
    #expect(DateText.order(of: utf8("03/04/2026")[...]) == nil)
    #expect(DateText.order(of: utf8("2026-12-25")[...]) == nil)
  }
}
