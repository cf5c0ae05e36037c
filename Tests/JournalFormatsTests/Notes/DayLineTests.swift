import Journal
import Testing

@testable import JournalFormats

/// Lines that look like days, in every kind of file that is split at days.
struct DayLineTests {
  /// A kind of file: its name, and a line that begins a day in January 2024 with the text after it.
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var day: @Sendable (Int, String) -> String
    var format = ImportFormat.markdown

    var testDescription: String { name }
  }

  private static let kinds: [Kind] = [
    Kind(name: "lines") { "2024-01-0\($0)\n\($1)\n" },
    Kind(name: "lines in bold type") { "**2024-01-0\($0)**\n\($1)\n" },
    Kind(name: "lines with weekdays") { "\(weekday($0)), January \($0), 2024\n\($1)\n" },
    Kind(name: "lines of German") { "\($0). Januar 2024\n\($1)\n" },
    Kind(name: "lines between rules") { "== 2024-01-0\($0) ==\n\($1)\n" },
    Kind(name: "lines in a list") { "- 2024-01-0\($0)\n\($1)\n" },
    Kind(name: "lines with times") { "0\($0).01.2024, 21:30\n\($1)\n" },
    Kind(name: "lines below a title") {
      ($0 == 5 ? "My diary\n\n2024-01-01\nx\n\n2024-01-02\ny\n\n" : "") + "2024-01-0\($0)\n\($1)\n"
    },
    Kind(name: "headings") { "## 2024-01-0\($0)\n\($1)\n" },
    Kind(name: "headings below months") {
      ($0 == 5 ? "# 2024\n## January\n" : "") + "### 2024-01-0\($0)\n\($1)\n"
    },
    Kind(name: "headings with words") { "# 2024-01-0\($0) Walk\n\($1)\n" },
    Kind(name: "headings of times") { "# 2024-01-0\($0)\n## 09:15 Walk\n\($1)\n" },
    Kind(name: "texts after dates") { "2024-01-0\($0): \($1)\n" },
    Kind(name: "fields") { "Date: 2024-01-0\($0)\nTitle: T\n\n\($1)\n" },
    Kind(name: "a log of Notepad") { ($0 == 5 ? ".LOG\n" : "") + "09:15 2024-01-0\($0)\n\($1)\n" },
    Kind(name: "jrnl 1", day: { "2024-01-0\($0) 10:00 T\n\($1)\n" }, format: .jrnlText),
    Kind(
      name: "jrnl 1 without titles", day: { "2024-01-0\($0) 10:00\n\($1)\n" }, format: .jrnlText),
  ]

  private static func weekday(_ day: Int) -> String { ["Friday", "Saturday", "Sunday"][day - 5] }

  /// Lines that consist of a date of 6 January, or of one that there is not.
  private static let dates = [
    "2024-01-06", "2024/01/06", "06.01.2024", "20240106", "6 January 2024", "January 6th, 2024",
    "Saturday, January 6, 2024", "Sa., 06.01.2024", "Samstag, den 6. Januar 2024",
    "2024-01-06 (Sat)",
    "2024-01-06T07:00", "2024-01-06 10:00:30", "2024-01-06 21.30", "2024-01-06 21h30",
    "2024-01-06 kl. 21:30", "06.01.2024 10:00", "2024/01/06 10:00", " 2024-01-06 10:00",
    "2024年1月6日", "2024년 1월 6일", "2024-01-06.", "2024-01-06:", "(2024-01-06)", "<2024-01-06>",
    "<2024-01-06 Sat>", "[2024-01-06]", "**2024-01-06**", "_2024-01-06_", "== 2024-01-06 ==",
    "--- 2024-01-06 ---", "- 2024-01-06", "* 2024-01-06", "- [ ] 2024-01-06", "- [x] 2024-01-06",
    "Day 6: 2024-01-06", "Date: 2024-01-06", "Datum: 06.01.2024", "📅 2024-01-06",
    "# 2024-01-06", "## 2024-01-06", "### 2024-01-06", "###### 6 January 2024", "06-01-2024",
    "6/1/2024", "06.01.24", "1/6/24", "6. 1. 24", "06.01.", "6 Jan", "January 6",
    "Tuesday, 6 January",
    "6 января 2024", "6 stycznia 2024", "Sat Jan  6 21:30:00 CET 2024", "2024-W01-6",
    "2024 01 06", "# 06.01.24", "## Saturday, 6 January", "## 2024-W01-6",
    "2024-02-30", "# 2024-02-30", "February 30, 2024", "**2024-02-30**", "2024-02-30 10:00",
    "2024-01-06 25:00", "Date: 2024-02-30",
  ]

  private static func read(_ kind: Kind, _ text: String) -> [ImportItem] {
    let options = options()
    return kind.format == .jrnlText
      ? items(JrnlTextSource(utf8(text), options: options))
      : items(MarkdownSource(utf8(text), path: "diary.txt", options: options))
  }

  @Test(
    "a line that is a date begins an entry, or is reported with its number", arguments: kinds,
    ["", "\n"])
  func dates(kind: Kind, blank: String) throws {
    for date in Self.dates {
      let start = kind.day(5, "text A") + blank
      let text = start + "\(date)\ntext B\n\n" + kind.day(7, "text C")
      let line = start.count { $0 == "\n" } + 1
      var isReported = false
      var days: [String: [Int]] = [:]
      var isGlued = false
      for item in Self.read(kind, text) {
        switch item {
        case .doubt(_, let place): isReported = isReported || place.line == line
        case .problem(let error): isReported = isReported || error.place.line == line
        case .entry(let entry, _):
          for letter in ["A", "B", "C"] where entry.text.contains("text \(letter)") {
            days[letter, default: []].append((entry.day ?? entry.created.localDay).day)
          }
          isGlued = isGlued || entry.text.contains("text A") && entry.text.contains("text B")
        case .passedBy, .leftOut: break
        }
      }
      #expect(days["A"] == [5] && days["C"] == [7], "\(text)")
      #expect(isReported || days["B"] == [6] && !isGlued, "\(text)")
    }
  }

  @Test("a line of the form of the others begins an entry without a blank line", arguments: kinds)
  func tight(kind: Kind) throws {
    let text = kind.day(5, "A") + kind.day(6, "B") + kind.day(7, "C")
    let read = Self.read(kind, text).compactMap { item -> String? in
      guard case .entry(let entry, _) = item else { return "\(item)" }
      return "\((entry.day ?? entry.created.localDay).day) \(entry.text.suffix(1))"
    }
    #expect(
      read.filter { !"xy".contains($0.suffix(1)) && !$0.contains("above") } == [
        "5 A", "6 B", "7 C",
      ])
  }

  @Test(
    "a day without a text takes none of the next day, and is counted", arguments: kinds.prefix(10))
  func empty(kind: Kind) throws {
    let text = kind.day(5, "A") + "\n" + String(kind.day(6, "").dropLast()) + kind.day(7, "C")
    let items = Self.read(kind, text)
    let read = items.compactMap { item -> String? in
      guard case .entry(let entry, _) = item else { return nil }
      return "\(entry.day?.day ?? 0) \(entry.text)"
    }
    #expect(read.suffix(2) == ["5 A", "7 C"])
    #expect(notes(items).contains("day without a text is left out (1)"))
  }

  @Test("dates below a text without texts of their own stay in it, and are reported")
  func lists() {
    let text = "2024-01-05\nDates:\n2024-02-01\n2024-03-01\n\n2024-01-06\n2024-01-07\nb\n"
    let source = MarkdownSource(utf8(text), path: "d.txt", options: options())
    #expect(
      summary(source) == [
        "? 3: looks like a day, but not like the other days of the file; its text went to 2024-01-05",
        "? 4: looks like a day, but not like the other days of the file; its text went to 2024-01-05",
        "2024-01-05 00:00 | Dates:⏎2024-02-01⏎2024-03-01", "2024-01-07 00:00 | b",
      ])
    #expect(notes(items(source)).contains("day without a text is left out (1)"))
  }

  @Test("the notes name the forms at which a file is split, and the days without blank lines above")
  func forms() {
    let text = "2024-01-05\na\n2024-01-06\nb\n\n**January 7, 2024**\nc\n\n# 2024-01-08\nd\n"
    let items = items(MarkdownSource(utf8(text), path: "d.txt", options: options()))
    #expect(
      notes(items) == [
        "file is split at the days in its lines, such as 2024-01-05, **January 7, 2024**, # 2024-01-08 (1)",
        "day begins without a blank line above it (1)",
      ])
  }

  @Test(
    "no other line is taken for a day",
    arguments: [
      "> 2024-01-06", "in 2024", "2024", "10:30", "1 2 3", "+43 664 1234567", "12345678",
      "v1.2.3.4",
      "January 2024", "2024-W01", "5 km", "1. Walk", "3/4", "Chapter 6", "May", "2024-2025",
      "room 101", "6:2, 6:3", "$ 12.50", "```\n2024-01-06\n```", "~~~\n06.01.24\n~~~",
    ])
  func others(line: String) {
    for kind in Self.kinds {
      let items = Self.read(kind, kind.day(5, "A\n\n\(line)\n\nB") + "\n" + kind.day(7, "C"))
      let doubts = items.filter { if case .doubt = $0 { true } else { false } }
      let isCode = kind.format == .jrnlText || kind.name.hasPrefix("a log")
      #expect(doubts.isEmpty || line.contains("\n") && isCode, "\(kind.name): \(doubts)")
    }
  }

  @Test(
    "a note with a day of its own is split as little as before, and says what it has of other days")
  func notesOfDays() {
    let read = { (text: String) in
      items(MarkdownSource(utf8(text), path: "2024-01-05.md", options: options()))
    }
    for list in ["2024-03-01\n2024-03-02\n2024-03-03\n", "- 2024-03-01\n- 2024-03-02\n"] {
      #expect(read(list).count == 1)
      #expect(read("Dates:\n\n\(list)\n2024-03-09\n").count == 1)
    }
    let other = read("plan\n\n## 2024-03-01\nthe deadline\n")
    #expect(other.count == 1)
    #expect(notes(other) == ["heading of another day is text of its note (1)"])
  }

  @Test("a file whose first day has a bad form says so")
  func first() {
    #expect(
      problems(MarkdownSource(utf8("1/5/2024\nfoo\n"), path: "d.txt", options: options())) == [
        "1: the date 1/5/2024 is ambiguous; write it as 2024-01-05"
      ])
  }
}
