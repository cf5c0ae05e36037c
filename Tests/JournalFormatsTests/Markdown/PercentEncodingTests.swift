import Testing

@testable import JournalFormats

struct PercentEncodingTests {
  @Test("any text is one word, which ends no comment, and comes back")
  func roundTrip() {
    let all = RandomEntry.many(300, seed: 5).map(\.text) + ["", "%", "%4", "100%41", "-->", "a b"]
    for text in all {
      var word: [UInt8] = []
      PercentEncoding.append(text, to: &word)
      #expect(!word.contains { $0 <= 0x20 || $0 == UInt8(ascii: ">") })
      let decoded = PercentEncoding.decode(String(decoding: word, as: UTF8.self))
      #expect(decoded.utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
    }
  }

  @Test("what is no encoded byte stays as it is")
  func plain() {
    #expect(PercentEncoding.decode("5%") == "5%")
    #expect(PercentEncoding.decode("%zz%2") == "%zz%2")
    #expect(PercentEncoding.decode("a%20b") == "a b")
  }
}
