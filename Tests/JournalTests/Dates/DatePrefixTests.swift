import Testing

@testable import Journal

/// Parses on Saturday, 2026-11-21, 09:15 in Berlin.
private func prefix(_ text: String) throws -> DatePrefix? {
  let now = "2026-11-21T09:15:00+01:00"
  return DatePrefix(
    text, now: try moment(now), clock: try WallClock.berlin(at: now), rule: DayRule())
}

@Suite("Dates before a text")
struct DatePrefixTests {
  @Test(
    "a date that names one day, a colon and a blank are removed from the text",
    arguments: [
      ("yesterday: Called in sick. Slept", "2026-11-20T09:15:00+01:00", "Called in sick. Slept"),
      ("yesterday 9am: text", "2026-11-20T09:00:00+01:00", "text"),
      ("Yesterday at 9:30pm: text", "2026-11-20T21:30:00+01:00", "text"),
      ("yesterday at 9:30 pm: text", "2026-11-20T21:30:00+01:00", "text"),
      ("today: I slept", "2026-11-21T09:15:00+01:00", "I slept"),
      ("monday: rain", "2026-11-16T09:15:00+01:00", "rain"),
      ("mon 7:00: rain", "2026-11-16T07:00:00+01:00", "rain"),
      ("09:15: standup", "2026-11-21T09:15:00+01:00", "standup"),
      ("8am: coffee: black", "2026-11-21T08:00:00+01:00", "coffee: black"),
      ("at noon: lunch", "2026-11-21T12:00:00+01:00", "lunch"),
      ("2026-11-20: Snow", "2026-11-20T09:15:00+01:00", "Snow"),
      ("2026-11-20 18:05: Snow\n\nand: more", "2026-11-20T18:05:00+01:00", "Snow\n\nand: more"),
      ("2026-11-20T18:05:00Z: Snow", "2026-11-20T18:05:00+00:00", "Snow"),
      ("21.11.2025:  two blanks", "2025-11-21T09:15:00+01:00", "two blanks"),
      ("last friday: \t text", "2026-11-20T09:15:00+01:00", "text"),
      ("12 oct: text", "2026-10-12T09:15:00+02:00", "text"),
      ("3 days ago at noon: text", "2026-11-18T12:00:00+01:00", "text"),
      ("3d 9am: text", "2026-11-18T09:00:00+01:00", "text"),
      ("sun 9am: a walk", "2026-11-15T09:00:00+01:00", "a walk"),
      ("tomorrow: a plan", "2026-11-22T09:15:00+01:00", "a plan"),
    ])
  func dates(typed: String, created: String, text: String) throws {
    let found = try #require(try prefix(typed))
    #expect(found.created == (try moment(created)) && found.text == text)
    #expect(found.day == found.created.localDay)
    #expect(DatePrefix.begins(typed))
  }

  @Test(
    "everything else is text",
    arguments: [
      "", ":", ": text", "Bought bread", "note: buy milk", "May: she called", "2026: plans",
      "2026-11: plans", "2026-W47: plans", "2026-Q4: plans", "october 2025: plans",
      "last week: rain", "Sun: too hot",
      "sat: alone", "wed: yes", "3d: printing", "2w: x", "6m: x", "1y: x", "12: twelve",
      "1:1: with Anna", "today:no blank", "yesterday:", "yesterday: ", "yesterday:\ntext",
      "yesterday 9am", "the day before yesterday: x", "today I learned: x", "31 april: x",
      "03/04/2026: x", "25:00: x", "9:75pm: x", "13pm: x", "at: home", "am: x", "yesterday\n9am: x",
      "https://example.org: x", "TODO: x", "P.S.: x", "a 9am: x", "today today: x",
      "yesterday                                          9am: x",
    ])
  func texts(typed: String) throws {
    #expect(try prefix(typed) == nil)
    #expect(!DatePrefix.begins(typed))
  }

  @Test("no text of other words loses anything: only words of dates and their signs make a prefix")
  func noOtherWords() throws {
    // Every beginning of up to three of these words, which are none of a date.
    let words = ["bread", "#home", "I", "Re", "é", "日記", "(a)", "—", "-", "0x9", "n.b."]
    for first in words {
      for second in [""] + words {
        for third in [""] + words {
          let text = [first, second, third].filter { !$0.isEmpty }.joined(separator: " ")
          #expect(try prefix(text + ": rest") == nil, "\(text)")
        }
      }
    }
  }

  @Test("what the day rule says about a time after midnight holds before a text too")
  func night() throws {
    let found = try #require(try prefix("01:30: still up"))
    #expect(found.day == (try day("2026-11-20")))
    #expect(found.created == (try moment("2026-11-21T01:30:00+01:00")))
  }
}
