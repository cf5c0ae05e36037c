import Journal
import Testing

@testable import JournalFormats

/// What a record has and an import does not keep is said, in every format that it can concern.
struct LossRuleTests {
  /// Records that name a file `gone.png` that is not there.
  private static let missing: [(format: String, files: [String: String])] = [
    (
      "keep",
      [
        "Takeout/Keep/a.json": """
        {"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"title":"",\
        "textContent":"a","attachments":[{"filePath":"gone.png"}],\
        "userEditedTimestampUsec":1704445200000000,"createdTimestampUsec":1704445200000000}
        """
      ]
    ),
    (
      "journey",
      [
        "1704445200000-3fa1b2c3d4e5f607.json":
          #"{"date_journal":1704445200000,"timezone":"","text":"a","photos":["gone.png"]}"#
      ]
    ),
    (
      "diaro",
      [
        "DiaroBackup.xml": """
        <data version="2"><table name="diaro_entries"><r><uid>1</uid><date>1704445200000</date>\
        <tz_offset>+01:00</tz_offset><text>a</text></r></table>\
        <table name="diaro_attachments"><r><uid>a</uid><entry_uid>1</entry_uid><type>photo</type>\
        <filename>gone.png</filename></r></table></data>
        """
      ]
    ),
    (
      "joplin",
      [
        "4891829cefc94f64a6f3978d0e89e07c.md":
          "T\n\n![](:/gone)\n![](:/0123456789abcdef0123456789abcdef)\n\nid: 4891829cefc94f64a6f3978d0e89e07c\ncreated_time: 2024-01-05T10:00:00.000Z\ntype_: 1"
      ]
    ),
    (
      "evernote",
      [
        "a.enex": """
        <en-export><note><content><![CDATA[<en-note>a<en-media type="image/png" \
        hash="0123456789abcdef0123456789abcdef"/></en-note>]]></content>\
        <created>20240105T100000Z</created></note></en-export>
        """
      ]
    ),
    ("markdown", ["2024-01-05.md": "a ![](gone.png)"]),
    ("markdown", ["2024-01-05.md": "a ![[gone.png]]"]),
    (
      "bear",
      [
        "2024-01-05.textbundle/text.md": "a ![](assets/gone.png)",
        "2024-01-05.textbundle/info.json": #"{"version":2}"#,
      ]
    ),
  ]

  @Test("a file that a record names and the import lacks is named", arguments: missing)
  func missingFiles(format: String, files: [String: String]) throws {
    let format = try #require(ImportFormat(rawValue: format))
    let lines = notes(try items(format, files))
    #expect(
      lines.contains { line in
        line.hasPrefix("file that the text names is not among the imported ones: ")
          && (line.contains("gone.png") || line.contains("0123456789abcdef"))
      }, "\(lines)")
  }

  @Test(
    "a field of front matter is made or said, whatever its value is",
    arguments: ["true", "false", "no", "0", "1", "x"], ["---", "+++"])
  func fields(value: String, fence: String) throws {
    let line =
      fence == "---"
      ? "exercise: \(value)"
      : "exercise = \(value == "no" || value == "x" ? "\"\(value)\"" : value)"
    let read = entries(
      MarkdownSource(
        utf8("\(fence)\n\(line)\n\(fence)\na"), path: "2024-01-05.md", options: options()))
    #expect(read.map { $0.fields.map(\.name) } == [["exercise"]])
    #expect(read.map { $0.fields.map(\.value) } == [[value]])
  }

  @Test(
    "columns of one name are all read, each once",
    arguments: [nil, "date=Date,text=Notes,text=Notes"])
  func columns(map: String?) throws {
    var options = options()
    options.mapping = try map.map { (text: String) throws(FormatError) in try CSVMapping(text) }
    let table = "Date,Notes,Title,Notes\n2024-01-05,first,T,second\n"
    let read = entries(CSVSource(ByteStream(utf8(table)), options: options))
    #expect(read.map(\.text) == [map == nil ? "T\n\nfirst\n\nsecond" : "first\n\nsecond"])
    #expect(read.map(\.unkept) == [map == nil ? [] : ["Title"]])
  }

  @Test("the entries of an export of several journals have their names as a field")
  func journals() throws {
    let journal = { (id: String) in
      #"{"metadata":{},"entries":[{"creationDate":"2024-01-05T10:00:00Z","text":"\#(id)"}]}"#
    }
    let both = try entries(.dayOne, ["Private.json": journal("a"), "Work.json": journal("b")])
    #expect(both.map(fieldTexts) == [["journal: Private"], ["journal: Work"]])
    #expect(try entries(.dayOne, ["Journal.json": journal("a")]).map(fieldTexts) == [[]])
  }

  @Test("a state of a task that no box shows is a field of its item")
  func states() {
    let text = "- TODO a\n- DONE b\n\t- CANCELED c\n\t  note\n- WAITING d\n- NOW e\n- LATER f\n"
    let read = entries(
      MarkdownSource(utf8(text), path: "journals/2024_01_05.md", options: options()))
    #expect(
      read.map(\.text) == [
        "- [ ] a\n- [x] b\n\t- [x] c\n\t  state:: canceled\n\t  note\n- [ ] d\n  state:: waiting\n- [ ] e\n  state:: now\n- [ ] f"
      ])
  }

  @Test("headings of an own file with years and months keep their levels")
  func levels() {
    let text = "# 2024\n\n## January\n\n### 2024-01-05\na\n\n#### Sub\nb\n\n### 2024-01-07\nc\n"
    #expect(
      summary(MarkdownSource(utf8(text), path: "d.md", options: options())) == [
        "2024-01-05 00:00 | a⏎⏎#### Sub⏎b", "2024-01-07 00:00 | c",
      ])
  }

  @Test("a date of a table in a form that is not read is said to be unread, and no other text is")
  func tableDates() {
    let table = "Date,Notes\n2/4/24,a\n2024-02-30,b\nnever,c\n02/03/2024,d\n"
    #expect(
      problems(CSVSource(ByteStream(utf8(table)), options: options())) == [
        "2: the date 2/4/24 is not read; write it as 2024-01-05", "3: there is no date 2024-02-30",
        "4: there is no date never", "5: the date 02/03/2024 is ambiguous; write it as 2024-01-05",
      ])
  }
}
