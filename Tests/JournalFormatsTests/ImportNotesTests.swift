import Journal
import Testing

@testable import JournalFormats

/// The notes of an import about omissions and changes.
struct ImportNotesTests {
  private static func entry(
    _ text: String = "a", tags: [String] = [], unkept: [String] = []
  ) -> ImportedEntry {
    var entry = ImportedEntry(created: Moment(seconds: 0, offset: 0), text: text, tags: tags)
    entry.unkept = unkept
    return entry
  }

  private static func lines(_ entries: [ImportedEntry]) -> [String] {
    var notes = ImportNotes()
    for entry in entries { notes.add(entry) }
    return notes.lines
  }

  @Test("tags beside a text are appended in order, each once, however many there are")
  func manyTags() throws {
    let names = (0..<40_000).map { "t\($0)" }
    let odd = ["C++", "C", "T7", "present"]
    let text = tagged(Self.entry("a #Present", tags: names + odd))
    #expect(text == "a #Present " + names.map { "#\($0)" }.joined(separator: " ") + " #C++")
  }

  @Test("fields are counted by name, and told on one line")
  func fields() {
    #expect(Self.lines([Self.entry()]) == [])
    #expect(Self.lines([Self.entry(unkept: ["mood"])]) == ["not kept: 1 \"mood\" field"])
    #expect(
      Self.lines([Self.entry(unkept: ["a", "b"]), Self.entry(unkept: ["a"])])
        == ["not kept: 2 \"a\", 1 \"b\" fields"])
    let many = (0..<50).map { Self.entry(unkept: ["f\($0)", String(repeating: "x", count: 99)]) }
    let line = Self.lines(many)
    #expect(line.count == 1)
    #expect(line[0].hasSuffix("and 11 other fields"))
    #expect(line[0].utf8.count < 1000)
  }

  @Test("fields of others are named, but none that Daybook writes itself")
  func ours() {
    let fields = """
      {"number":7,"title":"a","check":"x","text":"a","created":"2026-11-21T09:15:00Z","mood":"good",
      "place":{"lat":0},"weather":null,"people":[""],"pinned":true}
      """
    let bytes = utf8(fields.split(separator: "\n").joined())
    let found = items(DaybookSource(ByteStream(bytes), options: options()))
    guard case .entry(let entry, _)? = found.first else {
      Issue.record("no entry: \(found)")
      return
    }
    #expect(entry.unkept == ["mood", "pinned"])
  }

  @Test(
    "tags that no word can be are changed, keep their signs where these follow, and are told",
    arguments: [
      ("C++", "a #C++", "\"C++\" is #C"), ("@C#", "a @C#", "\"@C#\" is @C"),
      ("two words", "a #two-words", "\"two words\" is #two-words"),
      ("0🌲", "a #0🌲", "\"0🌲\" is no tag"), ("🌲", "a #🌲", "\"🌲\" is no tag"),
      ("a.b", "a #a-b", "\"a.b\" is #a-b"), ("+++", "a #+++", "\"+++\" is no tag"),
    ])
  func tags(tag: String, text: String, told: String) {
    let entry = Self.entry(tags: [tag])
    #expect(tagged(entry) == text)
    #expect(Self.lines([entry]) == ["changed: 1 tag (\(told))"])
  }

  @Test(
    "tags that differ here in nothing are not told",
    arguments: ["a", "#a", "work/api", "@anna", "ü"])
  func sameTags(tag: String) {
    #expect(Self.lines([Self.entry(tags: [tag])]) == [])
  }

  @Test("a tag that the text has is not appended, and signs do not fall together")
  func present() {
    #expect(tagged(Self.entry("I like #C++ a lot", tags: ["C++"])) == "I like #C++ a lot")
    #expect(tagged(Self.entry(tags: ["C", "C++", "C#", "C++"])) == "a #C #C++ #C#")
    #expect(tagged(Self.entry(tags: ["", " ", "#"])) == "a")
  }

  @Test(
    "tags in the text of notes that are other ones here are told",
    arguments: [
      ("a #0🌲 b", ["#0🌲"]), ("#[[two words]] x", ["#[[two words]]"]), ("# Heading #tag, (#b)", []),
      ("a #work/api #x-y_z #123", []), ("#a.b", []), ("#tag! ##x", []),
    ])
  func markdownTags(text: String, changed: [String]) {
    #expect(ForeignTagStyle.markdown.changes(in: text).map(\.from) == changed)
  }
}
