import Journal
import Testing

/// The matches of a query in a displayed text.
struct QueryHighlighterTests {
  @Test(
    "words, prefixes, phrases and tags are found as they stand, without case and accents",
    arguments: [
      ("bread", "Bread and BREAD, breads", ["Bread", "BREAD"]),
      ("bre*", "Bread and breads", ["Bread", "breads"]),
      ("\"two words\"", "Two words, two  WORDS", ["Two words", "two  WORDS"]),
      ("cafe", "Un café", ["café"]),
      ("strasse", "Straße", ["Straße"]),
      ("東京", "大東京駅", ["東京"]),
      ("#work", "#work #work/api #worker work", ["#work", "#work/api"]),
      ("@anna", "with @Anna", ["@Anna"]),
      ("bread OR milk -butter", "milk, butter, bread", ["milk", "bread"]),
      ("is:starred", "starred", []),
      ("-bread", "bread", []),
    ])
  func found(query: String, text: String, expected: [String]) throws {
    #expect(try places(query, text) == expected)
  }

  @Test("overlapping finds become one")
  func united() throws {
    #expect(try places("東京 OR 京都", "東京都") == ["東京都"])
  }

  private func places(_ query: String, _ text: String) throws -> [String] {
    let clock = WallClock.fixed(seconds: 1_795_000_000, offset: 0)
    let parsed = try Query.parse(query, now: clock.moment(), clock: clock)
    let bytes = Array(text.utf8)
    return QueryHighlighter(parsed).places(in: text).map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
  }
}
