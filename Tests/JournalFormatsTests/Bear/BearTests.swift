import Journal
import Testing

@testable import JournalFormats

struct BearTests {
  private static func info(_ members: String = "") -> String {
    """
    {"creatorIdentifier":"net.shinyfrog.bear","version":2,"net.shinyfrog.bear":{
    "creationDate":"2024-01-05T08:15:00Z","modificationDate":"2024-01-06T08:15:00Z",
    "uniqueIdentifier":"B1C5CA69-462B-45A9-A063-A046FD2A12A1","trashed":0,"archived":0,"pinned":0
    \(members.isEmpty ? "" : ",\(members)")}}
    """
  }

  private static func read(_ files: [String: String]) -> BearSource {
    BearSource(DirectoryInMemory(files), options: options())
  }

  @Test("a note whose text is locked is said to be locked")
  func locked() {
    let read = { (members: String) in
      problems(
        Self.read(["A.textbundle/text.md": "", "A.textbundle/info.json": Self.info(members)]))
    }
    #expect(
      read("\"locked\":1") == [
        "A.textbundle/text.md: is locked; remove its lock in Bear and back up again"
      ])
    #expect(read("\"locked\":0") == ["A.textbundle/text.md: has no text"])
  }

  @Test("a backup is read whole, with its pictures as links")
  func reads() throws {
    let source = Self.read([
      "B/A walk.textbundle/text.md":
        "# A walk\n#trips/norway #two words#\n\n![](assets/p%201.jpg)\n",
      "B/A walk.textbundle/info.json": Self.info("\"pinned\":1"),
      "B/A walk.textbundle/assets/p 1.jpg": "",
      "B/Gone.textbundle/text.markdown": "gone",
      "B/Gone.textbundle/info.json": Self.info("\"trashed\":1"),
      "B/Old.textbundle/text.txt": "old\r\ntext",
      "B/Old.textbundle/info.json": Self.info("\"archived\":1,\"uniqueIdentifier\":\"59C9-1-00\""),
    ])
    let read = entries(source)
    #expect(
      read.map(\.text) == [
        "# A walk\n#trips/norway #two-words\n\n![](B/A%20walk.textbundle/assets/p%201.jpg)",
        "old\ntext",
      ])
    #expect(read[0].uuid == "b1c5ca69-462b-45a9-a063-a046fd2a12a1")
    #expect(read[0].created == (try moment("2024-01-05T09:15:00+01:00")))
    #expect(read[0].modified == (try moment("2024-01-06T09:15:00+01:00")))
    #expect(read.map(\.starred) == [true, false])
    #expect(read.map(\.unkept) == [[], ["archived"]])
    #expect(passed(source) == ["B/Gone.textbundle/text.markdown: in the trash of Bear"])
  }

  @Test("a heading that is a date is the day of the note")
  func days() throws {
    let read = entries(
      Self.read([
        "a.textbundle/text.md": "# 2024-01-03\nText", "a.textbundle/info.json": Self.info(),
      ]))
    #expect(read.map(\.text) == ["Text"])
    #expect(read[0].day == (try day("2024-01-03")))
  }

  @Test("a bundle of another program has the date of its name")
  func others() throws {
    let read = entries(
      Self.read([
        "2024-01-05 Walk.textbundle/text.md": "Text",
        "2024-01-05 Walk.textbundle/info.json":
          #"{"version":2,"type":"net.daringfireball.markdown"}"#,
      ]))
    #expect(read.map(\.text) == ["Walk\n\nText"])
    #expect(read[0].day == (try day("2024-01-05")))
    for name in ["x/2024-01-05 Walk.textbundle", "2024-01-05 Walk.textpack"] {
      var alone = options()
      alone.name = name
      let files = DirectoryInMemory(["text.md": "Text", "info.json": #"{"version":2}"#])
      let found = entries(BearSource(files, options: alone))
      #expect(found.map(\.text) == ["Walk\n\nText"], "\(name)")
    }
  }

  @Test("a bad bundle hides no other one")
  func problemBundles() {
    let source = Self.read([
      "a.textbundle/text.md": "a", "a.textbundle/info.json": "{",
      "b.textbundle/text.md": "b", "b.textbundle/info.json": #"{"net.shinyfrog.bear":{}}"#,
      "c.textbundle/text.md": " ", "c.textbundle/info.json": Self.info(),
      "d.textbundle/info.json": Self.info(), "f.textbundle/text.md": "undated",
      "e.textbundle/text.md": "good", "e.textbundle/info.json": Self.info(),
    ])
    #expect(
      problems(source) == [
        "a.textbundle/info.json: is not JSON", "b.textbundle/text.md: has no date",
        "c.textbundle/text.md: has no text",
        "f.textbundle/text.md:1: has no date, in front matter or in its name; use a name such as "
          + "2024-01-05.md",
      ])
    #expect(items(source).count == 5)
  }

  @Test(
    "tags of several words are joined, and other signs stay",
    arguments: [
      ("#a b#", "#a-b"), ("x #a b c# y", "x #a-b-c y"), ("#a and #b", "#a and #b"),
      ("# Title #x", "# Title #x"), ("## a b#", "## a b#"), ("a#b c#", "a#b c#"),
      ("#a b#c", "#a b#c"), ("#one #two words#.", "#one #two-words."), ("#a# b#", "#a# b#"),
      ("```\n#a b#\n```", "```\n#a b#\n```"),
    ])
  func tags(text: String, joined: String) { #expect(BearTags.joined(text).text == joined) }

  @Test("bundles are recognised by their files")
  func recognises() {
    #expect(BearSource.recognises(files: ["x/a.textbundle/info.json", "x/a.textbundle/text.md"]))
    #expect(BearSource.recognises(files: ["info.json", "text.markdown"]))
    #expect(BearSource.recognises(files: ["2024-01-05.textbundle/text.md"]))
    #expect(!BearSource.recognises(files: ["info.json", "a/text.md"]))
  }
}
