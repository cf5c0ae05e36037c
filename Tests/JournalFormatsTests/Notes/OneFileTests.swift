import Journal
import Testing

@testable import JournalFormats

/// One file for all days, as Markdown and plain text.
struct OneFileTests {
  private static func read(_ text: String, _ path: String = "diary.txt") -> [String] {
    summary(MarkdownSource(utf8(text), path: path, options: options()))
  }

  @Test(
    "files of all days are split at each day",
    arguments: [
      ("journal.md", ["2024-01-05 00:00 | Walked to the sea.", "2024-01-06 00:00 | At home."]),
      ("diary.txt", ["2024-01-05 00:00 | Walked to the sea.", "2024-01-06 00:00 | At home."]),
      ("journal2.md", ["2024-01-05 09:15 | Walked.", "2024-01-06 00:00 | At home."]),
      ("ohlife.txt", ["2014-01-05 00:00 | Walked to the sea.", "2014-01-06 00:00 | At home."]),
      (
        "oneline.txt",
        ["2016-12-12 00:00 | first snow ride", "2016-12-13 00:00 | stayed at home #home"]
      ),
      (
        "oneline2.txt",
        ["2016-12-12 00:00 | first snow ride", "2016-12-13 00:00 | stayed at home #home"]
      ),
      (
        "oneline3.txt", ["2016-12-12 00:00 | first snow ride", "2016-12-13 00:00 | stayed at home"]
      ),
      ("list.md", ["2024-12-23 00:00 | Walked", "2024-12-24 00:00 | Home"]),
      ("at.txt", ["2024-12-23 18:45 | text with at date"]),
      ("de.txt", ["2024-12-23 18:45 | Text deutsch", "2024-12-24 08:10 | Zweiter"]),
      ("word.txt", ["2024-12-23 00:00 | Walked.", "2024-12-24 00:00 | Home."]),
      ("nested.md", ["2024-12-23 00:00 | Walked"]),
      ("notepad.txt", ["2024-12-23 09:15 | Walked.", "2024-12-24 10:20 | Home."]),
      (
        "fields.txt",
        [
          "2024-12-23 18:45 | A log⏎⏎## First steps⏎⏎He walked.⏎⏎#family #reflecting | place:: Town",
          "2024-12-24 08:10 | Second⏎⏎More.",
        ]
      ),
    ])
  func fixtures(name: String, expected: [String]) throws {
    let bytes = try fixture("onefile/\(name)")
    #expect(summary(MarkdownSource(bytes, path: name, options: options())) == expected)
    // A date with a time on a line is how jrnl 1 began its entries, too.
    let format = name == "de.txt" ? ImportFormat.jrnlText : .markdown
    #expect(ImportFormat.detect(bytes, path: name) == .format(format))
    #expect(name.hasSuffix(".md") || ImportFormat.detect(bytes) == .format(format))
  }

  @Test("a heading above the level of the days, and what is below it, is reported with its day")
  func above() {
    let text = """
      # Diary

      ## January

      ### 2024-01-31
      last

      ## February

      Goals: run

      ### 2024-02-01
      first
      ## 2024-02-02
      ### Walk
      far

      ## March

      ### 2024-03-01
      spring

      # Appendix
      words
      """
    #expect(
      Self.read(text, "diary.md").filter { $0.hasPrefix("?") } == [
        "? 8: is a heading above the days; its text went to 2024-01-31",
        "? 23: is a heading above the days; its text went to 2024-03-01",
      ])
  }

  @Test("what is below an ambiguous day is reported as left out with it")
  func ambiguous() {
    let text = "January 5, 2024\none\n\n10/01/2024\ntwo\n\n8 Jan 2024 - walked\nfar\n"
    #expect(
      Self.read(text) == [
        "2024-01-05 00:00 | one",
        "! 4: the date 10/01/2024 is ambiguous; write it as 2024-01-05",
        "? 7: looks like a day, but words follow; its text is left out",
      ])
  }

  @Test(
    "a weekday after a date belongs to it, and an import of an earlier build adds nothing",
    arguments: ["Friday", "(Fri)", "Fri.", "- Friday", "Freitag"])
  func weekdays(word: String) throws {
    for (head, end) in [("", "\n"), ("# ", "\n"), ("", "=====\n")] {
      let text = "\(head)2024-01-05 \(word)\n\(end)one\n\n\(head)2024-01-06\n\(end)two\n"
      let read = entries(MarkdownSource(utf8(text), path: "diary.txt", options: options()))
      #expect(read.map(\.text) == ["one", "two"], "\(text)")
      #expect(read.first?.former?.text.hasSuffix("\none") == true)
      #expect(ImportFormat.detect(utf8(text), path: "diary.txt") == .format(.markdown))
    }
  }

  @Test("a line or a heading with words after a date is said to be text of the day above")
  func doubts() {
    let lines = Self.read(
      "2024-01-05\n\none\n\n2024-01-06 at the sea\n\ntwo\n\n2024-01-07\n\nthree\n2024-01-01 no\n")
    #expect(
      lines == [
        "? 5: looks like a day, but words follow; its text went to 2024-01-05",
        "2024-01-05 00:00 | one⏎⏎2024-01-06 at the sea⏎⏎two",
        "2024-01-07 00:00 | three⏎2024-01-01 no",
      ])
    let headings = Self.read(
      "## 2024-01-05\n\none\n\n## 2024-01-06 sea\n\ntwo\n\n### 2024-01-02 x\n\n## More\n\n```\n\n## 2024-01-07 y\n```\n"
    )
    #expect(
      headings == [
        "? 5: looks like a day, but words follow; its text went to 2024-01-05",
        "2024-01-05 00:00 | one⏎⏎## 2024-01-06 sea⏎⏎two⏎⏎### 2024-01-02 x⏎⏎## More⏎⏎```⏎⏎## 2024-01-07 y⏎```",
      ])
  }

  @Test(
    "days are written in other languages",
    arguments: [
      "Montag, 23. Dezember 2024", "23. Dez. 2024", "lundi 23 décembre 2024", "le 23 décembre 2024",
      "lunes, 23 de diciembre de 2024", "23 dicembre 2024", "maandag 23 december 2024",
      "# Montag, den 23. Dezember 2024", "23rd of December 2024", "23. Dezember 2024, 00:00 Uhr",
    ])
  func languages(date: String) {
    #expect(Self.read("\(date)\n\nx\n") == ["2024-12-23 00:00 | x"])
  }

  @Test("days below headings of months, and in a file of a month, are their numbers")
  func months() {
    let text = "# 2024\n## Dezember\n### 5 Thursday\na\n### 6\nb\n## 2025-01\n### 1.\nc\n"
    #expect(
      Self.read(text, "j.md") == [
        "2024-12-05 00:00 | a", "2024-12-06 00:00 | b", "2025-01-01 00:00 | c",
      ])
    #expect(
      Self.read("# January 2024\n\n## 5\na\n## 6\nb\n", "January 2024.md") == [
        "2024-01-05 00:00 | a", "2024-01-06 00:00 | b",
      ])
    #expect(Self.read("## 5\na\n", "2024-01.md") == ["2024-01-05 00:00 | a"])
  }

  @Test("lines of days keep what is below them, and sentences with a date split nothing")
  func lines() {
    let list = "# Log\n* 2024-12-23 Walked\n  - with Anna\n* 2024-12-24 Home\n"
    #expect(
      Self.read(list) == ["2024-12-23 00:00 | Walked⏎  - with Anna", "2024-12-24 00:00 | Home"])
    let paragraphs = "23.12.2024: Walked\nfar\n\n24.12.2024: Home\n"
    #expect(
      Self.read(paragraphs) == ["2024-12-23 00:00 | Walked⏎far", "2024-12-24 00:00 | Home"])
    let marked = "@2024-12-23 18:45 a\n\nmore\n@2024-12-24 b\n"
    #expect(Self.read(marked) == ["2024-12-23 18:45 | a⏎more", "2024-12-24 00:00 | b"])
    let note = "2024-12-23 exam\n2024-12-24 feast\n"
    #expect(
      Self.read(note, "2024-12-01.md") == ["2024-12-01 00:00 | 2024-12-23 exam⏎2024-12-24 feast"])
    #expect(Self.read("2024-12-23 was cold.\n\nThen it snowed.\n").count == 1)
    #expect(
      Self.read("03/04/2024 a\n05/25/2024 b\n") == ["2024-03-04 00:00 | a", "2024-05-25 00:00 | b"])
    #expect(Self.read("03/04/2024 a\n").count == 1)
  }

  @Test("a log of Notepad in another order or language, and text above it")
  func notepad() {
    #expect(Self.read(".LOG\r\n9:15 PM 12/23/2024\r\na\r\n") == ["2024-12-23 21:15 | a"])
    #expect(
      Self.read(".LOG\n09:15 23.12.2024\na\n\n10:00\nb\n") == ["2024-12-23 09:15 | a⏎⏎10:00⏎b"])
    #expect(
      Self.read(".LOG\nx\n09:15 2024-12-23\na\n") == [
        "! 2: text above the first time has no date", "2024-12-23 09:15 | a",
      ])
    #expect(Self.read(".LOG\n").count == 1)
  }

  @Test("blocks of fields in other languages, with a bad date beside a good one")
  func blocks() {
    #expect(
      Self.read("Datum: 23. Dezember 2024\nUhrzeit: 9:15\nTitel: A\nTags: x, two words\n\nb\n") == [
        "2024-12-23 09:15 | A⏎⏎b | #x #two words"
      ])
    #expect(
      Self.read("Date: 03/04/2024\n\na\n\nDate: 2024-12-24\n\nb\n") == [
        "! 1: the date 03/04/2024 is ambiguous; write it as 2024-01-05", "2024-12-24 00:00 | b",
      ])
  }

  @Test("a hostile file harms nothing")
  func hostile() throws {
    for name in ["fields.txt", "notepad.txt", "oneline.txt", "nested.md"] {
      let text = String(decoding: try fixture("onefile/\(name)"), as: UTF8.self)
      survives(text) { MarkdownSource($0, path: name, options: options()) }
    }
  }
}
