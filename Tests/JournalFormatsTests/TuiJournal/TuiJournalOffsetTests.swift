import Testing

@testable import JournalFormats

/// The day of an entry of tui-journal is that of its time.
struct TuiJournalOffsetTests {
  @Test(
    "a midnight in UTC is a day; a time is shown on the clock, and an offset is kept",
    arguments: [
      ("2024-03-04T00:00:00Z", "2024-03-04T00:00:00+00:00"),
      ("2024-03-04T23:30:00Z", "2024-03-05T00:30:00+01:00"),
      ("2024-03-04T23:30:00-05:00", "2024-03-04T23:30:00-05:00"),
    ])
  func offsets(date: String, created: String) throws {
    let entry = try TuiJournalEntry.make(
      date: date, title: "a", content: "", tags: [], priority: nil, clock: paris)
    #expect(entry.created == (try moment(created)))
    #expect((entry.day ?? entry.created.localDay) == entry.created.localDay)
  }
}
