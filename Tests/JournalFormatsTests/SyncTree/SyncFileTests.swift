import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// Files of entries in a sync repository.
struct SyncFileTests {
  private static let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"

  private static func read(
    _ bytes: [UInt8], uuid: String = Self.uuid, day: Day? = nil
  ) throws -> SyncFile {
    try SyncFile(bytes, uuid: uuid, day: day, clock: paris)
  }

  /// The entry of a file that somebody edited.
  private static func edited(_ text: String) throws -> Entry {
    try read(Array(text.utf8), day: try day("2026-11-21")).entry
  }

  /// The reason why a file is left alone.
  private static func reason(_ text: String, day: Day? = nil) -> String {
    do {
      return "read: \(try read(Array(text.utf8), day: day).entry)"
    } catch {
      return "\(error)"
    }
  }

  private static func same(_ one: Entry, _ two: Entry) -> Bool {
    EntrySchema.fields.allSatisfy { $0.isSame(one, two) }
  }

  private static let header = """
    ---
    uuid: 01890a5d-ac96-774b-bcce-b302099a8057
    created: 2026-11-21T09:15:00+01:00
    modified: 2026-11-21T09:20:00+01:00
    ---


    """

  @Test("a file is front matter that other programs show, a blank line, and the text")
  func shape() throws {
    var entry = try RandomEntry.plain("Bought bread #home\n\nAnd more", starred: true)
    entry.day = try day("2026-11-20")
    entry.modified = try moment("2026-11-21T09:20:00+01:00")
    entry.deleted = try moment("2026-11-22T08:00:00-03:30")
    entry.number = 12
    let file = """
      ---
      uuid: 01890a5d-ac96-774b-bcce-b302099a8057
      created: 2026-11-21T09:15:00+01:00
      day: 2026-11-20
      modified: 2026-11-21T09:20:00+01:00
      starred: true
      deleted: 2026-11-22T08:00:00-03:30
      ---

      Bought bread #home

      And more
      """
    #expect(String(decoding: SyncFile.encode(entry), as: UTF8.self) == file)
    let fields = try #require(
      try YAMLFields.read(file.split(separator: "---\n").first.map(String.init) ?? ""))
    #expect(
      fields.map(\.name) == ["uuid", "created", "day", "modified", "starred", "deleted"])
    #expect(SyncPath(entry).text == "2026/11/20/01890a5d-ac96-774b-bcce-b302099a8057.md")
  }

  static let texts = [
    "x", " x", "x ", "\nx", "\n\n\nx\n\n\n", "---", "---\nx: y\n---\n\nz", "...\nx", "+++\nx",
    "uuid: 1\n---\nx", "\r", "x\r", "\rx", "x\r\n", "\r\nx\r\n\r\n", "x\r\r\n\ny", "\u{FEFF}x",
    "\u{FEFF}---\nx",
    "\u{2028}x\u{2029}", "\u{85}x\u{B}\u{C}", "\u{301}", "\u{301}\u{301} x", "\u{200D}", "🇩",
    "e\u{301}é",
    "\u{FFFE}\u{FFFF}\u{10FFFF}", "\u{1B}[31m", "  \t x", "tags: [a]", "title: x", "# x\n",
    "<!-- daybook -->",
    String(repeating: "long line without an end ", count: 40_000),
    String(repeating: "\n", count: 9_999) + "x",
  ].filter { (try? Entry.validate(text: $0)) != nil }

  @Test("any text comes back byte by byte", arguments: texts)
  func anyText(_ text: String) throws {
    let entry = try RandomEntry.plain(text)
    let bytes = SyncFile.encode(entry)
    #expect(bytes.suffix(text.utf8.count).elementsEqual(text.utf8))
    let file = try Self.read(bytes)
    #expect(Self.same(file.entry, entry))
    #expect(file.unknown.isEmpty)
    #expect(SyncFile.encode(file.entry) == bytes)
  }

  @Test("random entries come back whole, from files that are the same for equal entries")
  func random() throws {
    for entry in RandomEntry.many(2_000, seed: SeededGenerator.runSeed) {
      var entry = entry
      let bytes = SyncFile.encode(entry)
      let file = try Self.read(bytes, uuid: entry.uuid, day: try day("1999-01-01"))
      #expect(Self.same(file.entry, entry))
      entry.number = 99
      #expect(SyncFile.encode(entry) == bytes)
      #expect(SyncHeader.decode(bytes) != nil)
    }
  }

  @Test("fields that an editor writes in another way mean the same")
  func rewritten() throws {
    for entry in RandomEntry.many(600, seed: SeededGenerator.runSeed &+ 1) {
      let bytes = SyncFile.encode(entry)
      let head = SyncHeader.encode(entry)
      let text = Array(bytes[head.count...])
      let fields = String(decoding: head, as: UTF8.self).split(separator: "\n").dropFirst()
        .dropLast().map(String.init)
      let quoted = fields.map { field in
        let parts = field.split(separator: ": ", maxSplits: 1)
        return "\(parts[0]):   \"\(parts[1])\""
      }
      for lines in [Array(fields.reversed()), quoted, fields + ["aliases: []"]] {
        let other = Array("---\n\(lines.joined(separator: "\n"))\n---\n\n".utf8) + text
        #expect(SyncHeader.decode(other) == nil)
        #expect(Self.same(try Self.read(other, uuid: entry.uuid).entry, entry))
      }
    }
  }

  @Test("moments at the ends of time come back, too")
  func ends() throws {
    for (seconds, offset) in [
      (-62_135_596_800, -3600), (-62_135_596_800, 0), (253_402_300_799, 3600), (0, 360_000),
    ] {
      var entry = try RandomEntry.plain("x")
      entry.created = Moment(seconds: Int64(seconds), offset: offset)
      entry.deleted = entry.created
      let bytes = SyncFile.encode(entry)
      #expect(Self.same(try Self.read(bytes).entry, entry))
      let edited = Array("---\naliases: x\n".utf8) + bytes.dropFirst(4)
      #expect(Self.same(try Self.read(edited).entry, entry))
    }
  }

  // Yams drops a byte order mark at the start of a scalar, also of an escaped one.
  @Test(
    "a later field with any text is one line of YAML",
    arguments: texts.filter { $0.utf8.count < 1000 && $0.unicodeScalars.first != "\u{FEFF}" })
  func quotedTexts(_ text: String) throws {
    let quoted = SyncHeader.quoted(text)
    #expect(!quoted.contains { $0.isNewline })
    let fields = try #require(try YAMLFields.read("mood: \(quoted)\n"))
    #expect(fields.first?.value.text.map { Array($0.utf8) } == Array(text.utf8))
    #expect(try JSONValue(Array(quoted.utf8)).string.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test("a changed text, or a line feed at the end, is the text")
  func changedText() throws {
    let entry = try Self.edited(Self.header + "New text\n")
    #expect(entry.text == "New text\n")
    #expect(entry.modified == (try moment("2026-11-21T09:20:00+01:00")))
    #expect(try Self.edited(Self.header + "\n\nafter blank lines").text == "\n\nafter blank lines")
    let without = Self.header.dropLast() + "no blank line"
    #expect(try Self.edited(String(without)).text == "no blank line")
  }

  @Test("tags and a title of front matter become part of the text, if it lacks them")
  func addedFields() throws {
    let fields = "---\ntags: [home, \"work\"]\naliases:\n  - Bread\ncssclass: wide\ntitle: Bakery\n"
    let file = try Self.read(
      Array((fields + Self.header.dropFirst(4) + "Bought bread #home").utf8))
    #expect(file.entry.text == "Bakery\n\nBought bread #home #work")
    #expect(file.unknown.names == ["aliases", "cssclass"])
    #expect(file.entry.uuid == Self.uuid)
    #expect(file.entry.created == (try moment("2026-11-21T09:15:00+01:00")))
    let titled = try Self.edited(
      "---\ntitle: Bakery\ncreated: 2026-11-21\n---\n\n# Bakery\n\nBread")
    #expect(titled.text == "# Bakery\n\nBread")
  }

  @Test("a star, a date and a trash mark can be set and removed by hand")
  func marks() throws {
    let file = """
      ---
      created: 2026-11-20 18:30
      starred: yes
      deleted: 2026-11-22 08:00:00Z
      ---
      Text
      """
    let entry = try Self.edited(file)
    #expect(entry.starred)
    #expect(entry.created == (try moment("2026-11-20T18:30:00+01:00")))
    #expect(entry.modified == entry.created)
    #expect(entry.day == (try day("2026-11-20")))
    #expect(entry.deleted == (try moment("2026-11-22T08:00:00+00:00")))
    #expect(entry.text == "Text")
    #expect(try !Self.edited("---\nstarred: false\n---\n\nx").starred)
  }

  @Test("a file without front matter has the uuid of its name and the day of its directory")
  func bare() throws {
    let entry = try Self.edited("Only text\n\n---\n\nand more\n")
    #expect(entry.uuid == Self.uuid)
    #expect(entry.day == (try day("2026-11-21")))
    #expect(entry.text == "Only text\n\n---\n\nand more\n")
    #expect(Self.reason("Only text").contains("has no date"))
  }

  @Test("a file that was converted to CRLF, or got a byte order mark, is the same entry")
  func converted() throws {
    let entry = try Self.edited(Self.header + "One\n\nTwo\n")
    let paired = (Self.header + "One\n\nTwo\n").replacing("\n", with: "\r\n")
    #expect(Self.same(try Self.edited(paired), entry))
    #expect(Self.same(try Self.edited("\u{FEFF}" + Self.header + "One\n\nTwo\n"), entry))
    #expect(Self.same(try Self.edited("\u{FEFF}" + paired), entry))
  }

  @Test("what is no entry is left alone, with its reason on one line")
  func refused() throws {
    let other = Self.header.replacing("01890a5d", with: "11890a5d")
    #expect(Self.reason(other + "x").contains("uuid \"11890a5d-ac96-774b-bcce-b302099a8057\""))
    #expect(Self.reason("---\nuuid: nonsense\ncreated: 2026-11-21\n---\nx").contains("nonsense"))
    #expect(Self.reason(Self.header) == "has no text")
    #expect(Self.reason(Self.header + " \n ") == "has no text")
    #expect(Self.reason(Self.header + "a\0b").contains("NUL at byte 2"))
    #expect(Self.reason("---\nday: tomorrow\ncreated: 2026-11-21\n---\nx").contains("tomorrow"))
    #expect(Self.reason("---\ndeleted: soon\ncreated: 2026-11-21\n---\nx").contains("soon"))
    #expect(Self.reason("---\ncreated: 2026-02-30\n---\nx").contains("2026-02-30"))
    #expect(throws: SyncTreeError.self) { try Self.read(Array(Self.header.utf8) + [0xFF]) }
    #expect(throws: SyncTreeError.self) {
      try Self.read([0xFE] + Array(Self.header.utf8) + [0x61])
    }
    let large = [UInt8](repeating: 0x61, count: SyncFile.sizeLimit + 1)
    #expect(throws: SyncTreeError.tooLarge(bytes: large.count)) { try Self.read(large) }
    for reason in ["a\nb\u{1B}", "x"].map({ "---\nday: \"\($0)\"\n---\nx" }).map({ Self.reason($0) }
    ) {
      #expect(!reason.contains("\n"))
    }
  }

  @Test("mutated files never crash, and what is read can be written and read again")
  func fuzz() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ 2)
    var readable = 0
    for entry in RandomEntry.many(3_000, seed: SeededGenerator.runSeed &+ 3) {
      var bytes = SyncFile.encode(entry)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = random.below(min(bytes.count, 260))
        switch random.below(4) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(
            contentsOf: "\n---\n: -\"".utf8.shuffled(using: &random).prefix(3), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + random.below(60)))
        }
        if bytes.isEmpty { bytes = [0x61] }
      }
      do {
        let file = try Self.read(bytes, uuid: entry.uuid, day: try day("2026-11-21"))
        readable += 1
        #expect(file.entry.uuid == entry.uuid)
        let again = try Self.read(SyncFile.encode(file.entry), uuid: entry.uuid)
        #expect(Self.same(again.entry, file.entry))
      } catch let error as SyncTreeError {
        let isOneLine = !error.description.contains { $0.isNewline }
        #expect(isOneLine)
      }
    }
    #expect(readable > 500)
  }
}

/// Markdown files of other programs in a sync repository.
struct ForeignSyncFileTests {
  private func foreign(_ text: String, _ path: String) throws -> Entry {
    try SyncFile(foreign: Array(text.utf8), path: path, clock: paris).entry
  }

  @Test(
    "a note is one entry, with the date of its front matter or name, and the same uuid for its path"
  )
  func note() throws {
    let entry = try foreign("# Lake\n\nSwam.\n", "Trips/2026-07-05 Lake.md")
    #expect(entry.text == "# Lake\n\nSwam.")
    #expect(entry.day == (try day("2026-07-05")))
    #expect(entry.uuid == EntryUUID.derived(path: "Trips/2026-07-05 Lake.md"))
    #expect(EntryUUID.isValid(entry.uuid))
    #expect(try foreign("Other", "Trips/2026-07-05 Lake.md").uuid == entry.uuid)
    #expect(try foreign("# Lake\n\nSwam.\n", "Trips/2026-07-05.md").uuid != entry.uuid)
    #expect(try foreign("---\ndate: 2026-07-05 10:00\n---\nx", "x.md").text == "x")
  }

  @Test("a daily note with times is one entry")
  func daily() throws {
    let text = "## 09:15 Walk\n\nCold.\n\n## 18:00 Home\n\nWarm."
    #expect(try foreign(text, "2026-11-21.md").text == text)
  }

  @Test("a file of ours in another directory keeps its identity and its text")
  func moved() throws {
    for entry in RandomEntry.many(50, seed: 5) {
      let file = try SyncFile(
        foreign: SyncFile.encode(entry), path: "Trips/\(entry.uuid).md", clock: paris)
      #expect(EntrySchema.fields.allSatisfy { $0.isSame(file.entry, entry) })
    }
  }

  @Test("a note without a date or a text is left alone")
  func refused() {
    #expect(throws: SyncTreeError.self) { try foreign("x", "ideas.md") }
    #expect(throws: SyncTreeError.self) { try foreign("", "2026-11-21.md") }
    #expect(throws: SyncTreeError.self) { try foreign("a\0b", "2026-11-21.md") }
  }

  @Test("a conflict is its text alone, under the hash of it, and an edited one is read, too")
  func conflict() throws {
    let text = "---\r\n lost\u{FEFF}"
    guard case .conflict(_, let hash) = SyncPath(conflict: text, of: "x") else {
      Issue.record("not a conflict")
      return
    }
    #expect(hash == SHA256.hex(of: text))
    for text in [text, "edited by hand"] {
      #expect(try SyncConflict.text(of: Array(text.utf8)).utf8.elementsEqual(text.utf8))
    }
    for bytes in [[], [0xFF], Array("a\0b".utf8)] {
      #expect(throws: SyncTreeError.self) { try SyncConflict.text(of: bytes) }
    }
  }
}
