import Foundation
import Journal
import Testing

@testable import JournalFormats

struct EPUBTests {
  private static func entry(
    _ text: String, _ time: String, starred: Bool = false
  ) throws -> Entry {
    let created = try moment(time)
    return Entry(
      uuid: EntryUUID.derived(text: text, created: created), created: created, modified: created,
      day: created.localDay, text: text, starred: starred)
  }

  private static func entries() throws -> [Entry] {
    [
      try entry(
        "Walked to the lake #sea\n\n# Heading\n\n- [ ] a\n- b\n\n---\n\n| a | b |\n| - | - |\n| 1 | 2 |",
        "2024-01-05T09:15:00+01:00", starred: true),
      try entry(
        "<b> & \"quotes\" \u{8}\u{1B} \u{FFFE}\nline [x](https://x.org/a?b=1&c=2) ![](photos/a.jpg) `c`\n\n> quote",
        "2024-01-05T10:15:00+01:00"),
      try entry("日本語 🌸 #Sea @anna\n\n```swift\nlet a\n```", "2024-02-01T00:00:00+01:00"),
      try entry("January again", "2024-01-07T00:00:00+01:00"),
    ]
  }

  @Test("a book has a title page, a chapter per month, an index of tags and contents")
  func book() throws {
    let (bytes, losses) = try encode(EPUBEncoder(), try Self.entries())
    #expect(losses == [])
    let files = try Self.files(bytes)
    #expect(
      files.map(\.name) == [
        "mimetype", "META-INF/container.xml", "OEBPS/style.css", "OEBPS/2024-01.xhtml",
        "OEBPS/2024-02.xhtml", "OEBPS/2024-01-2.xhtml", "OEBPS/title.xhtml", "OEBPS/tags.xhtml",
        "OEBPS/nav.xhtml", "OEBPS/package.opf",
      ])
    #expect(files[0].text == "application/epub+zip")
    #expect(Array(bytes[30..<58]) == utf8("mimetypeapplication/epub+zip"))
    #expect(files[3].text.contains("<h1>January 2024</h1>"))
    #expect(files[3].text.contains("<h2>Friday 5 January 2024</h2>"))
    #expect(files[3].text.contains("<hr/>"))
    #expect(files[6].text.contains("4 entries"))
    #expect(files[7].text.contains("<b>#sea</b> <a href=\"2024-01.xhtml#e-"))
    #expect(files[8].text.contains("<a href=\"2024-01-2.xhtml\">January 2024</a>"))
    #expect(files[9].text.contains("2024-01-31T23:00:00Z"))
    if let path = ProcessInfo.processInfo.environment["EPUB_SAMPLE"] {
      try Data(bytes).write(to: URL(filePath: path))
    }
  }

  @Test("every page is XML")
  func pages() throws {
    let (bytes, _) = try encode(EPUBEncoder(), try Self.entries())
    for file in try Self.files(bytes) where file.name.hasSuffix("ml") || file.name.hasSuffix("opf")
    {
      let records = XMLRecords(ByteStream(utf8(file.text)), records: [])
      while let item = try records.next() {
        if case .broken(let error) = item { Issue.record("\(file.name): \(error)") }
      }
    }
  }

  @Test("an empty book is one, too")
  func empty() throws {
    let (bytes, _) = try encode(EPUBEncoder(), [])
    #expect(try Self.files(bytes).count == 6)
  }

  @Test("the checksum is the one of zip files")
  func checksum() {
    #expect(CRC32.checksum(utf8("123456789")) == 0xCBF4_3926)
  }

  /// The files of a stored zip, by its table.
  private static func files(_ bytes: [UInt8]) throws -> [(name: String, text: String)] {
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    let end = bytes.count - 22
    try #require(number(end, 4) == 0x0605_4B50)
    var place = number(end + 16, 4)
    return try (0..<number(end + 10, 2)).map { _ in
      try #require(number(place, 4) == 0x0201_4B50)
      let (size, length, offset) = (
        number(place + 24, 4), number(place + 28, 2), number(place + 42, 4)
      )
      let name = String(decoding: bytes[(place + 46)..<(place + 46 + length)], as: UTF8.self)
      place += 46 + length
      try #require(number(offset, 4) == 0x0403_4B50)
      let start = offset + 30 + number(offset + 26, 2)
      let text = Array(bytes[start..<(start + size)])
      try #require(number(offset + 14, 4) == Int(CRC32.checksum(text)))
      return (name, String(decoding: text, as: UTF8.self))
    }
  }
}
