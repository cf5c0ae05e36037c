import Journal
import Testing

@testable import JournalFormats

struct MarkdownSourceTests {
  private static func source(_ text: String, path: String = "note.md") -> MarkdownSource {
    MarkdownSource(utf8(text), path: path, options: options())
  }

  @Test("lists where a text belongs are kept whole, or said not to be")
  func lists() throws {
    let fields = "date: [2023-01-08, 2023-01-09]\ntitle: [T1, T2]\nbody:\n- B1\n- B2"
    let read = entries(Self.source("---\n\(fields)\n---\n"))
    #expect(read.map(\.text) == ["T1, T2\n\nB1\n\nB2"])
    #expect(read.map(\.unkept) == [["date"]])
    let nested = entries(
      Self.source("---\ndate: 2023-01-08\ntitle: [T1, {a: T2}]\ntags: [x, {y: z}]\n---\n"))
    #expect(nested.map(\.unkept) == [["title", "tags"]])
  }

  @Test(
    "the date is in the name",
    arguments: [
      ("2024-01-05.md", "2024-01-05T00:00:00+01:00", "text"),
      ("a/b/2024-01-05-title.md", "2024-01-05T00:00:00+01:00", "title\n\ntext"),
      ("20240105.md", "2024-01-05T00:00:00+01:00", "text"),
      ("2024_01_05.txt", "2024-01-05T00:00:00+01:00", "text"),
      ("2024/01/05.md", "2024-01-05T00:00:00+01:00", "text"),
      ("diary/2024/2024-01/05 Friday.md", "2024-01-05T00:00:00+01:00", "text"),
      ("2024/01-January/05.md", "2024-01-05T00:00:00+01:00", "text"),
      ("2024-01-05 09.15 Title.md", "2024-01-05T09:15:00+01:00", "Title\n\ntext"),
      ("202401050915 Title.md", "2024-01-05T09:15:00+01:00", "Title\n\ntext"),
      ("2024-01-05-Friday.md", "2024-01-05T00:00:00+01:00", "text"),
      ("2024-01-05T091530.md", "2024-01-05T09:15:30+01:00", "text"),
      ("Diary 2024-01-05.md", "2024-01-05T00:00:00+01:00", "text"),
    ])
  func names(path: String, created: String, text: String) throws {
    let read = entries(Self.source("\ntext\n\n", path: path))
    #expect(read.map(\.created) == [try moment(created)])
    #expect(read.map(\.text) == [text])
    #expect(read.map(\.day) == [try day("2024-01-05")])
  }

  @Test(
    "a name without a date is a problem",
    arguments: [
      "note.md", "2024-13-05.md", "12345678901.md", "2024-01.md", "2023/10 books/1 Dune.md",
      "2024-01-05 to 2024-01-09.md/x.md", "a 2024-01-05 b 2024-01-06.md", "05.md", ".md", "",
    ])
  func nameless(path: String) {
    #expect(
      problems(Self.source("text", path: path))
        == ["1: has no date, in front matter or in its name; use a name such as 2024-01-05.md"])
  }

  @Test("front matter of YAML says date, tags, star, title and identity")
  func yaml() throws {
    let text = """
      ---
      title: "My: day"   # quoted
      date: 2024-01-05 14:30:00 +0100
      updated: 2024-01-06T10:00:00Z
      tags:
        - travel
        - 'two words'
      starred: true
      id: 01890A5D-AC96-774B-BCCE-B302099A8057
      image:
        title: inner
      mood: 4
      ---

      Text
      """
    let read = entries(Self.source(text))
    try #require(read.count == 1)
    #expect(read[0].text == "My: day\n\nText")
    #expect(tagged(read[0]) == "My: day\n\nText\n\nmood:: 4\n\n#travel #two-words")
    #expect(read[0].created == (try moment("2024-01-05T14:30:00+01:00")))
    #expect(read[0].modified == (try moment("2024-01-06T10:00:00Z")))
    #expect(read[0].starred)
    #expect(read[0].uuid == "01890a5d-ac96-774b-bcce-b302099a8057")
  }

  @Test(
    "tags are a list in brackets, between commas, or between spaces",
    arguments: [
      ("tags: [a, \"b c\", d]", ["a", "b c", "d"]), ("tags: a, b", ["a", "b"]),
      ("tags: a b", ["a", "b"]), ("tags: '#a'", ["a"]), ("tags: []", []), ("tags:", []),
      ("Tags:\n- a\n- b", ["a", "b"]),
    ])
  func tags(line: String, tags: [String]) {
    let read = entries(Self.source("---\ndate: 2024-01-05\n\(line)\n---\nx"))
    #expect(read.map(\.tags) == [tags])
  }

  @Test("front matter of TOML is read as Notema writes it")
  func toml() throws {
    let text = """
      +++
      version = 1
      [time]
      created_at = "2021-04-03T08:30:05+02:00"
      timezone = "Europe/Berlin"
      [entry]
      tags = ["travel", "notes"]
      starred = true
      [location]
      title = "elsewhere"
      +++
      Guten Morgen
      """
    let read = entries(Self.source(text))
    #expect(read.map(\.text) == ["Guten Morgen"])
    #expect(read.map(\.created) == [try moment("2021-04-03T08:30:05+02:00")])
    #expect(read.map(\.tags) == [["travel", "notes"]])
    #expect(read.map(\.starred) == [true])
  }

  @Test(
    "a date without an offset is of the zone named, else of the clock; a time may stand apart",
    arguments: [
      ("date: 2024-07-05 10:00", "2024-07-05T10:00:00+01:00"),
      ("date: 2024-07-05 10:00\ntimezone: America/New_York", "2024-07-05T10:00:00-04:00"),
      ("date: 2024-07-05\ntime: 10:00", "2024-07-05T10:00:00+01:00"),
      ("created: 2024-07-05T10:00", "2024-07-05T10:00:00+01:00"),
      ("date: July 5, 2024", "2024-07-05T00:00:00+01:00"),
    ])
  func dates(matter: String, created: String) throws {
    let read = entries(Self.source("---\n\(matter)\n---\nx", path: "2020-01-01 Title.md"))
    #expect(read.map(\.created) == [try moment(created)])
  }

  @Test(
    "a wrong date is a problem, and never another one",
    arguments: [
      ("date: 2024-13-05", "there is no date 2024-13-05"),
      ("date: 03/04/2024", "the date 03/04/2024 is ambiguous; write it as 2024-01-05"),
    ])
  func wrongDates(matter: String, reason: String) {
    #expect(
      problems(Self.source("---\n\(matter)\n---\nx", path: "2020-01-01 Title.md"))
        == ["1: \(reason)"])
  }

  @Test("a title that the text begins with is not said twice")
  func titles() {
    let matter = "---\ndate: 2024-01-05\ntitle: Walk\n---\n"
    #expect(entries(Self.source("\(matter)# Walk\nx")).map(\.text) == ["# Walk\nx"])
    #expect(entries(Self.source("\(matter)Walk\nx")).map(\.text) == ["Walk\nx"])
    #expect(entries(Self.source(matter)).map(\.text) == ["Walk"])
  }

  @Test("a rule at the start that is not closed is text")
  func unclosed() {
    #expect(
      entries(Self.source("---\ndate: x\ntext", path: "2024-01-05.md")).map(\.text)
        == ["---\ndate: x\ntext"])
  }

  @Test("a daily note with times is an entry for each")
  func daily() throws {
    let text = """
      # 2024-01-05

      ## 09:15 Walk
      in the park

      ```
      ## 10:00 code
      ```
      ### 11:00 deeper
      ## 2:30 PM - Tea

      ## 21:05
      Late
      """
    let read = entries(Self.source(text, path: "2024-01-05.md"))
    #expect(
      read.map(\.text) == [
        "Walk\nin the park\n\n```\n## 10:00 code\n```\n### 11:00 deeper", "Tea", "Late",
      ])
    #expect(read.map(\.created.clockText) == ["09:15", "14:30", "21:05"])
  }

  @Test("what stands before the first time is an entry of the day")
  func dailyPreamble() {
    let read = entries(Self.source("Plans\n\n## 09:15 Walk\n", path: "2024-01-05.md"))
    #expect(read.map(\.text) == ["Plans", "Walk"])
    #expect(read.map(\.created.clockText) == ["00:00", "09:15"])
  }

  @Test("an empty note and invalid UTF-8 are problems")
  func empty() {
    #expect(problems(Self.source("", path: "2024-01-05.md")) == ["1: has no text"])
    #expect(
      problems(MarkdownSource([0xFF], path: "2024-01-05.md", options: options()))
        == ["1: invalid UTF-8 at byte 1"])
  }
}
