import Journal
import Testing

@testable import JournalFormats

/// Long files for all days, which are read piece by piece.
struct LongFileTests {
  /// A file in many pieces.
  private static func stream(_ bytes: [UInt8]) -> ByteStream {
    var rest = bytes[...]
    return ByteStream {
      let piece = Array(rest.prefix(30_000))
      rest = rest.dropFirst(piece.count)
      return piece
    }
  }

  private static func items(_ source: any EntrySource) throws -> [ImportItem] {
    var source = source
    var items: [ImportItem] = []
    while let item = try source.next() { items.append(item) }
    return items
  }

  private static let length = 120_000
  private static let body = String(repeating: "Walked to the lake and back. ", count: 9)

  /// Days of a file of more than the length that is read piece by piece.
  private static func file(_ day: (Day, Int) -> String) -> String {
    var text = ""
    var index = 0
    while text.utf8.count < length + 90_000 {
      text += day(Day(daysSinceEpoch: index), index)
      index += 1
    }
    return text
  }

  /// The forms that are read piece by piece.
  private static let forms: [(name: String, text: String)] = [
    ("headings", file { day, _ in "## \(day)\n\n\(body)\n\n" }),
    (
      "headings of months between",
      file { day, index in
        (index % 30 == 0 ? "# Month \(index)\n# 2024\n\n" : "") + "## \(day)\n\(body)\n\n"
      }
    ),
    ("headings with words", file { "# \($0) A day of \($1)\n\(body)\n\n" }),
    ("headings with times", file { "# \($0)\n## 09:15 Tea \($1)\n\(body)\n## 10:20\nx\n" }),
    (
      "days in code",
      file { day, index in
        "## \(day)\n\(body)\n\(index % 3 == 0 ? "```\n## 2000-01-01\n\n\(body)\n```\n" : "")\n"
      }
    ),
    ("lines of their own", file { day, _ in "\(day)\n\n\(body)\n\n" }),
    (
      "lines in another order",
      file { day, index in
        let parts = "\(day)".split(separator: "-")
        return "\(parts[2])/\(parts[1])/\(parts[0])\n\n\(body) \(index)\n\n"
      }
    ),
    (
      "a title above",
      "My journal\n==========\n\n# All of it\n\n" + file { day, _ in "## \(day)\n\(body)\n" }
    ),
    ("equal days", file { _, _ in "## 2024-01-05\nsame\n\n## 2024-01-06\n\(body)\n\n" }),
  ]

  @Test("a long file has the entries, lines and problems that it has as a whole", arguments: forms)
  func days(name: String, text: String) throws {
    for text in [text, text.replacing("\n", with: "\r\n")] {
      let bytes = utf8(text)
      let source = try LongMarkdownSource.source(
        Self.stream(bytes), path: "journal.md", options: options(), length: Self.length)
      let long = try Self.items(#require(source, "\(name)"))
      let whole = try Self.items(MarkdownSource(bytes, path: "journal.md", options: options()))
      #expect(long.count == whole.count, "\(name)")
      let first = zip(long, whole).first { $0 != $1 }
      #expect(first == nil, "\(name): \(String(describing: first))")
    }
  }

  @Test("Daybook's own Markdown comes back from a long file byte by byte")
  func own() throws {
    var encoder = MarkdownEncoder()
    var (bytes, entries) = ([UInt8](), [Entry]())
    encoder.begin(&bytes)
    while bytes.count < Self.length + 90_000 {
      let created = Moment(seconds: Int64(entries.count) * 40_000, offset: 3600)
      let ending = ["", "\n", "\n\n", "\n<!-- daybook x -->", "\n\\<!-- daybook "][
        entries.count % 5]
      let entry = Entry(
        uuid: EntryUUID.derived(text: "\(entries.count)", created: created), created: created,
        modified: created, day: created.localDay, text: "T \(entries.count)\n\(Self.body)\(ending)")
      entries.append(entry)
      encoder.append(entry, to: &bytes)
    }
    encoder.end(&bytes)
    let source = try LongMarkdownSource.source(
      Self.stream(bytes), path: "journal.md", options: options(), length: Self.length)
    let read = try Self.items(#require(source)).compactMap { item in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(read.count == entries.count)
    for (read, entry) in zip(read, entries) where try read.entry() != entry {
      Issue.record("\(try read.entry()) \(entry)")
      break
    }
    let again = try LongMarkdownSource.source(
      Self.stream(bytes), path: "journal.md", options: options(), length: Self.length)
    let whole = try Self.items(MarkdownSource(bytes, path: "journal.md", options: options()))
    #expect(try Self.items(#require(again)) == whole)
  }

  @Test("files that are short, or of another form, are read as a whole, with nothing lost of them")
  func others() throws {
    let long = Self.file { "\($0) a line \($1) \(Self.body)\n" }
    let texts = [
      "## 2024-01-05\nx\n", long, "---\ntitle: x\n---\n" + Self.forms[0].text,
      ".LOG\n" + Self.forms[0].text,
    ]
    for text in texts {
      let stream = Self.stream(utf8(text))
      let source = try LongMarkdownSource.source(
        stream, path: "journal.md", options: options(), length: Self.length)
      #expect(source == nil)
      #expect(try stream.rest() == utf8(text))
    }
    let stream = Self.stream(utf8(Self.forms[0].text))
    let source = try LongMarkdownSource.source(
      stream, path: "2024-01-05.md", options: options(), length: Self.length)
    #expect(source == nil)
  }
}
