import TestSupport

/// Random texts of fragments of Markdown, hostile and harmless ones, and words.
enum MarkdownSample {
  private static let pieces = [
    "*", "**", "_", "~~", "`", "``", "[", "](", "](https://a.org)", ")", "![", "<", ">", "\\", "|",
    "#", "---", " ", " ", "word", "longer words", "https://a.org/x", "<me@a.org>", "日本語", "。",
    "2*3*4", "snake_case", "#tag", "a", "7", "(u \"t\")", "é",
  ]

  private static let beginnings = [
    "", "", "", "- ", "- [ ] ", "* [x] ", "1. ", "2) [ ] ", "12. [X] ", "> ", "> > ", ">", ">5 km ",
    "# ", "### ", "###### ", "    ", "  ", "   ", "      - ", "\t", "```", "```swift", "~~~", "---",
    "| a | b |", "|---|:-:|", "a | b", "| 1 | 2 | 3", "- - ", "- > ", "- ```", "> - [ ] ", "===",
    "- [ ] # ", "- [ ]", "-", "1986. ", "\n", "\n",
  ]

  private static let lineEnds = ["\n", "\n", "\n", "\r\n", "\n\n", "\u{2028}"]

  private static let indents = ["", "", "", "", "  ", "    ", "> "]

  static func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<random.below(10) {
      text += indents.randomElement(using: &random) ?? ""
      text += beginnings.randomElement(using: &random) ?? ""
      for _ in 0..<random.below(8) { text += pieces.randomElement(using: &random) ?? "" }
      text += lineEnds.randomElement(using: &random) ?? ""
    }
    return text
  }
}
