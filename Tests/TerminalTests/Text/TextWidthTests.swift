import Glibc
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Text width")
struct TextWidthTests {
  @Test(
    "Characters take the columns that every terminal gives them",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("Ж", 1), ("א", 1), ("ع", 1), ("…", 1),
      ("★", 1),
      ("漢", 2), ("か", 2), ("が", 2), ("か\u{3099}", 2), ("한", 2), ("ㄱ", 2), ("！", 2), ("ｱ", 1),
      ("　", 2),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("ก", 1), ("กี", 1), ("น้ำ", 2), ("का", 2),
      ("😀", 2), ("⌚", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("🇩", 1), ("🏳️‍🌈", 1),
      ("❤", 1), ("❤️", 1), ("⌚\u{FE0E}", 2), ("1️⃣", 1), ("©️", 1),
      ("\u{301}", 0), ("\u{200B}", 0), ("\u{1B}", 0), ("\n", 0), ("\r\n", 0),
    ])
  func columns(character: Character, columns: Int) {
    #expect(TextWidth.columns(of: character) == columns)
  }

  @Test("A text is as wide as what is shown for it")
  func text() {
    #expect(TextWidth.columns(of: "") == 0)
    #expect(TextWidth.columns(of: "日本 go") == 7)
    #expect(TextWidth.columns(of: "a\u{1B}[31m") == 7)
    #expect(TextWidth.columns(of: "\u{202E}") == 8)
  }

  @Test("Single scalars are as wide as the C library, and so ncurses, counts them")
  func agreesWithLibrary() throws {
    // Trigrams, monograms and counting rods became wide with Unicode 16, a vowel sign of Ahom got a
    // column of its own.
    let changed = Set(
      [0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D376, 0x1171E...0x1171E].joined())
    // Only a UTF-8 locale knows the widths; this one comes with the C library itself.
    let locale = try #require(newlocale(Int32(1) << LC_CTYPE, "C.UTF-8", nil))
    defer { freelocale(locale) }
    let previous = uselocale(locale)
    defer { uselocale(previous) }
    // The C library's header hides it from programs that ask for no particular standard.
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
    var differences: [String] = []
    for scalar in allScalars where scalar.value >= 0x20 && !changed.contains(Int(scalar.value)) {
      guard let expected = shownWidth(scalar) else { continue }
      let library = Int(wcwidth(wchar_t(scalar.value)))
      // -1 is a scalar newer than the C library.
      if library >= 0, library != expected {
        differences.append("\(String(scalar.value, radix: 16)): \(expected), not \(library)")
      }
    }
    #expect(differences.prefix(10) == [])
  }

  /// The columns of a scalar that is drawn as it is; `nil` if something else is shown for it.
  private func shownWidth(_ scalar: Unicode.Scalar) -> Int? {
    switch ScalarClass(scalar) {
    case .spacing(let columns), .spacingMark(let columns): columns
    case .mark, .joiner, .variation: 0
    default: nil
    }
  }

  @Test("The table of wide ranges is sorted and does not overlap")
  func table() {
    for (range, next) in zip(TextWidth.wide, TextWidth.wide.dropFirst()) {
      #expect(range.upperBound < next.lowerBound)
    }
  }

  @Test(
    "What is drawn is as wide summed by scalars as the cluster says",
    arguments: SeededGenerator.seeds(4))
  func sums(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      for cluster in Sanitizer.line(random.text(length: 20)) {
        let sum = DrawnText.reduced(cluster.text).unicodeScalars.reduce(0) {
          $0 + TextWidth.columns(of: $1)
        }
        #expect(sum == cluster.columns, "\(cluster.text.debugDescription)")
      }
    }
  }
}
