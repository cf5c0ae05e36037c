import TestSupport
import Testing

@testable import Markdown

struct DocumentTests {
  /// The blocks of a text with the containers around them, as words.
  private func outline(_ text: String) -> [String] {
    let document = Document(text)
    return document.blocks.map { block in
      let path = document.path(to: block).map { index -> String in
        guard let item = document.item(index) else { return ">" }
        let box = item.box.map { $0.state == .open ? "[ ]" : "[x]" } ?? ""
        return (item.isNumbered ? "1" : "-") + box
      }
      let lines = block.lines.map { document.source($0.range) }.joined(separator: "/")
      let kind =
        switch block.kind {
        case .blank: "blank"
        case .paragraph: "p"
        case .heading(let level): "h\(level)"
        case .fencedCode(let info): "code(\(document.source(info.range)))"
        case .indentedCode: "indented"
        case .thematicBreak: "break"
        case .table(let alignments): "table(\(alignments.map(\.rawValue).joined(separator: ",")))"
        }
      return (path + ["\(kind) \(lines)"]).joined(separator: " ")
    }
  }

  @Test(
    "blocks are found in their containers",
    arguments: [
      ("a\nb\n\nc", ["p a/b", "blank ", "p c"]),
      ("# a ##\n####### b\n#c", ["h1 a", "p ####### b/#c"]),
      ("> a\n>> b\nc", ["> p a", "> > p b", "p c"]),
      (">5 km\n>_<\n>a", ["p >5 km/>_<", "> p a"]),
      ("- a\n  - b\n- c\n\n  d", ["- p a", "- - p b", "- p c", "- blank ", "- p d"]),
      ("a\n2. b\n1. c", ["p a/2. b", "1 p c"]),
      ("1. [ ] a\n- [X] b\n+ [] c", ["1[ ] p a", "-[x] p b", "- p [] c"]),
      ("- [ ] # a\n- [ ] - b", ["-[ ] p # a", "-[ ] p - b"]),
      ("> 3) [x] a", ["> 1[x] p a"]),
      ("```swift x\n- a\n\n```\nb", ["code(swift x) - a/", "p b"]),
      ("- ```\n  a\nb", ["- code() a", "p b"]),
      ("    a\n\n\tb", ["indented     a", "blank ", "indented \tb"]),
      ("- a\n***\n_ _ _", ["- p a", "break ***", "break _ _ _"]),
      ("a|b\n-|:-:\nc|d\ne", ["table(left,center) a|b/c|d", "p e"]),
      ("a\u{2028}b\r\nc", ["p a/b/c"]),
      ("- \n  a", ["- p /a"]), ("- >\n  > a", ["- > p /a"]), ("a\n===\nb\n--", ["p a/===/b/--"]),
    ])
  func blocks(text: String, expected: [String]) {
    #expect(outline(text) == expected)
  }

  @Test("containers nest twelve deep, deeper markers are text")
  func depth() {
    let document = Document(String(repeating: "> ", count: 20) + "a")
    #expect(document.containers.count == Document.depthLimit)
    #expect(document.blocks.map { document.source($0.lines[0].range) } == ["> > > > > > > > a"])
  }

  /// The visible runs of a paragraph, as words in signs of their styles.
  private func runs(_ text: String) -> String {
    let document = Document(text)
    let content = document.inlines(document.blocks[0].lines)
    return content.lines.map { line in
      line.compactMap { run in
        let words = document.source(run.range)
        let styles =
          (run.styles.contains(.strong) ? "S" : "") + (run.styles.contains(.emphasis) ? "E" : "")
          + (run.styles.contains(.strikethrough) ? "D" : "")
        let link = run.link.map { "L\($0)" } ?? ""
        switch run.kind {
        case .text: return styles + link == "" ? words : "\(styles)\(link){\(words)}"
        case .code: return "\(styles)\(link)C{\(words)}"
        case .delimiter, .tildes, .linkTextEnd, .destination: return nil
        }
      }.joined()
    }.joined(separator: "/")
  }

  @Test(
    "inlines are runs of styles",
    arguments: [
      ("*a **b** c*", "E{a }SE{b}E{ c}"), ("2*3*4 a_b_c", "2*3*4 a_b_c"), ("**a\nb**", "S{a}/S{b}"),
      ("~~a~~ ~b~", "D{a} ~b~"), ("`*a*` \\*b\\*", "C{*a*} *b*"), ("***a** b*", "SE{a}E{ b}"),
      ("[a *b*](u)", "L0{a }EL0{b}"), ("*a [b*](u) c*", "E{a }EL0{b*}E{ c}"),
      ("[a]( u )[b]", "L0{a}[b]"), ("![](u)", "L0{u}"), ("[![a](i) b](u)", "L1{a}L1{ b}"),
      ("<a@b.c> https://x.y.", "L0{a@b.c} L1{https://x.y}."), ("日**本**語_a_", "日S{本}語_a_"),
      ("**[a**](u)", "**L0{a**}"),
    ])
  func inlines(text: String, expected: String) {
    #expect(runs(text) == expected)
  }

  @Test("links have the ranges of their text, destination and title")
  func links() {
    let text = "> see [a\n> b](<u v> 'T')\n> ![i](j) <m@a.org>"
    let document = Document(text)
    let links = document.inlines(document.blocks[0].lines).links
    let parts = links.map { link in
      [link.text, link.destination, link.title ?? 0..<0].map(document.source)
    }
    #expect(
      parts == [["a\n> b", "u v", "T"], ["i", "j", ""], ["m@a.org", "m@a.org", ""]])
    #expect(links.map(\.isImage) == [false, true, false])
    #expect(links.map(\.isEmail) == [false, false, true])
  }

  @Test(
    "runs together are their line, and lines what markers leave",
    arguments: SeededGenerator.seeds(4))
  func ranges(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = MarkdownSample.text(&random)
      let document = Document(text)
      var end = 0
      for block in document.blocks {
        for line in block.lines {
          #expect(line.range.lowerBound >= end, "\(text.debugDescription)")
          end = line.range.upperBound
        }
        for (line, runs) in zip(block.lines, document.inlines(block.lines).lines) {
          var position = line.range.lowerBound
          for run in runs {
            #expect(run.range.lowerBound == position && !run.range.isEmpty)
            position = run.range.upperBound
          }
          #expect(position == line.range.upperBound, "\(text.debugDescription)")
        }
      }
    }
  }

  /// Emphasis by the rules of CommonMark, with a search over all pairs for each closing sign.
  @Test(
    "emphasis agrees with a slow reading of CommonMark's rules", arguments: SeededGenerator.seeds(4)
  )
  func emphasis(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["*", "**", "***", "_", "__", "~~", " ", " ", "a", "b", "."]
    for _ in 0..<300 {
      let text =
        "a "
        + (0..<random.below(14)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined()
      let document = Document(text)
      guard document.blocks[0].kind == .paragraph else { continue }
      var styles = Array(repeating: Inline.Styles(), count: text.utf8.count)
      var isHidden = Array(repeating: false, count: text.utf8.count)
      for run in document.inlines(document.blocks[0].lines).lines[0] {
        for index in run.range {
          styles[index] = run.styles
          isHidden[index] = run.kind == .delimiter
        }
      }
      let slow = SlowEmphasis(Array(text.utf8))
      for index in styles.indices {
        #expect(isHidden[index] == slow.isHidden[index], "\(text) at \(index)")
        if !isHidden[index] { #expect(styles[index] == slow.styles[index], "\(text) at \(index)") }
      }
    }
  }

  @Test(
    "a quarter of a megabyte of whatever repeats is read",
    arguments: [
      "[", "*", "*a ", "**a_b ", "![", "[a](", "](a \"", "`", "a`b``c", "<a:", "http://(", "> ",
      "- ", "\n", "|a", "|a|b|\n|-|-|\n", "\t", "1. a\n", "~~a ", "![a](b)", "[![a](",
      "*a [*b*](u) ", "- [ ] a\n", "> 1. [ ] a\n", "*a **b ", "[a\n", "[a](https://b.c/d)\n",
    ])
  func hostile(piece: String) {
    // Anything but linear time would take a minute to days.
    let text = String(repeating: piece, count: (1 << 18) / piece.utf8.count)
    let document = Document(text)
    for block in document.blocks {
      #expect(document.inlines(block.lines).lines.count == block.lines.count)
    }
    #expect(document.taskItems.allSatisfy { $0.box.state == .open })
    #expect(CarriedItems.lines(from: [text]).count == document.taskItems.count)
  }
}

/// Emphasis as CommonMark describes it, for text of ASCII without other markup: each closing run looks
/// at every run before it, and every byte between a pair is marked.
private struct SlowEmphasis {
  private struct Run {
    var sign: UInt8
    var places: [Int]
    var length: Int
    var canOpen: Bool
    var canClose: Bool
  }

  private(set) var styles: [Inline.Styles]
  private(set) var isHidden: [Bool]

  init(_ bytes: [UInt8]) {
    styles = Array(repeating: [], count: bytes.count)
    isHidden = Array(repeating: false, count: bytes.count)
    var runs: [Run] = []
    var index = 0
    while index < bytes.count {
      let sign = bytes[index]
      var end = index + 1
      guard "*_~".utf8.contains(sign) else {
        index = end
        continue
      }
      while end < bytes.count, bytes[end] == sign { end += 1 }
      let before = index > 0 ? Character(Unicode.Scalar(bytes[index - 1])) : " "
      let after = end < bytes.count ? Character(Unicode.Scalar(bytes[end])) : " "
      let isInside = (before.isLetter || before.isNumber) && (after.isLetter || after.isNumber)
      let isBorder = (
        before: before == " " || Self.isSign(before), after: after == " " || Self.isSign(after)
      )
      let left = after != " " && (!Self.isSign(after) || isBorder.before)
      let right = before != " " && (!Self.isSign(before) || isBorder.after)
      let isRun = !isInside && (sign != UInt8(ascii: "~") || end - index == 2)
      runs.append(
        Run(
          sign: sign, places: Array(index..<end), length: end - index, canOpen: left && isRun,
          canClose: right && isRun))
      index = end
    }
    var closing = 0
    while closing < runs.count {
      if !pair(&runs, closing) { closing += 1 }
    }
  }

  private static func isSign(_ character: Character) -> Bool {
    character.isPunctuation || character.isSymbol
  }

  /// Pairs the run with the nearest one before it; false if there is none.
  private mutating func pair(_ runs: inout [Run], _ closing: Int) -> Bool {
    let close = runs[closing]
    guard close.canClose, !close.places.isEmpty else { return false }
    for opening in runs[..<closing].indices.reversed() {
      let open = runs[opening]
      guard open.sign == close.sign, open.canOpen, !open.places.isEmpty else { continue }
      let isBoth = open.canClose || close.canOpen
      let isThree = (open.length + close.length) % 3 == 0
      if isBoth, isThree, open.length % 3 != 0 || close.length % 3 != 0 { continue }
      let count = min(2, open.places.count, close.places.count)
      let first = open.places.suffix(count)
      let last = close.places.prefix(count)
      let isStrike = open.sign == UInt8(ascii: "~")
      let style: Inline.Styles = isStrike ? .strikethrough : count == 2 ? .strong : .emphasis
      let inner =
        isStrike
        ? first[first.startIndex]...last[last.endIndex - 1]
        : first[first.endIndex - 1] + 1...last[last.startIndex]
      for index in inner where isStrike || index < last[last.startIndex] {
        styles[index].insert(style)
      }
      if !isStrike { for index in first + last { isHidden[index] = true } }
      runs[opening].places.removeLast(count)
      runs[closing].places.removeFirst(count)
      // What is between a pair cannot pair with anything after it.
      for index in runs.indices[(opening + 1)..<closing] { runs[index].places = [] }
      return true
    }
    return false
  }
}
