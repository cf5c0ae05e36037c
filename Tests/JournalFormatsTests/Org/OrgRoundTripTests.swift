import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// What Daybook writes for Org comes back byte by byte, and what a person changes there counts.
struct OrgRoundTripTests {
  private static func read(_ bytes: [UInt8]) throws -> [Entry] {
    try entries(OrgSource(bytes, path: "journal.org", options: options())).map { imported in
      try imported.entry()
    }
  }

  @Test(
    "any entries come back with their texts, times, stars and trash",
    arguments: [1, 2, 3, 4, 5, SeededGenerator.runSeed])
  func random(seed: UInt64) throws {
    let all = RandomEntry.many(200, seed: seed)
    let (bytes, losses) = try encode(OrgEncoder(), all)
    #expect(losses == [])
    let read = try Self.read(bytes)
    #expect(read.count == all.count, "seed \(seed)")
    for (before, after) in zip(all, read) {
      var before = before
      before.number = 0
      #expect(before == after, "seed \(seed)")
    }
  }

  @Test(
    "headings that are dates, escapes, levels, blank lines and seconds stay",
    arguments: [
      "Plan\n\n# 2024-02-01\n\n## 10:00 Walk\n\n#### deep", "2024-02-01",
      "* 2024-02-01 <2024-03-01>",
      "a\n\n\n\nb\\_c \\\\ d\n", "TODO [#A] buy :x:y:", "SCHEDULED: <2024-01-05 Fri>\n:END:\n* x",
      ":DAYBOOK: sum=0\n:PROPERTIES:\n:DAYBOOK: created=2024-01-01", "\u{200B}* a", "a\r\nb\rc",
    ])
  func hard(text: String) throws {
    var entry = try RandomEntry.plain(text, at: "2024-01-05T09:15:42+05:45", starred: true)
    entry.day = entry.day.adding(days: -1)
    let (bytes, _) = try encode(OrgEncoder(), [entry, try RandomEntry.plain("next")])
    let read = try Self.read(bytes)
    #expect(read.count == 2)
    #expect(read.first == entry)
  }

  @Test("plain prose needs no copy of its text")
  func plain() throws {
    let entry = try RandomEntry.plain("Walked #sea/side\n\nby **far**\n- a\n  - b\n\n## Then\nc")
    let (bytes, _) = try encode(OrgEncoder(), [entry])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("DAYBOOK_TEXT"), "\(text)")
    #expect(try Self.read(bytes) == [entry])
  }

  @Test("what a person changes in Emacs counts, and the time keeps its seconds")
  func edited() throws {
    let entry = try RandomEntry.plain("Title\n\n- a\n\n\n\\b", at: "2024-01-05T09:15:42+05:45")
    let (bytes, _) = try encode(OrgEncoder(), [entry])
    let org = String(decoding: bytes, as: UTF8.self)
    #expect(org.contains("DAYBOOK_TEXT"))
    let words = try Self.read(utf8(org.replacing("- a", with: "- b")))
    // As Org has it, where one blank line is as good as two.
    #expect(words.map(\.text) == ["Title\n\n- b\n\n\\b"])
    #expect(words.map(\.created) == [entry.created])
    let time = try Self.read(utf8(org.replacing("Fri 09:15]", with: "Fri 10:30]")))
    #expect(time.map(\.created.clockText) == ["10:30"])
  }
}
