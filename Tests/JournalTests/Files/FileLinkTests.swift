import TestSupport
import Testing

@testable import Journal

@Suite("Files in texts")
struct FileLinkTests {
  private static let hash = "3f2a9c1b7d5e6f70"

  @Test("pictures and other files are found where links are, with their names")
  func found() {
    let text = """
      # Harbour ![inside](file:\(Self.hash).jpg)
      ![Harbour at six](file:\(Self.hash).jpg) and [Contract \\[old\\]](file:\(Self.hash)aa.pdf "title")

      | a | b |
      | --- | --- |
      | ![in *a* table](<file:\(Self.hash)>) | x |

      - > ![](file:\(Self.hash).png)
      [![both](file:\(Self.hash).gif)](https://example.org)
      """
    let found = FileLink.all(in: text)
    #expect(
      found.map(\.words) == [
        "inside", "Harbour at six", "Contract [old]", "in *a* table", "", "both",
      ])
    #expect(found.map(\.isPicture) == [true, true, false, true, true, true])
    #expect(found.map(\.suffix) == ["jpg", "jpg", "pdf", "", "png", "gif"])
    #expect(found[2].target == Self.hash + "aa")
    #expect(found[2].name == "Contract [old].pdf")
    #expect(found[4].name == "\(Self.hash).png")
    #expect(Marks(text).files == found)
  }

  @Test(
    "code and other addresses are no files",
    arguments: [
      "`![a](file:3f2a9c1b7d5e6f70.jpg)`", "```\n![a](file:3f2a9c1b7d5e6f70.jpg)\n```",
      "    ![a](file:3f2a9c1b7d5e6f70.jpg)", "![a](file:3f2a9c1b7d5e6f7.jpg)",
      "![a](file:3F2A9C1B7D5E6F70.jpg)", "![a](file:///3f2a9c1b7d5e6f70.jpg)",
      "![a](file:3f2a9c1b7d5e6f70/x)", "![a](file:3f2a9c1b7d5e6f70.a/b)",
      "![a](file:3f2a9c1b7d5e6f70.)", "\\![a]\\(file:3f2a9c1b7d5e6f70.jpg)",
      "![a](profile:3f2a9c1b7d5e6f70.jpg)", "file:3f2a9c1b7d5e6f70.jpg",
      "![a](file:3f2a9c1b7d5e6f70.seventeenletters1)",
    ])
  func none(text: String) {
    #expect(FileLink.all(in: text) == [])
    #expect(Marks(text).files == [])
  }

  @Test(
    "a picture in a link to an address has a place of its own, in a link to a file that link has it",
    arguments: [
      ("a [![small](file:H.jpg)](https://x.org) b", ["![small](file:H.jpg)"]),
      (#"[![s](<file:H.jpg> "title" )](https://x.org)"#, [#"![s](<file:H.jpg> "title" )"#]),
      ("[![a](file:H.jpg) ![b](file:H.png)](x)", ["![a](file:H.jpg)", "![b](file:H.png)"]),
      ("[![a](file:H.jpg)](file:H.pdf)", ["[![a](file:H.jpg)](file:H.pdf)"]),
    ])
  func places(text: String, expected: [String]) {
    let text = text.replacing("file:H", with: "file:\(Self.hash)")
    let bytes = Array(text.utf8)
    let found = FileLink.places(in: text).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    #expect(found == expected.map { $0.replacing("file:H", with: "file:\(Self.hash)") })
  }

  @Test("what stands in code still keeps a file in use")
  func anywhere() {
    let text = "`file:\(Self.hash)` x file:\(Self.hash)00ff.jpg file:short"
    #expect(FileLink.targets(anywhereIn: text) == [Self.hash, Self.hash + "00ff"])
  }

  @Test(
    "any name of a file is written so that it is read as the same name, and is nothing else",
    arguments: [
      "a.jpg", "IMG_2041.JPG", "_a_.png", "[x](y).pdf", "a]b[c.jpg", "back\\slash\\.txt",
      "*b*~~c~~.gif",
      "`code`.md", "#tag @anna.txt", "mood:: 4.txt", "https://example.org.html", "<a@b.c>.txt",
      "<!-- -->.txt", "a|b.csv", "[[Potato soup]].txt", "\u{202E}gpj.exe", "a\nb\r\tc.txt",
      "\u{1B}]0;PWN\u{07}.jpg", "é\u{301}.jpg", "東京 🗼.heic", ".hidden", "no suffix",
      "  blanks  .txt",
      "...", "a.tar.gz", "x.withaverylongsuffix", "![a](file:3f2a9c1b7d5e6f70.jpg).jpg",
      "&amp;.txt",
    ])
  func names(name: String) throws {
    for isPicture in [true, false] {
      let link = FileLink(toFileNamed: name, target: Self.hash, isPicture: isPicture)
      let text = FileLink.text("before #home", appending: [link, link])
      #expect(FileLink.all(in: text) == [link, link])
      let marks = Marks(text)
      #expect(marks.tags.map(\.name) == ["home"])
      #expect(marks.fields == [])
      #expect(marks.links == [])
      #expect(!link.words.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
      #expect(link.suffix == link.suffix.lowercased())
    }
  }

  @Test("links are paragraphs after a text, however it ends")
  func appending() {
    let link = FileLink(toFileNamed: "a.jpg", target: Self.hash, isPicture: true)
    let shown = "![a](file:\(Self.hash).jpg)"
    #expect(FileLink.text("", appending: [link]) == shown)
    #expect(FileLink.text(" \n", appending: [link]) == shown)
    #expect(FileLink.text("x", appending: [link]) == "x\n\n\(shown)")
    #expect(FileLink.text("x\n", appending: [link, link]) == "x\n\n\(shown)\n\n\(shown)")
    #expect(FileLink.text("x\n\n\n", appending: [link]) == "x\n\n\n\(shown)")
    #expect(FileLink.text("x", appending: []) == "x")
  }

  @Test("the hash of bytes in pieces is that of all of them")
  func hash() {
    let text = String(repeating: "Some bytes. ", count: 50)
    let bytes = Array(text.utf8)
    for first in [0, 1, 55, 63, 64, 65, 128, bytes.count] {
      var hash = SHA256()
      bytes[..<first].withUnsafeBytes { hash.update($0) }
      bytes[first...].withUnsafeBytes { hash.update($0) }
      #expect(hash.hex() == SHA256.hex(of: text), "\(first)")
    }
  }

  @Test("sizes are said in three digits")
  func sizes() {
    // A damaged journal may have any number.
    #expect(Numbers.bytes(.max).hasSuffix(" TB"))
    let sizes = [0, 1, 999, 1_000, 2_149_999, 10_500_000, 999_999, 999_499, 1 << 30]
    #expect(
      sizes.map(Numbers.bytes) == [
        "0 bytes", "1 byte", "999 bytes", "1.0 kB", "2.1 MB", "11 MB", "1.0 MB", "999 kB", "1.1 GB",
      ])
  }
}

@Suite("Queries for files")
struct FileQueryTests {
  private func query(_ text: String, isTyping: Bool = false) throws(QueryError) -> Query {
    let clock = WallClock.fixed(seconds: 1_795_000_000, offset: 3600)
    return try Query.parse(text, now: clock.moment(), clock: clock, prefixLastWord: isTyping)
  }

  private static let entry = Entry(
    uuid: EntryUUID.make(), created: Moment(seconds: 0, offset: 0),
    modified: Moment(seconds: 0, offset: 0), day: .earliest,
    text: "![Straße am Hafen](file:3f2a9c1b7d5e6f70.jpg) [Contract 1_2%](file:00aa9c1b7d5e6f70.PDF)"
  )

  @Test(
    "files are found by kind and by name",
    arguments: [
      ("has:picture", true), ("has:file", true), ("-has:picture", false), ("file:*.pdf", true),
      ("file:*.png", false), ("file:\"strasse am hafen\"", true),
      ("file:\"strasse am hafen.jpg\"", true),
      ("file:strasse", false), ("file:strasse*", true), ("file:*am*.jpg", true),
      ("file:*hafen*strasse*", false), ("file:*.p*f", true), ("file:*", true), ("file:*1_2*", true),
      ("file:*1x2*", false), ("file:*%*", true), ("file:*?*", false),
      ("has:picture -file:*.pdf", false), ("file:>1M", false),
    ])
  func names(text: String, matches: Bool) throws {
    let query = try query(text)
    #expect(query.matches(Self.entry) == matches, "\(query)")
    #expect(try self.query("\(query)") == query)
  }

  @Test(
    "sizes are read in the units that people type",
    arguments: [
      ("file:>1M", FileTest.size(1_000_001 ... .max)), ("file:>=1.5MB", .size(1_500_000 ... .max)),
      ("file:<500k", .size(0...499_999)), ("file:<=1KiB", .size(0...1_024)),
      ("file:=0", .size(0...0)), ("file:1M..", .size(1_000_000 ... .max)),
      ("file:..1M", .size(0...1_000_000)), ("file:1M..2M", .size(1_000_000...2_000_000)),
      ("file:2M", .name("2m")), ("file:>999999999999999999G", .size((1 << 50) + 1 ... .max)),
    ])
  func sizes(text: String, test: FileTest) throws {
    let query = try query(text)
    #expect(query == .file(test))
    #expect(query.needsSizes == { if case .size = test { true } else { false } }())
    if !text.hasSuffix("G") { #expect(try self.query("\(query)") == query) }
  }

  @Test(
    "a slip names the right words",
    arguments: [
      ("has:photos", "unknown \"has:photos\", use has:picture or has:file"),
      (
        "file:>big",
        "\">big\" is neither a size nor a name, as in file:>1M, file:1M..5M or file:*.pdf"
      ),
      ("file:<0", "\"<0\" is neither a size nor a name, as in file:>1M, file:1M..5M or file:*.pdf"),
      ("file:", "missing value after \"file:\""),
    ])
  func slips(text: String, message: String) {
    #expect { try query(text) } throws: { "\($0)".hasSuffix(message) }
  }

  @Test("while a value is typed it is a beginning")
  func typing() throws {
    #expect(try query("file:con", isTyping: true) == .file(.name("con*")))
    #expect(try query("file:>", isTyping: true) == .file(.any))
  }
}
