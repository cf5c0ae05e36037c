import Journal
import TestSupport

/// Entries with the texts that formats stumble over.
enum RandomEntry {
  /// Pieces of texts, most of them part of the syntax of some format.
  static let pieces = [
    "Bought bread", " ", " ", "\n", "\n", "\n\n", "# Heading", "## 09:15 Walk", "### ", "---",
    "+++",
    "\n---\n", "<!-- daybook created=2026-01-01T00:00:00Z -->", "\n<!-- daybook x -->\n",
    "\n\\<!-- daybook y -->\n", "\\\\<!-- daybook ", "-->", "[2024-01-05 14:30] ",
    "\n[2024-01-05 14:30] Title\n", "[x] ", "[link](https://a.b)", "*", " *", "**bold**", "★", " ★",
    "#home", " #home", " #work/api", " @anna", " #priority/3", "#priority/07", "`", "```",
    "\n```\n",
    "~~~", "\\.", "\\\\", "\\", "\u{200B}", "*\u{200B}", "\u{2028}", "\u{85}", "\r", "\r\n", "\t",
    "日本語", "é", "e\u{301}", "👩‍👩‍👧", "\u{202E}", "\u{FEFF}", "14:25 [42]: text", "date: 2024-01-05",
    "tags: [a, b]", "\"", "'", "<b>", "&amp;", "|", "dayone-moment://ABC", "![](photos/a.jpeg)",
    "![](dayone-moment://ABC)", "\u{1B}[31m",
  ]

  /// A text that an entry can have.
  static func text(_ random: inout SeededGenerator) -> String {
    while true {
      let count = Int.random(in: 1...14, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      if (try? Entry.validate(text: text)) != nil { return text }
    }
  }

  /// An entry with every field at random.
  static func make(_ random: inout SeededGenerator) -> Entry {
    let offset = Int.random(in: -48...56, using: &random) * 900
    let created = Moment(
      seconds: .random(in: -1_000_000_000...4_000_000_000, using: &random), offset: offset)
    let isEdited = Bool.random(using: &random)
    let later = Moment(seconds: created.seconds + 86_400, offset: offset)
    let isDayBefore = Int.random(in: 0..<5, using: &random) == 0
    return Entry(
      uuid: EntryUUID.make(atMilliseconds: 1_700_000_000_000), created: created,
      modified: isEdited ? later : created,
      day: isDayBefore ? created.localDay.adding(days: -1) : created.localDay,
      text: text(&random), starred: Bool.random(using: &random),
      deleted: Int.random(in: 0..<8, using: &random) == 0 ? later : nil)
  }

  /// Several, the same in every run of a seed.
  static func many(_ count: Int, seed: UInt64) -> [Entry] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in make(&random) }
  }

  /// A plain entry that every format can hold.
  static func plain(
    _ text: String, at created: String = "2026-11-21T09:15:00+01:00", starred: Bool = false
  ) throws -> Entry {
    let created = try moment(created)
    return Entry(
      uuid: "01890a5d-ac96-774b-bcce-b302099a8057", created: created, modified: created,
      day: created.localDay, text: text, starred: starred)
  }
}
