import Journal
import Testing

@testable import JournalFormats

struct TuiJournalTests {
  private static func source(_ bytes: [UInt8], _ clock: WallClock = paris) -> TuiJournalSource {
    TuiJournalSource(ByteStream(bytes), options: options(clock))
  }

  @Test(
    "its own file and its export are read whole",
    arguments: ["tui-journal-entries.json", "tui-journal-transfer.json"])
  func files(name: String) throws {
    let read = entries(Self.source(try fixture(name)))
    #expect(
      read.map(tagged) == [
        "Title 1\nContent 1\nsecond line #work #rust", "日本 trip 🌸\nBody #travel #priority/3",
      ])
  }

  @Test("a date keeps its calendar day in every zone", arguments: [-36_000, 0, 3600, 50_400])
  func days(offset: Int) throws {
    let clock = WallClock.fixed(seconds: 0, offset: offset)
    let read = entries(Self.source(try fixture("tui-journal-entries.json"), clock))
    #expect(read.map(\.day) == [try day("2024-03-04"), try day("2024-03-05")])
    #expect(read.map(\.created.clockText) == ["00:00", "00:00"])
  }

  @Test("a date with a time of day is an instant, whose day follows from the clock")
  func instants() throws {
    let json = utf8(#"[{"date":"2024-03-04T23:30:00Z","title":"a","content":""}]"#)
    let read = entries(Self.source(json))
    #expect(read.map(\.created) == [try moment("2024-03-05T00:30:00+01:00")])
    #expect(read.map(\.day) == [nil])
  }

  @Test("a bad entry is named with its line")
  func problems() {
    let json = """
      [{"date":"2024-03-04T00:00:00Z","title":"","content":null},
      {"title":"a","content":"b"},
      {"date":"yesterday","title":"a"},
      {"date":"2024-03-04T00:00:00+00:00","title":"a"}]
      """
    #expect(
      JournalFormatsTests.problems(Self.source(utf8(json))) == [
        "1: has no text", "2: has no date", "3: there is no date yesterday",
      ])
    #expect(items(Self.source(utf8(json))).count == 4)
  }

  @Test("a priority comes back from its tag, and tags at the end stand apart")
  func priority() throws {
    let entry = try RandomEntry.plain("A title\nbody #work #priority/3")
    let (bytes, losses) = try encode(TuiJournalEncoder(), [entry])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("\"content\": \"body\""))
    #expect(text.contains("\"tags\": [\"work\"]"))
    #expect(text.contains("\"priority\": 3"))
    #expect(losses == ["the time of day of 1 entry"])
    #expect(entries(Self.source(bytes)).map(tagged) == [entry.text])
  }

  @Test("what is written is read back, but for what is counted as lost")
  func roundTrip() throws {
    for entry in RandomEntry.many(4000, seed: 3) {
      let (bytes, losses) = try encode(TuiJournalEncoder(), [entry])
      let read = entries(Self.source(bytes))
      try #require(read.count == 1)
      #expect(read[0].day == entry.day)
      if !losses.contains(where: { $0.contains("text") }) {
        #expect(tagged(read[0]) == entry.text, "\(entry.text.debugDescription)")
      }
    }
  }
}
