import Journal
import Testing

@testable import JournalFormats

/// Obsidian, Logseq, Notion and Joplin, and the plain text of Day One in several languages.
struct NoteProgramTests {
  private static func read(_ text: String, _ path: String) -> [String] {
    summary(MarkdownSource(utf8(text), path: path, options: options()))
  }

  private static func read(fixture name: String, _ path: String) throws -> [ImportedEntry] {
    entries(MarkdownSource(try fixture("notes/\(name)"), path: path, options: options()))
  }

  @Test("a page of Logseq has its tasks as boxes, and lacks what is the program's own")
  func logseq() throws {
    let read = try Self.read(fixture: "logseq.md", "journals/2024_01_05.md")
    #expect(
      read.map(\.text) == [
        """
        type:: journal

        - **09:15** Walked to the [[sea]] #holiday #two-words
        \t- child block ((65980a5c-1b2c-4d3e-8f90-a1b2c3d4e5f6))
        \t- [ ] bread
        - 21:40 Home again
        """
      ])
    #expect(read.map(\.tags) == [["diary", "walk"]])
    #expect(read.map(\.unkept) == [["id", "collapsed", "LOGBOOK"]])
    #expect(read.map(\.day) == [try day("2024-01-05")])
    // The identity that earlier builds gave the page.
    #expect(read.allSatisfy { $0.formerUUID != nil })
  }

  @Test(
    "links to days by their names and to notes by their paths lead there, and show what they showed"
  )
  func links() {
    let text = """
      [[Nov 28th, 2026]] [[2026_11_27]] [[2026-11-26]] [[November 5th, 2026|then]] [[2026-11]]
      [[food/Soup#Salt]] [[Food/Soup.md|it]] [[notes/food/Soup]] [[other/Soup]] [[a/b]] [[/]] [[Soup]]
      `[[Nov 28th, 2026]]` [[Nov 28th, 2026 at sea]] ![[food/Soup]]

      | a | b |
      |---|---|
      | [[food/Soup]] | x |
      """
    let wanted = """
      [[2026-11-28|Nov 28th, 2026]] [[2026-11-27|2026_11_27]] [[2026-11-26]] [[2026-11-05|then]] [[2026-11]]
      [[Soup#Salt|food/Soup#Salt]] [[Soup|it]] [[Soup|notes/food/Soup]] [[other/Soup]] [[a/b]] [[/]] [[Soup]]
      `[[Nov 28th, 2026]]` [[Nov 28th, 2026 at sea]] ![[food/Soup]]

      | a | b |
      |---|---|
      | [[Soup\\|food/Soup]] | x |
      """
    var options = options()
    options.learnNames(["notes/food/Soup.md", "2026-11-29.md", "a/b.txt"])
    let read = entries(MarkdownSource(utf8(text), path: "2026-11-29.md", options: options))
    #expect(read.map(\.text) == [wanted])
    // A second import of what an earlier build read adds nothing.
    #expect(read.allSatisfy { $0.formerUUID != nil && $0.former?.text == text })
    let links = Link.all(in: wanted)
    #expect(Link.all(in: text).count == links.count)
    let again = MarkdownSource(utf8(wanted), path: "2026-11-29.md", options: options)
    #expect(entries(again).map(\.text) == [wanted])
    // Nothing is known of the notes beside a single file.
    #expect(
      Self.read("[[food/Soup]] [[Nov 28th, 2026]]", "2026-11-29.md")
        .contains { $0.contains("[[food/Soup]] [[2026-11-28|Nov 28th, 2026]]") })
  }

  @Test("links by an alias of a note of the same vault name its title, or the day of a daily note")
  func aliases() throws {
    let files = [
      "food/Potato soup.md":
        "---\ncreated: 2026-11-20\naliases:\n  - Kartoffelsuppe\n  - The Soup\n  - Bread\n---\n\nwith leek",
      "Cake.md": "---\ncreated: 2026-11-21\nalias: Torte, Kuchen\n---\n# Sacher cake\n\ntext",
      "Bread.md": "---\ncreated: 2026-11-22\naliases: []\n---\nBread\n\nrye",
      "zOther.md": "---\ncreated: 2026-11-22\naliases: [The Soup, 2026-11-01]\n---\nOther\n\ntext",
      "2026-11-23.md": "---\naliases: [the trip]\n---\nWent far",
      "Links.md": """
      ---
      created: 2026-11-24
      ---
      Links

      [[kartoffelsuppe]] [[The Soup#Salt|it]] [[The Soup#Salt]] [[Bread]] [[torte]] [[The Trip]] [[2026-11-01]]
      `[[torte]]` [[nobody]]
      """,
    ]
    let read = try entries(.markdown, files)
    #expect(read.count == files.count)
    let links = try #require(read.first { $0.text.hasPrefix("Links") })
    #expect(
      links.text == """
        Links

        [[Potato soup|kartoffelsuppe]] [[Potato soup#Salt|it]] [[Potato soup#Salt|The Soup#Salt]] [[Bread]] \
        [[Cake|torte]] [[2026-11-23|The Trip]] [[2026-11-01]]
        `[[torte]]` [[nobody]]
        """)
    #expect(links.formerUUID != nil)
    let titles = Set(read.map { Entry.title(of: $0.text) })
    for title in ["Potato soup", "Cake", "Bread"] { #expect(titles.contains(title)) }
  }

  @Test("a note of Obsidian has its properties as fields, and its references as text")
  func obsidian() throws {
    let read = try Self.read(fixture: "obsidian.md", "Daily/2024-01-05.md")
    #expect(read.map(\.tags) == [["daily", "walk"]])
    #expect(read.map(\.fields) == [[ImportedField(name: "mood", value: "4")]])
    #expect(read.map(\.unkept) == [["aliases", "cssclasses"]])
    let text = try #require(read.first?.text)
    for part in ["![[Pasted image 20240105.png]]", "^block1", "%% a comment %%", "[[2024-01-04]]"] {
      #expect(text.contains(part))
    }
  }

  @Test(
    "templates are left out",
    arguments: [
      ("Templates/Daily.md", "# x"), ("a/_templates/b.md", "x"),
      ("Daily.md", "# {{date:YYYY-MM-DD}}"),
      ("99 Templates/2024-01-05.md", "x"), ("pages/Day.md", "- Day\n  template:: day\n  - a"),
    ])
  func templates(path: String, text: String) {
    #expect(Self.read(text, path) == ["- left out as templates"])
  }

  @Test("tags of several words are one word, but not in code")
  func brackets() {
    #expect(
      Self.read("#[[two words]] `#[[no]]`\n```\n#[[no]]\n```", "2024-01-05.md") == [
        "2024-01-05 00:00 | #two-words `#[[no]]`⏎```⏎#[[no]]⏎```"
      ])
  }

  @Test("properties of Notion below the heading are read")
  func notion() throws {
    let name = "A walk 1a2b3c4d5e6f47808192a3b4c5d6e7f8.md"
    let read = try Self.read(fixture: "notion.md", name)
    #expect(
      read.map(line) == ["2024-01-05 09:15 | # A walk⏎⏎Walked to the sea. | #diary #two words"])
    #expect(
      Self.read(
        "# A\n\nDate: January 5, 2024\nCreated time: February 1, 2024 9:15 AM\nMood: good\n\nx\n",
        name) == [
          "2024-01-05 00:00 | A walk⏎⏎# A⏎⏎x | mood:: good | -Created time"
        ])
    #expect(
      Self.read(
        "# A\n\nDate: January 5, 2024 → January 9, 2024\nCreated: February 1, 2024 9:15 AM\n\nx\n",
        name) == ["2024-01-05 00:00 | A walk⏎⏎# A⏎⏎x | date-until:: January 9, 2024 | -Created"])
    let identity = "1a2b3c4d5e6f47808192a3b4c5d6e7f8.md"
    #expect(
      Self.read("# \n\nCreated: January 5, 2024 9:15 AM\n\nx\n", "Untitled \(identity)") == [
        "2024-01-05 09:15 | x"
      ])
    #expect(
      Self.read(
        "# @January 5, 2024\n\nx @Anna on @March 3, 2024, a@b.c @\n",
        "@January 5, 2024 \(identity)") == [
          "2024-01-05 00:00 | # January 5, 2024⏎⏎x @Anna on March 3, 2024, a@b.c @"
        ])
    #expect(
      Self.read("x @March 3, 2024", "2024-01-05.md") == ["2024-01-05 00:00 | x @March 3, 2024"])
    #expect(
      Self.read("# A\n\nNote: this\nis text\n", "2024-01-05.md") == [
        "2024-01-05 00:00 | # A⏎⏎Note: this⏎is text"
      ])
  }

  @Test("a note of Joplin has its place as fields")
  func joplin() throws {
    let read = try Self.read(fixture: "joplin.md", "Diary/January 5.md")
    #expect(read.map(\.created) == [try moment("2024-01-05T09:15:00+01:00")])
    #expect(
      read.map(\.fields) == [
        [
          ImportedField(name: "latitude", value: "48.20817430"),
          ImportedField(name: "longitude", value: "16.37381890"),
          ImportedField(name: "due", value: "2024-01-07 08:00:00Z"),
        ]
      ])
  }

  @Test(
    "plain text of Day One is read in several languages",
    arguments: [
      (
        "de.txt",
        ["2024-01-05 09:15 | Spaziert. | weather:: 3°C Bewölkt", "2024-01-06 10:15 | Zweiter"]
      ),
      (
        "en.txt",
        [
          "2024-01-05 09:15 | Walked to the sea.⏎⏎Second paragraph | place:: Hotel, Tokyo, Japan | weather:: 3°C Cloudy",
          "2024-01-06 21:15 | Second entry",
        ]
      ),
      ("en2.txt", ["2024-01-05 09:15 | Walked. | #trip #two words"]),
      ("uk.txt", ["2024-01-05 09:15 | UK order"]),
    ])
  func dayOne(name: String, expected: [String]) throws {
    let bytes = try fixture("dayone-txt/\(name)")
    #expect(DayOnePlainSource.begins(bytes[...]))
    #expect(summary(DayOnePlainSource(bytes, options: options())) == expected)
  }

  @Test(
    "dates of Day One in French and Spanish",
    arguments: [
      "\tDate :\t5 janvier 2024 à 09:15:00 UTC+1\n\tMétéo :\t3°C\n\tLieu :\tVienne\n\nx\n",
      "\tFecha:\t5 de enero de 2024, 9:15:00 CET\n\tTiempo:\t3°C\n\tUbicación:\tVienne\n\nx\n",
      "\tDatum:\t5. Januar 2024 um 09:15:00 GMT+1\n\tWetter:\t3°C\n\tOrt:\tVienne\n\nx\n",
    ])
  func dayOneLanguages(text: String) {
    #expect(
      summary(DayOnePlainSource(utf8(text), options: options())) == [
        "2024-01-05 09:15 | x | place:: Vienne | weather:: 3°C"
      ])
  }

  @Test("hostile notes harm nothing")
  func hostile() {
    survives("tags:: a, b\n- TODO x #[[a b]]\n  id:: 1\n  :LOGBOOK:\n  :END:\n") {
      MarkdownSource($0, path: "journals/2024_01_05.md", options: options())
    }
    survives("# A\n\nCreated: January 5, 2024\nTags: a\n\nx\n") {
      MarkdownSource($0, path: "A.md", options: options())
    }
    survives("\tDatum:\t5. Januar 2024 um 09:15:00 MEZ\n\tOrt:\ta\n\nx\n") {
      DayOnePlainSource($0, options: options())
    }
  }
}
