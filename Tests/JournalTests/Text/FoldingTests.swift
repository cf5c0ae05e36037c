import TestSupport
import Testing

@testable import Journal

@Suite("Folding")
struct FoldingTests {
  @Test(
    "texts that are one to a person fold to the same bytes",
    arguments: [
      ("STRASSE", "Straße"), ("STRAẞE", "strasse"), ("café", "CAFE"), ("caf\u{e9}", "cafe\u{301}"),
      ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("Σ", "ς"), ("Ёлка", "елка"), ("ПРИВЕТ", "привет"),
      ("ŒUVRE", "œuvre"),
      ("ﬁnal", "FINAL"), ("İstanbul", "istanbul"), ("Ångström", "angstrom"), ("\u{212b}", "å"),
      ("\u{1112}\u{1161}\u{11ab}", "한"), ("が", "か\u{3099}"), ("パ", "ハ\u{309a}"),
      ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"), ("Donau\u{ad}dampf", "donaudampf"),
      ("❤\u{fe0f}", "❤"), ("naïve", "NAIVE"), ("Å̧", "a"), ("Việt Nam", "viet nam"), ("ſ", "s"),
      ("\u{1fb3}", "α"), ("ᾼ", "α"),
    ])
  func equal(left: String, right: String) {
    #expect(Array(Folding.fold(left).utf8) == Array(Folding.fold(right).utf8))
  }

  @Test(
    "letters that differ stay different",
    arguments: [
      ("か", "が"), ("は", "ぱ"), ("ハ", "バ"), ("कि", "क"), ("क", "क्"), ("ต", "ตี"), ("ab", "a b"),
      ("日", "曰"), ("о", "o"), ("क", "क़"),
    ])
  func different(left: String, right: String) {
    #expect(Folding.fold(left) != Folding.fold(right))
  }

  @Test("ASCII only loses its capitals")
  func ascii() {
    let all = String((0..<128).compactMap { Unicode.Scalar($0) }.map { Character($0) })
    #expect(Folding.fold(all) == all.lowercased())
  }

  @Test("every scalar folds once and for all, and the fast ways agree with the definition")
  func everyScalar() {
    for value in UInt32(0x80)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let folded = Array(Folding.fold(text).utf8)
      let slow = Array(Folding.foldedSlowly(text).utf8)
      guard folded == slow,
        Array(Folding.fold(String(decoding: folded, as: UTF8.self)).utf8) == folded
      else {
        Issue.record("U+\(String(value, radix: 16)) folds to \(folded), slowly to \(slow)")
        continue
      }
    }
  }

  @Test("cutting a text into runs changes nothing: random neighbours fold as the definition says")
  func runs() {
    let pool: [Unicode.Scalar] = Array(
      "aZ é’\u{62C}\u{622}\u{5D0}\u{64E}\u{301}\u{300}\u{3099}\u{309a}\u{338}かハ한\u{1112}\u{1161}\u{11ab}ßΣςЙ\u{306}क\u{93c}日🎉\u{fe0f}\u{200d}ตี<"
        .unicodeScalars)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<5000 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        scalars.append(pool.randomElement(using: &generator) ?? "a")
      }
      let text = String(scalars)
      let fast = Array(Folding.fold(text).utf8)
      #expect(fast == Array(Folding.foldedSlowly(text).utf8), "\(scalars.map { $0.value })")
      #expect(Array(Folding.fold(Folding.fold(text)).utf8) == fast)
    }
  }

  @Test("canonically equal texts fold to the same bytes, for every letter that has two forms")
  func canonical() {
    for value in UInt32(0xC0)...0x2_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      var apart = String.UnicodeScalarView()
      apart.append(contentsOf: NormalForms.decomposed(text))
      guard apart.count > 1 || apart.first != scalar else { continue }
      #expect(
        Array(Folding.fold(text).utf8) == Array(Folding.fold(String(apart)).utf8),
        "U+\(String(value, radix: 16))")
    }
  }
}

@Suite("Words")
struct WordsTests {
  @Test(
    "words are whole, Chinese, Japanese and Korean ones a character each",
    arguments: [
      ("Hello, World!", ["hello", "world"]), ("don't", ["don", "t"]),
      ("snake_case x", ["snake_case", "x"]),
      ("日本語text", ["日", "本", "語", "text"]), ("한국어", ["한", "국", "어"]),
      ("ひらがな", ["ひ", "ら", "が", "な"]), ("か\u{3099}", ["が"]), ("カタカナー", ["カ", "タ", "カ", "ナ", "ー"]),
      ("Привет, мир", ["привет", "мир"]), ("العربية هنا", ["العربية", "هنا"]),
      ("हिन्दी भाषा", ["हिन्दी", "भाषा"]), ("3.14", ["3", "14"]), ("#work/api @anna", ["work", "api", "anna"]),
      ("🎉 party", ["🎉", "party"]), ("👩‍👩‍👧", ["👩", "👩", "👧"]), ("👍🏽", ["👍", "🏽"]),
      ("", []), ("… — !", []), ("e\u{301}te\u{301}", ["ete"]), ("Straße", ["strasse"]),
      ("𠀀𠀁", ["𠀀", "𠀁"]), ("々〇", ["々", "〇"]), ("・。、", []), ("☀\u{fe0f}", ["☀"]), ("©", []),
      ("x²", ["x²"]), ("ㄅㄆ", ["ㄅ", "ㄆ"]),
    ])
  func words(text: String, words: [String]) {
    #expect(Folding.words(of: text).map { Array($0.utf8) } == words.map { Array($0.utf8) })
  }

  @Test("every scalar is in words as Unicode defines it, and only pictures stand alone uncounted")
  func everyScalar() {
    for value in UInt32(0x80)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let defined = WordClass(definedFor: scalar)
      #expect(WordClass(scalar) == defined, "U+\(String(value, radix: 16))")
      let isCounted =
        defined == .letter || (defined == .alone && !scalar.properties.isEmoji)
      #expect(
        Folding.wordCount(of: String(scalar)) == (isCounted ? 1 : 0),
        "U+\(String(value, radix: 16))")
      let splits = defined == .alone || (defined == .other && scalar.properties.isWhitespace)
      #expect(
        Folding.wordCount(of: "a\(scalar)\u{61}") == (splits ? 2 : 1)
          + (isCounted && splits ? 1 : 0),
        "U+\(String(value, radix: 16))")
    }
  }

  @Test("joined words are the words with spaces between them, and long ones are cut at a scalar")
  func joined() {
    for text in ["Ünï cødé Straße", "日本 ﬁnal か\u{3099}", "", " … ", "x🎉y_z-1", "مرحبا، ’tis"] {
      #expect(
        Folding.joinedWords(of: text, cut: 100)
          == Folding.words(of: text).joined(separator: " "))
    }
    #expect(Folding.joinedWords(of: "abcdef ab жжж", cut: 5) == "abcde ab жж")
  }

  @Test("the words of a text are the words of its words")
  func stable() {
    for text in ["Ünï cødé Straße", "日本 ﬁnal か\u{3099}", "ΣΊΣΥΦΟΣ ŉ ǰ", "x🎉y_z-1"] {
      let words = Folding.words(of: text)
      #expect(Folding.words(of: words.joined(separator: " ")) == words)
    }
  }
}

@Suite("Suggestions")
struct SuggestionTests {
  @Test(
    "distance counts slips",
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "abc", 3), ("since", "sinse", 1), ("since", "sicne", 1),
      ("monday", "sunday", 2), ("ca", "abc", 3), ("kitten", "sitting", 3), ("ABC", "abc", 0),
    ])
  func distance(left: String, right: String, expected: Int) {
    #expect(Suggestion.distance(left, right) == expected)
    #expect(Suggestion.distance(right, left) == expected)
  }

  @Test("only what is near is suggested")
  func nearest() {
    #expect(Suggestion.nearest(to: "sinse", among: ["is", "since", "until"]) == "since")
    #expect(Suggestion.nearest(to: "i", among: ["is", "since"]) == "is")
    #expect(Suggestion.nearest(to: "http", among: ["is", "since"]) == nil)
    #expect(Suggestion.nearest(to: "x", among: []) == nil)
  }
}
