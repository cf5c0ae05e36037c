import Journal
import Testing

@testable import JournalFormats

struct DiariumTests {
  private static func source(_ text: String) -> DiariumSource {
    DiariumSource(ByteStream(utf8(text)), options: options())
  }

  @Test("an export is read whole")
  func reads() throws {
    let read = entries(
      DiariumSource(ByteStream(try fixture("diarium/Diarium.json")), options: options()))
    #expect(read.map(\.text) == ["Trip\n\nWe got to the sea.\n\nSecond.", "Rain."])
    #expect(
      read.map(\.created.description) == [
        "2024-05-17T21:40:00+01:00", "2024-05-18T08:05:00+01:00",
      ])
    #expect(read.map(\.day) == [try day("2024-05-17"), try day("2024-05-18")])
    #expect(read.map(\.tags) == [["holiday", "@Anna"], []])
    #expect(
      read.map(fieldTexts) == [["coordinates: 43.58, 39.72", "weather: Clear", "rating: 4"], []])
    #expect(read.allSatisfy { $0.unkept.isEmpty })
  }

  @Test("the identity does not depend on the zone of the import")
  func identities() throws {
    let bytes = try fixture("diarium/Diarium.json")
    let tokyo = WallClock.fixed(seconds: 0, offset: 9 * 3600)
    let there = entries(DiariumSource(ByteStream(bytes), options: options(tokyo)))
    let here = entries(DiariumSource(ByteStream(bytes), options: options()))
    #expect(there.map(identity) == here.map(identity))
  }

  @Test("media beside the file become links of their entries")
  func media() throws {
    let text = """
      [{"date":"2024-05-17T21:40:00.1234567","html":"<p>a</p>","location":[48.2082,16.3738],
      "tracker":["Coffee: 2","Run: 5 km"],"sun":"x","people":[]}]
      """
    let directory = DirectoryInMemory([
      "Diarium.json": text, "media/2024-05-17_214000123/p.jpg": "",
      "media/2024-05-17_214000123/a.m4a": "", "media/2024-05-18_000000000/q.jpg": "",
    ])
    #expect(DiariumSource.recognises(files: directory.files))
    let read = entries(DiariumSource(directory, options: options()))
    #expect(
      read.map(\.text) == [
        "a\n\n[a.m4a](media/2024-05-17_214000123/a.m4a)\n\n![](media/2024-05-17_214000123/p.jpg)"
      ])
    #expect(
      fieldTexts(read[0]) == ["coordinates: 48.2082, 16.3738", "trackers: Coffee: 2, Run: 5 km"])
    #expect(read[0].unkept == ["sun"])
  }

  @Test("a bad entry hides no other one")
  func problemEntries() {
    let text = """
      [{"html":"<p>a</p>"},
      {"date":"2024-13-01T00:00:00","html":"<p>a</p>"},
      {"date":"2024-05-17T21:40:00","html":""},
      7,
      {"date":"2024-05-17T21:40:00","html":"<p>good</p>"}]
      """
    #expect(
      problems(Self.source(text)) == [
        "1: has no date", "2: there is no date 2024-13-01T00:00:00", "3: has no text",
        "4: a number is not an entry",
      ])
    #expect(items(Self.source(text)).count == 5)
  }

  @Test("an export is recognised by its members")
  func recognises() throws {
    #expect(DiariumSource.recognises(try fixture("diarium/Diarium.json"), path: nil))
    #expect(!DiariumSource.recognises(utf8(#"[{"date":"x","text":"a"}]"#), path: nil))
    #expect(!DiariumSource.recognises(utf8(#"{"date":"x","html":"a"}"#), path: nil))
    #expect(!DiariumSource.recognises(files: ["a.json", "b.json"]))
    #expect(!DiariumSource.recognises(files: ["a.json"]))
  }

  @Test("a damaged export ends")
  func damage() throws {
    for bytes in damaged(try fixture("diarium/Diarium.json")) {
      #expect(items(DiariumSource(ByteStream(bytes), options: options())).count < 60)
    }
  }
}
