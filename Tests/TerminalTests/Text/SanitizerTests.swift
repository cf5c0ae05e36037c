import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Sanitizer")
struct SanitizerTests {
  /// The display of a one-line field for each row of the rules.
  private static let lines: [(String, String)] = [
    ("a\nb", "a␊b"), ("a\r\nb", "a␊b"), ("a\rb", "a^Mb"), ("a\tb", "a b"), ("\u{0}", "^@"),
    ("\u{1B}[31m", "^[[31m"), ("\u{7F}", "^?"), ("\u{85}\u{9B}31m", "<U+0085><U+009B>31m"),
    ("a\u{202E}b", "a<U+202E>b"), ("\u{2066}", "<U+2066>"), ("a\u{200E}b\u{200F}\u{61C}", "ab"),
    ("a\u{200B}b\u{FEFF}c\u{AD}d\u{2060}\u{180E}\u{34F}", "abcd"),
    ("\u{115F}\u{1160}\u{3164}\u{FFA0}", ""), ("a\u{200D}b", "ab"), ("a\u{200C}b", "ab"),
    ("क\u{94D}\u{200D}ष", "क\u{94D}\u{200D}ष"), ("a\u{FE0F}", "a"), ("a\u{E0100}", "a"),
    ("葛\u{FE00}", "葛\u{FE00}"), ("\u{2028}\u{2029}", "<U+2028><U+2029>"),
    ("\u{E0041}", "<U+E0041>"), ("\u{FFF9}\u{600}", "<U+FFF9><U+0600>"),
    ("\u{FFFF}\u{378}", "\u{FFFD}\u{FFFD}"), ("\u{E000}\u{10FFFD}", "??"),
    ("e" + String(repeating: "\u{301}", count: 10_000), "e\u{301}\u{301}\u{301}\u{301}"),
    ("\u{301}a", "◌\u{301}a"), ("a\t\u{301}", "a ◌\u{301}"),
    ("👩‍👩‍👧", "👩‍👩‍👧"), ("👍🏽", "👍🏽"), ("❤️", "❤️"), ("👩🏽‍❤️‍💋‍👨🏻", "👩🏽‍❤️‍💋‍👨🏻"), ("🏴\u{E0067}\u{E007F}", "🏴<U+E0067><U+E007F>"),
    ("🇩🇪", "🇩🇪"), ("e\u{301}", "e\u{301}"), ("日本語", "日本語"), ("مرحبا", "مرحبا"),
  ]

  @Test("A one-line field follows the rules for showing text", arguments: lines)
  func line(source: String, shown: String) {
    let text = Sanitizer.line(source).map(\.text).joined()
    #expect(Array(text.unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test("A terminal is given the first emoji of a sequence, in the width of all of it")
  func drawn() {
    for (text, drawn) in [
      ("👩‍👩‍👧", "👩"), ("👍🏽", "👍"), ("❤️", "❤"), ("👩🏽‍❤️‍💋‍👨🏻", "👩"), ("1️⃣", "1\u{20E3}"),
      ("葛\u{FE00}", "葛\u{FE00}"),
      ("🇩🇪", "🇩🇪"), ("क\u{94D}\u{200D}ष", "क\u{94D}\u{200D}ष"),
    ] {
      #expect(DrawnText.reduced(text) == drawn)
    }
    let endless = Sanitizer.line(String(repeating: "👩‍", count: 10_000))
    #expect(endless.allSatisfy { $0.text.unicodeScalars.count < 32 })
  }

  @Test("A body breaks lines at line ends of all kinds and expands tabs")
  func body() {
    func lines(_ text: String) -> [String] {
      Sanitizer.body(text).map { $0.map(\.text).joined() }
    }
    #expect(lines("") == [""])
    #expect(lines("a\nb\r\nc\u{2028}d\u{2029}e\n") == ["a", "b", "c", "d", "e", ""])
    #expect(lines("a\rb\r\r\nc") == ["a^Mb^M", "c"])
    #expect(
      lines("\tx\n1\tx\n日本\tx\n1234567\tx\n12345678\tx\u{B}") == [
        "        x", "1       x", "日本    x", "1234567 x", "12345678        x^K",
      ])
    #expect(lines("a\n\u{301}b") == ["a", "◌\u{301}b"])
  }

  @Test("Standard output keeps lines and whole emoji, and loses what drives a terminal")
  func plain() {
    #expect(Sanitizer.plain("a\nb\n") == "a\nb\n")
    #expect(Sanitizer.plain("👩‍👩‍👧 👍🏽 ❤️\r\n1️⃣") == "👩‍👩‍👧 👍🏽 ❤️\n1️⃣")
    #expect(Sanitizer.plain("\u{1B}]0;T\u{7}") == "^[]0;T^G")
    #expect(Sanitizer.plainLine("a\nb\u{9B}") == "a␊b<U+009B>")
  }

  @Test("Hidden characters are shown by their number where nothing may be hidden")
  func hidden() {
    let shown = Sanitizer.line("a\u{200B}\u{AD}b", showsHidden: true).map(\.text).joined()
    #expect(shown == "a<U+200B><U+00AD>b")
    let lines = Sanitizer.body("a\u{FEFF}", showsHidden: true)
    #expect(lines.map { $0.map(\.text).joined() } == ["a<U+FEFF>"])
  }

  @Test("Pictures of what cannot be shown are told apart from text that looks like them")
  func substitutes() {
    let clusters = Sanitizer.line("^[\u{1B}")
    #expect(clusters.map(\.isSubstitute) == [false, false, true])
    #expect(clusters.map(\.columns) == [1, 1, 2])
  }

  @Test("Every one of the 1,112,064 scalars is safe as a line, as a body and on standard output")
  func allScalarsAreSafe() {
    var dangers: [String] = []
    for plane in stride(from: UInt32(0), through: 0x10FFFF, by: 0x1000) {
      var text = ""
      for value in plane..<plane + 0x1000 {
        guard let scalar = Unicode.Scalar(value) else { continue }
        text.unicodeScalars.append(scalar)
        // A letter, so that no mark exceeds the four that a base may carry.
        if scalar.properties.isGraphemeExtend { text += "x" }
      }
      let line = Sanitizer.line(text).map(\.text).joined()
      let body = Sanitizer.body(text).joined().map(\.text).joined()
      dangers += [danger(in: line), danger(in: body)].compactMap(\.self)
      dangers += [danger(in: Sanitizer.plain(text), allowsLineFeed: true)].compactMap(\.self)
    }
    #expect(dangers == [])
  }

  @Test("Hostile strings show as text in every way out", arguments: hostileStrings)
  func hostile(bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(danger(in: Sanitizer.line(text).map(\.text).joined()) == nil)
    #expect(danger(in: Sanitizer.body(text).joined().map(\.text).joined()) == nil)
    #expect(danger(in: Sanitizer.plain(text), allowsLineFeed: true) == nil)
    #expect(danger(in: Sanitizer.plainLine(text)) == nil)
  }

  @Test(
    "Random mixtures are safe, and every byte of them is accounted for",
    arguments: SeededGenerator.seeds(4))
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = random.text(length: 30)
      let line = Sanitizer.line(text)
      #expect(danger(in: line.map(\.text).joined()) == nil)
      #expect(line.reduce(0) { $0 + $1.sourceLength } == text.utf8.count)
      #expect(danger(in: Sanitizer.plain(text), allowsLineFeed: true) == nil)
      let columns = Int(random.next() % 30)
      let part = Sanitizer.line(text, columns: columns)
      #expect(TextFit.columns(of: part) <= columns)
      #expect(line.starts(with: part))
    }
  }

  @Test("Of a line of ten megabytes no more is read than is shown")
  func lazyLine() {
    let text = String(repeating: "日本 and more. ", count: 700_000)
    // Each of these would take minutes if it read the whole text a thousand times.
    for _ in 0..<1_000 {
      #expect(TextFit.columns(of: Sanitizer.line(text, columns: 80)) == 80)
      #expect(TextFit.columns(of: TextFit.cut(text, columns: 80)) == 80)
    }
  }

  @Test("The lines of a body are read as they are asked for")
  func lazyBody() {
    let text = String(repeating: "one line of text\n", count: 600_000)
    for _ in 0..<1_000 {
      #expect(Sanitizer.bodyLines(text).prefix(2).map(\.count) == [16, 16])
    }
  }
}

/// Sequences that drive terminals, hide or turn text, or are no text at all.
private let hostileStrings: [[UInt8]] =
  [
    "\u{1B}]0;T\u{7}", "\u{1B}]52;c;ZWNobw==\u{7}", "\u{1B}]8;;http://x\u{1B}\\y", "\u{1B}[2J",
    "\u{1B}[31m", "\u{1B}c", "\u{1B}[6n", "\u{1B}P$qm\u{1B}\\", "\u{1B}[?1049h", "\u{1B}[5i",
    "\u{1B}]", "\u{9B}31m", "\u{9D}0;T\u{9C}", "\u{0E}", "\u{8}\u{8}\u{8}xxx", "abc\rXYZ", "\u{7F}",
    "\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{E0041}",
    "e" + String(repeating: "\u{301}", count: 10_000), "👩\u{200D}👧", "\u{0}",
  ].map { Array($0.utf8) } + [
    [0x90], [0x9B], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xC0, 0x9B],
    [0xE2, 0x80],
  ]
