import Foundation
import Journal
import Testing

@testable import JournalFormats

struct HTMLTests {
  private static func body(_ text: String) -> String {
    var buffer: [UInt8] = []
    HTMLBlocks.append(text, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// The inlines of a paragraph.
  private static func inline(_ text: String) -> String {
    let paragraph = body("Title\n\n\(text)").dropFirst("<h3>Title</h3>\n<p>".count)
    return String(paragraph.dropLast("</p>\n".count))
  }

  private static func link(_ target: String, _ text: String) -> String {
    "<a rel=\"noopener noreferrer\" href=\"\(target)\">\(text)</a>"
  }

  @Test(
    "emphasis, code and tags are drawn",
    arguments: [
      (
        "a *b* **c** _d_ __e__ ~~f~~",
        "a <em>b</em> <strong>c</strong> <em>d</em> <strong>e</strong> <del>f</del>"
      ),
      ("**a *b* c**", "<strong>a <em>b</em> c</strong>"), ("snake_case_name", "snake_case_name"),
      ("2 * 3 * 4", "2 * 3 * 4"), ("`a*b*` ``c`d``", "<code>a*b*</code> <code>c`d</code>"),
      ("**a\nb** c", "<strong>a</strong><br>\n<strong>b</strong> c"), ("2*3*4", "2*3*4"),
      ("\\*a\\*", "*a*"), ("**open", "**open"), ("*", "*"), ("`", "`"),
      (
        "to #home/garden, (@anna)",
        "to <span class=\"tag\">#home/garden</span>, (<span class=\"tag\">@anna</span>)"
      ),
      ("a#b x@y.z # @", "a#b x@y.z # @"), ("#旅行", "<span class=\"tag\">#旅行</span>"),
    ])
  func inlines(text: String, html: String) {
    #expect(Self.inline(text) == html)
  }

  @Test(
    "links to entries are anchors with what is shown of them, others stay as they are typed",
    arguments: [
      ("to [[Soup]].", "to <a href=\"#u\">Soup</a>."),
      (
        "[[soup#Salt|the *soup*]], **[[Soup]]**",
        "<a href=\"#u\">the <em>soup</em></a>, <a href=\"#u\"><strong>Soup</strong></a>"
      ),
      (
        "[[2026-11-21]] [[none]] #a [[Soup]]",
        "<a href=\"#2026-11-21\">2026-11-21</a> [[none]] <span class=\"tag\">#a</span> <a href=\"#u\">Soup</a>"
      ),
      ("`[[Soup]]` ![[Soup]] [[Soup", "<code>[[Soup]]</code> ![[Soup]] [[Soup"),
      ("[[Soup|<b>&]]", "<a href=\"#u\">&lt;b&gt;&amp;</a>"),
    ])
  func anchors(text: String, html: String) {
    let whole = "Title\n\n\(text)"
    let moment = Moment(seconds: 0, offset: 0)
    let entry = Entry(
      uuid: "e", created: moment, modified: moment, day: moment.localDay, text: whole)
    let links = AnchoredLinks(of: entry) { link, _ in
      switch Journal.Link.target(ofKey: link.key) {
      case .days(let days): .day(days.lowerBound)
      case .title(let key): key == "soup" ? .entry("u") : nil
      }
    }
    var buffer: [UInt8] = []
    HTMLBlocks.append(whole, links: links, to: &buffer)
    let paragraph = String(decoding: buffer, as: UTF8.self)
    #expect(paragraph == "<h3>Title</h3>\n<p>\(html)</p>\n")
  }

  @Test("links lead to pages and letters only")
  func links() {
    #expect(
      Self.inline("[a *b*](https://x.y/?a=1&b=2)")
        == Self.link("https://x.y/?a=1&amp;b=2", "a <em>b</em>"))
    #expect(Self.inline("[m](mailto:a@b.c)") == Self.link("mailto:a@b.c", "m"))
    #expect(
      Self.inline("see https://x.y/z. And")
        == "see \(Self.link("https://x.y/z", "https://x.y/z")). And")
    #expect(Self.inline("![](photos/a.jpeg)") == "<span class=\"file\">photos/a.jpeg</span>")
    #expect(Self.inline("[a](b.md)") == "a <span class=\"file\">(b.md)</span>")
    #expect(Self.inline("<me@a.org>") == Self.link("mailto:me@a.org", "me@a.org"))
    #expect(
      Self.inline("[a](<https://x.y/> 'A \" title')")
        == Self.link("https://x.y/\" title=\"A &quot; title", "a"))
    #expect(
      Self.inline("[![p](i.png)](https://x.y/)")
        == Self.link("https://x.y/", "p <span class=\"file\">(i.png)</span>"))
    #expect(Self.inline("[a\nb](https://x.y/) c") == Self.link("https://x.y/", "a<br>\nb") + " c")
    for address in [
      "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//x.y",
      "file:///etc/passwd",
      " javascript:x", "java\tscript:x", "vbscript:x", "https:evil",
    ] {
      for form in ["[a](\(address))", "![a](\(address))", "<\(address)>", address] {
        #expect(!Self.inline(form).contains("href"), "\(form)")
      }
    }
  }

  @Test(
    "blocks are drawn, and the first line is the title",
    arguments: [
      ("Title\nbody\nmore\n\nnext", "<h3>Title</h3>\n<p>body<br>\nmore</p>\n<p>next</p>\n"),
      ("# Title\n## Part", "<h3>Title</h3>\n<h5>Part</h5>\n"),
      ("#### Title ##\n#### Part", "<h3>Title</h3>\n<h6 aria-level=\"7\">Part</h6>\n"),
      ("a\n> b\n> c", "<h3>a</h3>\n<blockquote>\n<p>b<br>\nc</p>\n</blockquote>\n"),
      (">5 km\n> b", "<h3>&gt;5 km</h3>\n<blockquote>\n<p>b</p>\n</blockquote>\n"),
      (
        "a\n```swift\n<b>*x*\n```\nc",
        "<h3>a</h3>\n<pre><code class=\"language-swift\">&lt;b&gt;*x*\n</code></pre>\n<p>c</p>\n"
      ),
      ("a\n```\nopen", "<h3>a</h3>\n<pre><code>open\n</code></pre>\n"),
      ("a\n\n---\nb", "<h3>a</h3>\n<hr>\n<p>b</p>\n"), ("\n \n", ""),
      (
        "a\n- [ ] b\n  - [x] c",
        "<h3>a</h3>\n<ul>\n<li class=\"task\"><span class=\"sign\">☐</span> b\n"
          + "<ul>\n<li class=\"done\"><span class=\"sign\">☑</span> c</li>\n</ul>\n</li>\n</ul>\n"
      ),
      (
        "1. [ ] b\n2. c\n\n   d",
        "<ol>\n<li class=\"task\"><span class=\"sign\">1. ☐</span> b</li>\n"
          + "<li><span class=\"sign\">2.</span> c\n<p>d</p>\n</li>\n</ol>\n"
      ),
      (
        "a|b\n-|:-:\n1|2|3",
        "<table>\n<tr><th>a</th><th class=\"center\">b</th></tr>\n"
          + "<tr><td>1</td><td class=\"center\">2</td><td>3</td></tr>\n</table>\n"
      ),
    ])
  func blocks(text: String, html: String) {
    #expect(Self.body(text) == html)
  }

  @Test("a long first line is no title")
  func longLine() {
    let line = String(repeating: "word ", count: 50)
    #expect(Self.body(line).hasPrefix("<p>"))
  }

  @Test("whatever repeats makes a page of linear size")
  func hostile() {
    let count = 20_000
    let texts = [
      "[" + String(repeating: "a\n", count: count) + "](https://b.c/"
        + String(repeating: "d", count: count) + ")",
      "[" + String(repeating: "*a* `b` ", count: count) + "](https://b.c/"
        + String(repeating: "d", count: count) + ")",
      String(repeating: "*a ", count: count) + String(repeating: "b* ", count: count),
      String(repeating: "- ", count: count), String(repeating: "> ", count: count),
      String(repeating: "[![a](b)](https://c.d) ", count: count),
      String(repeating: "#tag **#tag** ", count: count),
      String(repeating: "|", count: count) + "\n" + String(repeating: "|-", count: count),
    ]
    for text in texts {
      #expect(Self.body("Title\n\n" + text).utf8.count < 20 * text.utf8.count, "\(text.prefix(20))")
    }
  }

  @Test("no text, title or identity brings markup of its own into the page")
  func injection() throws {
    let attacks = [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</div></article>", "-->",
      "</style><script>", "`</code><b>`", "[<b>](https://x.y/\"onclick=\"x)", "#<b>", "&lt;",
      "https://x.y/\"><b>", "- <b>\n> <i>\n# <u>\n```<s>\n<q>",
    ]
    for attack in attacks {
      let entry = try RandomEntry.plain("\(attack)\n\(attack)\n\n- \(attack)\n> \(attack)")
      #expect(try Self.tags(of: [entry]).isSubset(of: Self.known), "\(attack)")
    }
    for seed in 0..<40 {
      #expect(try Self.tags(of: RandomEntry.many(50, seed: UInt64(seed))).isSubset(of: Self.known))
    }
  }

  private static let known: Set = [
    "section", "h2", "time", "article", "header", "span", "div", "h3", "h4", "h5", "h6", "p", "br",
    "ul", "ol", "li", "table", "tr", "th", "td", "blockquote", "pre", "code", "hr", "em", "strong",
    "del", "a",
  ]

  /// The names of all elements between the page's own head and end.
  private static func tags(of entries: [Entry]) throws -> Set<String> {
    var (bytes, _) = try encode(HTMLEncoder(), entries)
    bytes.removeFirst(HTMLPage.head.utf8.count)
    let main = main(bytes)
    #expect(
      main.utf8.count { $0 == UInt8(ascii: "<") } == main.utf8.count { $0 == UInt8(ascii: ">") })
    return Set(
      main.split(separator: "<", omittingEmptySubsequences: false).dropFirst().map { piece in
        String(piece.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber })
      })
  }

  /// The page before its own end.
  private static func main(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.range(of: "</main>").map { String(text[..<$0.lowerBound]) } ?? text
  }

  @Test("every element that is opened is closed, in its order")
  func balance() throws {
    for seed in 100..<140 {
      var (bytes, _) = try encode(HTMLEncoder(), RandomEntry.many(50, seed: UInt64(seed)))
      bytes.removeFirst(HTMLPage.head.utf8.count)
      let main = Self.main(bytes)
      var open: [Substring] = []
      for piece in main.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
        let isEnd = piece.first == "/"
        let name = piece.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
        if name == "br" || name == "hr" { continue }
        if isEnd { try #require(open.popLast() == name) } else { open.append(name) }
      }
      #expect(open.isEmpty)
    }
  }

  @Test("the page needs no network, and counts its entries")
  func page() throws {
    let entry = try RandomEntry.plain("a", starred: true)
    let (bytes, losses) = try encode(HTMLEncoder(), [entry, entry])
    let page = String(decoding: bytes, as: UTF8.self)
    #expect(losses.isEmpty)
    #expect(!page.contains("src=") && !page.contains("@import") && !page.contains("url("))
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("2 entries"))
    #expect(page.contains("★"))
    #expect(page.hasSuffix("</html>\n"))
  }
}
