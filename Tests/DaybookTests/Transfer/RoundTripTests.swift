import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

/// An exported journal is the same after an import.
struct RoundTripTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// A journal of random entries: all that Unicode and clocks have that is odd.
  private func make(_ kind: String, seed: UInt64) throws -> String {
    var random = EntryGenerator(seed: seed)
    let path = program.home.appending(path: "from.\(kind)").path
    let store = try JournalLocation(path: path, isExplicit: true).open(mode: .create)
    try store.importing { journal in for _ in 0..<60 { try journal.add(random.entry()) } }
    try store.setStarred(true, [3, 5])
    return path
  }

  /// All of a journal, but for its numbers.
  private func contents(_ path: String) throws -> [String] {
    try StoredJournal.entries(path).map { entry in
      var entry = entry
      entry.number = 0
      return EntryJSON.text(of: entry)
    }.sorted()
  }

  @Test(
    "import of export is the same journal, in every kind of journal",
    arguments: ["json", "jsonl"], ["sqlite", "json"])
  func roundTrip(format: String, kind: String) throws {
    for seed in 0..<3 {
      let from = try make(kind, seed: UInt64(seed))
      let live = program.home.appending(path: "live.\(format)").path
      let trash = program.home.appending(path: "trash.\(format)").path
      #expect(try program.run(["export", "--journal", from, "-o", live]).code == 0)
      #expect(try program.run(["export", "--journal", from, "is:deleted", "-o", trash]).code == 0)
      for other in ["sqlite", "json"] {
        let to = program.home.appending(path: "to.\(other)").path
        for file in [live, trash] {
          let result = try program.run(["import", "--strict", file, "--journal", to])
          #expect(result.code == 0, "\(result.errors)")
        }
        #expect(try contents(to) == contents(from))
        let again = try program.run(["import", live, "--journal", to])
        #expect(again.output.hasPrefix("added 0, "))
        try FileManager.default.removeItem(atPath: to)
      }
      for file in [from, live, trash] { try FileManager.default.removeItem(atPath: file) }
    }
  }

  @Test("an export of an import has the same bytes as the export it came from, but for numbers")
  func sameBytes() throws {
    let from = try make("sqlite", seed: 9)
    let to = program.home.appending(path: "to.sqlite").path
    let first = try program.run(["export", "--journal", from, "--format", "jsonl"]).output
    _ = try program.run(["import", "-", "--journal", to], input: Array(first.utf8))
    let second = try program.run(["export", "--journal", to, "--format", "jsonl"]).output
    let number = try Regex("\"number\":[0-9]+")
    #expect(
      Array(second.replacing(number, with: "").utf8)
        == Array(first.replacing(number, with: "").utf8))
  }
}

/// Random entries that a journal may hold.
struct EntryGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func entry() -> Entry {
    let text = text()
    let created = moment()
    return Entry(
      uuid: EntryUUID.make(atMilliseconds: created.seconds * 1000), created: created,
      modified: moment(),
      day: Day(daysSinceEpoch: Int.random(in: -20_000...40_000, using: &random)),
      text: text, starred: Bool.random(using: &random),
      deleted: Int.random(in: 0..<5, using: &random) == 0 ? moment() : nil)
  }

  private mutating func moment() -> Moment {
    Moment(
      seconds: Int64.random(in: -2_000_000_000...4_000_000_000, using: &random),
      offset: Int.random(in: -14 * 4...14 * 4, using: &random) * 900)
  }

  private mutating func text() -> String {
    let pieces = [
      "word", " ", "\n", "\r\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}", "#tag", "#Ünï/cödé ",
      "@anna ", "\"", "\\", "é", "e\u{301}", "日本語", "한국어", "👩‍👩‍👧", "🇩🇪", "\u{1B}[31m", "\u{7F}",
      "\u{9B}",
      "\u{202E}", "\u{200D}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "ß",
      "\u{0}\u{1}".replacing("\u{0}", with: ""),
      "</script>", "'; drop table entry;--", "#a#b ", "- [ ] item\n",
    ]
    var text = "x"
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      text += pieces.randomElement(using: &random) ?? ""
    }
    return text
  }
}
