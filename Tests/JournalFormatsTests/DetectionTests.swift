import JournalFormats
import Testing

struct DetectionTests {
  private static let heads: [(String, ImportFormat?)] = [
    ("{\"format\":\"daybook\",\"version\":1,\"entries\":[\n{\"uuid", .daybook),
    ("{\"uuid\":\"x\",\"text\":\"a\",\"created\":\"2026-01-01T00:00:00Z\"}\n", .daybook),
    ("[{\"created\":\"2026-01-01T00:00:00Z\",\"text\":\"a\"}]", .daybook),
    (
      "{\n  \"tags\": {\"@work\": 2},\n  \"entries\": [\n {\"title\": \"a\", \"body\": \"\", \"date\": \"2024",
      .jrnl
    ),
    ("{\"tags\":{},\"entries\":[]}", .jrnl),
    ("[{\"id\":0,\"date\":\"2024-03-04T00:00:00Z\",\"title\":\"T\",\"content\":\"C\"", .tuiJournal),
    (
      "{\"version\": 100, \"entries\": [ {\"date\": \"x\", \"title\":\"T\",\"content\":\"C\"",
      .tuiJournal
    ),
    ("{\"metadata\":{\"version\":\"1.0\"},\"entries\":[{\"uuid\":\"X\",\"text\":\"t\"", .dayOne),
    ("{\"entries\":[{\"creationDate\":\"2021-03-03T11:48:50Z\",\"text\":\"t\"}]}", .dayOne),
    ("[2024-01-05 14:30] Title *\nbody", .jrnlText),
    ("\n\n[Fri Jan 5 2024] Title", .jrnlText),
    ("14:25 [42]: text key:value #tag\n", .kaydet),
    ("14:25: text\n", .kaydet),
    ("2026/11/28/ - Saturday\n---------------------\n23:22 [1]: Coffee #morning\n", .kaydet),
    ("---\ntags: a\n---\n", .markdown),
    ("# A day\n", .markdown),
    ("+++\n", .markdown),
    ("<!-- daybook created=2026-11-21T09:15:00+01:00 -->\n", .markdown),
    ("2014-01-05 14:30 Title\n", .jrnlText),
    ("[x] a task", nil),
    ("Dear diary", nil),
    ("{\"a\":1}", nil),
  ]

  @Test("a format is known by its beginning", arguments: heads)
  func byContent(head: String, format: ImportFormat?) {
    #expect(ImportFormat.detect(Array(head.utf8)) == format.map { .format($0) })
  }

  @Test("whatever beginning of a beginning there is, telling its format is safe", arguments: heads)
  func cutOff(head: String, format: ImportFormat?) {
    let bytes = Array(head.utf8)
    for length in bytes.indices {
      let found = ImportFormat.detect(Array(bytes[..<length]))
      #expect(length > 0 || found == .empty)
    }
  }

  @Test("a name tells only what the beginning leaves open")
  func byName() {
    let words = Array("Dear diary".utf8)
    #expect(ImportFormat.detect(words, path: "2024-01-05.MD") == .format(.markdown))
    #expect(ImportFormat.detect(Array("[2024-01-05] A".utf8), path: "a.md") == .format(.jrnlText))
    #expect(ImportFormat.detect(words, path: "a/2024-01-05.txt") == .format(.markdown))
    #expect(ImportFormat.detect(words, path: "diary.txt") == nil)
  }

  @Test("databases, UTF-16 and nothing at all are known for what they are")
  func others() {
    #expect(ImportFormat.detect(Array("SQLite format 3\0".utf8)) == .database)
    for head in [
      "PK\u{3}\u{4}....", "PK\u{5}\u{6}....", "BZh9....",
      String(repeating: "a", count: 257) + "ustar ",
    ] {
      #expect(ImportFormat.detect(Array(head.utf8)) == .archive)
    }
    #expect(ImportFormat.detect([0x1F, 0x8B, 8, 0]) == .archive)
    #expect(ImportFormat.detect([0xFF, 0xFE, 0x7B, 0]) == .utf16)
    #expect(ImportFormat.detect([0xFE, 0xFF, 0, 0x7B]) == .utf16)
    #expect(ImportFormat.detect([]) == .empty)
    #expect(ImportFormat.detect(Array(" \n".utf8)) == .empty)
  }

  @Test("directories are told apart by the names of their files")
  func directories() {
    #expect(ImportFormat.detect(files: ["2024/2024-01-05.txt"]) == .markdown)
    #expect(ImportFormat.detect(files: ["notes/2024-01-05.md"]) == .markdown)
    #expect(ImportFormat.detect(files: ["photo.jpg"]) == nil)
  }

  @Test("the format of an export follows from the name of its file")
  func exports() {
    #expect(ExportFormat.named("a/b.JSON") == (.json, .file))
    #expect(ExportFormat.named("b.jsonl") == (.jsonl, .file))
    #expect(ExportFormat.named("b.zip") == (.dayOne, .archive))
    #expect(ExportFormat.named("b/") == (.markdown, .directory))
    #expect(ExportFormat.named("b.txt") == (nil, .file))
    #expect(ExportFormat.named("a.json/b") == (nil, .file))
    #expect(ExportFormat.named(".json") == (nil, .file))
  }
}
