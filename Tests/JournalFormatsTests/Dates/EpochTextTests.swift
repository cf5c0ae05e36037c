import Journal
import Testing

@testable import JournalFormats

struct EpochTextTests {
  @Test(
    "a count since 1970 is told by its digits",
    arguments: [
      "1598457956", "1598457956604", "1598457956604123", "1598457956604123999", "1598457956.604",
    ])
  func counts(text: String) throws {
    #expect(EpochText.moment(text, paris) == (try moment("2020-08-26T17:05:56+01:00")))
  }

  @Test(
    "other numbers are none",
    arguments: [
      "", "1", "2024", "20240105", "202401051430", "20240105143000", "15984579566", "-1598457956",
      "1598457956 x", "1e9",
    ])
  func others(text: String) {
    #expect(EpochText.moment(text, paris) == nil)
  }

  @Test("Daybook's JSON takes such a count, as a number and as a text")
  func json() throws {
    let text = """
      {"text":"a","created":1598457956604}
      {"text":"b","created":"1598457956","modified":1598457957000}
      {"text":"c","created":12}
      """
    let source = DaybookSource(ByteStream(utf8(text)), options: options())
    let found = items(source)
    try #require(found.count == 3)
    for item in found.prefix(2) {
      guard case .entry(let entry, _) = item else {
        Issue.record("no entry: \(item)")
        continue
      }
      #expect(entry.created == (try moment("2020-08-26T17:05:56+01:00")))
    }
    #expect(
      found[2]
        == .problem(
          entry: "has 12 as \"created\" instead of 2026-11-21T09:15:00+01:00 or the like",
          ImportPlace(line: 3)))
  }
}
