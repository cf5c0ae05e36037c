import Journal
import TestSupport
import Testing

/// Three-way merges of texts.
struct TextMergeTests {
  /// A merge of texts without conflict, with its result.
  struct Clean: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var texts: [String]

    init(_ name: String, _ base: String, _ left: String, _ right: String, _ merged: String) {
      testDescription = name
      texts = [base, left, right, merged]
    }
  }

  static let clean = [
    Clean("two lines", "a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"),
    Clean("neighbouring lines", "a\nb", "A\nb", "a\nB", "A\nB"),
    Clean("two words of a line", "one two three", "1 two three", "one two 3", "1 two 3"),
    Clean("neighbouring words", "one two", "ONE two", "one TWO", "ONE TWO"),
    Clean("a word deleted beside a changed one", "a b c", "a c", "a b d", "a d"),
    Clean("a line appended, the last one changed", "a\nb", "a\nb\nc", "a\nB", "a\nB\nc"),
    Clean("the same with line feeds", "a\nb\n", "a\nb\nc\n", "a\nB\n", "a\nB\nc\n"),
    Clean("the same with CRLF", "a\r\nb", "a\r\nb\r\nc", "a\r\nB", "a\r\nB\r\nc"),
    Clean("one before, one after", "b", "a\nb", "b\nc", "a\nb\nc"),
    Clean("the same change twice", "a b\nc", "A b\nc", "A b\nc!", "A b\nc!"),
    Clean("the same line appended", "a\nb", "A\nb\nc", "a\nb\nc", "A\nb\nc"),
    Clean("lines that both appended", "a\nb", "a\nb\nd", "a\nb\nc", "a\nb\nc\nd"),
    Clean("the same with line feeds", "a\nb\n", "a\nb\nc\n", "a\nb\nd\n", "a\nb\nc\nd\n"),
    Clean(
      "times that both appended", "day", "day\n10:00 tea", "day\n09:00 rain",
      "day\n09:00 rain\n10:00 tea"),
    Clean("paragraphs", "a", "a\n\nrain", "a\n\nsun", "a\n\nrain\n\nsun"),
    Clean("one appended more", "a", "a\nb\nc", "a\nb", "a\nb\nc"),
    Clean("one has the other's among its own", "a", "a\nb\nc\nd", "a\nb\nd", "a\nb\nc\nd"),
    Clean("a common beginning", "a", "a\nb\nx", "a\nb\ny", "a\nb\nx\ny"),
    Clean("both appended, one changed above", "a\nb", "A\nb\nd", "a\nb\nc", "A\nb\nc\nd"),
    Clean("only the final line feed", "a\nb", "a\nb\n", "A\nb", "A\nb\n"),
    Clean("a final line feed removed", "a b\n", "a b", "a B\n", "a B"),
    Clean("a final line feed on both sides", "a b", "A b\n", "a B\n", "A B\n"),
    Clean("a line deleted beside a changed one", "a\nb\nc", "a\nc", "a\nb\nC", "a\nC"),
    Clean(
      "line ends converted, a word changed", "a x\nb\nc", "a x\r\nb\r\nc", "a y\nb\nc",
      "a y\r\nb\r\nc"),
    Clean("carriage returns alone", "a\rb\rc", "A\rb\rc", "a\rb\rC", "A\rb\rC"),
    Clean("tags of both sides", "tea", "tea #b #d", "tea #a #b", "tea #a #b #d"),
    Clean("tags after a line", "tea\nhot\n", "tea\nhot\n#a", "tea\nhot\n@b", "tea\nhot\n#a @b"),
    Clean("Japanese", "今日は東京へ行く。", "今日は大阪へ行く。", "今日は東京へ来る。", "今日は大阪へ来る。"),
    Clean("Chinese sentences", "我在家。天气好。", "我不在家。天气好。", "我在家。天气不好。", "我不在家。天气不好。"),
    Clean("emoji", "👩‍👩‍👧 and 🇩🇪 x", "👩‍👩‍👦 and 🇩🇪 x", "👩‍👩‍👧 and 🇫🇷 x", "👩‍👩‍👦 and 🇫🇷 x"),
    Clean("equal characters, other bytes", "é a b", "e\u{301} a b", "é a c", "e\u{301} a c"),
    Clean(
      "lone marks", "\u{301}a\n\u{301}\nb", "\u{301}x\n\u{301}\nb", "\u{301}a\n\u{301}\nB",
      "\u{301}x\n\u{301}\nB"),
  ]

  @Test("a favoured side has its lines where both changed the same words, and nowhere else")
  func favoured() {
    let texts = [
      // base, mine, theirs, mine favoured, theirs favoured
      [
        "alpha\nbeta\ngamma\ndelta", "alpha M1\nbeta\ngamma\ndelta M4",
        "alpha\nbeta T2\ngamma\ndelta T4", "alpha M1\nbeta T2\ngamma\ndelta M4",
        "alpha M1\nbeta T2\ngamma\ndelta T4",
      ],
      ["one two three", "ONE 2 three", "one II THREE", "ONE 2 three", "one II THREE"],
      ["a\nb\nc", "a\nx\nc", "a\nc\nd", "a\nx\nc\nd", "a\nc\nd"],
      ["tea", "milk", "water", "milk", "water"],
      ["a b\n", "a c", "a d\r\n", "a c", "a d\r\n"],
    ]
    for text in texts {
      let (base, mine, theirs) = (text[0], text[1], text[2])
      #expect(TextMerge.merge(base: base, mine, theirs) == nil)
      #expect(TextMerge.merge(base: base, mine, theirs, favouring: .left) == text[3])
      #expect(TextMerge.merge(base: base, mine, theirs, favouring: .right) == text[4])
      #expect(TextMerge.merge(base: base, theirs, mine, favouring: .right) == text[3])
    }
    for clean in Self.clean {
      for side in [TextMerge.Side.left, .right] {
        let merged = TextMerge.merge(
          base: clean.texts[0], clean.texts[1], clean.texts[2], favouring: side)
        #expect(merged == clean.texts[3], "\(clean)")
      }
    }
  }

  @Test("what a favoured side wrote is in the merge, whatever the other one did")
  func favouredWords() throws {
    var generator = SeededGenerator(seed: SeededGenerator.runSeed)
    for round in 0..<400 {
      var number = 0
      func word(_ sign: String) -> String {
        number += 1
        return "\(sign)\(round)x\(number)"
      }
      let base = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        (0..<Int.random(in: 1...6, using: &generator)).map { _ in word("b") }
      }
      func changed(_ sign: String) -> (text: String, words: [String]) {
        var (lines, words) = (base, [String]())
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
          guard let line = lines.indices.randomElement(using: &generator) else { break }
          let new = word(sign)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: lines.insert([new], at: line)
          case 1: lines[line].append(new)
          case 2: lines[line][Int.random(in: 0..<lines[line].count, using: &generator)] = new
          default: lines.remove(at: line)
          }
          words = lines.flatMap { $0 }.filter { $0.hasPrefix(sign) }
        }
        return (lines.map { $0.joined(separator: " ") }.joined(separator: "\n"), words)
      }
      let (left, right) = (changed("l"), changed("r"))
      guard !left.text.isEmpty, !right.text.isEmpty else { continue }
      let text = base.map { $0.joined(separator: " ") }.joined(separator: "\n")
      for (side, favoured) in [(TextMerge.Side.left, left), (.right, right)] {
        let merged = TextMerge.merge(base: text, left.text, right.text, favouring: side)
        let words = Set(merged?.split { $0 == " " || $0 == "\n" }.map(String.init) ?? [])
        #expect(words.isSuperset(of: favoured.words), "\(text)|\(left.text)|\(right.text)")
        let all = [text, left.text, right.text].flatMap { $0.split { $0 == " " || $0 == "\n" } }
        #expect(words.isSubset(of: Set(all.map(String.init))))
        if let plain = TextMerge.merge(base: text, left.text, right.text) {
          #expect(merged == plain)
        }
      }
    }
  }

  @Test("both texts in one have the common lines once, and lose no line")
  func both() {
    #expect(TextMerge.both("Trip\nRain\nHome", "Trip\nSun\nHome") == "Trip\nRain\nSun\nHome")
    #expect(TextMerge.both("a", "b") == "a\nb")
    #expect(TextMerge.both("a\n\nb", "a\n\nc\nd") == "a\n\nb\nc\nd")
    #expect(TextMerge.both("a", "a") == "a")
  }

  @Test("changes of different words merge", arguments: clean)
  func merges(_ sample: Clean) {
    let texts = sample.texts
    let merged = TextMerge.merge(base: texts[0], texts[1], texts[2])
    #expect(merged.map(Self.bytes) == Self.bytes(texts[3]))
    #expect(
      TextMerge.merge(base: texts[0], texts[2], texts[1]).map(Self.bytes) == Self.bytes(texts[3]))
  }

  @Test(
    "changes of the same words, or whose order would be arbitrary, do not",
    arguments: [
      ["one", "two", "three"],
      ["", "two", "three"],
      ["", "\nfoo", "bar\n"],
      ["a\nb", "c\na\nb", "d\na\nb"],
      ["a\nb", "a\nb and c", "a\nb and d"],
      ["tea", "tea #a", "tea with milk"],
      ["tea", "tea #a", "tea #b\nand more"],
      ["tea", "tea #a", "tea. #b"],
      ["I like tea", "I like green tea", "I like coffee"],
      ["went home", "went out and ate", "went home and slept"],
      ["at 10:30 here", "at 11:30 here", "at 10:45 here"],
      ["on 2026-11-21", "on 2026-12-21", "on 2026-11-24"],
      ["I can't", "I don't", "I can'ts"],
      ["3月5日に", "4月5日に", "3月6日に"],
      ["食べた", "飲べた", "食べる"],
      ["a\nb c\nd", "a\nd", "a\nb x\nd"],
      // Without the words of either side nothing would be left.
      ["one\n two", "\n two", "one\n "],
      ["a b", "a", "b"],
      // The carriage return of one side and the line feed of the other would be one character.
      ["p q", "p\rq", "p \nq"],
    ])
  func conflicts(_ texts: [String]) {
    #expect(TextMerge.merge(base: texts[0], texts[1], texts[2]) == nil)
    #expect(TextMerge.merge(base: texts[0], texts[2], texts[1]) == nil)
  }

  @Test("what one side left as it was, the other decides", arguments: 0..<200)
  func oneSide(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (base, other) = (Self.text(&random), Self.text(&random))
    for merged in [
      TextMerge.merge(base: base, base, other), TextMerge.merge(base: base, other, base),
      TextMerge.merge(base: base, other, other),
    ] {
      #expect(merged.map(Self.bytes) == Self.bytes(other))
    }
  }

  @Test("random merges are symmetric, of whole words, and lose no word that a side added")
  func random() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    var cleanCount = 0
    for round in 0..<3_000 {
      let base = Self.text(&random)
      let left = Self.edited(base, &random)
      let right = Self.edited(base, &random)
      let merged = TextMerge.merge(base: base, left, right)
      let mirrored = TextMerge.merge(base: base, right, left)
      let name = "round \(round): \([base, left, right, merged ?? "nil"].map(\.debugDescription))"
      #expect(merged.map(Self.bytes) == mirrored.map(Self.bytes), "\(name)")
      guard let merged else { continue }
      cleanCount += left == base || right == base || left == right ? 0 : 1
      let words = [base, left, right, merged].map(Self.words)
      let known = Set(words[0]).union(words[1]).union(words[2])
      #expect(Set(words[3]).subtracting(known).isEmpty, "\(name)")
      // A line ends with its line feed, whether a carriage return stands before it or not.
      let clusters = Self.clusters(base).union(Self.clusters(left)).union(Self.clusters(right))
        .union([[0x0A]])
      #expect(Self.clusters(merged).isSubset(of: clusters), "\(name)")
      for word in known {
        let counts = words.map { list in list.count { $0 == word } }
        if counts[1] >= counts[0], counts[2] >= counts[0], max(counts[1], counts[2]) > 0 {
          #expect(counts[3] >= max(1, counts[0]), "\(word.debugDescription) in \(name)")
        }
        if counts[1] > 0, counts[2] > 0, counts[0] == 0 || min(counts[1], counts[2]) >= counts[0] {
          #expect(counts[3] > 0, "\(word.debugDescription) in \(name)")
        }
      }
    }
    #expect(cleanCount > 600)
  }

  @Test("changes of lines that nobody else touched always merge", arguments: 0..<300)
  func separateLines(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Each line is unique, so that the alignment is known, and each is changed by one side or none.
    let lines = (0..<Int.random(in: 1...20, using: &random)).map { "line \($0) of base" }
    var (left, right, merged) = (lines, lines, lines)
    for index in lines.indices.reversed() {
      let change: [String] =
        switch random.below(3) {
        case 0: ["line \(index) CHANGED base"]
        case 1: []
        default: ["line \(index) of base", "below \(index)"]
        }
      switch random.below(5) {
      case 0:
        left.replaceSubrange(index...index, with: change)
        merged.replaceSubrange(index...index, with: change)
      case 1:
        right.replaceSubrange(index...index, with: change)
        merged.replaceSubrange(index...index, with: change)
      default: break
      }
    }
    let end = ["", "\n", "\r\n"].randomElement(using: &random) ?? ""
    let feed = end.isEmpty ? "\n" : end
    let texts = [lines, left, right, merged].map { lines in
      lines.isEmpty ? "" : lines.joined(separator: feed) + end
    }
    guard !texts[3].isEmpty else { return }
    #expect(TextMerge.merge(base: texts[0], texts[1], texts[2]) == texts[3], "seed \(seed)")
  }

  @Test("megabytes with a few changes merge by lines and by words, unrelated ones come out as nil")
  func large() {
    let lines = (0..<20_000).map { "line \($0) has some more words of which none is special" }
    for separator in ["\n", " "] {
      var (left, right, both) = (lines, lines, lines)
      for index in stride(from: 10, to: 20_000, by: 1_500) {
        left[index] = "left \(index)"
        both[index] = "left \(index)"
      }
      for index in stride(from: 500, to: 20_000, by: 1_300) {
        right[index] += ", is not it"
        both[index] += ", is not it"
      }
      let texts = [lines, left, right, both].map { $0.joined(separator: separator) }
      #expect(TextMerge.merge(base: texts[0], texts[1], texts[2]) == texts[3])
    }
    let texts = ["one two three\n", "eins zwei drei\n", "un deux trois\n"].map {
      String(repeating: $0, count: 70_000)
    }
    #expect(TextMerge.merge(base: texts[0], texts[1], texts[2]) == nil)
    let words = texts.map { $0.replacing("\n", with: " ") }
    #expect(TextMerge.merge(base: words[0], words[1], words[2]) == nil)
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func clusters(_ text: String) -> Set<[UInt8]> { Set(text.map { Array($0.utf8) }) }

  /// The words by white space, byte by byte.
  private static func words(_ text: String) -> [[UInt8]] {
    text.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
  }

  private static let parts = [
    "a", "b", "c", "dd", "é", "e\u{301}", "10:30", "don't", "\u{301}", "👩‍👩‍👧", "🇩🇪", "🇩", "x.",
  ]
  private static let separators = [
    " ", " ", " ", "  ", "\n", "\n", "\n\n", "\r\n", "\r", "\t", "\u{2028}", "\u{3000}",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    let text = (0..<Int.random(in: 1...14, using: &random)).map { _ in
      word(&random) + (separators.randomElement(using: &random) ?? "")
    }.joined()
    return random.chance(percent: 50) ? text + word(&random) : text
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    parts.randomElement(using: &random) ?? ""
  }

  /// A text with up to three changes at boundaries of characters.
  private static func edited(_ text: String, _ random: inout SeededGenerator) -> String {
    var text = text
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let start = random.below(text.count + 1)
      let end = min(text.count, start + random.below(5))
      let range =
        text.index(text.startIndex, offsetBy: start)..<text.index(text.startIndex, offsetBy: end)
      let new =
        switch random.below(4) {
        case 0: ""
        case 1: word(&random)
        case 2: (separators.randomElement(using: &random) ?? "") + word(&random)
        default: word(&random) + (separators.randomElement(using: &random) ?? "")
        }
      text.replaceSubrange(range, with: new)
    }
    return text.allSatisfy(\.isWhitespace) ? text + "z" : text
  }
}
