import Journal
import Testing

@testable import JournalFormats

struct JourneyTests {
  private static func read(_ members: String) -> JourneySource {
    JourneySource(
      ByteStream(utf8(#"{"date_journal":1704445200000,\#(members)}"#)), options: options())
  }

  @Test("an export is read whole, each entry in its own zone")
  func reads() throws {
    let read = entries(JourneySource(try FixtureDirectory("journey"), options: options()))
    #expect(
      read.map(\.text) == [
        "Morning in the park & coffee\n\n**bold**\nline",
        "Plain **markdown** text\n\nsecond\n\n![](1704495600000-3fa1b2c3d4e5f608-1.jpg)",
      ])
    #expect(
      read.map(\.created.description) == [
        "2024-01-05T10:00:00+01:00", "2024-01-06T08:00:00+09:00",
      ])
    #expect(
      read.map { $0.day ?? $0.created.localDay } == [
        try day("2024-01-05"), try day("2024-01-06"),
      ])
    #expect(read[0].modified?.description == "2024-01-05T10:01:30+01:00")
    #expect(read.map(\.tags) == [["walk", "two words"], []])
    #expect(read.map(\.starred) == [true, false])
    let fields = [
      "place: 1 Some Street", "weather: Rain", "temperature: 7 °C", "mood: 1.25",
    ]
    #expect(read.map(fieldTexts) == [fields, fields])
    #expect(read.map(\.unkept) == [["mood"], ["mood"]])
    #expect(read.map(\.remarks) == [[], [AttachedFiles.remark]])
  }

  @Test("entries of Journey Cloud have other names")
  func cloud() throws {
    let text = """
      {"id":"8361561d-ca80-4a53-a738-a32e293a44ff","schemaVersion":2,"type":"markdown",
      "dateOfJournal":"2024-01-05T23:30:00.000Z","createdAt":"2024-01-06T08:00:00.000Z",
      "updatedAt":"2024-01-06T09:00:00.000Z","timezone":"America/Los_Angeles","text":"a",
      "tags":["t"],"favourite":true,"activity":0,"attachments":["p 1.png"],
      "location":{"lat":48.2082,"lng":16.3738,"name":"Vienna"},"weather":{}}
      """
    let directory = DirectoryInMemory(["x/x.json": text, "x/p 1.png": ""])
    let read = entries(JourneySource(directory, options: options()))
    #expect(read.map(\.text) == ["a\n\n![](<x/p 1.png>)"])
    #expect(read[0].created.description == "2024-01-05T15:30:00-08:00")
    #expect(read[0].uuid == "8361561d-ca80-4a53-a738-a32e293a44ff")
    #expect(fieldTexts(read[0]) == ["place: Vienna", "coordinates: 48.2082, 16.3738"])
    #expect(read[0].unkept.isEmpty)
  }

  @Test("an unknown zone is told, and an empty one is the local zone")
  func zones() {
    let unknown = entries(Self.read(#""text":"a","timezone":"Mars/Base""#))
    #expect(unknown.map(\.created.description) == ["2024-01-05T10:00:00+01:00"])
    #expect(unknown[0].remarks == ["unknown time zone \"Mars/Base\", so the local zone is used"])
    #expect(entries(Self.read(#""text":"a","timezone":"""#)).map(\.remarks) == [[]])
  }

  @Test("numbers that mean nothing make no fields")
  func numbers() {
    let read = entries(
      Self.read(
        """
        "text":"a","lat":1.7976931348623157e+308,"lon":1e999,"sentiment":0,"mood":0,
        "weather":{"degree_c":1.7976931348623157e+308,"description":"","place":""},
        "music_artist":"A","music_title":"B","photos":["gone.jpg"],"label":"x"
        """))
    #expect(read.map(fieldTexts) == [["music: A – B"]])
    #expect(read[0].unkept == ["label"])
    #expect(read[0].missing.map(\.name) == ["gone.jpg"])
  }

  @Test("a mood is that of the feeling, else the chosen one")
  func mood() {
    for (members, mood, unkept) in [
      ("\"mood\":3", "3", []), ("\"mood\":3,\"sentiment\":1.25", "1.25", ["mood"]),
    ] {
      let read = entries(Self.read("\"text\":\"a\",\(members)"))
      #expect(read.map(fieldTexts) == [["mood: \(mood)"]])
      #expect(read[0].unkept == unkept)
    }
  }

  @Test("a bad entry is a problem")
  func problemEntries() {
    #expect(problems(Self.read(#""text":"""#)) == [": has no text"])
    let text = #"{"date_journal":99999999999999999999999,"text":"a"}"#
    #expect(
      problems(JourneySource(ByteStream(utf8(text)), options: options())) == [": has no date"])
    #expect(
      problems(JourneySource(ByteStream(utf8("[1]")), options: options()))
        == ["1: an array is not an entry"])
  }

  @Test("an export is recognised by the names of its files, an entry by its members")
  func recognises() throws {
    #expect(JourneySource.recognises(files: try FixtureDirectory("journey").files))
    #expect(!JourneySource.recognises(files: ["2024-01-05.json", "1704445200000.json"]))
    #expect(JourneySource.recognises(utf8(#"{"text":"a","date_journal":1}"#), path: nil))
    #expect(!JourneySource.recognises(utf8(#"{"text":"a","date":1}"#), path: nil))
  }

  @Test("a damaged entry ends")
  func damage() throws {
    let bytes = try fixture("journey/1704445200000-3fa1b2c3d4e5f607.json")
    for bytes in damaged(bytes) {
      #expect(items(JourneySource(ByteStream(bytes), options: options())).count == 1)
    }
  }
}
