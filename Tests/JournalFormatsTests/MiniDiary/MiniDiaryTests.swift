import Journal
import Testing

@testable import JournalFormats

struct MiniDiaryTests {
  private static func source(_ text: String) -> MiniDiarySource {
    MiniDiarySource(ByteStream(utf8(text)), options: options())
  }

  @Test("an export is read whole, a day for an entry")
  func reads() throws {
    let read = entries(
      MiniDiarySource(ByteStream(try fixture("minidiary/mini-diary.json")), options: options()))
    #expect(read.map(\.text) == ["A day\n\nFirst **bold** line\n\nSecond", "Only text"])
    #expect(read.map(\.day) == [try day("2024-01-05"), try day("2024-01-06")])
    #expect(
      read.map(\.created.description) == [
        "2024-01-05T00:00:00+01:00", "2024-01-06T00:00:00+01:00",
      ])
    #expect(read[0].modified == (try moment("2024-01-05T21:11:00+01:00")))
    #expect(read.allSatisfy { $0.unkept.isEmpty })
  }

  @Test("the list of Mini Diarium is read, with its tags")
  func list() throws {
    let text = """
      {"metadata":{"application":"Mini Diarium","version":"0.4"},"entries":[
      {"id":7,"date":"2024-01-05","title":"T","text":"<p>a <strong>b</strong></p>",
       "dateUpdated":"2024-01-05T20:00:00Z","tags":["two words"],"font":"x"}]}
      """
    let read = entries(Self.source(text))
    #expect(MiniDiarySource.recognises(utf8(text), path: nil))
    #expect(read.map(\.text) == ["T\n\na **b**"])
    #expect(read[0].tags == ["two words"])
    #expect(read[0].unkept == ["font"])
    #expect(read[0].modified == (try moment("2024-01-05T21:00:00+01:00")))
  }

  @Test("a bad day hides no other one, and an empty one is none")
  func problemDays() {
    let text = """
      {"metadata":{},"entries":{
      "yesterday":{"title":"","text":"a"},
      "2024-01-05":7,
      "2024-01-06":{"title":"","text":""},
      "2024-01-07":{"title":"","text":{}},
      "2024-01-08":{"title":"","text":"good"}}}
      """
    #expect(
      problems(Self.source(text)) == [
        "2: there is no date yesterday", "3: a number is not an entry",
        "5: text is an object, not a string",
      ])
    #expect(items(Self.source(text)).count == 4)
  }

  @Test("an export is recognised, and Day One's is not")
  func recognises() throws {
    #expect(MiniDiarySource.recognises(try fixture("minidiary/mini-diary.json"), path: nil))
    #expect(!MiniDiarySource.recognises(try fixture("dayone-Journal.json"), path: nil))
    #expect(!MiniDiarySource.recognises(utf8(#"{"metadata":{},"entries":[]}"#), path: nil))
    #expect(!MiniDiarySource.recognises(utf8(#"{"metadata":{},"entries":{"a":1}}"#), path: nil))
  }

  @Test("a damaged export ends")
  func damage() throws {
    for bytes in damaged(try fixture("minidiary/mini-diary.json")) {
      #expect(items(MiniDiarySource(ByteStream(bytes), options: options())).count < 6)
    }
  }
}
