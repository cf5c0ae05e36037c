import Journal
import Testing

@testable import JournalFormats

/// The rules that hold for every format, each over every format that it can concern.
struct ImportRuleTests {
  private static func readItems(
    _ format: ImportFormat, _ name: String, _ bytes: [UInt8], _ options: ImportOptions
  ) throws -> [ImportItem] {
    var options = options
    options.name = name
    var source = try format.source(.file(ByteStream(bytes)), options: options)
    var items: [ImportItem] = []
    while let item = try source.next() { items.append(item) }
    return items
  }

  private static func readEntries(
    _ format: ImportFormat, _ name: String, _ text: String, _ clock: WallClock = paris
  ) throws -> [Entry] {
    try readItems(format, name, utf8(text), options(clock)).compactMap { item in
      if case .entry(let entry, _) = item { try entry.entry() } else { nil }
    }
  }

  @Test(
    "a title in front matter that is the day is no title, for what earlier builds imported, too")
  func dayTitle() throws {
    let read = { (title: String) in
      try Self.readItems(
        .markdown, "journal.2024.01.05.md", utf8("---\ntitle: \"\(title)\"\n---\nText\n"), options()
      ).compactMap { if case .entry(let entry, _) = $0 { entry } else { nil } }
    }
    let entry = try #require(try read("2024-01-05").first)
    #expect(entry.text == "Text")
    #expect(entry.former?.text == "2024-01-05\n\nText" || entry.former?.text == "2024-01-05\nText")
    #expect(try read("2024-01-06").map(\.text) == ["2024-01-06\n\nText"])
  }

  // MARK: 1. Day and time

  private static let losAngeles = WallClock.fixed(seconds: 1_704_000_000, offset: -8 * 3600)

  @Test(
    "an instant in UTC is on the day of the clock, with one identity in every zone",
    arguments: ImportFormat.allCases)
  func universal(format: ImportFormat) throws {
    guard let (name, text) = try FormatSample.of(format).instant else { return }
    let entry = try #require(try Self.readEntries(format, name, text, Self.losAngeles).first)
    #expect(entry.created == (try moment("2024-01-05T17:00:00-08:00")))
    #expect(entry.day == (try day("2024-01-05")))
    let elsewhere = try #require(try Self.readEntries(format, name, text).first)
    #expect(elsewhere.day == (try day("2024-01-06")))
    #expect(elsewhere.uuid == entry.uuid)
  }

  @Test(
    "front matter gives a name that is a day at most a time of that day",
    arguments: [
      ("2024-06-26.md", "created: 2024-08-25", "2024-06-26T00:00:00+01:00"),
      ("2024-06-26.md", "created: 2024-06-26T09:15", "2024-06-26T09:15:00+01:00"),
      ("2024_02_02.md", "created: 2025-03-01T10:00:00Z", "2024-02-02T00:00:00+01:00"),
      ("2024/06/26.md", "date: 2024-06-26 23:30:00 +0200", "2024-06-26T23:30:00+02:00"),
      ("2024-06-26.md", "created: 2024-06-26T23:30:00Z", "2024-06-26T00:00:00+01:00"),
      ("20240626091500.md", "date: 2024-06-27", "2024-06-26T09:15:00+01:00"),
      ("June 26th, 2024.md", "created: 1719475200", "2024-06-26T00:00:00+01:00"),
      ("Trip.md", "created: 2024-06-26T23:30:00Z", "2024-06-27T00:30:00+01:00"),
      ("Trip.md", "created: 2024-06-26T23:30:00+00:00", "2024-06-26T23:30:00+00:00"),
      ("Trip.md", "date: 2024-06-26T00:00:00.000Z", "2024-06-26T00:00:00+01:00"),
      ("Trip.md", "created: 2020-02-02\ndate: 2024-06-26", "2024-06-26T00:00:00+01:00"),
      ("Trip.md", "updated: 2024-06-26 10:00", "2024-06-26T10:00:00+01:00"),
      ("Trip.md", "created: 2020-02-02\ndate: \"[[2024-06-26]]\"", "2024-06-26T00:00:00+01:00"),
      ("Trip.md", "date: \"[[2024-06-26|that day]]\"", "2024-06-26T00:00:00+01:00"),
      ("Trip.md", "date: June 26, 2024 11:30 PM (GMT+2)", "2024-06-26T23:30:00+02:00"),
      ("Trip.md", "date: June 26, 2024 11:30 PM (UTC)", "2024-06-27T00:30:00+01:00"),
      ("2024-06-26 Trip.md", "created: 2020-02-02\ndate: in summer", "2024-06-26T00:00:00+01:00"),
      (
        "Trip.md", "date created: Wednesday, June 26th 2024, 9:05:10 pm",
        "2024-06-26T21:05:10+01:00"
      ),
    ])
  func days(name: String, matter: String, created: String) throws {
    let entry = try #require(try Self.readEntries(.markdown, name, "---\n\(matter)\n---\nx").first)
    #expect(entry.created == (try moment(created)))
    #expect(entry.day == (try moment(created)).localDay)
  }

  // MARK: 2. Titles

  @Test(
    "the name of a note is its title, unless it is a date or an identifier, or the first line is it",
    arguments: [
      ("A day at the sea.md", "Walked.", "A day at the sea\n\nWalked."),
      ("A day at the sea.md", "# A Day at the Sea!\nWalked.", "# A Day at the Sea!\nWalked."),
      ("Cafe.md", "# Café\nx", "# Café\nx"),
      ("a-walk.md", "# Elsewhere\nx", "a walk\n\n# Elsewhere\nx"),
      ("Meeting 2024-01-07 with Anna.md", "x", "Meeting with Anna\n\nx"),
      ("Diary 2024-01-07.md", "x", "x"), ("journal-20240107.md", "x", "x"),
      ("8fb7f1804434417ab05eb4d05f3ae125.md", "x", "x"), ("1704442500.md", "x", "x"),
      ("A walk 1a2b3c4d5e6f47808192a3b4c5d6e7f8.md", "x", "A walk\n\nx"),
      ("20240107T091500--a-title__diary_sea.md", "x", "a title\n\nx #diary #sea"),
      ("index.md", "x", "x"), ("2024-01-07 Art.md", "We start early.", "Art\n\nWe start early."),
      ("Tea.md", "Steam rose.", "Tea\n\nSteam rose."),
      ("Walk.md", "Today I walked", "Walk\n\nToday I walked"),
      ("Walk.md", "My walk home", "Walk\n\nMy walk home"),
      ("Its fun.md", "# It's fun", "# It's fun"),
      ("[2024-01-07] Trip.md", "x", "Trip\n\nx"), ("Trip (2024-01-07).md", "x", "Trip\n\nx"),
    ])
  func titles(name: String, text: String, expected: String) throws {
    let note = "---\ncreated: 2024-01-07T10:00\n---\n\(text)"
    #expect(try Self.readEntries(.markdown, name, note).map(\.text) == [expected])
  }

  // MARK: 3. Boundaries

  @Test(
    "a file is split at headings and lines that are days, also under front matter",
    arguments: [
      ("journal.md", "# 2024-01-05\none\n\n# 2024-01-06\ntwo", ["05 one", "06 two"]),
      (
        "journal.md", "---\ntags: [x]\n---\n# 2024-01-05\none\n# 2024-01-06\ntwo",
        ["05 one #x", "06 two #x"]
      ),
      (
        "j.md",
        "# 2024\n\n## January 2024\n\n### Friday, January 5, 2024\none\n\n## Week 2\n\n### January 6, 2024\ntwo",
        ["05 one", "06 two"]
      ),
      (
        "2024-01-05.md", "## Friday 2024-01-05\none\n## Saturday 2024-01-06\ntwo",
        ["05 one", "06 two"]
      ),
      (
        "d.txt", "2024-01-05\n\none\n\n2024-01-06\n\ntwo 2024-01-07\n",
        ["05 one", "06 two 2024-01-07"]
      ),
      ("d.md", "**2024-01-05**\none\n\n2024-01-06\n==========\ntwo", ["05 one", "06 two"]),
      ("d.md", "## 05/01/2024\none\n## 25/01/2024\ntwo", ["05 one", "25 two"]),
      (
        "d.md", "## 2024-01-05 A walk\none\n## 2024-01-06: Home\ntwo",
        ["05 A walk\none", "06 Home\ntwo"]
      ),
      (
        "d.md", "# 2024-01-05\n## 09:15 Walk\none\n## 10:00\ntwo\n# 2024-01-06\nthree",
        ["05 Walk\none", "05 two", "06 three"]
      ),
      ("d.md", "# 2024-01-05\n```\n# 2024-01-07\n```\n", ["05 ```\n# 2024-01-07\n```"]),
      (
        "2024-01-05.md", "plan\n\n## 2024-03-01\nthe deadline",
        ["05 plan\n\n## 2024-03-01\nthe deadline"]
      ),
      (
        "2024-01-05.md", "# Friday, January 5th 2024\n\ntext",
        ["05 # Friday, January 5th 2024\n\ntext"]
      ),
    ])
  func boundaries(name: String, text: String, expected: [String]) throws {
    let read = try Self.readEntries(.markdown, name, text).map { entry in
      "\("\(entry.day)".suffix(2)) \(entry.text)"
    }
    #expect(read == expected)
  }

  @Test("text without a day in a file of days is reported with its line, and no day is guessed")
  func dayless() throws {
    let text = "My life\n\n# 2024-01-05\none\n\n# 2024-01-06\ntwo"
    #expect(
      problems(MarkdownSource(utf8(text), path: "d.md", options: options())) == [
        "1: text above the first day has no date"
      ])
    let ambiguous = "# 03/04/2024\none\n\n# 2024-01-06\ntwo"
    #expect(
      problems(MarkdownSource(utf8(ambiguous), path: "d.md", options: options())) == [
        "1: the date 03/04/2024 is ambiguous; write it as 2024-01-05"
      ])
  }

  @Test(
    "a line of jrnl that looks like an entry is reported; brackets of a text are not",
    arguments: [
      ("[2019-07 14:23] third", true), ("[20.7.24 14:23] fifth", true), ("[Mon, Jul 1] x", true),
      ("[24-07-21T14:23] x", true), ("[1] a footnote", false), ("[x] done", false),
      ("[2024] a year", false), ("[see 4] x", false),
    ])
  func doubts(line: String, isReported: Bool) throws {
    let text = "[2024-01-05 10:00] first\n\n\(line)\nbody\n\n[2024-01-06 10:00] last\n"
    let read = items(JrnlTextSource(utf8(text), options: options()))
    let doubts = read.compactMap { item in
      if case .doubt(let reason, let place) = item { "\(place): \(reason)" } else { nil }
    }
    let reason = "3: looks like an entry, but its date is unknown; it is text of line 1"
    #expect(doubts == (isReported ? [reason] : []))
    let texts = read.compactMap { if case .entry(let entry, _) = $0 { entry.text } else { nil } }
    #expect(texts == ["first\n\n\(line)\nbody", "last"])
  }

  // MARK: 5 and 6. Names

  @Test(
    "dates in names are those of the listed forms, and no other number is one",
    arguments: [
      ("January 5th, 2024.md", "2024-01-05 00:00"), ("05.01.2024.md", "2024-01-05 00:00"),
      ("5 Jan 2024.md", "2024-01-05 00:00"), ("Friday, January 5th 2024.md", "2024-01-05 00:00"),
      ("2024/January/05.md", "2024-01-05 00:00"), ("2024/01/05/entry.md", "2024-01-05 00:00"),
      ("2024年1月5日.md", "2024-01-05 00:00"), ("Friday 2024-01-05.md", "2024-01-05 00:00"),
      ("journal-20240105.md", "2024-01-05 00:00"), ("1704442500.md", "2024-01-05 09:15"),
      ("20240105T091500Z--title__tag.md", "2024-01-05 10:15"),
      ("2014-05-31_1330-0500.md", "2014-05-31 13:30"), ("2014-05-31 1330.md", "2014-05-31 13:30"),
      ("2014-05-31 1200 steps.md", "2014-05-31 00:00"),
      ("2014-05-31 12h30 steps.md", "2014-05-31 12:30"),
      ("2024-01-07T10_20_30.123Z.Desktop.md", "2024-01-07 11:20"),
      ("2024/01-January/05 Friday.md", "2024-01-05 00:00"),
      ("2023/10 books/1 Dune.md", nil), ("1984 - 10 - 12 monkeys.md", nil),
      ("2024/01/05 steps.md", nil), ("12345678.md", nil), ("0704442500.md", nil),
      ("01-05-2024.md", nil), ("2024/05.01.md", nil),
    ])
  func names(name: String, expected: String?) throws {
    let read = try Self.readEntries(.markdown, name, "x").map {
      "\($0.day) \($0.created.clockText)"
    }
    #expect(read == (expected.map { [$0] } ?? []))
  }

  @Test("an ambiguous name is read when another name of the import shows the order")
  func nameOrder() throws {
    let read = try entries(.markdown, ["09-01-2024.md": "a", "25-01-2024.md": "b"])
    #expect(read.map { "\($0.entryDay)" } == ["2024-01-09", "2024-01-25"])
    let both = try JournalFormatsTests.items(.markdown, ["09-01-2024.md": "a"])
    #expect(both.count == 1)
    guard case .problem(let error) = both[0] else {
      Issue.record("an ambiguous date was read")
      return
    }
    #expect(error.reason == "the date 09-01-2024 in its name is ambiguous; write it as 2024-01-05")
  }

  // MARK: 9. Backups and trash

  @Test(
    "backups and trash of other programs are left out of directories, and counted",
    arguments: ImportFormat.allCases,
    [
      "logseq/bak/", "logseq/version-files/", ".trash/", ".recycle/", ".obsidian/",
      "x.sync-conflict-20240105-",
    ])
  func backups(format: ImportFormat, place: String) throws {
    let sample = try FormatSample.of(format)
    guard sample.database == nil else { return }
    let (file, text) = (sample.path, sample.text())
    let source = try format.source(
      .directory(DirectoryInMemory([file: text, "\(place)\(file)": text])), options: options())
    var (read, reader) = ([ImportItem](), source)
    while let item = try reader.next() { read.append(item) }
    let count = read.count { if case .entry = $0 { true } else { false } }
    let left = read.count { if case .leftOut(.backup) = $0 { true } else { false } }
    #expect((count, left) == (1, 1))
  }

  // MARK: 10. Line ends

  @Test(
    "every line end becomes LF, but in Daybook's own files",
    arguments: ImportFormat.allCases, ["\n", "\r\n", "\r"])
  func lineEnds(format: ImportFormat, lineEnd: String) throws {
    let sample = try FormatSample.of(format)
    let read = try sample.items(format, utf8(sample.text(lineEnd: lineEnd))).compactMap { item in
      if case .entry(let entry, _) = item { try entry.entry() } else { nil }
    }
    #expect(read.map(\.day) == [try day("2024-01-05")])
    let expected = format == .daybook ? "one\(lineEnd)two" : "one\ntwo"
    // Some formats keep lines as paragraphs.
    let texts = read.map { entry in
      sample.kind == .other
        ? entry.text.split(whereSeparator: \.isNewline).joined(separator: "\n") : entry.text
    }
    #expect(texts == [expected])
  }

  @Test("line ends may be mixed in a file")
  func mixedLineEnds() throws {
    let text = "[2024-01-05 10:00] one\nunix\r\n[2024-01-06 10:00] two\r\nwindows\r\nlast\r"
    #expect(
      try Self.readEntries(.jrnlText, "a.txt", text).map(\.text) == [
        "one\nunix", "two\nwindows\nlast",
      ])
  }

  // MARK: 11. Names of things and encodings

  @Test(
    "every format says what its files are, and how to get them", arguments: ImportFormat.allCases)
  func guide(format: ImportFormat) {
    #expect(!format.guide.files.isEmpty)
    #expect(!format.guide.ways.isEmpty && format.guide.ways.allSatisfy { !$0.isEmpty })
  }

  @Test("a file of a format is recognised as one of it", arguments: ImportFormat.allCases)
  func detected(format: ImportFormat) throws {
    let sample = try FormatSample.of(format)
    let bytes = utf8(sample.text())
    if let database = sample.database {
      #expect(ImportFormat.detect(tables: database.tables) == format)
    } else if case .directory(let directory) = sample.input(bytes) {
      #expect(try ImportFormat.detect(directory) == format)
    } else {
      #expect(ImportFormat.detect(bytes, path: sample.path) == .format(format))
    }
    #expect(ImportFormat(rawValue: format.rawValue) == format)
  }

  @Test("no format recognises a file of another one", arguments: ImportFormat.allCases)
  func exclusive(format: ImportFormat) throws {
    let sample = try FormatSample.of(format)
    let head = utf8(sample.text())
    let sketch = JSONSketch(Array(head.drop(while: ASCII.isSpace)))
    let tables = sample.database?.tables ?? [:]
    let others = ImportFormat.readable.filter { other in
      other.name != format.rawValue
        && (sample.database == nil && other.recognises(head, path: sample.path)
          || sketch.map { other.recognises(json: $0) } ?? false
          || other.recognises(files: [sample.path]) || other.recognises(tables: tables))
    }
    #expect(others.map { $0.name } == [])
  }

  @Test("names of formats are words with hyphens, each of one format")
  func formatNames() {
    let names = ImportFormat.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil) }
  }

  @Test("the encoding of texts is recognised, or given", arguments: ImportFormat.allCases)
  func encodings(format: ImportFormat) throws {
    let sample = try FormatSample.of(format)
    guard sample.kind == .text else { return }
    let text = sample.text().replacing("one", with: "Grüße")
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    let wide = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    for bytes in [latin, wide, [0xFF, 0xFE] + wide] {
      let read = try sample.items(format, bytes)
      guard case .passedBy(let report, _) = read.first, case .entry(let entry, _) = read.last else {
        Issue.record("\(format): \(read)")
        continue
      }
      #expect(report == "read as \(bytes == latin ? "latin-1" : "utf-16"); --encoding decides")
      #expect(entry.text == "Grüße\ntwo")
    }
    var given = options()
    given.encoding = .latin1
    let read = try sample.items(format, utf8(text), given)
    guard case .entry(let entry, _) = read.first else { return }
    #expect(entry.text == "GrÃ¼ÃŸe\ntwo")
  }

  @Test(
    "what no reader supports is named",
    arguments: [
      ("a.xml", "<?xml version=\"1.0\" ?>\n<feed>\n", "an Atom feed"),
      ("t.js", "window.YTD.like.part0 = [", "a file of Twitter without tweets"),
      ("p.html", "<!DOCTYPE html>", "an HTML page"),
      ("c.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "a calendar"),
      ("m.mbox", "From a@b.org Fri Jan  5 10:00:00 2024\nSubject: x\n", "a mailbox"),
      ("f.xml", "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel/></rss>", "a feed of RSS"),
    ])
  func foreign(name: String, text: String, expected: String) {
    guard case .foreign(let kind)? = ImportFormat.detect(utf8(text), path: name) else {
      Issue.record("\(name) is not known")
      return
    }
    #expect(kind.description == expected)
  }

  @Test(
    "a directory or zip of another program is named by its files",
    arguments: [
      ("notes/all.zkn3", "a collection with an archive of Zettelkasten"),
      ("Backup.draftsExport", "a collection with an export of Drafts"),
    ])
  func foreignCollections(file: String, expected: String) {
    #expect(ForeignKind(files: ["a.jpg", file])?.description == expected)
  }
}

extension ImportedEntry {
  fileprivate var entryDay: Day { day ?? created.localDay }
}
