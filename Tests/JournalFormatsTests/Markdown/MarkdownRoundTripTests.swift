import Journal
import Testing

@testable import JournalFormats

struct MarkdownRoundTripTests {
  private static func read(_ bytes: [UInt8], path: String = "journal.md") -> [ImportedEntry] {
    entries(MarkdownSource(bytes, path: path, options: options(.fixed(seconds: 0, offset: 0))))
  }

  private static func expect(_ copy: ImportedEntry, is entry: Entry) {
    #expect(copy.text.utf8.elementsEqual(entry.text.utf8), "\(entry.text.debugDescription)")
    #expect(copy.created == entry.created)
    #expect(copy.modified ?? copy.created == entry.modified)
    #expect(copy.day ?? copy.created.localDay == entry.day)
    #expect(copy.uuid == entry.uuid)
    #expect(copy.starred == entry.starred)
    #expect(copy.deleted == entry.deleted)
  }

  @Test("any entry comes back from one file, byte by byte", arguments: 0..<20)
  func oneFile(seed: UInt64) throws {
    let all = RandomEntry.many(200, seed: seed)
    let (bytes, losses) = try encode(MarkdownEncoder(), all)
    #expect(losses.isEmpty)
    let read = Self.read(bytes)
    try #require(read.count == all.count)
    for (copy, entry) in zip(read, all) { Self.expect(copy, is: entry) }
  }

  @Test("any entry comes back from a directory of days, byte by byte")
  func directory() throws {
    let all = RandomEntry.many(1000, seed: 77).map { entry in
      var entry = entry
      entry.day = Day(daysSinceEpoch: 20_000 + entry.day.daysSinceEpoch % 50)
      return entry
    }
    var encoder = MarkdownEncoder(level: 1)
    var files: [(path: String, bytes: [UInt8])] = []
    for entry in all.sorted(by: { $0.day < $1.day }) {
      let path = "\(entry.day).md"
      if files.last?.path != path {
        files.append((path, []))
        encoder.begin(&files[files.count - 1].bytes)
      }
      encoder.append(entry, to: &files[files.count - 1].bytes)
    }
    let read = files.flatMap { Self.read($0.bytes, path: $0.path) }
    try #require(read.count == all.count)
    let sorted = all.sorted { $0.day < $1.day }
    for (copy, entry) in zip(read, sorted) { Self.expect(copy, is: entry) }
  }

  @Test("the file is one to look at")
  func look() throws {
    let first = try RandomEntry.plain("Bought bread #home\n\nand milk", starred: true)
    let second = try RandomEntry.plain("Slept", at: "2026-11-21T23:00:00+01:00")
    let (bytes, _) = try encode(MarkdownEncoder(), [first, second])
    let text = """
      <!-- daybook created=2026-11-21T09:15:00+01:00 uuid=01890a5d-ac96-774b-bcce-b302099a8057 starred -->
      ## Saturday 21 November 2026

      ### 09:15 Bought bread #home ★


      and milk

      <!-- daybook created=2026-11-21T23:00:00+01:00 uuid=01890a5d-ac96-774b-bcce-b302099a8057 -->
      ### 23:00 Slept

      """
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test("what people change by hand is read as far as it goes")
  func handMade() throws {
    let text = """
      <!-- daybook created=2026-11-21T09:15:00+01:00 later=yes -->
      the headings are gone

      <!-- daybook created=nonsense -->
      ## 10:00 lost
      <!-- daybook = =x -->
      <!-- daybook created=2026-11-21T10:15:00+01:00 -->
      ## 10:15 good
      """
    let source = MarkdownSource(utf8(text), path: "x.md", options: options())
    #expect(
      problems(source) == [
        "4: created=nonsense is not a time such as 2026-11-21T09:15:00+01:00",
        "6: has no created=... in its comment",
      ])
    let read = items(source).compactMap { item in
      if case .entry(let entry, _) = item { entry.text } else { nil }
    }
    #expect(read == ["the headings are gone", "good"])
  }

  @Test("what stands before the first comment is a note of its own, and is not lost")
  func preamble() {
    let text = "By hand\n\n<!-- daybook created=2026-11-21T09:15:00+01:00 -->\n## 09:15 ours\n"
    #expect(Self.read(utf8(text), path: "2026-11-21.md").map(\.text) == ["By hand", "ours"])
  }

  @Test("a file that Windows saved again is the same")
  func windows() throws {
    let entry = try RandomEntry.plain("Title\nbody\n\nmore")
    let (bytes, _) = try encode(MarkdownEncoder(), [entry])
    let text = String(decoding: bytes, as: UTF8.self)
    let windows =
      "\u{FEFF}"
      + text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    #expect(Self.read(utf8(windows)).map(\.text) == [entry.text])
  }
}
