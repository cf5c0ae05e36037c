import Journal
import Testing

@testable import JournalFormats

struct EvernoteTests {
  private static func source(_ notes: String) -> EvernoteSource {
    EvernoteSource(
      ByteStream(
        utf8("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<en-export>\(notes)</en-export>")),
      options: options())
  }

  private static func note(_ content: String, _ rest: String = "") -> String {
    "<note><title>T</title><content><![CDATA[<?xml version=\"1.0\"?>"
      + "<!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\"><en-note>\(content)"
      + "</en-note>]]></content><created>20240105T081500Z</created>\(rest)</note>"
  }

  @Test("an export is read whole: text, boxes, instants on the clock, tags")
  func fixtureFile() throws {
    let bytes = try fixture("evernote-Diary.enex")
    #expect(EvernoteSource.recognises(bytes, path: nil))
    let read = entries(EvernoteSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == ["A day\n\nWalked & talked.\n- [x] bread"])
    #expect(read.map(\.created) == [try moment("2024-01-05T09:15:00+01:00")])
    #expect(read.map(\.modified) == [try moment("2024-01-06T09:15:00+01:00")])
    #expect(read.map(\.tags) == [["diary"]])
    #expect(read.map(\.unkept) == [[]])
    #expect(read.map(\.fields) == [[]])
    let again = entries(EvernoteSource(ByteStream(bytes), options: options()))
    #expect(read.map(identity) == again.map(identity))
  }

  @Test("pictures have their bytes by their digest, others follow the text")
  func files() {
    let note = Self.note(
      "<div>a</div><en-media type=\"image/png\" hash=\"900150983cd24fb0d6963f7d28e17f72\"/><div>b</div>",
      """
      <resource><data encoding="base64">YW
      Jj</data><mime>image/png</mime><resource-attributes><file-name>../x/The sea.png</file-name></resource-attributes></resource>
      <resource><data encoding="base64"></data><mime>application/pdf</mime></resource>
      """)
    let read = entries(Self.source(note))
    #expect(
      read.map(\.text) == [
        """
        T

        a
        ![](<The sea.png>)
        b

        [d41d8cd98f00b204e9800998ecf8427e.pdf](d41d8cd98f00b204e9800998ecf8427e.pdf)
        """
      ])
    #expect(read.map(\.remarks) == [[]])
    #expect(read[0].files.map(\.name) == ["The sea.png"])
    #expect(read[0].files.map { $0.enclosed?.bytes } == [utf8("abc")])
  }

  @Test("files with one name have two, and an import of an earlier build adds nothing")
  func equalNames() throws {
    let resource = { (data: String) in
      "<resource><data encoding=\"base64\">\(data)</data><mime>image/png</mime>"
        + "<resource-attributes><file-name>image.png</file-name></resource-attributes></resource>"
    }
    let note = Self.note("<div>a</div>", resource("YWJj") + resource("YWJk") + resource("YWJj"))
    let read = try #require(entries(Self.source(note)).first)
    #expect(read.text == "T\n\na\n\n![](image.png)\n\n![](<image 2.png>)")
    #expect(read.files.map(\.name) == ["image.png", "image 2.png"])
    #expect(read.files.map { $0.enclosed?.bytes } == [utf8("abc"), utf8("abd")])
    let before = ImportedEntry(
      created: read.created, text: "T\n\na\n\n![](image.png)\n\n![](image.png)")
    #expect(read.formerUUID == (try before.entry().uuid))
  }

  @Test("files larger than the limit of a note are named, and their bytes are not kept")
  func limits() {
    var hash = MD5OfBase64(keeping: 4)
    hash.add(utf8("YWJjZA=="))
    #expect(
      hash.finished()
        == .init(digest: "e2fc714c4727ee9395f324cd2e7f331f", size: 4, bytes: utf8("abcd")))
    hash = MD5OfBase64(keeping: 3)
    hash.add(utf8("YWJjZA=="))
    #expect(hash.finished().bytes == [])
  }

  @Test("places, authors and addresses are fields, and other attributes are named")
  func attributes() {
    let note = Self.note(
      "x",
      """
      <note-attributes><latitude>48.2</latitude><longitude>16.3</longitude><altitude>150</altitude>
      <author>Anna</author><source>mobile.iphone</source><source-url>https://x.org/</source-url>
      <reminder-time>20240105T081500Z</reminder-time></note-attributes>
      <task><title>call</title><taskStatus>completed</taskStatus></task>
      """)
    let read = entries(Self.source(note))
    #expect(
      read.first?.fields == [
        ImportedField(name: "author", value: "Anna"),
        ImportedField(name: "source", value: "https://x.org/"),
        ImportedField(name: "coordinates", value: "48.2, 16.3"),
      ])
    #expect(read.first?.unkept == ["altitude", "reminder-time"])
    #expect(read.first?.text == "T\n\nx\n\n- [x] call")
  }

  @Test("a bad note never hides the others, and titles are said once")
  func problems() throws {
    let notes =
      "<note><title>a</title></note><note><title>b</title><created>x</created></note>"
      + "<note><created>20240105T081500Z</created></note>"
      + "<note><title>2024-01-05</title><content>x</content><created>20240105T081500Z</created></note>"
      + "<note><title>Walk</title><content>&lt;h1&gt;Walk!&lt;/h1&gt;y</content><updated>20240105T081500Z</updated></note>"
      + "<note><title>Secret</title><content>&lt;en-crypt&gt;AAAA&lt;/en-crypt&gt;</content><updated>20240105T081500Z</updated></note>"
    #expect(
      JournalFormatsTests.problems(Self.source(notes)) == [
        "2: has no date", "2: there is no created x", "2: has no text",
      ])
    let read = items(Self.source(notes)).compactMap { item in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(read.map(\.text) == ["x", "# Walk!\n\ny", "Secret"])
    #expect(read.last?.remarks == ["encrypted text of Evernote is left out"])
  }

  @Test("a cut or hostile export harms nothing")
  func hostile() throws {
    let whole = Self.note("a")
    let cut = items(
      EvernoteSource(
        ByteStream(utf8("<en-export>\(whole)<note><title>b</title><content><![CDATA[<en-no")),
        options: options()))
    #expect(cut.filter { if case .entry = $0 { true } else { false } }.count == 1)
    #expect(cut.filter { if case .problem = $0 { true } else { false } }.count == 1)
    let bomb =
      "<?xml version=\"1.0\"?><!DOCTYPE en-export [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">"
      + "<!ENTITY c SYSTEM \"file:///etc/passwd\">]><en-export><note><title>&b;&c;</title></note></en-export>"
    let read = items(EvernoteSource(ByteStream(utf8(bomb)), options: options()))
    #expect(
      read == [.problem("broken XML: declares entities, which are not read", ImportPlace(line: 1))])
    let deep = String(repeating: "<a>", count: 100_000)
    let nested = items(Self.source(deep + whole))
    #expect(nested.count == 1)
  }
}
