import Journal
import TestSupport
import Testing

/// Two texts side by side.
struct AlignedDifferenceTests {
  @Test("same lines share a row; a changed one shares it with the line it has most words with")
  func rows() {
    let old = "Trip\n\nWe met Anna at the station\nThen home\nThe end"
    let new = "Trip\n\nIt was raining\nWe met Anna at the harbour\nThe end"
    #expect(
      Self.rows(old, new) == [
        "Trip | Trip", " | ", "- | It was raining",
        "We met Anna at the station | We met Anna at the harbour", "Then home | -",
        "The end | The end",
      ])
    #expect(Self.rows("one\ntwo", "eins\nzwei\ndrei") == ["one | eins", "two | zwei", "- | drei"])
    #expect(Self.rows("", "a\nb") == ["- | a", "- | b"])
    #expect(Self.rows("", "") == [])
  }

  @Test("the words that differ are marked on their own side, in whole characters")
  func marks() {
    let aligned = AlignedDifference(
      TextDifference(from: "x\n今日は東京 👩‍👩‍👧 e\u{301}", to: "x\n今日は京都 👩‍👩‍👦 e\u{301}"))
    #expect(Self.marked(aligned.old) == ["東", "👩‍👩‍👧"])
    #expect(Self.marked(aligned.new) == ["都 👩‍👩‍👦"])
    #expect(aligned.old.kinds == [.same, .removed])
    #expect(aligned.new.kinds == [.same, .added])
  }

  @Test("each side is its text, and each line has one row, in order", arguments: 0..<50)
  func complete(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (old, new) = (Self.text(&random), Self.text(&random))
    let aligned = AlignedDifference(TextDifference(from: old, to: new))
    #expect(aligned.old.text == old)
    #expect(aligned.new.text == new)
    #expect(aligned.rows.compactMap(\.old) == Array(aligned.old.kinds.indices))
    #expect(aligned.rows.compactMap(\.new) == Array(aligned.new.kinds.indices))
    #expect(aligned.rows.allSatisfy { $0.old != nil || $0.new != nil })
  }

  @Test("of two unrelated texts of many lines the lines pair up in order")
  func large() {
    let old = (0..<3_000).map { "old \($0)" }.joined(separator: "\n")
    let new = (0..<2_000).map { "new \($0)" }.joined(separator: "\n")
    let aligned = AlignedDifference(TextDifference(from: old, to: new))
    #expect(aligned.rows.count == 3_000)
    #expect(aligned.rows.prefix(2_000).allSatisfy { $0.old == $0.new })
  }

  private static func rows(_ old: String, _ new: String) -> [String] {
    let aligned = AlignedDifference(TextDifference(from: old, to: new))
    let left = old.split(separator: "\n", omittingEmptySubsequences: false)
    let right = new.split(separator: "\n", omittingEmptySubsequences: false)
    return aligned.rows.map { row in
      "\(row.old.map { left[$0] } ?? "-") | \(row.new.map { right[$0] } ?? "-")"
    }
  }

  private static func marked(_ side: AlignedDifference.Side) -> [String] {
    let bytes = Array(side.text.utf8)
    return side.changes.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let words = ["a", "b", "東京", "é", "x y", "", " ", "\r"]
    return (0..<Int.random(in: 1...12, using: &random)).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
