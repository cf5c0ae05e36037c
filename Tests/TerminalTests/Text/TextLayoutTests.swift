import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Text layout")
struct TextLayoutTests {
  private func text(_ clusters: some Sequence<Cluster>) -> String {
    clusters.map(\.text).joined()
  }

  private func wrap(_ line: String, _ columns: Int) -> [String] {
    TextFit.wrap(Sanitizer.line(line), columns: columns).map { text($0) }
  }

  @Test("A text that fits is left alone, another is cut with an ellipsis in its last column")
  func cut() {
    #expect(text(TextFit.cut("Tea", columns: 3)) == "Tea")
    #expect(text(TextFit.cut("Teapot", columns: 4)) == "Tea…")
    #expect(text(TextFit.cut("Teapot", columns: 1)) == "…")
    #expect(text(TextFit.cut("Teapot", columns: 0)) == "")
    #expect(text(TextFit.cut("日本語", columns: 6)) == "日本語")
    #expect(text(TextFit.cut("日本語", columns: 5)) == "日本…")
    #expect(text(TextFit.cut("日本語", columns: 4)) == "日 …", "no half of a wide character")
    #expect(text(TextFit.cut("e\u{301}te\u{301}!", columns: 3)) == "e\u{301}t…")
    #expect(text(TextFit.cut("🇩🇪🇫🇷🇮🇹", columns: 4)) == "🇩🇪 …", "no half of a flag")
    #expect(text(TextFit.cut("ab\u{200B}", columns: 2)) == "ab", "what is not seen is not cut")
  }

  @Test("A field is filled up to its width")
  func fit() {
    #expect(text(TextFit.fit("Tea", columns: 5)) == "Tea  ")
    #expect(text(TextFit.fit("日本語", columns: 5)) == "日本…")
    #expect(text(TextFit.fit("", columns: 2)) == "  ")
  }

  @Test("The column of a byte is that of the cluster it belongs to")
  func columns() {
    let clusters = Sanitizer.line("a\u{200B}日\u{1B}b")
    let columns = (0...9).map { TextFit.column(atByte: $0, in: clusters) }
    #expect(columns == [0, 1, 1, 1, 1, 1, 1, 3, 5, 6])
  }

  @Test("Lines break between words, and blanks at a break are not seen")
  func wrapWords() {
    #expect(wrap("", 5) == [""])
    #expect(wrap("one two three", 7) == ["one two", "three"])
    #expect(wrap("one two three", 8) == ["one two ", "three"])
    #expect(wrap("one  two", 3) == ["one", "two"])
    #expect(wrap("a longword b", 4) == ["a ", "long", "word", "b"])
    #expect(wrap("  indented text", 10) == ["  indented", "text"])
  }

  @Test("Chinese, Japanese and Korean text breaks anywhere but before closing punctuation")
  func wrapIdeographs() {
    #expect(wrap("日本語の文", 4) == ["日本", "語の", "文"])
    #expect(wrap("日本語の文", 5) == ["日本", "語の", "文"])
    #expect(wrap("ab日本", 4) == ["ab日", "本"])
    #expect(wrap("日本。語", 4) == ["日", "本。", "語"])
    #expect(wrap("日「本」", 6) == ["日", "「本」"])
    #expect(wrap("a\u{3000}b", 2) == ["a", "b"], "no blank is lost between words")
    #expect(wrap("日「本」", 4) == ["日", "「本", "」"])
  }

  @Test("Pictures are spelt over lines narrower than they are, wide characters become blanks")
  func wrapNarrow() {
    #expect(wrap("\u{9B}", 3) == ["<U+", "009", "B>"])
    #expect(wrap("日x", 1) == [" ", "x"])
  }

  @Test("No line is wider than allowed, and no byte is lost", arguments: SeededGenerator.seeds(4))
  func wrapRandom(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let source = random.text(length: 40)
      let clusters = Sanitizer.line(source)
      let columns = Int(random.next() % 20) + 1
      let lines = TextFit.wrap(clusters, columns: columns)
      #expect(lines.allSatisfy { TextFit.columns(of: $0) <= columns })
      #expect(lines.joined().reduce(0) { $0 + $1.sourceLength } == source.utf8.count)
      #expect(TextFit.columns(of: TextFit.cut(clusters, columns: columns)) <= columns)
      #expect(
        TextFit.cut(source, columns: columns) == TextFit.cut(clusters, columns: columns))
      #expect(TextFit.columns(of: TextFit.fit(source, columns: columns)) == columns)
    }
  }
}
