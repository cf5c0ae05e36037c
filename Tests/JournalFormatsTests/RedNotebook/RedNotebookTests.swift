import Journal
import Testing

@testable import JournalFormats

struct RedNotebookTests {
  private static func month(_ text: String, _ path: String = "2024-01.txt") -> RedNotebookSource {
    RedNotebookSource(utf8(text), path: path, options: options())
  }

  @Test("a month has an entry for each day, categories as fields and tags")
  func month() throws {
    let bytes = try fixture("rednotebook/2024-01.txt")
    let source = RedNotebookSource(bytes, path: "data/2024-01.txt", options: options())
    #expect(
      summary(source) == [
        "2024-01-05 00:00 | Walked to the **sea** with Anna.⏎⏎Second paragraph #holiday | cool-stuff:: Watched a film | mood:: fine",
        "2024-01-06 00:00 | Just a line | #old #Work",
        "2024-01-29 00:00 | Leap day ü⏎⏎- [ ] bread",
      ])
    #expect(RedNotebookSource.recognises(bytes, path: "2024-01.txt"))
    #expect(!RedNotebookSource.recognises(bytes, path: "2024-01-05.txt"))
    #expect(RedNotebookSource.recognises(files: ["data/2024-01.txt", "data/2024-02.txt"]))
  }

  @Test("a backup is read month by month, and other files are left alone")
  func backup() {
    let directory = DirectoryInMemory([
      "2024-01.txt": "1: {text: a}\n", "2024-02.txt": "29: {text: b}\n30: {text: c}\n",
      "2024-03.txt": "[broken", "configuration.cfg": "x",
    ])
    #expect(
      summary(RedNotebookSource(directory, options: options())) == [
        "2024-01-01 00:00 | a", "2024-02-29 00:00 | b",
        "! 2024-02.txt:day 30: 30 is no day of 2024-02", "! 2024-03.txt:1: is not YAML",
      ])
  }

  @Test("a broken day hides no other, and a day of categories alone has them as its text")
  func broken() {
    #expect(
      summary(Self.month("1: {text: a}\n2:\n  text: 'open\n3: {text: c}\n")) == [
        "2024-01-01 00:00 | a",
        "! day 2: is no YAML with a text and categories", "2024-01-03 00:00 | c",
      ])
    #expect(
      summary(Self.month("4: {text: '', Idea: {a b: null}}\n5: {text: ''}\n")) == [
        "2024-01-04 00:00 | idea:: a b"
      ])
  }

  @Test(
    "markup of RedNotebook becomes Markdown",
    arguments: [
      ("**b** //i// __u__ --s-- ``m`` \"\"**raw**\"\"", "**b** *i* *u* ~~s~~ `m` \\*\\*raw\\*\\*"),
      ("== Title ==\n=== Sub ===[x]", "## Title\n### Sub"),
      ("- a\n  - b\n+ c\n+ d", "- a\n  - b\n1. c\n1. d"),
      ("[heise \"\"http://heise.de\"\"]", "[heise](http://heise.de)"),
      ("[\"\"/home/u/pic one\"\".png?300]", "![](</home/u/pic one.png>)"),
      ("[2019-02-14] and [Today 2019-02-14]", "[[2019-02-14]] and [[2019-02-14|Today]]"),
      ("[Dropbox https://www.dropbox.com]", "[Dropbox](https://www.dropbox.com)"),
      ("http://a.b/c--d--e //x//", "http://a.b/c--d--e *x*"),
      ("{red **x**|color:red}", "red **x**"), ("one\\\\\ntwo", "one\ntwo"),
      ("====================", "---"), ("```\n**x**\n```", "```\n**x**\n```"),
      ("|| a | b |\n| 1 | 2 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
      ("$$a_b*c*$$ #tag", "$$a_b*c*$$ #tag"), ("# no heading", "\\# no heading"),
      ("\tquoted", "> quoted"),
    ])
  func markup(text: String, markdown: String) {
    #expect(MarkupConverter.markdown(text, RedNotebookDialect.dialect) == markdown)
  }

  @Test("a hostile month harms nothing")
  func hostile() {
    survives("5:\n  Cool Stuff:\n    Film: null\n  text: 'a'\n6: {text: b}\n") {
      RedNotebookSource($0, path: "2024-01.txt", options: options())
    }
    let bomb = "a: &a [x,x]\nb: &b [*a,*a]\n" + String(repeating: "c: [*b,*b,*b]\n", count: 9)
    #expect(!problems(Self.month(bomb)).isEmpty)
  }
}
