import Journal
import Testing

@testable import JournalFormats

struct SimplenoteTests {
  private static func source(_ text: String) -> SimplenoteSource {
    SimplenoteSource(ByteStream(utf8(text)), options: options())
  }

  @Test("an export is read whole, alone or in its directory")
  func reads() throws {
    let alone = entries(
      SimplenoteSource(ByteStream(try fixture("simplenote/source/notes.json")), options: options()))
    let directory = try FixtureDirectory("simplenote")
    let inside = SimplenoteSource(directory, options: options())
    #expect(alone == entries(SimplenoteSource(directory, options: options())))
    #expect(alone.map(\.text) == ["First line is the title\n\nBody #tag", "Second"])
    #expect(alone.map(\.tags) == [["diary", "two words"], []])
    #expect(alone.map(\.starred) == [true, false])
    #expect(alone.map(\.uuid) == [nil, "79e664eb-df24-4174-a481-04f841ff4036"])
    #expect(
      alone.map(\.created.description) == [
        "2024-01-05T09:15:00+01:00", "2024-01-06T00:30:00+01:00",
      ])
    #expect(alone[0].modified?.description == "2024-01-06T12:23:05+01:00")
    #expect(alone.allSatisfy { $0.unkept.isEmpty })
    #expect(passed(inside) == ["source/notes.json:23: in the trash of Simplenote"])
  }

  @Test("the lists are read in any order, and other members are counted")
  func order() {
    let text = """
      {"x":{"activeNotes":[1]},"trashedNotes":[{"content":"gone"},{"content":"too"}],"activeNotes":[
      {"content":"a","creationDate":"2024-01-05T08:15:00Z","publicURL":"https://a","systemTags":[]}]}
      """
    #expect(entries(Self.source(text)).map(\.unkept) == [["publicURL"]])
    #expect(passed(Self.source(text)).count == 2)
  }

  @Test("a first line that is a date is the day")
  func days() throws {
    let read = entries(
      Self.source(
        #"{"activeNotes":[{"content":"2024-01-03\nText","creationDate":"2024-01-05T08:15:00Z"}]}"#))
    #expect(read.map(\.text) == ["Text"])
    #expect(read[0].day == (try day("2024-01-03")))
  }

  @Test("a bad note hides no other one")
  func problemNotes() {
    let source = Self.source(
      """
      {"activeNotes":[7,
      {"content":"a"},
      {"content":" ","creationDate":"2024-01-05T08:15:00Z"},
      {"content":"b","creationDate":"2024-01-05T08:15:00Z",},
      {"content":"good","creationDate":"2024-01-05T08:15:00Z"}]
      """)
    #expect(
      problems(source).map { String($0.prefix(31)) } == [
        "1: a number is not an entry", "2: has no date", "3: has no text",
        "4: is invalid JSON at byte 54: ", "5: end: unexpected end of the f",
      ])
    let cut = problems(Self.source(#"{"activeNotes":["#))
    #expect(cut == ["1: end: unexpected end of the file, expected the end of the list"])
  }

  @Test("an export is recognised by its members")
  func recognises() throws {
    #expect(SimplenoteSource.recognises(try fixture("simplenote/source/notes.json"), path: nil))
    #expect(SimplenoteSource.recognises(files: try FixtureDirectory("simplenote").files))
    #expect(!SimplenoteSource.recognises(utf8(#"{"notes":[]}"#), path: nil))
    #expect(!SimplenoteSource.recognises(files: ["notes.json"]))
  }

  @Test("a damaged export ends")
  func damage() throws {
    for bytes in damaged(try fixture("simplenote/source/notes.json")) {
      #expect(items(SimplenoteSource(ByteStream(bytes), options: options())).count < 8)
    }
  }
}
