import Journal
import Testing

@testable import JournalFormats

/// jrnl's exports as YAML and Markdown, in the form that its exporters write.
struct JrnlExportTests {
  private static func source(_ text: String, path: String = "2013-06-09_my_first.md")
    -> MarkdownSource
  {
    MarkdownSource(utf8(text), path: path, options: options())
  }

  @Test("the body of jrnl's YAML, after tabs, is the text; stars, tags and identities come with it")
  func yaml() throws {
    let text =
      "---\ntitle: Lunch: soup.\ndate: 2013-06-09 15:39\nstarred: True\ntags: soup, anna\n"
      + "uuid: 4BB1F46946AD439996C9B59DE7C4DDC1\ncreator:\n    device agent: PC\n"
      + "body: |\t\t\n\tWith @anna\n\t\n\t## Menu\n\t---\n\t\tindented\n\t...\n\tlast\n..."
    let read = entries(Self.source(text))
    try #require(read.count == 1)
    #expect(read[0].text == "Lunch: soup.\nWith @anna\n\n# Menu\n---\n\tindented\n...\nlast")
    #expect(read[0].tags == ["@soup"])
    #expect(read[0].starred)
    #expect(read[0].uuid == "4bb1f469-46ad-4399-96c9-b59de7c4ddc1")
    #expect(read[0].created == (try moment("2013-06-09T15:39:00+01:00")))
    #expect(read[0].unkept == ["creator"])
  }

  @Test("an entry is the same whether it comes as YAML, as Markdown or in jrnl's own file")
  func sameIdentity() throws {
    let yaml =
      "---\ntitle: A\ndate: 2013-06-09 15:39\nstarred: False\ntags: \nbody: |\t\t\n\tb\n..."
    let book = "# 2013\n\n## June\n\n### 2013-06-09 15:39 A\n\nb\n "
    let note = "# 2013-06-09 15:39 A\n\nb\n "
    let own = JrnlTextSource(utf8("[2013-06-09 15:39] A\nb\n"), options: options())
    let found = entries(Self.source(yaml)) + entries(Self.source(book)) + entries(Self.source(note))
    #expect(found.map(\.text) == ["A\nb", "A\nb", "A\nb"])
    #expect(Set((found + entries(own)).map(identity)).count == 1)
  }

  @Test("a title alone, a body without an end, and the export of jrnl before 2.5")
  func otherYAML() {
    let alone = "---\ntitle: Only\ndate: 2013-06-09 15:39\nstarred: False\ntags: \nbody: |\t\t\n..."
    #expect(entries(Self.source(alone)).map(\.text) == ["Only"])
    let cut = "---\ntitle: A\ndate: 2013-06-09 15:39\nstarred: False\ntags: \nbody: |\t\t\n\tb\n"
    #expect(entries(Self.source(cut)).map(\.text) == ["A\nb"])
    let old = "title: A: 1\ndate: 2013-06-09 15:39\nstared: True\ntags: x\n \nWith @x\n## H\n "
    let read = entries(Self.source(old))
    #expect(read.map(\.text) == ["A: 1\nWith @x\n# H"])
    #expect(read.map(\.tags) == [[]])
    #expect(read.map(\.starred) == [true])
    #expect(ImportFormat.detect(utf8(old)) == .format(.markdown))
  }

  @Test("YAML that only looks like jrnl's is front matter like any other, and its body is the text")
  func notJrnl() {
    let text =
      "---\ntitle: A\ndate: 2013-06-09 15:39\nstarred: true\ntags: x\nbody: |\n  one\n  two\n---\n"
    let read = entries(Self.source(text))
    #expect(read.map(tagged) == ["A\n\none\ntwo #x"])
    #expect(read.map(\.starred) == [true])
  }

  @Test("a wrong date of jrnl's YAML is named")
  func wrongDate() {
    let text = "---\ntitle: A\ndate: never\nstarred: False\ntags: \nbody: |\t\t\n\tb\n..."
    #expect(problems(Self.source(text)) == ["3: there is no date never"])
  }

  @Test("jrnl's Markdown is cut at its dates, without the headings of years and months")
  func book() throws {
    let text = """
      # 2020

      ## August

      ### 2020-08-29 11:11 Entry the first.

      Body @x

      #### H1

      ##### H2
      ```
      #### in code
      ```
      \u{20}
      ### 2020-08-31 14:32 A second

      ### no date here

      ## September

      ### 2020-09-24 09:14 Third
      \u{20}
      # 2021

      ## May

      ### 2021-05-01 10:00 Fourth

      last
      """
    let read = entries(Self.source(text, path: "export.md"))
    #expect(
      read.map(\.text) == [
        "Entry the first.\nBody @x\n\n# H1\n\n## H2\n```\n# in code\n```",
        "A second\n### no date here", "Third", "Fourth\nlast",
      ])
    #expect(read.map(\.created.clockText) == ["11:11", "14:32", "09:14", "10:00"])
    #expect(ImportFormat.detect(utf8(text)) == .format(.markdown))
  }

  @Test("jrnl 1 underlined its years and months, and set a comma after the date")
  func oldBook() {
    let text =
      "2017\n====\n\nAugust\n------\n\n### 2017-08-14 18:17, First night\nbody\n \n"
      + "September\n---------\n\n### 2017-09-01 08:00, Next \n "
    let read = entries(Self.source(text, path: "export.md"))
    #expect(read.map(\.text) == ["First night\nbody", "Next"])
    #expect(ImportFormat.detect(utf8(text)) == .format(.markdown))
  }

  @Test("dates of a Markdown export are read in any form, by the order that the file tells")
  func orders() throws {
    let text = "# 2024\n\n## April\n\n### 03/04/2024 10:00 a\n\n### 25/04/2024 10:00 b\n"
    let read = entries(Self.source(text, path: "export.md"))
    #expect(read.map(\.day) == [try day("2024-04-03"), try day("2024-04-25")])
    let single = "# 2024\n\n## April\n\n### 03/04/2024 10:00 a\n"
    #expect(
      problems(Self.source(single, path: "export.md"))
        == ["5: its date is ambiguous; write it as 2024-01-05"])
  }

  @Test("a note of jrnl's directory of Markdown has its time and title in its heading")
  func note() throws {
    let read = entries(
      Self.source("# 2020-08-29 11:11 Entry\n\nBody\n## H\n ", path: "2020-08-29_entry.md"))
    #expect(read.map(\.text) == ["Entry\nBody\n# H"])
    #expect(read.map(\.created) == [try moment("2020-08-29T11:11:00+01:00")])
    let others = entries(
      Self.source("# 2020-08-29 11:11 Entry\n\nBody", path: "2020-08-29 entry.md"))
    #expect(others.map(\.text) == ["entry\n\n# 2020-08-29 11:11 Entry\n\nBody"])
  }

  @Test("tags that are other ones here are told, of jrnl's text and of its lists")
  func changedTags() {
    let text = utf8("[2013-06-10 15:40] I wrote @OS/2 and @C++, not @C#). x@C++\n")
    let own = { JrnlTextSource(text, options: options()) }
    #expect(
      entries(own()).map(\.changedTags) == [
        [TagChange(from: "@C++", to: "@C"), TagChange(from: "@C#", to: "@C")]
      ])
    #expect(notes(items(own())) == ["changed: 2 tags (\"@C++\" is @C, \"@C#\" is @C)"])
  }
}
