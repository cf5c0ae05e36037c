import Journal
import JournalFormats
import TestSupport
import Testing

struct DaybookSourceTests {
  private static func items(_ text: String, isLossy: Bool = false) throws -> [ImportItem] {
    let input = ImportInput.file(ByteStream(Array(text.utf8)))
    var source = try ImportFormat.daybook.source(input, options: ImportOptions(isLossy: isLossy))
    var items: [ImportItem] = []
    while let item = try source.next() { items.append(item) }
    return items
  }

  private static func problem(_ text: String) throws -> String? {
    switch try items(text).first {
    case .problem(let error): return error.reason
    case .entry(let entry, _):
      do {
        _ = try entry.entry()
        return nil
      } catch {
        return (error as FormatError).reason
      }
    case .doubt, .passedBy, .leftOut, nil: return nil
    }
  }

  @Test("text and created are enough")
  func least() throws {
    let items = try Self.items(#"{"created":"2026-11-21T23:30:00-05:00","text":"a"}"#)
    guard case .entry(let imported, let place)? = items.first else {
      Issue.record("no entry")
      return
    }
    #expect(place.line == 1)
    let entry = try imported.entry()
    #expect(entry.day.description == "2026-11-21")
    #expect(entry.modified == entry.created)
    #expect(entry.uuid == EntryUUID.derived(text: "a", created: entry.created))
    #expect(!entry.starred && entry.deleted == nil)
  }

  private static let localDates: [(String, String, String)] = [
    ("2024-01-01 10:00", "2024-01-01T10:00:00+01:00", "2024-01-01"),
    ("2024-01-01T10:00:00", "2024-01-01T10:00:00+01:00", "2024-01-01"),
    ("2024-01-01T00:30", "2024-01-01T00:30:00+01:00", "2024-01-01"),
    ("2024-01-01", "2024-01-01T00:00:00+01:00", "2024-01-01"),
    ("2024-01-01 23:30-05:00", "2024-01-01T23:30:00-05:00", "2024-01-01"),
  ]

  @Test(
    "a date without an offset is a time of this place, and the day it names", arguments: localDates)
  func local(written: String, moment: String, day: String) throws {
    let text = #"{"created":"\#(written)","text":"a","modified":"2024-02-02 08:00"}"#
    let input = ImportInput.file(ByteStream(Array(text.utf8)))
    let options = ImportOptions(clock: .fixed(seconds: 1_790_000_000, offset: 3600))
    var source = try ImportFormat.daybook.source(input, options: options)
    guard case .entry(let imported, _)? = try source.next() else {
      Issue.record("no entry")
      return
    }
    let entry = try imported.entry()
    #expect(entry.created.description == moment)
    #expect(entry.day.description == day)
    #expect(entry.modified.description == "2024-02-02T08:00:00+01:00")
  }

  @Test("the same hand-written file adds nothing in another zone")
  func identity() throws {
    let uuids = try [0, 3600, -18_000].map { offset in
      let input = ImportInput.file(
        ByteStream(Array(#"{"created":"2024-01-01 10:00","text":"a"}"#.utf8)))
      let options = ImportOptions(clock: .fixed(seconds: 1_790_000_000, offset: offset))
      var source = try ImportFormat.daybook.source(input, options: options)
      guard case .entry(let entry, _)? = try source.next() else { return "no entry" }
      return try entry.entry().uuid
    }
    #expect(Set(uuids).count == 1 && uuids.first?.count == 36)
  }

  private static let problems: [(String, String)] = [
    (#"{"created":"2026-11-21T09:15:00Z"}"#, "has no text"),
    (#"{"text":"a"}"#, "has no date"),
    (#"{"text":"a","created":null}"#, "has no date"),
    (
      #"{"text":"a","created":"2026-02-30T09:15:00Z"}"#,
      "has \"2026-02-30T09:15:00Z\" as \"created\" instead of 2026-11-21T09:15:00+01:00 or the like"
    ),
    (
      #"{"text":"a","created":"03/04/2026"}"#,
      "has \"03/04/2026\" as \"created\" instead of 2026-11-21T09:15:00+01:00 or the like"
    ),
    (
      #"{"text":"a","created":"2026-02-03T09:15:00Z","day":"2026-2-3"}"#,
      "has \"2026-2-3\" as \"day\" instead of 2026-11-21 or the like"
    ),
    (
      #"{"text":7,"created":"2026-11-21T09:15:00Z"}"#,
      "has a number as \"text\" instead of a string"
    ),
    (
      #"{"text":"a","created":"2026-11-21T09:15:00Z","starred":"yes"}"#,
      "has a string as \"starred\" instead of true or false"
    ),
    (
      #"{"text":"a","created":"2026-11-21T09:15:00Z","tags":"b"}"#,
      "has a string as \"tags\" instead of an array of strings"
    ),
    (
      #"{"text":"a","created":"2026-11-21T09:15:00Z","tags":[1]}"#,
      "has a number as \"tags\" instead of a string"
    ),
    (#"{"text":"","created":"2026-11-21T09:15:00Z"}"#, "has no text"),
    (#"{"text":" \n\u2003","created":"2026-11-21T09:15:00Z"}"#, "has no text"),
    (#"{"text":"a\u0000b","created":"2026-11-21T09:15:00Z"}"#, "has a NUL at byte 2 of its text"),
    (
      #"{"text":"a","created":"2026-11-21T09:15:00Z","uuid":"12"}"#,
      "has an invalid uuid \"12\""
    ),
    (#"[7]"#, "is not an object"),
    (
      #"{"text":"a","created":"2026-11-21T09:15:00Z","uuid":"12",}"#,
      "is invalid JSON at byte 58: expected a name, found \"}\""
    ),
  ]

  @Test("what is wrong with an entry is said", arguments: problems)
  func everyProblem(text: String, reason: String) throws {
    #expect(try Self.problem(text) == reason)
  }

  @Test("unknown fields, null and the number are passed by; the trash is kept")
  func otherFields() throws {
    let items = try Self.items(
      #"{"number":7,"title":[{"a":1}],"mood":{"x":[null]},"day":null,"modified":null,"uuid":null,"#
        + #""text":"a","created":"2026-11-21T09:15:00Z","starred":true,"#
        + #""deleted":"2026-11-22T09:15:00Z"}"#)
    guard case .entry(let imported, _)? = items.first else {
      Issue.record("no entry: \(items)")
      return
    }
    let entry = try imported.entry()
    #expect(entry.number == 0)
    #expect(entry.starred)
    #expect(entry.deleted?.description == "2026-11-22T09:15:00+00:00")
  }

  @Test("a document of a newer version is refused as a whole")
  func newer() {
    #expect(throws: FormatError.self) {
      try Self.items(#"{"format":"daybook","version":2,"entries":[]}"#)
    }
  }

  @Test("what an encoder writes comes back", arguments: [true, false])
  func roundTrip(isDocument: Bool) throws {
    let entries = (0..<5).map { index in
      let created = Moment(seconds: Int64(index) * 86_399, offset: index * 3_600 - 7_200)
      return Entry(
        uuid: EntryUUID.derived(text: "\(index)", created: created), number: Int64(index),
        created: created, modified: Moment(seconds: 1_000_000, offset: 0),
        day: Day(daysSinceEpoch: 20_000 + index), text: "t\(index) #a\r\n\u{2028}\"\\\u{7F}🌸",
        starred: index == 2, deleted: index == 3 ? created : nil)
    }
    #expect(
      try Self.transferred(entries, isDocument: isDocument).map { EntryJSON.text(of: $0) }
        == entries.map { entry in
          var entry = entry
          entry.number = 0
          return EntryJSON.text(of: entry)
        })
  }

  @Test("a text of any characters comes back byte for byte", arguments: [true, false])
  func everyText(isDocument: Bool) throws {
    var random = SeededGenerator(seed: 7)
    let entries = try (0..<400).map { _ in
      var text = "x".unicodeScalars
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let any = Unicode.Scalar(UInt32.random(in: 1...0x10_FFFF, using: &random))
        text.append(
          contentsOf: Bool.random(using: &random)
            ? Self.pieces.randomElement(using: &random)?.unicodeScalars ?? "".unicodeScalars
            : String(any ?? "?").unicodeScalars)
      }
      return try RandomEntry.plain(String(text))
    }
    let read = try Self.transferred(entries, isDocument: isDocument)
    #expect(read.map { Array($0.text.utf8) } == entries.map { Array($0.text.utf8) })
  }

  /// Difficult characters for readers and writers of JSON.
  private static let pieces = [
    "\u{FEFF}", "\n\u{FEFF}", "\"\u{FEFF}", "\\\u{FEFF}", "é", "e\u{301}", "\r\n", "\r", "\u{2028}",
    "\u{2029}", "\u{85}", "\u{1}", "\u{7F}", "\u{9B}", "\\u0000", "\\ud800", "\u{FFFE}", "\u{FFFD}",
    "\u{202E}", "\u{200D}", "👩‍👩‍👧", "\u{10FFFF}", "가", "\u{1100}\u{1161}", "\u{212B}",
  ]

  private static func transferred(_ entries: [Entry], isDocument: Bool) throws -> [Entry] {
    var encoder: any EntryEncoder = isDocument ? JSONEncoder() : JSONLinesEncoder()
    var buffer: [UInt8] = []
    try encoder.begin(&buffer)
    for entry in entries { try encoder.append(entry, to: &buffer) }
    try encoder.end(&buffer)
    return try items(String(decoding: buffer, as: UTF8.self)).map { item in
      guard case .entry(let imported, _) = item else { throw FormatError("\(item)") }
      return try imported.entry()
    }
  }
}

struct ImportedEntryTests {
  private static func entry(_ text: String, tags: [String], uuid: String? = nil) throws -> Entry {
    try ImportedEntry(
      uuid: uuid, created: Moment(seconds: 0, offset: 0), text: text, tags: tags
    ).entry()
  }

  @Test("tags that the text lacks are appended, whatever their case, and nothing of them is lost")
  func tags() throws {
    #expect(try Self.entry("a #Home", tags: ["home", "HOME"]).text == "a #Home")
    #expect(
      try Self.entry("a", tags: ["home", "@anna", "two words"]).text == "a #home @anna #two-words")
    #expect(
      try Self.entry("a", tags: ["C++", "R&D", "work/api", "#x", "a//b", "-y-"]).text
        == "a #C++ #R-D #work/api #x #a/b #y")
    #expect(try Self.entry("a", tags: ["!!!", "", " "]).text == "a #!!!")
    #expect(try Self.entry("a\n", tags: ["b"]).text == "a\n#b")
  }

  @Test("a uuid gets its one form")
  func identity() throws {
    let entry = try Self.entry("a", tags: [], uuid: "2F8DDCA258634D9994DF3A4FEE328035")
    #expect(entry.uuid == "2f8ddca2-5863-4d99-94df-3a4fee328035")
  }
}
