import Journal
import Testing

@testable import JournalFormats

struct JrnlJSONTests {
  private static func source(_ bytes: [UInt8]) -> JrnlJSONSource {
    JrnlJSONSource(ByteStream(bytes), options: options())
  }

  @Test("what jrnl exports is read whole, and nothing is added to its texts")
  func export() throws {
    let read = entries(Self.source(try fixture("jrnl-export.json")))
    #expect(
      read.map(tagged) == [
        "Starred one\nbody here @work", "only a title",
        "First entry with @Work and #idea tags. Second sentence goes to body.\n"
          + "line two\n\npara two é日本",
      ])
    #expect(read.map(\.starred) == [true, false, false])
    #expect(read[0].created == (try moment("2024-01-05T14:30:00+01:00")))
    #expect(read[0].day == (try day("2024-01-05")))
  }

  @Test("a tag with a sign of another kind becomes one of ours")
  func signs() {
    let json =
      #"{"entries":[{"title":"a","date":"2024-01-05","time":"10:00","tags":["+work","@x"]}]}"#
    #expect(entries(Self.source(utf8(json))).map(tagged) == ["a #work @x"])
  }

  @Test("a bad entry is named with its line")
  func problems() {
    let json = """
      {"entries": [
      {"title":"no date"},
      {"title":"bad","date":"2024-13-01","time":"10:00"},
      {"title":7,"date":"2024-01-01"},
      {"title":["x"],"date":"2024-01-01"},
      12,
      {"title":"good","date":"2024-01-01","time":"10:00"}
      ]}
      """
    #expect(
      JournalFormatsTests.problems(Self.source(utf8(json))) == [
        "2: has no date", "3: there is no date 2024-13-01 10:00",
        "5: title is an array, not a string", "6: a number is not an entry",
      ])
    #expect(items(Self.source(utf8(json))).count == 6)
  }

  @Test("what is written is read back, but for what is counted as lost")
  func roundTrip() throws {
    let entries = RandomEntry.many(2000, seed: 2)
    for entry in entries {
      let (bytes, losses) = try encode(JrnlJSONEncoder(), [entry])
      let clock = WallClock.fixed(seconds: 0, offset: entry.created.offset)
      let read = JournalFormatsTests.entries(
        JrnlJSONSource(ByteStream(bytes), options: options(clock)))
      try #require(read.count == 1)
      #expect(read[0].starred == entry.starred)
      #expect(read[0].created.clockText == entry.created.clockText)
      if !losses.contains(where: { $0.contains("text") }) {
        #expect(tagged(read[0]) == entry.text, "\(entry.text.debugDescription)")
      }
    }
    let (all, _) = try encode(JrnlJSONEncoder(), entries)
    #expect(JournalFormatsTests.entries(Self.source(all)).count == entries.count)
  }

  @Test("no entries are an empty document")
  func empty() throws {
    let (bytes, losses) = try encode(JrnlJSONEncoder(), [])
    #expect(String(decoding: bytes, as: UTF8.self) == "{\n  \"entries\": [],\n  \"tags\": {}\n}\n")
    #expect(losses.isEmpty)
  }
}
