import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// Front matter as programs of notes and sites write it.
struct FrontMatterTests {
  private static func source(_ text: String, path: String = "note.md") -> MarkdownSource {
    MarkdownSource(utf8(text), path: path, options: options())
  }

  /// The only entry of a note with these fields.
  private static func entry(
    _ matter: String, fence: String = "---", body: String = "x"
  ) throws -> ImportedEntry {
    let read = entries(source("\(fence)\n\(matter)\n\(fence)\n\(body)"))
    try #require(read.count == 1)
    return read[0]
  }

  @Test(
    "YAML is YAML: blocks, quotes, anchors, lists of any form",
    arguments: [
      ("title: |-\n  On\n  two lines", "On\ntwo lines", []),
      ("title: >\n  folded\n  here\n", "folded here", []),
      ("title: 'it''s'\ntags: [a, \"b c\", 'd']", "it's", ["a", "b c", "d"]),
      ("title: \"tab\\tand \\u00e9\"\ntags:\n  - a # why\n  - b", "tab\tand é", ["a", "b"]),
      ("one: &t [x, y]\ntags: *t", "", ["x", "y"]),
      ("tags: [a,\n  b,\n  c]", "", ["a", "b", "c"]),
      ("tags: {}\nkeywords: [k]", "", ["k"]), ("tags: null", "", []), ("tags: ~", "", []),
      ("base: &b {tags: [m]}\n<<: *b", "", ["m"]), ("tags: [[n, [o]], p]", "", ["n", "o", "p"]),
    ])
  func yaml(matter: String, title: String, tags: [String]) throws {
    let entry = try Self.entry("date: 2024-01-05\n\(matter)")
    #expect(entry.text == (title.isEmpty ? "x" : "\(title)\n\nx"))
    #expect(entry.tags == tags)
    #expect(!entry.remarks.contains { $0.contains("broken") })
  }

  @Test(
    "a date is the one that is spelt, in quotes or not",
    arguments: [
      ("date: 2024-01-05T10:00:00Z", "2024-01-05T11:00:00+01:00"),
      ("date: '2024-01-05 10:00'", "2024-01-05T10:00:00+01:00"),
      ("date: 2024-01-05 10:00:00 -0500", "2024-01-05T10:00:00-05:00"),
      ("created: 2021-05-01 16:40:00Z", "2021-05-01T17:40:00+01:00"),
      ("date: 2024-01-05T10:00:00.250+02:00", "2024-01-05T10:00:00+02:00"),
      ("created: 202401051000", "2024-01-05T10:00:00+01:00"),
      ("created: 1598457956604", "2020-08-26T17:05:56+01:00"),
      ("created: '1598457956604'", "2020-08-26T17:05:56+01:00"),
      ("created: 1598457956", "2020-08-26T17:05:56+01:00"),
      ("created: soon\ndate: 2024-01-05", "2024-01-05T00:00:00+01:00"),
    ])
  func dates(matter: String, created: String) throws {
    #expect(try Self.entry(matter).created == moment(created))
  }

  @Test("lists of TOML may take many lines, and tags stand among taxonomies too")
  func toml() throws {
    let hugo = """
      title = 'A "post"'
      date = 2024-01-05T10:00:00+02:00
      tags = [
        "travel", # of the year
        "two words",
      ]
      """
    let post = try Self.entry(hugo, fence: "+++")
    #expect(tagged(post) == "A \"post\"\n\nx #travel #two-words")
    #expect(post.created == (try moment("2024-01-05T10:00:00+02:00")))
    let zola = """
      title = \"\"\"
      Long\"\"\"
      date = 2024-01-05
      [taxonomies]
      tags = ["z",
      "y"]
      [extra]
      math = true
      """
    let page = try Self.entry(zola, fence: "+++")
    #expect(page.text == "Long\n\nx")
    #expect(page.tags == ["z", "y"])
    #expect(page.unkept == ["extra"])
    let local = try Self.entry(
      "date = 2024-01-05 10:30:00\nupdated = 2024-01-06T00:00:00Z", fence: "+++")
    #expect(local.created == (try moment("2024-01-05T10:30:00+01:00")))
    #expect(local.modified == (try moment("2024-01-06T00:00:00Z")))
  }

  @Test(
    "fields without a place are named once, unless they are empty, false, or say the same again")
  func unkept() throws {
    let entry = try Self.entry(
      """
      date: 2024-01-05
      created: 2024-01-05
      mood: good
      aliases: []
      draft: false
      description: ""
      location:
        lat: 3
      id: not-a-uuid
      starred: no
      """)
    #expect(entry.fields == [ImportedField(name: "mood", value: "good")])
    #expect(entry.unkept == ["location", "id"])
    let split = entries(
      Self.source(
        "---\ntitle: Day\nmood: 3\n---\n## 09:15 a\n\n## 10:15 b\n", path: "2024-01-05.md"))
    #expect(split.map(\.fields) == [[ImportedField(name: "mood", value: "3")], []])
    #expect(split.map(\.unkept) == [["title"], []])
  }

  @Test(
    "broken front matter costs the broken field alone, and that is said",
    arguments: [
      ("title: Day 3: the lake\ntags: [a]", "Day 3: the lake", ["a"], []),
      ("title: T\ntags:\n\t- a\n\t- b", "T", ["a", "b"], []),
      ("title: T\nmood: [good\ntags: a", "T", ["a"], ["mood"]),
      ("title: T\ntags: [a]\ntags: [b]", "T", ["a", "b"], []),
      ("title: @home\ntags: *a", "@home", ["*a"], []),
      ("title: T\nweather: 3 | 4: 5\n  and: more: so", "T", [], ["weather"]),
    ])
  func broken(matter: String, title: String, tags: [String], unkept: [String]) throws {
    let entry = try Self.entry("date: 2024-01-05\n\(matter)")
    #expect(entry.text == "\(title)\n\nx")
    #expect(entry.tags == tags)
    #expect(entry.unkept == unkept)
    #expect(entry.remarks == ["front matter is invalid, and its fields were read one by one"])
  }

  @Test("a broken line of TOML costs itself alone")
  func brokenTOML() throws {
    let entry = try Self.entry(
      "date = 2024-01-05\ntitle = \"T\"\nstray line\n[taxonomies]\ntags = [\"a\"]\nbad = [",
      fence: "+++")
    #expect(entry.text == "T\n\nx")
    #expect(entry.tags == ["a"])
    #expect(entry.unkept == ["stray line", "bad"])
  }

  @Test(
    "rules at the start are front matter only where fields stand between them",
    arguments: [
      "---\n\nDear diary: a walk today\n\n---\nmore", "---\nJust a line\n---\nmore",
      "---\n- a\n- b\n---\n", "---\n\n# Heading\n\n---\nmore", "+++\nwords\n+++\nmore",
      "---\nindented\n ---\n", "--- x\na: b\n---\n", "---\n\"quoted: text\"\n---\nx",
    ])
  func rules(text: String) {
    let read = entries(Self.source(text, path: "2024-01-05.md"))
    let trimmed = text.hasSuffix("\n") ? String(text.dropLast()) : text
    #expect(read.map(\.text) == [trimmed])
  }

  @Test("a fence inside a block is no fence; CR LF and a byte order mark are no part of a field")
  func fences() throws {
    let entry = try Self.entry("date: 2024-01-05\ntitle: |\n  a\n  ---\n  b")
    #expect(entry.text == "a\n---\nb\n\nx")
    let windows =
      "\u{FEFF}---\r\ntitle: \"W\"\r\ndate: '2024-01-05'\r\ntags:\r\n  - a\r\n---\r\n\r\nB\r\nc\r\n"
    let read = entries(Self.source(windows))
    #expect(read.map(tagged) == ["W\n\nB\nc #a"])
  }

  @Test("invalid UTF-8 in front matter is a problem, or U+FFFD when that is asked for")
  func invalid() {
    let bytes = utf8("---\ntitle: caf") + [0xE9] + utf8("\ndate: 2024-01-05\n---\nx")
    #expect(
      problems(MarkdownSource(bytes, path: "a.md", options: options()))
        == ["1: invalid UTF-8 at byte 15"])
    let lossy = MarkdownSource(bytes, path: "a.md", options: options(isLossy: true))
    #expect(entries(lossy).map(\.text) == ["caf\u{FFFD}\n\nx"])
  }

  @Test("two notes of one day with one text and other tags are two entries, each the same again")
  func tagsTell() throws {
    let one = try Self.entry("date: 2024-01-05\ntags: [a]")
    let other = try Self.entry("date: 2024-01-05\ntags: [b]")
    #expect(identity(one) != identity(other))
    #expect(identity(one) == identity(try Self.entry("date: 2024-01-05\ntags: [a]")))
  }
}

/// Front matter that is made to keep a program busy, or to bring it down.
struct HostileFrontMatterTests {
  private static func entry(_ matter: String, fence: String = "---") throws -> ImportedEntry {
    let text = "\(fence)\n\(matter)\n\(fence)\ntext\n"
    let read = entries(MarkdownSource(utf8(text), path: "2024-01-05.md", options: options()))
    try #require(read.count == 1)
    return read[0]
  }

  /// Ten anchors, each of which repeats the one before nine times.
  private static var bomb: String {
    let letters = Array("abcdefghij")
    var lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for (index, letter) in letters.enumerated().dropFirst() {
      let list = Array(repeating: "*\(letters[index - 1])", count: 9).joined(separator: ",")
      lines.append("\(letter): &\(letter) [\(list)]")
    }
    return lines.joined(separator: "\n")
  }

  @Test("anchors cannot be made to multiply, in values or in keys")
  func aliases() throws {
    #expect(try Self.entry(Self.bomb).text == "text")
    #expect(try Self.entry("\(Self.bomb)\n? *j\n: 1\n? *i\n: 2").text == "text")
    #expect(!YAMLFields.isSafe(Self.bomb))
    #expect(
      YAMLFields.isSafe("a: &x [b]\nc: *x\ntext: '*b* & *c* & AT&T *d* *e* *f* *g* *h* *i* *j*'"))
  }

  @Test(
    "nesting without end is refused, and the note is read",
    arguments: [
      "a: \(String(repeating: "[", count: 990))\(String(repeating: "]", count: 990))",
      "a: \(String(repeating: "[", count: 100_000))",
      "a: \(String(repeating: "{", count: 100_000))",
      "a: \(String(repeating: "- ", count: 50_000))x",
      "a:\n\(String(repeating: "? ", count: 50_000))x",
      "a: \(String(repeating: "{b: ", count: 900))1\(String(repeating: "}", count: 900))",
      "a: \"\(String(repeating: "\\", count: 99_999))",
      "a: &\(String(repeating: "b", count: 100_000)) c",
      "a: \(String(repeating: "!", count: 100_000))", "%YAML 9.9\n--- x", "a: !!binary =",
      "a: \u{0} b", "\(String(repeating: "k: v\n", count: 3000))",
    ])
  func nesting(matter: String) throws {
    #expect(try Self.entry("date: 2024-01-05\n\(matter)").text.hasSuffix("text"))
  }

  @Test(
    "TOML that would end the process is refused, and the note is read",
    arguments: [
      String(repeating: "[", count: 70), "a = \(String(repeating: "[", count: 5000))",
      "a = \(String(repeating: "{b=", count: 5000))",
      String(repeating: "a.", count: 50_000) + "b = 1",
      "[\(String(repeating: "a.", count: 50_000))b]",
      "a = \"\(String(repeating: "]", count: 99))\"",
      "a = '''\n[[[[", "a = 99999999999999999999999", "a = 2024-99-99", "\u{0}", "= 1", "a = 0x",
      "a = \"\\uD800\"", String(repeating: "[[a]]\n", count: 2000),
    ])
  func toml(matter: String) throws {
    #expect(try Self.entry("date = 2024-01-05\n\(matter)", fence: "+++").text.hasSuffix("text"))
  }

  @Test("any mixture of the signs of TOML and YAML is read to its end")
  func mixtures() throws {
    let pieces = [
      "[", "]", "{", "}", "=", "\"", "'", "\"\"\"", "'''", "\n", "\n", " ", ".", ",", "#", "a",
      "b = ",
      "a: ", "- ", "? ", "&a ", "*a", "|\n", ">\n", "\t", "!!", "2024-01-05", "T10:00:00Z", "0x",
      "\\u",
      "1e", "inf", "_", "-", "+", "[[a]]\n", "<<: ", "%", "@", "`", "é", "\r\n",
    ]
    var random = SeededGenerator(seed: 71)
    for round in 0..<6000 {
      let count = Int.random(in: 1...40, using: &random)
      let matter = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let fence = round.isMultiple(of: 2) ? "---" : "+++"
      let text = "\(fence)\n\(matter)\n\(fence)\ntext\n"
      let found = items(MarkdownSource(utf8(text), path: "2024-01-05.md", options: options()))
      #expect(!found.isEmpty, "\(matter.debugDescription)")
    }
  }
}
