import Journal
import Testing

@testable import JournalFormats

struct GoogleKeepTests {
  private static func directory() throws -> GoogleKeepSource {
    GoogleKeepSource(try FixtureDirectory("keep"), options: options())
  }

  private static func note(_ members: String) -> [ImportedEntry] {
    entries(GoogleKeepSource(ByteStream(utf8(json(members))), options: options()))
  }

  private static func json(_ members: String) -> String {
    """
    {"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,\(members),
    "userEditedTimestampUsec":1704445260000000,"createdTimestampUsec":1704445200000000}
    """
  }

  @Test("notes of an export are read whole, and those in the trash are counted")
  func reads() throws {
    let read = entries(try Self.directory())
    #expect(
      read.map(\.text) == [
        "An untitled thought\n\n![](Takeout/Keep/18cd.jpg)",
        "Shopping\n\n- [ ] bread\n- [x] milk",
      ])
    #expect(
      read.map(\.created.description) == [
        "2024-01-06T09:15:00+01:00", "2024-01-05T10:00:00+01:00",
      ])
    #expect(read[1].modified?.description == "2024-01-05T10:01:00+01:00")
    #expect(read.map(\.tags) == [[], ["home", "two words"]])
    #expect(read.map(\.starred) == [false, true])
    #expect(read.map(\.unkept) == [["color", "isArchived"], []])
    #expect(read[0].remarks == [AttachedFiles.remark])
    #expect(passed(try Self.directory()) == ["Takeout/Keep/Old.json: in the trash of Google Keep"])
  }

  @Test("the same export twice has the same identities")
  func identities() throws {
    #expect(
      entries(try Self.directory()).map(identity) == entries(try Self.directory()).map(identity))
  }

  @Test("a list has its text above it, and items of several lines")
  func lists() {
    let read = Self.note(
      """
      "title":"L","textContent":"Buy:",
      "listContent":[{"text":"a\\nb","isChecked":true},{"text":"","isChecked":false}]
      """)
    #expect(read.map(\.text) == ["L\n\nBuy:\n\n- [x] a\n  b"])
  }

  @Test("a page behind a link is a link unless the text mentions it")
  func annotations() {
    let read = Self.note(
      """
      "title":"","textContent":"See https://a.org/x","annotations":[
      {"url":"https://a.org/x","title":"A","source":"WEBLINK","description":""},
      {"url":"https://b.org/","title":"B [1]","source":"WEBLINK","description":""},
      {"url":"https://c.org/","title":"","source":"WEBLINK","description":""}]
      """)
    #expect(
      read.map(\.text) == ["See https://a.org/x\n\n[B 1](https://b.org/)\n<https://c.org/>"])
  }

  @Test("a title that is a date is the day of the note, and not in its text")
  func days() throws {
    let same = Self.note(#""title":"2024-01-05","textContent":"a""#)
    #expect(same.map(\.text) == ["a"])
    #expect(same[0].created == (try moment("2024-01-05T10:00:00+01:00")))
    let other = Self.note(#""title":"2024-01-03","textContent":"a""#)
    #expect(other[0].day == (try day("2024-01-03")))
    #expect(other[0].created == (try moment("2024-01-03T00:00:00+01:00")))
    #expect(other[0].unkept == ["created"])
  }

  @Test("the text does not repeat a title that it begins with")
  func titles() {
    #expect(
      Self.note(#""title":"A day","textContent":"A day, long""#).map(\.text) == ["A day, long"])
    #expect(Self.note(#""title":"A","textContent":"Apple""#).map(\.text) == ["A\n\nApple"])
  }

  @Test("a picture that is not in the export is named, and one with another ending is found")
  func attachments() {
    let text = Self.json(
      #""textContent":"a","attachments":[{"filePath":"x.jpeg"},{"filePath":"y.png"}]"#)
    let directory = DirectoryInMemory(["Takeout/Keep/a.json": text, "Takeout/Keep/x.jpg": ""])
    let read = entries(GoogleKeepSource(directory, options: options()))
    #expect(read.map(\.text) == ["a\n\n![](Takeout/Keep/x.jpg)"])
    #expect(read[0].missing.map(\.name) == ["y.png"])
  }

  @Test("other products of an export are left out, and a broken file is a problem")
  func others() {
    let directory = DirectoryInMemory([
      "Takeout/Maps/Reviews.json": #"{"type":"FeatureCollection","features":[]}"#,
      "Takeout/Keep/broken.json": "not json",
      "Takeout/Keep/cut.json":
        #"{"color":"RED","isTrashed":false,"isPinned":false,"isArchived":true,"a"#,
      "Takeout/Keep/empty.json": Self.json(#""title":"","textContent":"""#),
      "Takeout/Keep/undated.json":
        #"{"color":"RED","isTrashed":false,"isPinned":false,"isArchived":true,"textContent":"a"}"#,
    ])
    let read = items(GoogleKeepSource(directory, options: options()))
    #expect(read.contains(.leftOut(.unread("Takeout/Maps/Reviews.json"))))
    #expect(
      problems(GoogleKeepSource(directory, options: options())).map { $0.prefix(52) } == [
        "Takeout/Keep/broken.json: is not JSON",
        "Takeout/Keep/cut.json:1: is invalid JSON at byte 71:",
        "Takeout/Keep/empty.json: has no text", "Takeout/Keep/undated.json: has no date",
      ])
  }

  @Test("an export is recognised by its paths, and a note by its members")
  func recognises() throws {
    #expect(GoogleKeepSource.recognises(files: try FixtureDirectory("keep").files))
    #expect(
      GoogleKeepSource.recognises(files: [
        "Takeout/Notizen/a.html", "Takeout/Notizen/a.json", "Takeout/Notizen/Labels.txt",
      ]))
    #expect(!GoogleKeepSource.recognises(files: ["Takeout/Maps/a.json", "notes/a.json"]))
    #expect(GoogleKeepSource.recognises(utf8(Self.json(#""title":"a""#)), path: nil))
    #expect(!GoogleKeepSource.recognises(utf8(#"{"title":"a","color":"RED"}"#), path: nil))
  }

  @Test("a damaged note ends, with an entry or a problem")
  func damage() {
    for bytes in damaged(utf8(Self.json(#""title":"a","textContent":"b","labels":[{"name":"c"}]"#)))
    {
      #expect(items(GoogleKeepSource(ByteStream(bytes), options: options())).count == 1)
    }
  }
}
