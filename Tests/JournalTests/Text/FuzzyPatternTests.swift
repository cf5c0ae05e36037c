import Testing

@testable import Journal

struct FuzzyPatternTests {
  @Test(
    "the places of a match are its letters, of the best match, without case and accents",
    arguments: [
      ("brd", "Bread", ["Br", "d"]), ("be", "a bee Be", ["be"]), ("cafe", "Le Café", ["Café"]),
      ("strasse", "Große Straße", ["Straße"]), ("東", "a 東京", ["東"]), ("ab", "a-b", ["a", "b"]),
      ("b r", "bread", ["br"]), ("xyz", "bread", []), ("", "bread", []), ("a", "", []),
      ("ss", "ß", ["ß"]), ("e", "👩‍👩‍👧 e\u{301}", ["e\u{301}"]),
    ])
  func places(typed: String, text: String, found: [String]) {
    let pattern = FuzzyPattern(typed)
    let bytes = Array(text.utf8)
    let places = pattern.places(in: text)
    #expect(places.map { String(decoding: bytes[$0], as: UTF8.self) } == found)
    #expect(places.isEmpty == (pattern.match(in: text) == nil))
  }
}
