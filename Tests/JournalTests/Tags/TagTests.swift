import Testing

@testable import Journal

@Suite("Tags in a text")
struct TagScanningTests {
  @Test("The places of tags are in bytes, signs included")
  func places() {
    #expect(Tag.places(in: "é #home, x#no (@anna)") == [3..<8, 16..<21])
    #expect(Tag.places(in: "") == [])
  }

  @Test(
    "a tag is found where it starts a word and nowhere else",
    arguments: [
      ("Bread #home", ["home"]), ("#home first", ["home"]), ("a\n#home\tb", ["home"]),
      ("with @anna and #work/api", ["@anna", "work/api"]), ("(#home)", ["home"]),
      ("[#a] {#b, c} \"#c\" '#d'", ["a", "b", "c", "d"]),
      ("“#quoted” «#guillemet»", ["quoted", "guillemet"]),
      ("「#日記」", ["日記"]), ("#日記を書いた", ["日記を書いた"]), ("今日は#日記", []),
      ("#привет, мир", ["привет"]), ("#한국어!", ["한국어"]), ("#العربية", ["العربية"]),
      ("#हिन्दी", ["हिन्दी"]), ("\u{3000}#全角", ["全角"]), ("\u{a0}#nbsp", ["nbsp"]),
      ("a#b", []), ("me@example.com", []), ("https://x.org/#anchor", []), ("C# code", []),
      ("# heading", []), ("## heading", []), ("##tag", []), ("#", []), ("@", []), ("#!", []),
      ("#-x", []), ("#/x", []), ("#_", []), ("#__x", ["__x"]), ("#a_b-c", ["a_b-c"]),
      ("#to-", ["to"]), ("#work/", ["work"]), ("#work//api", ["work"]), ("#a/-b", ["a"]),
      ("#a-/b", ["a"]), ("#foo.bar", ["foo"]), ("#foo#bar", ["foo"]),
      ("#🎉", []), ("#party🎉", ["party"]), ("*#bold*", []), ("<#html>", []), ("@a/b", ["@a/b"]),
      ("#\u{301}", []), ("#ⅷ", ["ⅷ"]), ("#می\u{200c}خواهم", ["می\u{200c}خواهم"]),
      ("#x\u{200d}", ["x"]), ("", []), ("no tag", []), ("\r\n#crlf\r\n", ["crlf"]),
    ])
  func found(text: String, tags: [String]) {
    let names = Tag.names(in: text)
    #expect(names.map { Array($0.utf8) } == tags.map { Array($0.utf8) })
  }

  @Test("a tag typed twice counts once, as typed first, whatever case and normal form")
  func unique() {
    #expect(Tag.names(in: "#Home #home #HOME @home") == ["Home", "@home"])
    #expect(Tag.names(in: "#caf\u{e9} #cafe\u{301} #CAFÉ").count == 1)
    #expect(Tag.names(in: "#straße #STRASSE") == ["straße"])
  }

  @Test(
    "numbers and colours are no tags",
    arguments: [
      ("#42", []), ("#1 #2024/01 @2", []), ("#٤٢", []), ("#4th", ["4th"]), ("#24h", ["24h"]),
      ("#2024-plans", ["2024-plans"]), ("#a1b2c3", []), ("#0d1117 #E5E5E5", []), ("#fff #FFF", []),
      ("#ffffff", []), ("#a1b2c3d4", []), ("#facade #bee #decade", ["facade", "bee", "decade"]),
      ("#e2e", ["e2e"]), ("@a1b2c3", ["@a1b2c3"]), ("#a1b2c3/x", ["a1b2c3/x"]),
      ("#a1b2c3d", ["a1b2c3d"]),
    ])
  func numbersAndColours(text: String, tags: [String]) {
    #expect(Tag.names(in: text) == tags)
  }

  @Test(
    "code, targets of links, comments and identifiers of headings have no tags",
    arguments: [
      ("`#a` #b", ["b"]), ("``#a `#b` ``#c", []), ("`` #a `#b` `` #c", ["c"]), ("` #a", ["a"]),
      ("x\n```\n#include\n```\n#b", ["b"]), ("~~~ #info\n@media\n~~~\n@b", ["@b"]),
      ("```\n#open", []), ("x\n\n    #indented\n\n#b", ["b"]), ("\t#tab", []),
      ("text\n    #continued", ["continued"]), ("- item\n\n    #more", ["more"]),
      ("- item\n\n      #code", []), ("> ```\n> #a\n> ```\n> #b", ["b"]),
      ("- [ ] `#a` #b", ["b"]), ("[top](#anchor) #b", ["b"]), ("[a #b](x '#t') #c", ["b", "c"]),
      ("![#a](#b)", ["a"]), ("a <!-- #x --> #b", ["b"]), ("a <!-- #x\n@y --> #b", ["b"]),
      ("[[#heading]] [#a]", ["a"]), ("<a href=\"#x\"> <a id='#y'> \"#b\"", ["b"]),
      ("<!-- #open", ["open"]), ("`<!--` #a -->", ["a"]), ("# Title {#id}", []),
      ("## Title #a {#id} #b", ["a", "id", "b"]), ("text {#id}", ["id"]),
      ("| a | b |\n| - | - |\n| `#x` | #b |", ["b"]), ("*`#a`* **#b**", []), ("(`#a`) (#b)", ["b"]),
      ("\\`#a\\` #b", ["b"]),
    ])
  func outsideProse(text: String, tags: [String]) {
    #expect(Tag.names(in: text) == tags, "\(Tag.names(in: text))")
  }

  @Test("a tag in code is neither removed nor renamed, and adding it adds it")
  func changesOutsideProse() {
    let text = "`#a` #a\n```\n#a\n```"
    #expect(Tag.text(removing: "a", from: text) == "`#a`\n```\n#a\n```")
    #expect(Tag.text(renaming: "a", to: "b", in: text) == "`#a` #b\n```\n#a\n```")
    #expect(Tag.text(adding: "x", to: "`#x`") == "`#x` #x")
    #expect(Tag.text(adding: "x", to: "```\n#x\n```") == "```\n#x\n```\n\n#x")
  }

  @Test("hostile markup is scanned in linear time")
  func hostile() {
    for piece in [
      "`#a` ", "#a `", "[#a](#b) ", "<!-- #a ", "<!-- #a --> ", "#a\n    ", "> #a\n", "{#a}",
    ] {
      let text = String(repeating: piece, count: 100_000)
      #expect(Tag.names(in: text).count < 2, "\(piece)")
    }
  }

  @Test("a long text is scanned in place")
  func longText() {
    let filler = String(repeating: "lorem ipsum dolor ", count: 20_000)
    #expect(Tag.names(in: filler + "#end") == ["end"])
  }
}

@Suite("Tag")
struct TagTests {
  @Test("a key is the same for every way to type the tag")
  func key() {
    #expect(Tag.key(of: "#Café") == "cafe")
    #expect(Tag.key(of: "CAFE\u{301}") == "cafe")
    #expect(Tag.key(of: "@Anna") == "@anna")
    #expect(Tag.key(of: "Work/API") == "work/api")
    #expect(Array(Tag.key(of: "#caf\u{e9}").utf8) == Array(Tag.key(of: "#cafe\u{301}").utf8))
  }

  @Test("children are below a tag, at any depth")
  func children() {
    #expect(Tag.isChild("work/api", of: "work"))
    #expect(Tag.isChild("work/api/v2", of: "work"))
    #expect(Tag.isChild("work/api/v2", of: "work/api"))
    #expect(!Tag.isChild("work", of: "work"))
    #expect(!Tag.isChild("workshop", of: "work"))
    #expect(!Tag.isChild("work", of: "work/api"))
    #expect(!Tag.isChild("@work/api", of: "work"))
  }

  @Test(
    "what a person gives to --tag becomes a name",
    arguments: [
      ("home", "home"), ("#home", "home"), ("@anna", "@anna"), ("two words", "two-words"),
      ("  #two  words ", "two-words"), ("@Anna Maria", "@Anna-Maria"), ("work/api", "work/api"),
      ("日記", "日記"), ("Straße", "Straße"),
    ])
  func parse(input: String, name: String) throws {
    #expect(try Tag.parse(input) == name)
    #expect(Tag.names(in: "text " + Tag.typed(name)) == [name])
  }

  @Test(
    "what would not be read back as one tag is refused",
    arguments: [
      ("", TagError.Problem.empty), ("  ", .empty), ("#", .form), ("@", .form),
      ("a.b", .character(".")),
      ("foo!", .character("!")), ("a#b", .character("#")), ("##a", .character("#")),
      ("-a", .form), ("a-", .form), ("a/", .form), ("/a", .form), ("a//b", .form), ("_", .form),
      ("🎉", .character("🎉")), ("a,b", .character(",")), ("- a", .form),
      ("a\u{0}b", .character("\0")),
    ])
  func refused(input: String, problem: TagError.Problem) {
    let error = #expect(throws: TagError.self) { try Tag.parse(input) }
    #expect(error == TagError(input: input, problem: problem))
    #expect(error?.description.contains("\n") == false)
  }

  @Test("adding appends the word once")
  func adding() {
    #expect(Tag.text(adding: "home", to: "Bread") == "Bread #home")
    #expect(Tag.text(adding: "@anna", to: "Bread") == "Bread @anna")
    #expect(Tag.text(adding: "home", to: "Bread #HOME") == "Bread #HOME")
    #expect(Tag.text(adding: "home", to: "Bread\n") == "Bread\n#home")
    #expect(Tag.text(adding: "home", to: "Bread ") == "Bread #home")
    #expect(Tag.text(adding: "home", to: "") == "#home")
    #expect(Tag.text(adding: "work", to: "x #work/api") == "x #work/api #work")
  }

  @Test(
    "removing takes the word and one space beside it, unless another word follows at once",
    arguments: [
      ("Bread #home", "Bread"), ("#home Bread", "Bread"), ("a #HOME b", "a b"),
      ("a #home", "a"), ("(#home)", "()"), ("#home\nBread", "\nBread"), ("a  #home b", "a  b"),
      ("#home #home x", "x"), ("x #home #Home", "x"), ("#home", ""),
      ("#home/kitchen", "#home/kitchen"),
      ("#homely a#home", "#homely a#home"), ("#hómé x", "x"), ("a\n#home b", "a\nb"),
      ("日本 #home 語", "日本 語"), ("nothing", "nothing"), ("", ""), ("@home", "@home"),
      ("fun #home++ x", "fun ++ x"), ("a #home, b", "a, b"), ("(a #home)", "(a)"),
    ])
  func removing(text: String, expected: String) {
    #expect(Tag.text(removing: "home", from: text) == expected)
  }

  @Test("untagging removes an appended tag", arguments: ["Bread", "日本語", "a #b", "e\u{301}", "🎉"])
  func addAndRemove(text: String) {
    let added = Tag.text(adding: "Zu Hause/x".replacing(" ", with: "-"), to: text)
    #expect(Tag.text(removing: "zu-hause/x", from: added) == text)
  }

  @Test(
    "behind every line end a tag stands apart, is found, and goes again without a trace",
    arguments: [
      ("\r", true), ("\u{B}", true), ("\u{C}", true), ("\u{85}", true), ("\n", false),
      ("\r\n", false), ("\u{2028}", false), ("\u{2029}", false), ("\t", false),
    ])
  func lineEnds(end: String, needsSpace: Bool) {
    let text = "Bread" + end
    let added = Tag.text(adding: "home", to: text)
    #expect(Array(added.utf8) == Array((text + (needsSpace ? " " : "") + "#home").utf8))
    #expect(Tag.names(in: added) == ["home"])
    #expect(Array(Tag.text(removing: "home", from: added).utf8) == Array(text.utf8))
  }

  @Test("renaming takes the children along")
  func renaming() {
    #expect(
      Tag.text(renaming: "work", to: "job", in: "#Work a #work/API (#work) #workshop @work")
        == "#job a #job/API (#job) #workshop @work")
    #expect(Tag.text(renaming: "work/api", to: "@x", in: "#work #work/api/v2") == "#work @x/v2")
    #expect(Tag.text(renaming: "none", to: "x", in: "#work") == "#work")
  }
}
