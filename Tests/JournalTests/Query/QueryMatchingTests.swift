import Testing

@testable import Journal

@Suite("Answers to queries")
struct QueryMatchingTests {
  @Test(
    "words, phrases and prefixes match whole words without case and accents",
    arguments: [
      ("bread", "Bought Bread today", true), ("bread", "breadcrumbs", false),
      ("bread*", "breadcrumbs", true), ("STRASSE", "an der Straße", true),
      ("strasse", "STRAẞE", true), ("cafe", "caf\u{e9}", true), ("caf\u{e9}", "CAFE\u{301}", true),
      ("привет", "Привет, мир", true), ("العربية", "كتب العربية هنا", true),
      ("\"two words\"", "two  words", true), ("\"two words\"", "two\nwords", true),
      ("\"two words\"", "words two", false), ("\"two words\"", "two big words", false),
      ("\"two wo\"*", "two words", true), ("don't", "I don't", true), ("don't", "don x t", false),
      ("home", "at #home", true), ("api", "#work/api", true), ("anna", "@Anna called", true),
      ("日", "昨日の話", true), ("本語", "日本語です", true), ("語本", "日本語", false),
      ("日本", "日 本", true), ("国", "한국어", false), ("국어", "한국어", true), ("が", "か\u{3099}", true),
      ("か", "が", false), ("カナ", "カタカナ", true), ("🎉", "party🎉!", true), ("👧", "👩‍👩‍👧", true),
      ("bread -milk", "bread and milk", false), ("bread -milk", "bread", true),
      ("a OR b", "b", true), ("a OR b", "c", false), ("a (b OR c)", "a c", true),
      ("", "anything", true),
      ("#home", "at home", false), ("#home", "at #HOME", true), ("#work", "#work/api", true),
      ("#work/api", "#work", false), ("#work", "#workshop", false), ("#wo*", "#work/api", true),
      ("@anna", "#anna", false), ("@anna", "@Anna", true), ("#caf\u{e9}", "#cafe\u{301}", true),
      ("words:>2", "one two three", true), ("words:>2", "one two", false),
      ("words:2..3", "日本", true),
      ("is:untagged", "no tag", true), ("is:untagged", "#tag", false),
    ])
  func text(queryText: String, entryText: String, expected: Bool) throws {
    #expect(try query(queryText).matches(entry(entryText)) == expected)
  }

  @Test(
    "dates match by the entry's day, the ends included",
    arguments: [
      ("since:2026-11-21", true), ("since:2026-11-22", false), ("until:2026-11-21", true),
      ("until:2026-11-20", false), ("on:2026-11-21", true), ("on:2026-11-20", false),
      ("on:2026-11", true), ("on:2025-11", false), ("on:2026", true), ("until:2026-11", true),
      ("since:2026-11", true), ("on:*-11-21", true), ("on:*-11-22", false),
      ("on:yesterday..today", true),
      ("since:2026-11-01 until:2026-11-30", true),
    ])
  func dates(queryText: String, expected: Bool) throws {
    #expect(try query(queryText).matches(entry("x", day: "2026-11-21")) == expected)
  }

  @Test("on this day of other years")
  func everyYear() throws {
    let query = try query("on:*-11-21")
    #expect(try query.matches(entry("x", day: "1999-11-21")))
    #expect(try !query.matches(entry("x", day: "1999-12-21")))
  }

  @Test("is: flags and entry numbers match")
  func flags() throws {
    #expect(try query("is:starred").matches(entry("x", starred: true)))
    #expect(try !query("is:starred").matches(entry("x")))
    #expect(try query("is:edited").matches(entry("x", edited: true)))
    #expect(try !query("is:edited").matches(entry("x")))
    #expect(try query("id:42").matches(entry("x", number: 42)))
    #expect(try !query("id:42").matches(entry("x", number: 4)))
  }

  @Test("an entry in the trash matches only when the trash is asked for")
  func trash() throws {
    let gone = try entry("bread", deleted: true)
    let here = try entry("bread")
    for text in ["", "bread", "-milk", "is:untagged", "bread OR -is:starred", "id:1"] {
      #expect(try !query(text).matches(gone), "\(text)")
      #expect(try query(text).matches(here), "\(text)")
    }
    #expect(try query("is:deleted").matches(gone))
    #expect(try query("bread is:deleted").matches(gone))
    #expect(try !query("milk is:deleted").matches(gone))
    #expect(try !query("is:deleted").matches(here))
    #expect(try query("bread OR is:deleted").matches(here))
  }
}
