import Testing

@testable import Journal

struct LastLineTests {
  @Test(
    "a tag goes to the last line of prose, and below anything else; removed, nothing is left of it",
    arguments: [
      ("text", "text #walk"), ("text <!-- comment -->", "text <!-- comment --> #walk"),
      ("# Heading", "# Heading #walk"), ("- [ ] task", "- [ ] task #walk"),
      ("> quote", "> quote #walk"),
      ("**bold**", "**bold** #walk"), ("[link](x) y", "[link](x) y #walk"),
      ("a.b@c.d", "a.b@c.d #walk"),
      ("```\ncode\n```", "```\ncode\n```\n\n#walk"),
      ("~~~\ncode\n~~~~", "~~~\ncode\n~~~~\n\n#walk"),
      ("x\n\n```dataview\nLIST\n```", "x\n\n```dataview\nLIST\n```\n\n#walk"),
      ("```\ncode\n```\nafter", "```\ncode\n```\nafter #walk"),
      ("    indented code", "    indented code\n\n#walk"), ("\tcode", "\tcode\n\n#walk"),
      ("| a |\n|---|\n| 1 |", "| a |\n|---|\n| 1 |\n\n#walk"),
      ("a | b\n--- | ---\n1 | 2", "a | b\n--- | ---\n1 | 2\n\n#walk"),
      ("$$\nx\n$$", "$$\nx\n$$\n\n#walk"), ("$$x$$", "$$x$$\n\n#walk"),
      ("costs $5", "costs $5 #walk"),
      ("[1]: https://example.org", "[1]: https://example.org\n\n#walk"),
      ("<!-- comment -->", "<!-- comment -->\n\n#walk"), ("<b>x</b>", "<b>x</b>\n\n#walk"),
      ("x\n\n---", "x\n\n---\n\n#walk"), ("x\n===", "x\n===\n\n#walk"),
    ])
  func appended(text: String, expected: String) {
    #expect(Tag.text(adding: "walk", to: text) == expected)
    #expect(Tag.text(removing: "walk", from: expected) == text)
    #expect(Tag.text(adding: ["walk", "sea"], to: text) == "\(expected) #sea")
  }

  @Test("line ends of the text stay; there is one blank line at most")
  func ended() {
    #expect(Tag.text(adding: "a", to: "```\nx\n```\n") == "```\nx\n```\n\n#a")
    #expect(Tag.text(adding: "a", to: "```\nx\n```\n\n") == "```\nx\n```\n\n#a")
    #expect(Tag.text(adding: "a", to: "text\n") == "text\n#a")
  }
}
