import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Any text rendered")
struct MarkdownPropertyTests {
  /// Pieces of markup, hostile and harmless ones, and words.
  private static let pieces = [
    "*", "**", "_", "~~", "`", "```", "[", "](", ")", "![", "<", ">", "> ", "- ", "1. ", "- [ ] ",
    "# ", "#", "|", "|-|", "\n", "\n", "\n\n", "    ", "\t", "\\", "---", " ", " ", "word",
    "longer words",
    "https://a.org/", "日本語", "。", "e\u{301}", "\u{301}", "ไทย", "👩‍👩‍👧", "\u{1B}[31m", "\u{202E}",
    "\r\n", "\u{2028}",
    "x", "7",
  ]

  private func sample(_ random: inout SeededGenerator) -> String {
    let count = Int(random.next() % 60)
    return (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
  }

  @Test("is safe and never wider than its width", arguments: SeededGenerator.seeds(4))
  func widths(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<150 {
      let text = round % 2 == 0 ? sample(&random) : random.text(length: 60)
      let columns = Int(random.next() % 40) + 1
      for line in MarkdownLayout(text, columns: columns) {
        #expect(line.columns <= columns, "\(text.debugDescription) at \(columns)")
        #expect(danger(in: line.text) == nil)
      }
    }
  }

  @Test("has all its letters and digits, in their order", arguments: SeededGenerator.seeds(4))
  func nothingLost(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      // Boxes of tasks and numbers are markup with letters in them.
      let text = sample(&random).replacing("- [ ] ", with: "- ")
      let columns = Int(random.next() % 40) + 2
      let shown = MarkdownLayout(text, columns: columns).map(\.text).joined()
      #expect(letters(shown) == letters(Sanitizer.plain(text)), "\(text.debugDescription)")
    }
  }

  /// Letters and digits; what is drawn of an emoji sequence is its first one.
  private func letters(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }))
  }

  @Test(
    "tells where each cluster comes from, in ascending order on each line",
    arguments: SeededGenerator.seeds(3))
  func places(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = sample(&random)
      let lines = text.utf8.count
      for line in MarkdownLayout(text, columns: 20) {
        let sources = line.cells.compactMap(\.source)
        #expect(sources.allSatisfy { (0..<lines).contains($0) })
        #expect(sources == sources.sorted() || line.text.contains("│"))
        #expect(line.sourceLine != nil)
      }
    }
  }

  @Test(
    "is wrapped alike as a long text, whose lines are made when asked for",
    arguments: SeededGenerator.seeds(4))
  func plain(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<100 {
      let ascii = (0..<40).map { _ in
        [" ", "  ", "word", "x", "\n"].randomElement(using: &random) ?? ""
      }
      let text = round % 2 == 0 ? ascii.joined() : sample(&random)
      let columns = Int(random.next() % 40) + 10
      let lines = PlainLines(text, columns: columns)
      let expected = Sanitizer.body(text).flatMap { TextFit.wrap($0, columns: columns) }
      let shown = (0..<lines.count).map { trimmed(lines[$0].text) }
      #expect(
        shown == expected.map { trimmed($0.map(\.text).joined()) },
        "\(text.debugDescription) at \(columns)")
    }
  }

  private func trimmed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView(text.unicodeScalars)
    while scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }

  @Test(
    "of a quarter of a megabyte, of whatever repeats, is laid out",
    arguments: [
      "[", "*", "*a ", "**a_b ", "![", "[a](", "](a \"", "`", "a`b``c", "<a:", "http://(", "> ",
      "- ", "\n",
      "|a", "|a|b|\n|-|-|\n", "\t", "e\u{301}", "\u{301}", "👩‍", "\u{1B}", "1. a\n", "~~a ",
      "![a](b)", "[![a](",
    ])
  func hostile(piece: String) {
    // Anything but linear time would take a minute to days.
    let count = MarkdownLayout.markdownLimit / 4 / piece.utf8.count
    let rendered = MarkdownLayout(String(repeating: piece, count: count), columns: 72)
    #expect(!rendered.isPlain && rendered.allSatisfy { $0.columns <= 72 })
  }

  @Test("with ten thousand quotes, half a million items and images in each other is laid out")
  func nested() {
    let quarter = MarkdownLayout.markdownLimit / 4
    let texts = [
      String(repeating: String(repeating: ">", count: 10_000) + "x\n", count: 100),
      String(repeating: "- ", count: quarter) + "x" + String(repeating: "\n", count: quarter),
      String(repeating: "![", count: quarter / 2) + String(repeating: "](b)", count: quarter / 2),
      String(repeating: "*a ", count: quarter / 2) + String(repeating: "b* ", count: quarter / 2),
    ]
    for text in texts {
      let layout = MarkdownLayout(text, columns: 72)
      #expect(!layout.isPlain && layout.allSatisfy { $0.columns <= 72 })
    }
  }

  @Test("of more than a megabyte is wrapped only, and its lines made on demand")
  func long() {
    for piece in ["**word** ", "日本語の文、", "line\n"] {
      let text = String(repeating: piece, count: 1_200_000 / piece.utf8.count)
      let layout = MarkdownLayout(text, columns: 72)
      #expect(layout.isPlain)
      #expect(layout[layout.count / 2].columns <= 72)
      #expect(layout.first?.text.hasPrefix(piece.trimmingLineFeed) == true)
    }
  }
}

extension String {
  fileprivate var trimmingLineFeed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
