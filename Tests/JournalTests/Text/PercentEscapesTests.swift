import Testing

@testable import Journal

struct PercentEscapesTests {
  @Test("escapes are read with digits of either case, and written with capitals")
  func digits() {
    for word in ["bild%c3%a4.jpg", "bild%C3%A4.jpg", "bild%C3%a4.jpg"] {
      #expect(PercentEscapes.text(of: word) == "bildä.jpg")
      #expect(PercentEscapes.decoded(word.utf8) == "bildä.jpg")
    }
    var bytes: [UInt8] = []
    PercentEscapes.append("bildä.jpg".utf8, to: &bytes) { $0 >= 0x80 }
    #expect(String(decoding: bytes, as: UTF8.self) == "bild%C3%A4.jpg")
  }

  @Test("every byte but NUL comes back, escaped or not")
  func everyByte() {
    for isEscaped in [true, false] {
      let scalars = (1...0x10FF).compactMap { Unicode.Scalar(UInt32($0)) }
      var text = String(String.UnicodeScalarView(scalars))
      if !isEscaped { text.removeAll { $0 == "%" } }
      var bytes: [UInt8] = []
      PercentEscapes.append(text.utf8, to: &bytes) { _ in isEscaped }
      #expect(PercentEscapes.decoded(bytes) == text)
      #expect(PercentEscapes.text(of: String(decoding: bytes, as: UTF8.self)) == text)
    }
  }

  @Test(
    "a broken escape stays in a word, and is no address",
    arguments: ["5%", "%zz%2", "%\u{10}\u{11}", "%4"])
  func broken(word: String) {
    #expect(PercentEscapes.text(of: word) == word)
    #expect(PercentEscapes.decoded(word.utf8) == nil)
  }

  @Test("an address has no NUL, and is UTF-8", arguments: ["a%00", "a%ff"])
  func noText(word: String) {
    #expect(PercentEscapes.decoded(word.utf8) == nil)
  }
}
