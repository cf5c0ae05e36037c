import Journal
import Testing

@testable import JournalFormats

struct JrnlTextTests {
  private static func source(_ text: String, isLossy: Bool = false) -> JrnlTextSource {
    JrnlTextSource(utf8(text), options: options(isLossy: isLossy))
  }

  @Test("an offset beside a date is kept, with the clock and the day that are named")
  func zones() throws {
    let read = entries(
      Self.source("[2023-01-08T10:00:00Z] One\n\n[2023-01-08 10:00 +0900] Two\n"))
    #expect(
      read.map(\.created) == [
        try moment("2023-01-08T10:00:00Z"), try moment("2023-01-08T10:00:00+09:00"),
      ])
    #expect(read.map(\.day) == [try day("2023-01-08"), try day("2023-01-08")])
  }

  @Test("entries are cut at their dates, with their bodies, stars and days")
  func reads() throws {
    let text = """
      [2024-01-05 14:30] Starred one *
      body here @work

      after a blank line
      [x] no date
      [2] a footnote

      [2026-11-20 09:00] only a title

      [2026-11-21 08:16] First #idea. Second sentence.
      """
    let read = entries(Self.source(text))
    #expect(
      read.map(\.text) == [
        "Starred one\nbody here @work\n\nafter a blank line\n[x] no date\n[2] a footnote",
        "only a title", "First #idea. Second sentence.",
      ])
    #expect(read.map(\.starred) == [true, false, false])
    #expect(read[0].created == (try moment("2024-01-05T14:30:00+01:00")))
    #expect(read[0].day == (try day("2024-01-05")))
  }

  @Test(
    "dates are read in any form with a whole year",
    arguments: [
      "2024-01-05 02:30 PM", "2024-01-05 14:30:00", "05.01.2024 14:30", "Fri Jan 5, 2024 2:30 PM",
    ])
  func dateForms(date: String) throws {
    let read = entries(Self.source("[\(date)] Title\n"))
    #expect(read.map(\.created) == [try moment("2024-01-05T14:30:00+01:00")])
  }

  @Test("a date alone is the midnight of that day")
  func dateOnly() throws {
    let read = entries(Self.source("[2024-01-05] Title\n"))
    #expect(read.map(\.created) == [try moment("2024-01-05T00:00:00+01:00")])
    #expect(read.map(\.day) == [try day("2024-01-05")])
  }

  @Test(
    "a star is a * at an end of the title, and emphasis is none",
    arguments: [
      ("Title *", "Title", true), ("* Title", "Title", true), ("Title*", "Title", true),
      ("*Title", "Title", true), ("**bold**", "**bold**", false), ("*it*", "*it*", false),
      ("**bold** *", "**bold**", true), ("2 * 3", "2 * 3", false), ("Title", "Title", false),
    ])
  func stars(title: String, text: String, starred: Bool) {
    let read = entries(Self.source("[2024-01-05 14:30] \(title)\nx\n"))
    #expect(read.map(\.text) == ["\(text)\nx"])
    #expect(read.map(\.starred) == [starred])
  }

  @Test("CR LF and a byte order mark are no part of a text")
  func windows() {
    let read = entries(Self.source("\u{FEFF}[2024-01-05 14:30] One *\r\nbody\r\n\r\nmore\r\n"))
    #expect(read.map(\.text) == ["One\nbody\n\nmore"])
    #expect(read.map(\.starred) == [true])
  }

  @Test("files of jrnl 1 have dates without brackets")
  func legacy() throws {
    let read = entries(Self.source("2014-01-05 14:30 One *\nbody\n\n2014-02-05 14:30 Two\n"))
    #expect(read.map(\.text) == ["One\nbody", "Two"])
    #expect(read[1].created == (try moment("2014-02-05T14:30:00+01:00")))
  }

  @Test("a bracket in a file of jrnl 1 is text, whatever date it holds")
  func legacyBrackets() throws {
    let text = """
      2010-06-10 15:00 A walk along the canal.

      2013-06-10 15:40 She said "[this] will do".
      Two lines of the story.

      [2019-08-03 12:55] a line of somebody's chat

      And the end of it.
      """
    let read = entries(Self.source(text))
    #expect(
      read.map(\.text) == [
        "A walk along the canal.",
        "She said \"[this] will do\".\nTwo lines of the story.\n\n"
          + "[2019-08-03 12:55] a line of somebody's chat\n\nAnd the end of it.",
      ])
    #expect(read.map(\.day) == [try day("2010-06-10"), try day("2013-06-10")])
  }

  @Test(
    "files of jrnl 1 have one form of dates, whichever was set",
    arguments: [
      ("10.06.2010 15:00", "11.06.2010 16:00"), ("2010-06-10 03:00 PM", "2010-06-11 04:00 PM"),
      ("2010-06-10 15:00:00", "2010-06-11 16:00:00"), ("13/06/2010 15:00", "02/07/2010 16:00"),
    ])
  func legacyForms(first: String, second: String) throws {
    let text = "\(first) One\nbody\n2010-06-10 no time\n\n\(second) Two *\n"
    let read = entries(Self.source(text))
    #expect(read.map(\.text) == ["One\nbody\n2010-06-10 no time", "Two"])
    #expect(read.map(\.created.clockText) == ["15:00", "16:00"])
    #expect(read.map(\.starred) == [false, true])
  }

  @Test("a date without brackets inside a file with brackets is text")
  func bareInBrackets() {
    let read = entries(Self.source("[2024-01-05 14:30] One\n2024-01-06 10:00 met Anna\n"))
    #expect(read.map(\.text) == ["One\n2024-01-06 10:00 met Anna"])
  }

  @Test("what cannot be read is named with its line, and the rest is read")
  func problems() {
    let text =
      "stray\n\n[2024-13-05 14:30] Bad\nits body\n\n[2024-01-05 14:30] Good\n"
      + "[03/04/2024 10:00] Which?\n[2024-01-06 10:00] \n\n"
    let found = JournalFormatsTests.problems(Self.source(text))
    #expect(
      found == [
        "1: text before the first entry; an entry begins with [2024-01-05 14:30] and a title",
        "3: there is no date 2024-13-05 14:30",
        "7: the date 03/04/2024 10:00 is ambiguous; write it as 2024-01-05",
        "8: has no text",
      ])
    #expect(items(Self.source(text)).count == 5)
  }

  @Test(
    "a line with a date that there is not is text of the entry above it, and is named",
    arguments: [("[", "]"), ("", "")])
  func impossible(opening: String, closing: String) {
    let line = "\(opening)2024-02-30 10:00\(closing) Bad"
    let text = "\(opening)2024-02-28 10:00\(closing) Good\nbody\n\n\(line)\nits body\n"
    for text in [text, text.replacing("\n", with: "\r\n")] {
      #expect(entries(Self.source(text)).map(\.text) == ["Good\nbody\n\n\(line)\nits body"])
      let doubts = items(Self.source(text)).compactMap { item in
        if case .doubt(let reason, let place) = item { "\(place): \(reason)" } else { nil }
      }
      #expect(
        doubts == ["4: there is no date 2024-02-30 10:00, so the line is text of line 1"])
    }
  }

  @Test("one date of the file tells what dates with slashes mean")
  func slashes() throws {
    let read = entries(Self.source("[03/04/2024 10:00] a\n[25/04/2024 10:00] b\n"))
    #expect(read.map(\.day) == [try day("2024-04-03"), try day("2024-04-25")])
  }

  @Test("invalid UTF-8 makes its entry a problem, or U+FFFD when that is asked for")
  func invalid() {
    let bytes = utf8("[2024-01-05 14:30] a\n[2024-01-05 14:31] b") + [0xFF]
    #expect(
      JournalFormatsTests.problems(JrnlTextSource(bytes, options: options()))
        == ["2: invalid UTF-8 at byte 2"])
    #expect(
      entries(JrnlTextSource(bytes, options: options(isLossy: true))).map(\.text) == [
        "a", "b\u{FFFD}",
      ])
  }

  @Test("the same file has the same identities in every zone")
  func identities() {
    let text = "[2024-01-05 14:30] a\n[2024-01-05 14:31] a\n"
    let tokyo = WallClock.fixed(seconds: 0, offset: 32_400)
    let here = entries(Self.source(text)).map(identity)
    #expect(here == entries(JrnlTextSource(utf8(text), options: options(tokyo))).map(identity))
    #expect(Set(here).count == 2)
  }

  @Test("what is written is read back, but for what is counted as lost")
  func roundTrip() throws {
    for entry in RandomEntry.many(4000, seed: 1) {
      let (bytes, losses) = try encode(JrnlTextEncoder(), [entry, entry])
      let read = entries(
        JrnlTextSource(bytes, options: options(.fixed(seconds: 0, offset: entry.created.offset))))
      try #require(read.count == 2, "\(entry.text.debugDescription)")
      for copy in read {
        #expect(copy.starred == entry.starred, "\(entry.text.debugDescription)")
        #expect(copy.created.clockText == entry.created.clockText)
        #expect(copy.day == entry.created.localDay)
        if !losses.contains(where: { $0.contains("text") }) {
          #expect(copy.text == entry.text, "\(entry.text.debugDescription)")
        }
      }
    }
  }

  @Test("losses are told in words and counts")
  func losses() throws {
    var entry = try RandomEntry.plain("a ", at: "2026-11-21T01:15:30+01:00", starred: true)
    entry.day = try day("2026-11-20")
    let (bytes, losses) = try encode(JrnlTextEncoder(), [entry, entry])
    #expect(bytes == utf8("[2026-11-21 01:15] a *\n\n[2026-11-21 01:15] a *\n"))
    #expect(
      losses == [
        "the seconds of 2 entries", "the day of 2 entries", "the offset from UTC of 2 entries",
        "the white space around the text of 2 entries",
      ])
  }
}
