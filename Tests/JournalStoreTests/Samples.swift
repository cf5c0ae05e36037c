import Journal
import JournalStore
import ResultsTestSupport
import TestSupport

/// Entries as people might write them, a little crowded so that keys collide.
enum Samples {
  static let words = [
    "bread", "Käse", "STRASSE", "Straße", "東京", "cafe\u{301}", "café", "rain", "met", "again", "ok",
  ]
  static let tags = [
    "#home", "#work", "#work/api", "@anna", "#Home", "#Straße", "#caf\u{65}\u{301}",
  ]

  /// Characters that programs tend to drop or change, or at which they cut a text.
  static let rarities = [
    "\u{FEFF}", "\n\u{FEFF}", "\"\u{FEFF}", "\r\n", "\u{2028}", "e\u{301}", "\u{1}\u{7F}",
    "\\u0000",
    "\u{212B}", "가", "\u{1100}\u{1161}",
  ]

  static func text(_ generator: inout SeededGenerator) -> String {
    var parts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      words[Int.random(in: words.indices, using: &generator)]
    }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      parts.append(tags[Int.random(in: tags.indices, using: &generator)])
    }
    if Int.random(in: 0..<4, using: &generator) == 0 { parts.insert("\n", at: parts.count / 2) }
    if Int.random(in: 0..<6, using: &generator) == 0 {
      parts.append(rarities[Int.random(in: rarities.indices, using: &generator)] + "x")
    }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      parts.append(marks[Int.random(in: marks.indices, using: &generator)])
    }
    return parts.joined(separator: " ")
  }

  /// The beginnings of the hashes of `FileWorld`'s contents.
  static let (smallFile, largeFile) = (
    String(SHA256.hex(of: "small").prefix(16)),
    String(SHA256.hex(of: String(repeating: "large", count: 1_000)).prefix(16))
  )

  /// Links, some to titles that some texts have, and fields.
  static let marks = [
    "[[bread]]", "[[Rain]] [[rain]]", "[[met|again]]", "[[2025-12-01]]", "[[ok #home]]", "[[東京]]",
    "\nmood:: 4", "\nmood:: 2", "[slept:: 7h20]", "run:: 5.2 km", "run:: 3100 m", "run:: 2 laps",
    "\nplace:: Straße",
    "\ndue:: 2026-01-02", "\nmood:: bad [[again]]",
    "\n![Straße](file:\(smallFile).jpg)", "[Käse 1](file:\(largeFile).pdf)",
    "\n```\n![no](file:\(largeFile).jpg)\n```", "![none](file:0000000000000000.png)",
  ]

  static func moment(_ generator: inout SeededGenerator) -> Moment {
    let day = Int64.random(in: 20_400...20_460, using: &generator)
    return Moment(seconds: day * 86_400 + Int64.random(in: 0...3, using: &generator), offset: 3600)
  }

  static func entry(_ generator: inout SeededGenerator) -> NewEntry {
    let created = moment(&generator)
    return NewEntry(
      text: text(&generator), created: created, day: created.localDay,
      starred: Bool.random(using: &generator))
  }

  /// One to four new entries.
  static func entries(_ generator: inout SeededGenerator) -> [NewEntry] {
    (0..<Int.random(in: 1...4, using: &generator)).map { _ in entry(&generator) }
  }
}
