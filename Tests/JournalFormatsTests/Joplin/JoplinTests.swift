import Journal
import Testing

@testable import JournalFormats

struct JoplinTests {
  private static let note = "4891829cefc94f64a6f3978d0e89e07c"
  private static let other = "4891829cefc94f64a6f3978d0e89e07d"
  private static let tag = "5891829cefc94f64a6f3978d0e89e07c"
  private static let link = "6891829cefc94f64a6f3978d0e89e07c"
  private static let file = "7891829cefc94f64a6f3978d0e89e07c"
  private static let notebook = "8fb7f1804434417ab05eb4d05f3ae125"

  private static func text(
    _ body: String, _ properties: String = "", id: String = note
  ) -> String {
    """
    \(body)

    id: \(id)
    created_time: 2024-01-05T08:15:00.438Z
    \(properties.isEmpty ? "" : "\(properties)\n")type_: 1
    """
  }

  private static func read(_ files: [String: String]) -> JoplinSource {
    JoplinSource(DirectoryInMemory(files), options: options())
  }

  @Test("an export is read whole")
  func reads() throws {
    let read = entries(JoplinSource(try FixtureDirectory("joplin-raw"), options: options()))
    #expect(read.map(\.text) == ["A walk\n\nWalked to the sea."])
    #expect(read[0].uuid == "4891829c-efc9-4f64-a6f3-978d0e89e07c")
    #expect(read[0].created == (try moment("2024-01-05T09:15:00+01:00")))
    #expect(read[0].modified == (try moment("2024-01-05T11:15:00+01:00")))
    // Half of a place is none.
    #expect(fieldTexts(read[0]) == ["notebook: Diary"])
    #expect(read[0].unkept == ["latitude"])
  }

  @Test("tags, files and links to notes are found wherever their files are")
  func relations() {
    let read = Self.read([
      "\(Self.note).md": Self.text(
        "T\n\n[see](:/\(Self.other)) ![p](:/\(Self.file)) [T2](:/\(Self.other)) ![m](:/\(Self.tag))"
      ),
      "\(Self.other).md": Self.text("T2", id: Self.other),
      "\(Self.tag).md": "two words\n\nid: \(Self.tag)\ntype_: 5",
      "\(Self.link).md":
        "id: \(Self.link)\nnote_id: \(Self.note)\ntag_id: \(Self.tag)\ntype_: 6",
      "\(Self.file).md": "a.png\n\nid: \(Self.file)\nfile_extension: png\ntype_: 4",
      "resources/\(Self.file).png": "",
    ])
    let found = entries(read)
    #expect(
      found.map(\.text) == [
        "T\n\n[[T2|see]] ![p](resources/\(Self.file).png) [[T2]] ![m](:/\(Self.tag))", "T2",
      ])
    #expect(found.map(\.tags) == [["two words"], []])
    #expect(found[0].remarks == [AttachedFiles.remark])
  }

  @Test("a file that is not in the export is named")
  func missing() {
    let read = entries(
      Self.read([
        "\(Self.note).md": Self.text("T\n\n![p](:/\(Self.file))"),
        "\(Self.file).md": "a.png\n\nid: \(Self.file)\nfile_extension: png\ntype_: 4",
      ]))
    #expect(read.map { $0.missing.map(\.name) } == [["resources/\(Self.file).png"]])
    #expect(read[0].text == "T\n\n![p](:/\(Self.file))")
  }

  @Test("a to-do is a task, with its dates as fields")
  func toDo() {
    let read = entries(
      Self.read([
        "\(Self.note).md": Self.text(
          "Buy bread", "is_todo: 1\ntodo_due: 1704445200000\ntodo_completed: 1704448800000"),
        "\(Self.other).md": Self.text("Open", "is_todo: 1\ntodo_completed: 0", id: Self.other),
      ]))
    #expect(read.map(\.text) == ["- [x] Buy bread", "- [ ] Open"])
    #expect(fieldTexts(read[0]) == ["due: 2024-01-05 10:00", "completed: 2024-01-05 11:00"])
  }

  @Test("author and address are fields, unknown properties are counted, Joplin's own are not")
  func properties() {
    let read = entries(
      Self.read([
        "\(Self.note).md": Self.text(
          "T\n\nb: c\n\nd",
          """
          author: Anna
          source_url: https://a.org/
          latitude: 48.208200
          longitude: 16.373800
          altitude: 12.0
          order: 17044
          user_data:
          application_data: {}
          """)
      ]))
    #expect(read.map(\.text) == ["T\n\nb: c\n\nd"])
    #expect(
      fieldTexts(read[0]) == [
        "coordinates: 48.2082, 16.3738", "author: Anna", "source: https://a.org/",
      ])
    #expect(read[0].unkept == ["altitude"])
  }

  @Test("trash, conflicts, revisions and encrypted notes are told")
  func leftOut() {
    let source = Self.read([
      "\(Self.note).md": Self.text("T", "deleted_time: 1704445200000"),
      "\(Self.other).md": Self.text("T", "is_conflict: 1", id: Self.other),
      "\(Self.tag).md": "\n\nid: \(Self.tag)\ntype_: 13",
      "\(Self.link).md": Self.text("", "encryption_applied: 1", id: Self.link),
      "\(Self.file).md": "no properties",
      "readme.txt": "x",
    ])
    #expect(
      passed(source) == [
        "\(Self.note).md: in the trash of Joplin", "\(Self.other).md: with a conflict of Joplin",
        "\(Self.tag).md: with a revision or settings of Joplin",
      ])
    #expect(
      problems(source) == [
        "\(Self.link).md: is encrypted; switch off the encryption in Joplin and export again",
        "\(Self.file).md: is not an item of Joplin",
      ])
  }

  @Test("a title that is a date is the day of the note")
  func days() throws {
    let read = entries(Self.read(["\(Self.note).md": Self.text("2024-01-03\n\nText")]))
    #expect(read.map(\.text) == ["Text"])
    #expect(read[0].day == (try day("2024-01-03")))
  }

  @Test("a notebook in itself ends")
  func circle() {
    let read = entries(
      Self.read([
        "\(Self.note).md": Self.text("T", "parent_id: \(Self.notebook)"),
        "\(Self.notebook).md":
          "N\n\nid: \(Self.notebook)\nparent_id: \(Self.notebook)\ntype_: 2",
      ]))
    #expect(read.map(fieldTexts) == [["notebook: N"]])
  }

  @Test("an export is recognised by the names of its files")
  func recognises() throws {
    #expect(JoplinSource.recognises(files: try FixtureDirectory("joplin-raw").files))
    #expect(!JoplinSource.recognises(files: ["\(Self.note).md", "2024-01-05.md"]))
    #expect(!JoplinSource.recognises(files: []))
    #expect(JoplinSource.recognises(utf8(Self.text("T")), path: "a/\(Self.note).md"))
    #expect(!JoplinSource.recognises(utf8("T"), path: "\(Self.note).md"))
  }

  @Test("links are resolved in one go")
  func linear() {
    var links = JoplinLinks(index: JoplinIndex(), file: "", attached: AttachedFiles())
    for text in ["(:/", "[](:/\(Self.note)", "](:/\(Self.note))", "[", "("] {
      _ = links.resolve(String(repeating: text, count: 200_000 / text.utf8.count))
    }
  }

  @Test("a damaged note ends")
  func damage() {
    for bytes in damaged(utf8(Self.text("T\n\n[a](:/\(Self.other))", "latitude: 48.1"))) {
      _ = try? JoplinItem(bytes, isLossy: false)
    }
  }
}
