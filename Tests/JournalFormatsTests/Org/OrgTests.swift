import Journal
import Testing

@testable import JournalFormats

struct OrgTests {
  private static func source(_ text: String, _ path: String = "journal.org") -> OrgSource {
    OrgSource(utf8(text), path: path, options: options())
  }

  @Test("a date tree has its entries below days, with the times that capture wrote")
  func dateTree() throws {
    let source = OrgSource(try fixture("org/journal.org"), path: "journal.org", options: options())
    #expect(
      summary(source) == [
        "2024-01-05 09:15 | Walked to the sea",
        "2024-01-05 18:40 | With Anna⏎**Long** and *windy*, see [the map](https://example.org/map_1). | #anna #walk",
        "2024-01-06 00:00 | - [ ] Buy bread⏎Rye. | deadline:: 2024-01-08 Mon",
      ])
  }

  @Test("an active timestamp of a note without another date is its date, else when it was closed")
  func active() {
    let text = """
      * Meeting
      <2024-01-05 Fri 10:00>
      note
      * DONE Bread
      CLOSED: [2024-01-06 Sat 09:00]
      * 2024-01-07
      ** Dentist
      <2024-02-09 Fri 10:00>
      """
    #expect(
      summary(Self.source(text)) == [
        "2024-01-05 10:00 | Meeting⏎<2024-01-05 Fri 10:00>⏎note",
        "2024-01-06 09:00 | - [x] Bread | closed:: 2024-01-06 Sat 09:00",
        "2024-01-07 00:00 | Dentist⏎<2024-02-09 Fri 10:00>",
      ])
  }

  @Test("a day of org-journal has its entries at times, with and without an ending")
  func orgJournal() {
    let text = """
      * Friday, 05/01/2024
      ** 09:15 Walked
      to the /sea/

      ** 16:40 Home :home:
      *** Details
      - tea
      ** TODO teach org-journal how to brew coffee
      """
    let expected = [
      "2024-01-05 09:15 | Walked⏎to the *sea*",
      "2024-01-05 16:40 | Home⏎## Details⏎- tea | #home",
      "2024-01-05 00:00 | - [ ] teach org-journal how to brew coffee",
    ]
    for path in ["20240105", "20240105.org", "2024-01-05.org", "2024/01/05.org"] {
      #expect(summary(Self.source(text, path)) == expected, "\(path)")
    }
    #expect(OrgSource.recognises(utf8(text), path: "20240105"))
    #expect(OrgSource.recognises(files: ["20240105", "20240106"]))
    #expect(!OrgSource.recognises(files: ["notes.txt", "12345678"]))
  }

  @Test("weekly, monthly and yearly files of org-journal have their days in CREATED")
  func yearly() {
    let text = """
      * Tuesday, 06/04/13
        :PROPERTIES:
        :CREATED:  20130604
        :END:
      ** 10:28 Company meeting
      ** 11:33 Work
      * Wednesday, 06/05/13
        :PROPERTIES:
        :CREATED:  20130605
        :END:
      Text of the day.
      ** 10:28 A new day
      """
    #expect(
      summary(Self.source(text, "20130101")) == [
        "2013-06-04 10:28 | Company meeting", "2013-06-04 11:33 | Work",
        "2013-06-05 00:00 | Text of the day.", "2013-06-05 10:28 | A new day",
      ])
  }

  @Test(
    "headings with timestamps are entries, with properties, tags, states and planning as fields")
  func timestamps() {
    let text = """
      #+filetags: :diary:
      * [2024-01-05 Fri 09:15] A walk :sea:
      :PROPERTIES:
      :ID: 0f8fad5b-d9cb-469f-a165-70867728950e
      :Location: Vienna
      :CUSTOM_ID: x
      :END:
      :LOGBOOK:
      CLOCK: [2024-01-05 Fri 09:20]--[2024-01-05 Fri 10:20] =>  1:00
      :END:
      Text.
      * WAITING [#A] <2024-01-06 Sat> Ticket
      SCHEDULED: <2024-01-07 Sun>
      * Undated
      text
      """
    #expect(
      summary(Self.source(text)) == [
        "2024-01-05 09:15 | A walk⏎Text. | #diary #sea | location:: Vienna | -CUSTOM_ID | -LOGBOOK",
        "2024-01-06 00:00 | - [ ] Ticket | #diary | scheduled:: 2024-01-07 Sun | state:: waiting | priority:: A",
        "! 14: has no date, in its heading, its properties or the name of the file",
      ])
    let entry = entries(
      Self.source(
        "* [2024-01-05 Fri] a\n:PROPERTIES:\n:ID: 0F8FAD5B-D9CB-469F-A165-70867728950E\n:END:\n"))
    #expect(entry.map(\.uuid) == ["0f8fad5b-d9cb-469f-a165-70867728950e"])
  }

  @Test("a note with its date in its name or in keywords is one entry")
  func notes() {
    let text = "#+title: A trip\n#+filetags: :sea:\n\n* Morning\nx\n* 10:00 Noon\ny\n"
    #expect(
      summary(Self.source(text, "20240105T091500--a-trip__sea.org")) == [
        "2024-01-05 09:15 | A trip⏎⏎# Morning⏎x⏎# 10:00 Noon⏎y | #sea"
      ])
    let dated = "#+title: A trip\n#+date: [2024-01-05 Fri 09:15]\nText.\n"
    #expect(summary(Self.source(dated, "trip.org")) == ["2024-01-05 09:15 | A trip⏎⏎Text."])
    let daily = ":PROPERTIES:\n:ID: x\n:END:\n#+title: 2024-01-05\n* Morning\nx\n* 10:00 Noon\ny\n"
    #expect(
      summary(Self.source(daily, "daily/2024-01-05.org")) == [
        "2024-01-05 00:00 | # Morning⏎x | -ID", "2024-01-05 10:00 | Noon⏎y",
      ])
  }

  @Test(
    "markup of Org becomes Markdown",
    arguments: [
      ("*bold* /it/ _under_ +gone+ =code= ~verb~", "**bold** *it* *under* ~~gone~~ `code` `verb`"),
      ("a*b*c 5*3 / 2 snake_case_name", "a*b*c 5*3 / 2 snake_case_name"),
      ("*two\nlines*", "**two\nlines**"),
      ("[[https://a.b/c_d][words]] [[https://a.b/c]]", "[words](https://a.b/c_d) https://a.b/c"),
      ("[[file:a b.jpg]] [[./x.pdf][x]]", "![](<a b.jpg>) [x](./x.pdf)"),
      ("[[*Heading][there]] [[Page]]", "[[Heading|there]] [[Page]]"),
      (
        "- a\n  - b\n    more\n- [X] c\n- [ ] d\n1. e",
        "- a\n  - b\n    more\n- [x] c\n- [ ] d\n1. e"
      ),
      ("- term :: words", "- **term**: words"),
      ("#+begin_src swift\n,* a\n#+end_src", "```swift\n* a\n```"),
      ("#+BEGIN_QUOTE\na\n#+END_QUOTE", "> a"),
      (": one\n: two", "```\none\ntwo\n```"),
      ("| a | b |\n|---+---|\n| 1 | 2 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
      ("-----", "---"), ("# comment", "\\# comment"),
      ("#tag and `x` and <b>", "#tag and \\`x\\` and <b>"),
      ("[#A] x", "[\\#A] x"), ("a\\\\\nb", "a\nb"), ("[2024-01-05 Fri]", "[2024-01-05 Fri]"),
    ])
  func markup(org: String, markdown: String) {
    #expect(MarkupConverter.markdown(org, OrgDialect.dialect(below: 0)) == markdown)
  }

  @Test("an encrypted entry and an encrypted file are named, and the rest is read")
  func encrypted() {
    let text =
      "* 09:15 a :crypt:\n-----BEGIN PGP MESSAGE-----\nx\n-----END PGP MESSAGE-----\n* 10:00 b\n"
    #expect(
      summary(Self.source(text, "20240105")) == [
        "! 1: is encrypted; M-x org-decrypt-entries in Emacs before", "2024-01-05 10:00 | b",
      ])
    let directory = DirectoryInMemory([
      "20240105": "* 09:15 a\n", "20240106.org.gpg": "x", "a.txt": "b",
    ])
    #expect(
      summary(OrgDirectorySource(directory, options: options())) == [
        "2024-01-05 09:15 | a",
        "! 20240106.org.gpg: is encrypted; save it under a name without .gpg in Emacs",
      ])
  }

  @Test("an impossible time makes a heading undated, and is not read as midnight")
  func impossibleTime() {
    #expect(
      summary(Self.source("* <2024-01-05 Fri 25:00> a\ntext\n")) == [
        "! 1: has no date, in its heading, its properties or the name of the file"
      ])
  }

  @Test("an unclosed drawer is text, and a day without entries is none")
  func damaged() {
    #expect(
      summary(Self.source("* 09:15 a\n:LOGBOOK:\nkept\n* 10:00 b\n", "20240105")) == [
        "2024-01-05 09:15 | a⏎:LOGBOOK:⏎kept", "2024-01-05 10:00 | b",
      ])
    #expect(summary(Self.source("* Friday, 05/01/2024\n", "20240105")) == ["! 1: has no text"])
    survives("* 2024-01-05\n** 09:15 a :b:\n:PROPERTIES:\n:ID: x\n:END:\n- [ ] x [[a][b]]\n") {
      OrgSource($0, path: "20240105", options: options())
    }
  }

  @Test("the same file has the same identities")
  func identities() throws {
    let bytes = try fixture("org/journal.org")
    let read = { entries(OrgSource(bytes, path: "j.org", options: options())).map(identity) }
    #expect(read() == read() && Set(read()).count == 3)
  }
}
