import Journal
import Testing

@testable import JournalFormats

/// A directory may have exports of several programs: each is read, or named with its format.
struct MixedDirectoryTests {
  private static let plain = "\tDate:\tJanuary 5, 2024 at 10:00:00 GMT+1\n\nWalked\n"
  private static let dayOne = """
    {"metadata":{"version":"1.0"},"entries":[{"creationDate":"2024-01-06T10:00:00Z","text":"two"}]}
    """
  private static let keep = """
    {"isTrashed":false,"isPinned":false,"isArchived":false,"color":"DEFAULT",
    "textContent":"three","userEditedTimestampUsec":1704445200000000}
    """

  /// The texts that an import reads, and what it leaves out.
  private static func read(
    _ files: [String: String], from format: ImportFormat? = nil
  ) throws -> (texts: [String], leftOut: [String], format: String) {
    let directory = DirectoryInMemory(files)
    let detected = try #require(try format ?? ImportFormat.detect(directory))
    var options = options()
    options.readsOtherFormats = format == nil
    var source = try detected.source(.directory(directory), options: options)
    var (texts, leftOut): ([String], [String]) = ([], [])
    while let item = try source.next() {
      switch item {
      case .entry(let entry, _): texts.append(entry.text)
      case .leftOut(let kind): leftOut.append(kind.phrase(1))
      case .problem(let error): Issue.record("\(error)")
      case .doubt, .passedBy: break
      }
    }
    return (texts.sorted(), leftOut, detected.rawValue)
  }

  @Test("texts of Day One are read together as each is alone")
  func plainTexts() throws {
    let files = Dictionary(
      uniqueKeysWithValues: (1...4).map { ("\($0).txt", "\(Self.plain)\($0)") })
    let read = try Self.read(files)
    #expect(read.texts.count == 4 && read.leftOut == [], "\(read)")
  }

  @Test("exports with the signs of their programs are read beside one another, notes too")
  func several() throws {
    let files = [
      "a/Journal.json": Self.dayOne, "b/note.json": Self.keep, "2024-01-05.md": "one",
      "x.json": "{\"colour\":1}", "photo.jpeg": "", "old/diary.org": "* 2024-01-07\n** 10:00 four",
    ]
    let read = try Self.read(files)
    #expect(read.texts == ["four", "one", "three", "two"])
    #expect(read.leftOut.sorted() == ["1 \".jpeg\" file", "1 \".json\" file"])
  }

  @Test("a format that a person names is read alone, and the others are named")
  func named() throws {
    let files = [
      "Journal.json": Self.dayOne, "2024-01-05.md": "one", "t.csv": "date,text\n2024-01-05,x",
    ]
    let markdown = try Self.read(files, from: .markdown)
    #expect(markdown.texts == ["one"])
    #expect(
      markdown.leftOut.sorted() == [
        "1 file that --from csv reads", "1 file that --from dayone reads",
      ])
    let dayOne = try Self.read(files, from: .dayOne)
    #expect(dayOne.texts == ["two"])
    #expect(
      dayOne.leftOut.sorted() == [
        "1 file that --from csv reads", "1 file that --from markdown reads",
      ])
  }

  @Test("a table that could repeat the notes is named, not read")
  func table() throws {
    let read = try Self.read(["2024-01-05.md": "one", "all.csv": "date,text\n2024-01-05,one"])
    #expect(read.texts == ["one"])
    #expect(read.leftOut == ["1 file that --from csv reads"])
  }

  @Test("further files of a program's own archive are no entries")
  func ownArchive() throws {
    let posts = """
      {"@context":"https://www.w3.org/ns/activitystreams","orderedItems":[{"type":"Create",
      "object":{"published":"2024-01-05T10:00:00Z","content":"<p>one</p>"}}]}
      """
    let read = try Self.read([
      "outbox.json": posts, "likes.json": "{\"orderedItems\":[\"https://x.org/1\"]}",
      "actor.json": "{\"type\":\"Person\"}",
    ])
    #expect(read.format == "mastodon" && read.texts == ["one"])
    #expect(read.leftOut == ["1 \".json\" file", "1 \".json\" file"])
  }

  @Test("a database and an archive are named with what to do")
  func apart() throws {
    let read = try Self.read([
      "2024-01-05.md": "one", "memos.db": "SQLite format 3\0", "notes.zip": "PK\u{3}\u{4}",
    ])
    #expect(
      read.leftOut.sorted() == [
        "memos.db (import it by itself)", "notes.zip (import it by itself)",
      ])
  }

  @Test("links to the same pictures in another directory do not make another entry")
  func otherRoot() throws {
    let note = """
      {"isTrashed":false,"isPinned":false,"isArchived":false,"color":"DEFAULT","textContent":"sea",
      "userEditedTimestampUsec":1704445200000000,"attachments":[{"filePath":"a.jpg"}]}
      """
    let keep = try #require(ImportFormat(rawValue: "keep"))
    let prefixes = ["Takeout/Keep/", "Keep/", "", "old exports/2024/Takeout/Keep/"]
    let read = try prefixes.map { prefix in
      try entries(keep, ["\(prefix)n.json": note, "\(prefix)a.jpg": ""]).map { try $0.entry() }
    }
    #expect(Set(read.joined().map(\.text)).count == prefixes.count)
    #expect(Set(read.joined().map(\.uuid)).count == 1)
    #expect(
      ImportedEntry.namingFiles("a ![](b/c.jpg) [x](<d e/f>) [y](https://h/i)")
        == "a ![](c.jpg) [x](f) [y](https://h/i)")
  }
}
