import Journal
import Testing

@testable import JournalFormats

struct VimwikiTests {
  @Test("a page of the diary is a day, in Markdown, and its index is left out")
  func diary() throws {
    let source = VimwikiSource(
      try fixture("vimwiki/2024-01-05.wiki"), path: "diary/2024-01-05.wiki", options: options())
    #expect(
      summary(source) == [
        "2024-01-05 00:00 | - [ ] bread⏎- [x] milk⏎⏎#diary #walk⏎⏎```python⏎# not a tag⏎```"
      ])
    let index = VimwikiSource(
      utf8("= Diary =\n* [[2024-01-05]]\n"), path: "diary/diary.wiki", options: options())
    #expect(summary(index) == ["- left out as an index of pages"])
    let undated = VimwikiSource(utf8("x"), path: "Notes.wiki", options: options())
    #expect(problems(undated).count == 1)
    #expect(VimwikiSource.recognises(files: ["diary/2024-01-05.wiki"]))
  }

  @Test("headings of times split a day, and %date dates a page")
  func times() {
    let text = "= 2024-01-05 =\n\n== 09:15 Walk ==\na\n\n== 10:00 ==\nb\n"
    #expect(
      summary(VimwikiSource(utf8(text), path: "2024-01-05.wiki", options: options())) == [
        "2024-01-05 09:15 | Walk⏎a", "2024-01-05 10:00 | b",
      ])
    let page = "%title A trip\n%date 2024-01-05 09:15\n\n*x*\n"
    #expect(
      summary(VimwikiSource(utf8(page), path: "trip.wiki", options: options())) == [
        "2024-01-05 09:15 | A trip⏎⏎**x**"
      ])
  }

  @Test(
    "markup of vimwiki becomes Markdown",
    arguments: [
      ("*b* _i_ ~~s~~ `c` a_b_c", "**b** *i* ~~s~~ `c` a_b_c"),
      ("== A ==", "## A"),
      (
        "- a\n    - b\n# one\n1) two",
        "- a\n  - b\n1. one\n2. two".replacing("2. two", with: "1. two")
      ),
      (
        "[[Page|words]] [[https://a.b|x]] [[diary:2024-01-05]]",
        "[[Page|words]] [x](https://a.b) [[2024-01-05]]"
      ),
      ("{{file:a.png|words}}", "![words](a.png)"), ("----", "---"),
      ("* [o] half\n* [-] no", "- [ ] half\n- [-] no"), ("    quoted", "> quoted"),
      ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ])
  func markup(text: String, markdown: String) {
    #expect(MarkupConverter.markdown(text, VimwikiDialect.dialect) == markdown)
  }

  @Test("a hostile page harms nothing")
  func hostile() {
    survives("= a =\n* [ ] x :a:b:\n{{{py\nx\n}}}\n| a |\n") {
      VimwikiSource($0, path: "2024-01-05.wiki", options: options())
    }
  }
}

struct ZimTests {
  @Test("a page of the journal is a day, with the time at which it was begun")
  func journal() throws {
    let bytes = try fixture("zim/Journal/2024/01/05.txt")
    #expect(ZimSource.recognises(bytes))
    let expected = "2024-01-05 09:15 | Walked to the sea @holiday⏎- [ ] bread⏎- [x] milk"
    #expect(
      summary(ZimSource(bytes, path: "Journal/2024/01/05.txt", options: options())) == [expected])
    #expect(
      summary(MarkdownSource(bytes, path: "Journal/2024/01/05.txt", options: options())) == [
        expected
      ])
    #expect(ZimSource.recognises(files: ["notebook.zim", "Journal/2024/01/05.txt"]))
  }

  @Test(
    "a page of another day keeps its day; another page has its title and the time in its header")
  func pages() {
    let header =
      "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: 2024-02-03T10:00:00+02:00\n\n"
    let read: (String, String) -> [String] = { text, path in
      summary(ZimSource(utf8(header + text), path: path, options: options()))
    }
    #expect(read("x", "Journal/2024/01/05.txt") == ["2024-01-05 00:00 | x | -created"])
    #expect(
      read("====== My page ======\n{{./a.png?width=300}}\n", "Home/My_page.txt") == [
        "2024-02-03 10:00 | # My page⏎![](Home/My_page/a.png)"
      ])
    let directory = DirectoryInMemory([
      "notebook.zim": "[Notebook]", "Journal/2024/01/05.txt": header + "x", "b.txt": "no page",
    ])
    var source = ZimSource.source(directory, options: options())
    var count = 0
    while let item = try? source.next() { if case .entry = item { count += 1 } }
    #expect(count == 1)
  }

  @Test(
    "markup of Zim becomes Markdown",
    arguments: [
      ("**b** //i// __m__ ~~s~~ ''c''", "**b** *i* *m* ~~s~~ `c`"),
      ("====== A ======\n===== B =====\n== C ==", "# A\n## B\n##### C"),
      ("* a\n\t* b\n\t\t1. c\n[*] d\n[>] e", "- a\n  - b\n    1. c\n- [x] d\n- [>] e"),
      (
        "[[:A:B|words]] [[https://a.b|x]] [[./f.pdf]]",
        "[[A:B|words]] [x](https://a.b) [p/f.pdf](p/f.pdf)"
      ),
      ("https://a.b//c//d //e//", "https://a.b//c//d *e*"),
      ("'''\n**x**\n'''", "```\n**x**\n```"),
      ("{{{code: lang=\"python\"\nx\n}}}", "```python\nx\n```"),
      ("-----", "---"), ("x_{2} ^{3}", "x_{2} ^{3}"),
      ("| a | b |\n|:--|--:|\n| 1 | 2 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ])
  func markup(text: String, markdown: String) {
    #expect(MarkupConverter.markdown(text, ZimDialect.dialect(attachments: "p")) == markdown)
  }

  @Test("a hostile page harms nothing")
  func hostile() {
    survives("Content-Type: text/x-zim-wiki\n\n====== a ======\n[ ] b [[c]] {{d}}\n") {
      ZimSource($0, path: "Journal/2024/01/05.txt", options: options())
    }
  }
}

struct TiddlyWikiTests {
  @Test("a tiddler whose title is a day is that day, with the time of its creation")
  func journal() throws {
    let bytes = try fixture("tiddlywiki/5th January 2024.tid")
    let source = TiddlerFileSource(bytes, path: "5th January 2024.tid", options: options())
    #expect(summary(source) == ["2024-01-05 09:15 | Walked to the !sea | #Journal #two words"])
    let read = entries(TiddlerFileSource(bytes, path: "a.tid", options: options()))
    #expect(read.map(\.modified?.seconds) == [try moment("2024-01-05T11:15:00+01:00").seconds])
  }

  @Test("another tiddler has its title, and the program's own are left out")
  func tiddlers() throws {
    let json = """
      [{"title":"A trip","text":"''x''","created":"20240105081500123","tags":"a [[b c]]","color":"red"},
       {"title":"$:/StoryList","text":"x","created":"20240105081500123"},
       {"title":"a.png","text":"AAAA","type":"image/png","created":"20240105081500123"},
       {"title":"Draft of 'x'","draft.of":"x","text":"x","created":"20240105081500123"},
       {"title":"Notes.md","text":"# y","type":"text/x-markdown","modified":"20240106081500123"},
       {"title":"none","text":"z"}, {"title":"typed","text":"t","created":"20240107"}, 5]
      """
    #expect(TiddlyWikiSource.recognises(json: try #require(JSONSketch(utf8(json)))))
    #expect(
      summary(TiddlyWikiSource(ByteStream(utf8(json)), options: options())) == [
        "2024-01-05 09:15 | A trip⏎⏎**x** | #a #b c | -color",
        "- left out as TiddlyWiki's own", "- left out as pictures and data", "- left out as drafts",
        "2024-01-06 09:15 | Notes.md⏎⏎# y", "! 6: \"none\" has no date",
        "2024-01-07 00:00 | typed⏎⏎t", "! 6: a number is not a tiddler",
      ])
  }

  @Test("a tiddler is one entry with all of its words, also with headings that are days or times")
  func days() {
    let json = """
      [{"title":"Trip","created":"20240105081500123","text":"!2024-01-01\\nsea\\n\\n!2024-01-02\\nrain"},
       {"title":"2024-03-01","text":"!!09:15 Walk\\nsea\\n\\n!!10:30 Run\\nrain"},
       {"title":"2024-03-02","text":"!2024-03-02\\nsea\\n\\n!!2024-03-03\\nrain"}]
      """
    #expect(
      summary(TiddlyWikiSource(ByteStream(utf8(json)), options: options())) == [
        "2024-01-05 09:15 | Trip⏎⏎# 2024-01-01⏎sea⏎⏎# 2024-01-02⏎rain",
        "2024-03-01 00:00 | ## 09:15 Walk⏎sea⏎⏎## 10:30 Run⏎rain",
        "2024-03-02 00:00 | sea⏎⏎## 2024-03-03⏎rain",
      ])
  }

  @Test("the HTML of a wiki has its tiddlers, in JSON or as in older versions")
  func html() {
    let new = """
      <!doctype html><html><head><meta name="generator" content="TiddlyWiki" /></head><body>
      <script class="tiddlywiki-tiddler-store" type="application/json">[
      {"title":"5th January 2024","text":"a \\u003Cb>","created":"20240105081500123"}
      ]</script></body></html>
      """
    #expect(TiddlyWikiSource.isPage(utf8(new)))
    #expect(
      summary(TiddlyWikiSource(html: utf8(new), options: options())) == ["2024-01-05 09:15 | a <b>"]
    )
    let old = """
      <!DOCTYPE html><html><title>TiddlyWiki</title><div id="storeArea" style="display:none;">
      <div title="5th January 2024" created="20240105081500123" tags="Journal"><pre>a &lt;b&gt; &amp;</pre></div>
      </div></html>
      """
    #expect(
      summary(TiddlyWikiSource(html: utf8(old), options: options())) == [
        "2024-01-05 09:15 | a <b> & | #Journal"
      ])
  }

  @Test(
    "wikitext becomes Markdown",
    arguments: [
      ("''b'' //i// __u__ ~~s~~ `c` ``d``", "**b** *i* *u* ~~s~~ `c` `d`"),
      ("! A\n!!!B", "# A\n### B"), ("* a\n** b\n## c\n# d", "- a\n  - b\n  1. c\n1. d"),
      (
        "[[words|Page]] [[Page]] [ext[x|https://a.b]] [[y|https://a.b]]",
        "[[Page|words]] [[Page]] [x](https://a.b) [y](https://a.b)"
      ),
      ("[img width=32 [a.png]]", "![](a.png)"), ("<<<\na\n<<< B", "> a\n> B"),
      ("> a\n>> b", "> a\n>> b"),
      ("|!h|i|\n|1|2|", "| h | i |\n| --- | --- |\n| 1 | 2 |"), ("~WikiWord", "WikiWord"),
      ("```js\nx\n```", "```js\nx\n```"), ("---", "---"),
    ])
  func markup(text: String, markdown: String) {
    #expect(MarkupConverter.markdown(text, TiddlyWikiDialect.dialect) == markdown)
  }

  @Test("hostile tiddlers harm nothing")
  func hostile() {
    survives("created: 20240105081500123\ntitle: 5th January 2024\n\n! a\n* b [[c]]\n<<<\nd\n") {
      TiddlerFileSource($0, path: "x.tid", options: options())
    }
    survives(
      "<script class=\"tiddlywiki-tiddler-store\">[{\"title\":\"a\",\"text\":\"b\"}]</script>"
    ) {
      TiddlyWikiSource(html: $0, options: options())
    }
  }
}
