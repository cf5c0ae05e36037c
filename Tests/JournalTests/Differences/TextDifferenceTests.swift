import Journal
import TestSupport
import Testing

/// Differences as people read them.
struct TextDifferenceTests {
  @Test("lines stand in order, what went before what came, and changed words are marked")
  func words() {
    let difference = TextDifference(
      from: "Bought bread\n\nStayed in all day", to: "Bought dark bread\n\nStayed out all day")
    let lines = difference.lines.map { line in
      line.sign + Self.marked(line)
    }
    #expect(
      lines == [
        "- Bought bread", "+ Bought [dark ]bread", "  ", "- Stayed [in] all day",
        "+ Stayed [out] all day",
      ])
    #expect(difference.wordCount(.added) == 2)
    #expect(difference.wordCount(.removed) == 1)
  }

  @Test("Chinese, Japanese and Korean differ character by character, and no character is cut")
  func clusters() {
    let difference = TextDifference(from: "今日は東京へ行く 👩‍👩‍👧 e\u{301}", to: "今日は京都へ行く 👩‍👩‍👦 é")
    let marked = difference.lines.map { Self.marked($0) }
    #expect(marked == ["今日は[東]京へ行く [👩‍👩‍👧 e\u{301}]", "今日は京[都]へ行く [👩‍👩‍👦 é]"])
  }

  @Test("lines that have no word in common are replaced whole, without marks")
  func replaced() {
    let difference = TextDifference(from: "one two", to: "three, four")
    #expect(difference.lines == [.init(.removed, "one two"), .init(.added, "three, four")])
    #expect(difference.wordCount(.added) == 2)
  }

  @Test("lines far from a change are left out on request, and of no change nothing is left")
  func near() {
    let old = (1...20).map { "line \($0)" }
    var new = old
    new[9] = "line ten"
    let difference = TextDifference(
      from: old.joined(separator: "\n"), to: new.joined(separator: "\n"))
    let near = difference.lines(around: 1).map { $0.sign + $0.text }
    #expect(near == ["  line 9", "- line 10", "+ line ten", "  line 11"])
    #expect(TextDifference(from: "a\nb", to: "a\nb").lines(around: 2) == [])
    #expect(TextDifference(from: "", to: "").lines == [])
  }

  @Test("equal lines far from a change are counted, and no changed line or one near it is left out")
  func folded() {
    let old = (1...20).map { "line \($0)" }
    var new = old
    new[9] = "line ten"
    new[12] = "line thirteen"
    let texts = (old.joined(separator: "\n"), new.joined(separator: "\n"))
    let folded = TextDifference(from: texts.0, to: texts.1).folded(around: 1)
    #expect(
      folded.lines.map { $0.sign + $0.text } == [
        "  ⋯ 8 equal lines", "  line 9", "- line 10", "+ line ten", "  line 11", "  line 12",
        "- line 13", "+ line thirteen", "  line 14", "  ⋯ 6 equal lines",
      ])
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<200 {
      let difference = TextDifference(from: Self.text(&random), to: Self.text(&random))
      let count = Int.random(in: 0...3, using: &random)
      let folded = difference.folded(around: count)
      let hidden = folded.lines.filter { $0.text.hasPrefix("⋯ ") && $0.kind == .same }
      let counts = hidden.compactMap {
        $0.text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      }
      #expect(
        folded.lines.count - hidden.count + counts.reduce(0, +) == difference.lines.count)
      // All that is near a change stays, in its order.
      var rest = folded.lines[...]
      for line in difference.lines(around: count) {
        guard let index = rest.firstIndex(of: line) else {
          Issue.record("\(line) is left out")
          break
        }
        rest = rest[(index + 1)...]
      }
    }
  }

  @Test("both texts can be had back from a difference", arguments: 0..<50)
  func complete(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (old, new) = (Self.text(&random), Self.text(&random))
    let lines = TextDifference(from: old, to: new).lines
    let before = lines.filter { $0.kind != .added }.map(\.text).joined(separator: "\n")
    let after = lines.filter { $0.kind != .removed }.map(\.text).joined(separator: "\n")
    #expect(before == old)
    #expect(after == new)
    for line in lines {
      for range in line.changes ?? [] { #expect(range.upperBound <= line.text.utf8.count) }
    }
    let marked = MarkedDifference(from: old, to: new)
    #expect(marked.kinds.count == lines.count)
    #expect(marked.changes == marked.changes.sorted { $0.lowerBound < $1.lowerBound })
  }

  @Test("unrelated texts of megabytes come out as replaced, in bounded steps")
  func large() {
    let old = String(repeating: "one two three four\n", count: 60_000)
    let new = String(repeating: "eins zwei drei vier fünf\n", count: 50_000)
    let difference = TextDifference(from: old, to: new)
    #expect(difference.lines.count { $0.kind == .removed } == 60_000)
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let words = ["a", "b", "東京", "é", "x y", "", " ", "\r"]
    return (0..<Int.random(in: 1...12, using: &random)).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// A line with its changed words in brackets.
  private static func marked(_ line: TextDifference.Line) -> String {
    var bytes = Array(line.text.utf8)
    for range in (line.changes ?? []).reversed() {
      bytes.insert(UInt8(ascii: "]"), at: range.upperBound)
      bytes.insert(UInt8(ascii: "["), at: range.lowerBound)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
