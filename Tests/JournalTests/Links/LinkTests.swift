import TestSupport
import Testing

@testable import Journal

@Suite("Links in a text")
struct LinkTests {
  @Test(
    "a link is two pairs of brackets on a line of prose",
    arguments: [
      ("see [[Potato soup]].", ["Potato soup"]), ("[[2026-11-21]]", ["2026-11-21"]),
      ("[[a]] [[b|see b]] [[c#d|e]]", ["a", "b", "c"]), ("[[ a ]]", ["a"]),
      ("[[]] [[ ]] [[|x]]", []),
      ("[a](b) [[c]", []), ("[[a [[b]]", ["b"]), ("[[a]b]]", []), ("[[a\nb]]", []),
      ("[[[[c]]]]", ["c"]), ("![[picture.png]] [[x]]", ["x"]), ("\\[[a]] \\\\[[b]]", ["b"]),
      ("`[[a]]` [[b]]", ["b"]), ("```\n[[a]]\n```\n[[b]]", ["b"]), ("x\n\n    [[a]]\n", []),
      ("| [[a\\|b]] |\n| - |\n| [[c]] |", ["a", "c"]), ("[[C# notes]]", ["C# notes"]),
      ("[[lunch #anna]]", ["lunch #anna"]), ("[[#heading]]", ["#heading"]), ("[[日記]]", ["日記"]),
      ("<!-- [[a]] --> [[b]]", ["b"]), ("[x]([[a]]) [[b]]", ["b"]), ("[[a|b|c]]", ["a"]),
    ])
  func found(text: String, targets: [String]) {
    #expect(Link.all(in: text).map(\.target) == targets)
  }

  @Test(
    "a title in a list has what is shown of its links",
    arguments: [
      ("[[Potato soup]]", "Potato soup"), ("to [[a|the *b*]] and [[c#d]]!", "to the b and c#d!"),
      ("`[[a]]` [[b", "[[a]] [[b"), ("## [[東京]] 🍜", "東京 🍜"), ("plain", "plain"),
      ("![[picture.png]]", "![[picture.png]]"),
    ])
  func titles(title: String, shown: String) {
    #expect(Entry.plainTitle(of: title) == shown)
  }

  @Test("a link has a heading and other words")
  func parts() throws {
    let link = try #require(Link.all(in: "é [[ Soup#The salt | the soup ]]").first)
    #expect(link.target == "Soup")
    #expect(link.heading == "The salt")
    #expect(link.words == "the soup")
    #expect(link.range == 3..<33)
    #expect(link.targetRange == 6..<10)
  }

  @Test(
    "a key has no case, accents and mark of a heading",
    arguments: [
      ("Potato Soup", "potato soup"), ("Café", "cafe"), ("## Title", "title"), ("#tag", "#tag"),
      (" a ", "a"), ("2026-11-21", "2026-11-21"), ("####### x", "####### x"), ("# # x", "# # x"),
    ])
  func keys(target: String, key: String) {
    #expect(Link.key(of: target) == key)
    #expect(Link.key(of: key) == key)
  }

  @Test("days and months are no titles")
  func dates() throws {
    #expect(Link.target(ofKey: "2026-11-21") == .days(try day("2026-11-21")...day("2026-11-21")))
    #expect(Link.target(ofKey: "2026-02") == .days(try day("2026-02-01")...day("2026-02-28")))
    #expect(Link.target(ofKey: "2026-13") == .title("2026-13"))
    #expect(Link.target(ofKey: "2026") == .title("2026"))
    #expect(Link.keys(ofTitleKey: "2026-11") == [])
  }

  @Test(
    "the tags at its end need not be in a link to a title",
    arguments: [
      ("lunch #anna", ["lunch #anna", "lunch"]), ("# soup  #a @b", ["soup  #a @b", "soup  #a"]),
      ("# soup #a @b", ["soup #a @b", "soup"]), ("soup", ["soup"]), ("#a #b", ["#a #b", "#a"]),
      ("soup #1", ["soup #1"]),
      ("2026-11-21 #a", ["2026-11-21 #a"]),
    ])
  func titleKeys(title: String, keys: [String]) {
    #expect(Link.keys(ofTitleKey: title) == keys)
  }

  @Test("a title with brackets or a bar cannot be named")
  func linkable() {
    #expect(Link.text(to: "Potato soup") == "[[Potato soup]]")
    for title in ["a]]", "[x] a", "a|b", "a#b", " a", ""] { #expect(Link.text(to: title) == nil) }
  }

  @Test("targets are replaced, the rest of a text stays byte for byte")
  func replaced() {
    let text = "é [[ Soup#salt | s ]] `[[Soup]]` [[other]]\r\n[[soup]]"
    let new = Link.text(replacingTargetsIn: text) { $0.key == "soup" ? "Stew" : nil }
    #expect(new == "é [[ Stew#salt | s ]] `[[Soup]]` [[other]]\r\n[[Stew]]")
    #expect(Link.text(replacingTargetsIn: text) { _ in nil }.isSame(as: text))
  }

  @Test("random texts have the links that a slow reader finds", arguments: SeededGenerator.seeds(4))
  func agreement(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4_000 {
      let text = Self.text(&random)
      #expect(
        Link.all(in: text).map { "\($0.target)|\($0.heading ?? "-")|\($0.words ?? "-")" }
          == Self.slowly(text), "\(text.debugDescription)")
    }
  }

  private static let pieces = [
    "[[", "[", "]]", "]", "|", "#", " ", "a", "B c", "!", "\\", "\n", "é", "2026-11", "::", "日",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<random.below(14)).map { _ in pieces[random.below(pieces.count)] }.joined()
  }

  /// Tries each pair of brackets by the definition.
  private static func slowly(_ text: String) -> [String] {
    var links: [String] = []
    var rest = 0
    let signs = Array(text.unicodeScalars)
    for start in signs.indices where start >= rest {
      for end in signs.indices where end > start + 2 && end < signs.count {
        let inner = signs[start..<end]
        guard signs[start...].starts(with: "[[".unicodeScalars), end + 1 < signs.count,
          signs[end] == "]", signs[end + 1] == "]",
          !inner.dropFirst(2).contains(where: { "[]\n".unicodeScalars.contains($0) })
        else { continue }
        let before = signs[..<start]
        guard before.last != "!",
          before.reversed().prefix(while: { $0 == "\\" }).count.isMultiple(of: 2)
        else { continue }
        let content = string(inner.dropFirst(2))
        let parts = content.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        var named = String(parts[0])
        if parts.count > 1, named.hasSuffix("\\") { named.removeLast() }
        let characters = Array(named.unicodeScalars)
        let hash = characters.indices.first {
          characters[$0] == "#" && $0 > 0 && characters[$0 - 1] != " " && $0 + 1 < characters.count
            && characters[$0 + 1] != " "
        }
        let target = trimmed(string(characters[..<(hash ?? characters.count)]))
        guard !target.isEmpty else { continue }
        let heading = hash.map { trimmed(string(characters[($0 + 1)...])) }
        let words = parts.count > 1 ? trimmed(String(parts[1])) : nil
        links.append("\(target)|\(heading ?? "-")|\(words ?? "-")")
        rest = end + 2
      }
    }
    return links
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func trimmed(_ text: String) -> String {
    string(
      ArraySlice(
        text.unicodeScalars.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
  }

  @Test(
    "hostile texts are read in linear time",
    arguments: [
      "[[", "[[a", "[[a|", "\\[[", "[[a]]", "[[#", "[", "[[a]", "a:: [", "(a:: ", "[a:: ", "a:: ",
      "a::",
    ])
  func hostile(piece: String) {
    // Anything but linear time would take minutes.
    let text = String(repeating: piece, count: 1_000_000)
    #expect(Marks(text).links.count <= 1_000_000)
  }
}
