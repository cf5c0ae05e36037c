import Foundation
import Journal
import Testing

@testable import JournalFormats

struct StandardNotesTests {
  private static let path = "standardnotes/Standard Notes Backup and Import File.txt"

  private static func source(_ text: String) -> StandardNotesSource {
    StandardNotesSource(ByteStream(utf8(text)), options: options())
  }

  private static func note(_ content: String, uuid: String = "n") -> String {
    """
    {"uuid":"\(uuid)","content_type":"Note","content":{\(content)},
    "created_at":"2024-01-05T08:15:00.000Z","updated_at":"1970-01-01T00:00:00.000Z"}
    """
  }

  private static func items(_ items: String...) -> String {
    #"{"version":"004","items":[\#(items.joined(separator: ",\n"))]}"#
  }

  @Test("a backup is read whole, alone or in its directory")
  func reads() throws {
    let alone = entries(StandardNotesSource(ByteStream(try fixture(Self.path)), options: options()))
    let inside = entries(
      StandardNotesSource(try FixtureDirectory("standardnotes"), options: options()))
    #expect(alone == inside)
    #expect(alone.map(\.text) == ["January 5\n\nI slept well.\n\nBody"])
    #expect(alone[0].uuid == "009322b8-ca80-4a53-a738-a32e293a44ff")
    #expect(alone[0].created == (try moment("2024-01-05T09:15:00+01:00")))
    #expect(alone[0].modified == (try moment("2024-01-05T11:00:00+01:00")))
    #expect(alone[0].tags == ["diary"])
    #expect(alone[0].starred)
    #expect(alone[0].unkept.isEmpty)
  }

  @Test("tags have the path of the tags around them, also in a circle")
  func tags() {
    let text = Self.items(
      Self.note(#""title":"","text":"a""#),
      #"{"uuid":"t1","content_type":"Tag","content":{"title":"work","references":[]}}"#,
      """
      {"uuid":"t2","content_type":"Tag","content":{"title":"plans","references":[
      {"uuid":"n","content_type":"Note"},
      {"uuid":"t1","content_type":"Tag","reference_type":"TagToParentTag"}]}}
      """,
      """
      {"uuid":"t3","content_type":"Tag","content":{"title":"old.nested","references":[
      {"uuid":"n","content_type":"Note"}]}}
      """,
      """
      {"uuid":"t4","content_type":"Tag","content":{"title":"loop","references":[
      {"uuid":"n","content_type":"Note"},{"uuid":"t4","content_type":"Tag"}]}}
      """)
    #expect(entries(Self.source(text)).map(\.tags) == [["work/plans", "old/nested", "loop"]])
  }

  @Test("notes in the trash are counted, archived ones are not")
  func trash() {
    let text = Self.items(
      Self.note(#""title":"","text":"gone","trashed":true"#),
      Self.note(
        #""title":"","text":"b","appData":{"org.standardnotes.sn":{"archived":true}},"protected":true"#
      ))
    #expect(passed(Self.source(text)) == ["1: in the trash of Standard Notes"])
    #expect(entries(Self.source(text)).map(\.unkept) == [["archived", "protected"]])
  }

  @Test("an encrypted backup is said to be one")
  func encrypted() {
    let text =
      #"{"version":"004","items":[{"uuid":"n","content_type":"Note","content":"004:abc"}]}"#
    #expect(
      problems(Self.source(text)) == [
        ": end: is an encrypted backup of Standard Notes; export it as Decrypted"
      ])
  }

  @Test("an item that is still encrypted hides no other one")
  func partlyEncrypted() {
    let text = Self.items(
      Self.note(#""title":"","text":"a""#),
      #"{"uuid":"m","content_type":"Note","content":"004:abc"}"#,
      #"{"uuid":"t","content_type":"Tag","content":"004:abc"}"#)
    #expect(JournalFormatsTests.items(Self.source(text)).count == 3)
    #expect(
      problems(Self.source(text)).map { $0.drop { $0 != " " } } == [
        " is still encrypted; export it as Decrypted",
        " is still encrypted; export it as Decrypted",
      ])
  }

  @Test("the content of an old backup is read")
  func old() {
    let content = Data(#"{"title":"T","text":"a"}"#.utf8).base64EncodedString()
    let text = """
      {"items":[{"uuid":"n","content_type":"Note","content":"000\(content)",
      "created_at":"2017-01-05T08:15:00.000Z"}]}
      """
    #expect(entries(Self.source(text)).map(\.text) == ["T\n\na"])
  }

  @Test("a note of Super is Markdown")
  func superText() throws {
    let text = """
      {"root":{"type":"root","children":[
      {"type":"heading","tag":"h2","children":[{"type":"text","text":"Day","format":0}]},
      {"type":"paragraph","children":[{"type":"text","text":"a ","format":0},
       {"type":"text","text":"bold ","format":1},{"type":"text","text":"x*y","format":3},
       {"type":"linebreak"},{"type":"text","text":"code","format":16},
       {"type":"link","url":"https://a.org","children":[{"type":"text","text":"link","format":0}]}]},
      {"type":"paragraph","children":[]},
      {"type":"list","listType":"check","children":[
       {"type":"listitem","checked":true,"children":[{"type":"text","text":"done","format":0}]},
       {"type":"listitem","children":[{"type":"text","text":"open","format":0}]},
       {"type":"listitem","children":[{"type":"list","listType":"number","start":3,"children":[
        {"type":"listitem","children":[{"type":"text","text":"deep","format":0}]}]}]}]},
      {"type":"quote","children":[{"type":"text","text":"q","format":0}]},
      {"type":"code","language":"swift","children":[{"type":"code-highlight","text":"let"},
       {"type":"linebreak"},{"type":"code-highlight","text":"b"}]},
      {"type":"horizontalrule"},
      {"type":"table","children":[{"type":"tablerow","children":[
       {"type":"tablecell","children":[{"type":"paragraph","children":[{"type":"text","text":"A|"}]}]},
       {"type":"tablecell","children":[]}]}]},
      {"type":"snfile","fileUuid":"f"},
      {"type":"paragraph","children":[{"type":"text","text":"- no list","format":0}]}]}}
      """
    let converted = try #require(SuperText(text))
    #expect(
      converted.markdown == """
        ## Day

        a **bold** ***x\\*y***
        `code`[link](https://a.org)

        - [x] done
        - [ ] open
          3. deep

        > q

        ```swift
        let
        b
        ```

        ---

        | A\\| |  |
        | --- | --- |

        \\- no list
        """)
    #expect(converted.hasFiles)
    #expect(SuperText("not json") == nil)
    #expect(SuperText(#"{"root":7}"#) == nil)
  }

  @Test("other editors are text, code or data")
  func editors() {
    let text = Self.items(
      Self.note(#""title":"C","text":"let a = 1","noteType":"code""#),
      Self.note(#""title":"S","text":"{}","noteType":"spreadsheet""#),
      Self.note(##""title":"M","text":"# m","noteType":"markdown""##))
    let read = entries(Self.source(text))
    #expect(read.map(\.text) == ["C\n\n```\nlet a = 1\n```", "S\n\n```\n{}\n```", "M\n\n# m"])
    #expect(read.map(\.remarks.count) == [0, 1, 0])
  }

  @Test("a bad item hides no other one")
  func problemItems() {
    let text = Self.items(
      "{\"uuid\":1}", #"{"uuid":"a","content_type":"Note","content":null}"#,
      #"{"uuid":"b","content_type":"Note","content":{"text":"x"},"created_at":"never"}"#,
      #"{"uuid":"c","content_type":"Note","content":{"text":"x"},"created_at":nope}"#,
      Self.note(#""title":"","text":"""#), Self.note(#""title":"","text":"good""#))
    #expect(
      problems(Self.source(text)).map { String($0.prefix(42)) } == [
        "1: is not an item of Standard Notes", "2: has no content", "3: has no date",
        "4: is invalid JSON at byte 71: expected a ", "5: has no text",
      ])
    #expect(StandardNotesTests.texts(text) == ["good"])
  }

  private static func texts(_ text: String) -> [String] {
    JournalFormatsTests.items(source(text)).compactMap { item in
      if case .entry(let entry, _) = item { entry.text } else { nil }
    }
  }

  @Test("a backup is recognised by its members, and an archive by its names")
  func recognises() throws {
    #expect(StandardNotesSource.recognises(try fixture(Self.path), path: nil))
    #expect(StandardNotesSource.recognises(files: try FixtureDirectory("standardnotes").files))
    #expect(!StandardNotesSource.recognises(utf8(#"{"version":1,"items":[{"a":1}]}"#), path: nil))
    #expect(!StandardNotesSource.recognises(files: ["a.txt"]))
  }

  @Test("a damaged backup ends")
  func damage() throws {
    for bytes in damaged(try fixture(Self.path)) {
      #expect(
        JournalFormatsTests.items(
          StandardNotesSource(ByteStream(bytes), options: options())
        ).count < 6)
    }
  }
}
