import Testing

@testable import Journal

@Suite("Entry")
struct EntryTests {
  @Test(
    "the title is the first line with something on it, the body what follows",
    arguments: [
      ("Bread", "Bread", ""), ("Bread\nand milk", "Bread", "and milk"),
      ("\n\n  \t\n  Bread \t\nand\nmilk\n", "Bread", "and\nmilk\n"),
      ("Bread\r\nand milk", "Bread", "and milk"), ("Bread\rand milk", "Bread", "and milk"),
      ("Bread\u{2028}and", "Bread", "and"), ("Bread\u{85}and", "Bread", "and"),
      ("Bread\n\nand", "Bread", "\nand"), ("\u{3000}日本語\n本文", "日本語", "本文"),
      ("", "", ""), (" \n\t\u{a0}", "", ""), ("Bread\n", "Bread", ""),
      ("👩‍👩‍👧 Familie\nالعربية", "👩‍👩‍👧 Familie", "العربية"), ("\u{301}x", "\u{301}x", ""),
    ])
  func titleAndBody(text: String, title: String, body: String) throws {
    let entry = try entry(text)
    #expect(Array(entry.title.utf8) == Array(title.utf8))
    #expect(Array(entry.body.utf8) == Array(body.utf8))
  }

  @Test("every field has words of one line in an entry with a value of its own, and none in others")
  func details() throws {
    let now = try #require(Moment("2026-11-22T10:00:00+01:00"))
    let later = try #require(Moment("2026-11-23T11:00:00+01:00"))
    var full = Entry(
      uuid: "id", number: 7, created: now, modified: later, day: later.localDay, text: "one\n\ntwo")
    (full.starred, full.deleted) = (true, later)
    let words = [
      "number": "number 7", "uuid": "id", "created": "time \(now)",
      "modified": "time of change \(later)", "day": "day 2026-11-23", "starred": "star",
      "deleted": "time of deletion \(later)", "text": "one two",
    ]
    let plain = Entry(
      uuid: "id", number: 7, created: now, modified: now, day: now.localDay, text: "one")
    for field in EntrySchema.fields {
      #expect(field.detail(of: full) == words[field.name])
      switch field.presence {
      case .local, .required: #expect(field.detail(of: plain) != nil)
      case .implied, .optional, .unexported:
        #expect(field.detail(of: plain) == nil, "\(field.name)")
      }
    }
  }

  @Test("a title is cut at 500 characters, not inside one")
  func titleLimit() throws {
    let long = String(repeating: "é", count: 600)
    #expect(try entry(long).title.count == 500)
    let family = String(repeating: "👩‍👩‍👧", count: 501)
    #expect(try entry(family).title == String(repeating: "👩‍👩‍👧", count: 500))
  }

  @Test("a title of one character with endless marks is cut at 16,000 bytes")
  func endlessMarks() throws {
    let title = try entry("e" + String(repeating: "\u{301}", count: 10_000)).title
    #expect(title.utf8.count == 15_999)
    #expect(title.count == 1)
  }

  @Test("the checksum is FNV-1a of the bytes")
  func checksum() {
    #expect(Entry.checksum(of: "") == Int64(bitPattern: 0xcbf2_9ce4_8422_2325))
    #expect(Entry.checksum(of: "a") == Int64(bitPattern: 0xaf63_dc4c_8601_ec8c))
    #expect(Entry.checksum(of: "foobar") == Int64(bitPattern: 0x8594_4171_f739_67e8))
    #expect(Entry.checksum(of: "caf\u{e9}") != Entry.checksum(of: "cafe\u{301}"))
  }

  @Test("titles order without case and accents")
  func titleKey() throws {
    #expect(try entry("Élan\nrest").titleKey == "elan")
    #expect(try entry("Straße").row().titleKey == "strasse")
  }

  @Test("a row has everything but the text")
  func row() throws {
    let entry = try entry("Bread #Home\nmore @anna", number: 42, starred: true, deleted: true)
    let row = entry.row(tag: "home")
    #expect(row.id == EntryRowID(number: 42, tag: "home"))
    #expect(row.title == "Bread #Home")
    #expect(row.tags == ["Home", "@anna"])
    #expect(row.starred)
    #expect(row.deleted == entry.deleted)
    #expect(row.checksum == entry.checksum)
    #expect(entry.row().id.tag.isEmpty)
  }

  @Test("a row has the values that lists are sorted by")
  func order() throws {
    let row = try entry("Élan", edited: true).row(tag: "home")
    #expect(EntryField.created.value(of: row) == .integer(row.created.seconds))
    #expect(EntryField.modified.value(of: row) == .integer(row.created.seconds + 60))
    #expect(EntryField.titleKey.value(of: row) == .text("elan"))
    #expect(ListOrder.allCases.filter(\.isDescending) == [.newest, .modified])
  }

  @Test(
    "a text that can be stored is stored",
    arguments: ["x", "日本", " x ", "\u{feff}x", "\u{7f}\u{1b}[31m", "👩‍👩‍👧", "\u{200b}"])
  func valid(text: String) {
    #expect(throws: Never.self) { try Entry.validate(text: text) }
  }

  @Test(
    "a blank text is nothing to save", arguments: ["", " ", "\n\r\n\t", "\u{3000}\u{2028}\u{85}"])
  func blank(text: String) {
    #expect(throws: EntryTextError.empty) { try Entry.validate(text: text) }
  }

  @Test("a NUL is found and its byte is named, counted from 1")
  func nul() {
    #expect(throws: EntryTextError.nul(byte: 2)) { try Entry.validate(text: "a\0b") }
    #expect(throws: EntryTextError.nul(byte: 1)) { try Entry.validate(text: "\0") }
    #expect(throws: EntryTextError.nul(byte: 4)) { try Entry.validate(text: "日\0") }
    #expect(EntryTextError.nul(byte: 2).description.hasPrefix("NUL at byte 2"))
  }

  @Test("64 MiB are an entry, a byte more is not")
  func limit() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: Entry.textByteLimit)
    let full = String(decoding: bytes, as: UTF8.self)
    #expect(throws: Never.self) { try Entry.validate(text: full) }
    #expect(throws: EntryTextError.tooLong(bytes: Entry.textByteLimit + 1)) {
      try Entry.validate(text: full + "a")
    }
    #expect(EntryTextError.tooLong(bytes: 1).description.contains("64 MiB"))
  }

  @Test(
    "words are counted as a person counts them",
    arguments: [
      ("", 0), ("one", 1), ("one two\nthree", 3), ("don't", 1), ("well-known fact", 2),
      ("a - b", 2), ("日本語", 3), ("日本 and 한국", 5), ("🎉", 0), ("party 🎉🎉 time", 2),
      ("3.14", 1), ("...", 0), ("cafe\u{301}s", 1), ("x🎉y", 2),
    ])
  func wordCount(text: String, count: Int) throws {
    #expect(try entry(text).wordCount == count)
  }
}
