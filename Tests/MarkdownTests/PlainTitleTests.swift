import TestSupport
import Testing

@testable import Markdown

/// Titles without the markers of Markdown.
struct PlainTitleTests {
  @Test(
    "markers go, words stay",
    arguments: [
      ("# A long day", "A long day"), ("###### Six", "Six"), ("####### Seven", "####### Seven"),
      ("#tag stays", "#tag stays"), ("#", "#"), ("> quoted", "quoted"), (">> twice", "twice"),
      ("- [ ] milk", "milk"), ("- [x] bread", "bread"), ("* item", "item"),
      ("-5 degrees", "-5 degrees"),
      ("- ", "- "), ("**Bold** and *soft*", "Bold and soft"), ("a `code` word", "a code word"),
      ("~~gone~~ here", "~~gone~~ here"), ("see [the page](https://x.org/a_b)", "see the page"),
      ("![a cat](cat.png)", "a cat"), ("[ ] no box", "[ ] no box"),
      ("2*3*4 snake_case", "2*3*4 snake_case"),
      ("a \\*star\\*", "a *star*"), ("<https://x.org>", "https://x.org"), ("1. first", "1. first"),
      ("**", "**"), ("日本 **語**", "日本 語"), ("> # - [ ] **x**", "- [ ] x"),
      ("> - [ ] **x**", "x"), ("1. [ ] call", "1. call"), ("C++ and a|b", "C++ and a|b"),
      ("-- dashes", "-- dashes"), ("+1", "+1"),
    ])
  func text(title: String, plain: String) {
    #expect(PlainTitle.text(of: title) == plain)
  }

  @Test("a title that is not parsed, since no marker is in sight, is what the parser would make")
  func quickLook() {
    let pieces = [
      "a", "#", "##", "#tag", "-", "+", ">", "x-y", "C++", "**b**", "_i_", "~~s~~",
      "`c`", "[l](u)", "<http://x.org>", "\\*", "é", "雨", "!", "=", "|", "http://x.org/a",
    ]
    var random = SeededGenerator(seed: 31)
    for _ in 0..<20_000 {
      let words = (0...random.below(4)).map { _ in pieces[random.below(pieces.count)] }
      let number = random.chance(percent: 20) ? ["1."] : []
      let title = (number + words).joined(separator: " ")
      #expect(PlainTitle.text(of: title) == PlainTitle.withoutMarkers(title), "\(title)")
    }
  }

  @Test("of the markers at the beginning only, emphasis and links stay")
  func blockMarkers() {
    #expect(PlainTitle.withoutBlockMarkers("## A **long** [day](x)") == "A **long** [day](x)")
    #expect(PlainTitle.withoutBlockMarkers("- [ ] `x`") == "`x`")
    #expect(PlainTitle.withoutBlockMarkers("plain") == "plain")
    #expect(PlainTitle.withoutBlockMarkers("") == "")
  }

  @Test("lists, quotes, tables and code are blocks that a heading would break")
  func blocks() {
    for title in ["- a", "- [ ] a", "> a", "* a", "1. a", "```swift", "~~~", "| a |"] {
      #expect(PlainTitle.beginsBlock(title), "\(title)")
    }
    for title in ["# a", "a", "**a**", "#tag", "-a", ""] {
      #expect(!PlainTitle.beginsBlock(title), "\(title)")
    }
  }
}
