import Journal
import Testing

@testable import JournalFormats

/// Dates in front matter that are refused, or instants.
struct MatterDateTests {
  private static let losAngeles = WallClock.fixed(seconds: 1_704_000_000, offset: -8 * 3600)

  @Test(
    "a date that is not read is refused, rather than another field of another day",
    arguments: ["sometime in May", "[[some day]]", "06.26.24", "2024-02-30"])
  func unreadDate(date: String) {
    let text = "---\ncreated: 2020-02-02\ndate: \"\(date)\"\n---\nx"
    let read = items(MarkdownSource(utf8(text), path: "Trip.md", options: options()))
    #expect(read.count == 1)
    guard case .problem(let error) = read.first else {
      Issue.record("\(read)")
      return
    }
    #expect(error.reason.contains(date))
  }

  @Test(
    "an instant in UTC is one in YAML and in TOML, and an offset is one",
    arguments: [
      ("+++\ndate = 2024-01-06T01:00:00Z\n+++\nx", "2024-01-05T17:00:00-08:00"),
      ("+++\ndate = 2024-01-06 01:00:00.250Z\n+++\nx", "2024-01-05T17:00:00-08:00"),
      ("+++\ndate = \"2024-01-06T01:00:00Z\"\n+++\nx", "2024-01-05T17:00:00-08:00"),
      ("+++\ndate = 2024-01-06T01:00:00+00:00\n+++\nx", "2024-01-06T01:00:00+00:00"),
      ("---\ndate: 2024-01-06T01:00:00Z\n---\nx", "2024-01-05T17:00:00-08:00"),
      ("---\ndate: 2024-01-06T01:00:00+00:00\n---\nx", "2024-01-06T01:00:00+00:00"),
    ])
  func universalMatter(text: String, created: String) throws {
    let read = entries(
      MarkdownSource(utf8(text), path: "Evening.md", options: options(Self.losAngeles)))
    let entry = try #require(try read.first?.entry())
    #expect(entry.created == (try moment(created)))
    #expect(entry.day == (try moment(created)).localDay)
  }
}
