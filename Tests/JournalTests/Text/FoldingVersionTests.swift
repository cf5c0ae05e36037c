import Testing

@testable import Journal

@Suite("The version of the folding")
struct FoldingVersionTests {
  /// A fingerprint of all folded characters for each version of the folding.
  ///
  /// Files contain indexes of folded words. After a change of the folding or of the definition of
  /// words, also by a standard library with a newer Unicode, add a line and increase the version.
  private static let fingerprints: [Int: UInt64] = [1: 6_856_715_253_129_050_444]

  @Test("grows with any change to what a character folds to, and to what a word is")
  func fingerprint() {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for value in UInt32(1)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Between two letters, so that it is seen what joins them and what parts them.
      for word in Folding.words(of: "a\(scalar)b \(scalar)") {
        for byte in word.utf8 { add(byte) }
        add(0)
      }
    }
    #expect(sum == Self.fingerprints[Folding.version])
  }
}
