import Foundation
import Journal
import ResultsTestSupport
import TestSupport
import Testing

@testable import JournalStore

/// What the doctor finds, and what it makes of it.
@Suite("The doctor")
struct DoctorTests {
  private let journal: DamagedJournal

  init() throws {
    journal = try DamagedJournal(entries: 40)
    try journal.put { _ in }
  }

  @Test("A sound journal is sound, and counted")
  func sound() throws {
    let found = try journal.doctor().examine()
    #expect(found.findings == [])
    #expect(found.entries == 38)
    let report = try journal.doctor().repair()
    #expect(report.kept == nil)
    #expect(try journal.contents().keys.sorted() == ["j.sqlite"])
  }

  @Test(
    "What follows from the entries is found wrong, and made anew",
    arguments: [
      ("UPDATE section_count SET entries = entries + 1", "the count of entries is wrong"),
      ("DELETE FROM section_count", "the count of entries is wrong"),
      ("DELETE FROM tag_count", "the count of entries is wrong"),
      ("DELETE FROM entry_tag WHERE number = 3", "entry 3: it is listed under wrong tags"),
      (
        "INSERT INTO entry_tag VALUES (1, 'x', '2026-01-01', 1, 99, 'x')",
        "entry 99: it is listed under tags, but does not exist"
      ),
      ("UPDATE entry SET title = 'x' WHERE number = 4", "entry 4: its title or tags do not match"),
      (
        "INSERT INTO entry_word (entry_word) VALUES ('delete-all')",
        "the search index does not have"
      ),
      ("DELETE FROM entry_word_data", "the search index"),
      ("DELETE FROM entry_word_config", "the search index cannot be read"),
      ("UPDATE search_state SET folding = 999", "the search index is of another version"),
      ("DROP INDEX entry_day", "the index entry_day is missing"),
      ("DROP TRIGGER entry_updated", "the trigger entry_updated is missing"),
      ("DROP TABLE section_count", "the table section_count is missing"),
      ("DROP TABLE entry_tag", "the table entry_tag is missing"),
      (
        "DROP TRIGGER entry_moved; CREATE TRIGGER entry_moved AFTER UPDATE ON entry BEGIN SELECT 1; END",
        "the trigger entry_moved is altered"
      ),
      ("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'entry'", "the numbers of entry would be"),
      ("DELETE FROM sqlite_sequence", "the numbers of change would be used twice"),
      ("UPDATE clock SET change_set = 7", "the change log has an unfinished change"),
      ("DELETE FROM clock", "the change log has an unfinished change"),
      (
        "UPDATE change_set SET last_seq = last_seq + 1 WHERE id = 2",
        "step 2 of the change log does not"
      ),
      (
        "PRAGMA foreign_keys=OFF; DELETE FROM change_set WHERE id = 3",
        "step 3 of the change log is"
      ),
      (
        "UPDATE change_set SET state = 9 WHERE id = 2",
        "step 2 of the change log: its state is invalid"
      ),
    ])
  func derived(sql: String, finding: String) throws {
    try ForeignTool.run(sql, on: journal.path)
    let before = try Data(contentsOf: URL(fileURLWithPath: journal.path))
    let found = try journal.doctor().examine()
    #expect(found.findings.contains { $0.text.contains(finding) }, "\(found.findings)")
    #expect(found.findings.allSatisfy { $0.remedy == .repair })
    let report = try journal.doctor().repair()
    #expect(report.left.findings == [])
    #expect(report.repaired.count == report.found.count)
    let kept = try #require(report.kept)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == before)
    let store = try SQLiteEntryStore.open(journal.path, mode: .readWrite)
    #expect(try store.check() == [])
    for (number, entry) in journal.entries {
      #expect(try store.entry(number).isSame(as: entry))
    }
    #expect(try store.numbers(matching: .tag("later")).count == 6)
  }

  @Test(
    "A value that its column cannot have is found, and all entries are saved without it",
    arguments: [
      ("UPDATE entry SET day = x'ff' WHERE number = 1", "entry 1: its day"),
      ("UPDATE entry SET day = 'garbage' WHERE number = 1", "entry 1: its day"),
      ("UPDATE entry SET day = '2026-13-45' WHERE number = 1", "entry 1: its day"),
      ("UPDATE entry SET deleted = 'x' WHERE number = 1", "entry 1: its time of deletion"),
      ("UPDATE entry SET created = 9223372036854775807 WHERE number = 1", "entry 1: its time"),
      ("UPDATE entry SET modified = 'x' WHERE number = 1", "entry 1: its time of change"),
      ("UPDATE entry SET starred = 7 WHERE number = 1", "entry 1: its star"),
      (
        "UPDATE change SET kind = 'zz' WHERE seq = 3",
        "line 3 of the change log: unknown kind"
      ),
    ])
  func values(sql: String, finding: String) throws {
    try ForeignTool.run("PRAGMA ignore_check_constraints=1; \(sql)", on: journal.path)
    let found = try journal.doctor().examine()
    #expect(found.findings.contains { $0.text.hasPrefix(finding) }, "\(found.findings)")
    #expect(found.findings.allSatisfy { $0.remedy == .salvage })
    let saved = journal.directory.file("s.sqlite")
    #expect(try journal.doctor().salvage(to: saved).saved == 40)
    let location = JournalLocation(path: saved, isExplicit: true)
    #expect(try JournalDoctor(location).examine().findings == [])
  }

  @Test("A change of an unknown kind is not undone as if it were an insertion")
  func unknownKind() throws {
    try ForeignTool.run("UPDATE change SET kind = 'zz'", on: journal.path)
    let store = try SQLiteEntryStore.open(journal.path, mode: .readWrite)
    let error = #expect(throws: StoreError.self) { try store.undo() }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("daybook doctor") == true)
    for (number, entry) in journal.entries {
      #expect(try store.entry(number).isSame(as: entry))
    }
  }

  @Test("An index whose page was emptied is made anew")
  func index() throws {
    let root = try #require(
      Int(
        ForeignTool.run(
          "SELECT rootpage FROM sqlite_schema WHERE name = 'entry_title'", on: journal.path
        )
        .trimmingCharacters(in: .newlines)))
    try journal.put { bytes in
      // An index leaf without any cell.
      let start = (root - 1) * 4096
      bytes.replaceSubrange(start..<(start + 8), with: [0x0A, 0, 0, 0, 0, 0x10, 0, 0])
    }
    let found = try journal.doctor().examine()
    #expect(found.findings.contains { $0.text.contains("index entry_title") })
    #expect(try journal.doctor().repair().left.findings == [])
  }

  @Test("A text that is not what was stored is left to a person, and stays found")
  func text() throws {
    let place = try #require(
      journal.sound.firstRange(of: Array("entry 30: ".utf8)))
    try journal.put { bytes in
      // In all copies of this text, also in the log.
      for range in bytes.ranges(of: Array("entry 30: ".utf8)) { bytes[range.lowerBound] ^= 1 }
    }
    #expect(!place.isEmpty)
    let found = try journal.doctor().examine()
    let finding = try #require(found.findings.first { $0.text.hasPrefix("entry 31: the text") })
    #expect(finding.remedy == .person)
    let report = try journal.doctor().repair()
    #expect(report.left.findings.map(\.text).contains(finding.text))
    let saved = try journal.doctor().salvage(to: journal.directory.file("s.sqlite"))
    #expect(saved.altered == [31])
    #expect(saved.saved == 40)
  }

  @Test("A trigger or table that is not ours is named, and left alone")
  func foreign() throws {
    try ForeignTool.run("CREATE TABLE strange (a)", on: journal.path)
    let found = try journal.doctor().examine()
    #expect(found.findings.map(\.remedy) == [.person])
    #expect(found.findings.first?.advice?.inShell.contains("DROP TABLE \"strange\"") == true)
    #expect(try journal.doctor().repair().left.findings == found.findings)
  }

  @Test("Modes, leftovers and a hot journal are found and repaired")
  func surroundings() throws {
    chmod(journal.path, 0o644)
    try Data("x".utf8).write(to: URL(fileURLWithPath: journal.path + ".new-999999999"))
    let found = try journal.doctor().examine()
    #expect(found.findings.map(\.remedy) == [.repair, .repair])
    let report = try journal.doctor().repair()
    #expect(report.left.findings == [])
    #expect(report.kept == nil)
    #expect(try journal.contents().keys.sorted() == ["j.sqlite"])
  }

  @Test("A file in write-ahead mode is looked at without a trace, and put back")
  func writeAheadLog() throws {
    try ForeignTool.run("PRAGMA journal_mode=WAL", on: journal.path)
    let before = try journal.contents()
    let found = try journal.doctor().examine()
    #expect(found.findings.map(\.text) == ["another program put it into write-ahead mode"])
    #expect(try journal.contents() == before)
    #expect(try journal.doctor().repair().left.findings == [])
  }

  @Test("What belongs to others, or is newer, is refused with 78; what is missing with 66")
  func refused() throws {
    try ForeignTool.run("PRAGMA user_version = 99", on: journal.path)
    #expect(
      #expect(throws: StoreError.self) { try journal.doctor().examine() }?.category == .unusable)
    try ForeignTool.run("PRAGMA application_id = 7", on: journal.path)
    #expect(
      #expect(throws: StoreError.self) { try journal.doctor().examine() }?.category == .unusable)
    unlink(journal.path)
    #expect(#expect(throws: StoreError.self) { try journal.doctor() }?.category == .missing)
  }

  @Test("salvage is cancelled while it examines pages and while it copies rows, and leaves no file")
  func cancelledSalvage() throws {
    let directory = TemporaryDirectory()
    let location = JournalLocation(path: directory.file("journal.sqlite"), isExplicit: true)
    do {
      let store = try location.open(mode: .create, clock: .fixed(seconds: 1_000, offset: 0))
      let created = store.clock.moment()
      _ = try store.add(
        (0..<3_000).map { NewEntry(text: "entry \($0)", created: created, day: created.localDay) })
    }
    let saved = directory.file("saved.sqlite")
    var doctor = try JournalDoctor(location)
    var asked = 0
    doctor.attendance.isGivenUp = {
      asked += 1
      return false
    }
    #expect(try doctor.salvage(to: saved).saved == 3_000)
    unlink(saved)
    for limit in [0, 1, asked / 2, asked - 1] {
      var count = 0
      doctor.attendance.isGivenUp = {
        count += 1
        return count > limit
      }
      #expect(throws: GivenUp.self) { try doctor.salvage(to: saved) }
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!left.contains { $0.hasPrefix("saved") }, "\(limit) of \(asked): \(left)")
    }
  }

  @Test("An examination reports its parts one after the other, each to its end")
  func reports() throws {
    var doctor = try journal.doctor()
    var told: [(part: String, done: Int, total: Int)] = []
    doctor.attendance.report = { if $2 > 0 { told.append(($0, $1, $2)) } }
    _ = try doctor.examine()
    var parts: [String] = []
    for line in told where parts.last != line.part { parts.append(line.part) }
    #expect(parts == ["entries", "search index"])
    for part in parts {
      let lines = told.filter { $0.part == part }
      let shares = lines.map { Double($0.done) / Double($0.total) }
      #expect(shares == shares.sorted())
      #expect(lines.last?.done == lines.last?.total)
    }
  }

  @Test("Salvage of a sound journal is the journal, with its versions and its undo")
  func whole() throws {
    let path = journal.directory.file("s.sqlite")
    let report = try journal.doctor().salvage(to: path)
    #expect(report == SalvageReport(saved: 40))
    let old = try SQLiteEntryStore.open(journal.path, mode: .readWrite)
    let new = try SQLiteEntryStore.open(path, mode: .readWrite)
    for number in journal.entries.keys {
      #expect(try new.versions(number) == old.versions(number))
    }
    #expect(try new.tagCounts() == old.tagCounts())
    #expect(try new.undo() == old.undo())
    #expect(
      #expect(throws: StoreError.self) { try journal.doctor().salvage(to: path) }?.category
        == .cannotCreate)
  }

  @Test("Salvage of a sound JSON journal is the journal, purged entries and undo as they are")
  func wholeJSON() throws {
    let path = journal.directory.file("j.json")
    let store = try JSONEntryStore.open(path, mode: .create)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    try store.add(
      ["one", "two", "three"].map { NewEntry(text: $0, created: moment, day: moment.localDay) })
    try store.delete([3])
    try store.purge()
    try store.edit(1, text: "uno")
    let saved = journal.directory.file("s.json")
    let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
    #expect(try doctor.salvage(to: saved) == SalvageReport(saved: 2))
    let new = try JSONEntryStore.open(saved, mode: .readWrite)
    #expect(try new.undo().kind == .edit)
    #expect(try new.entry(1).text == "one")
  }

  @Test(
    "A JSON journal that was cut gives up the entries that are whole", arguments: [0.6, 0.8, 0.95])
  func json(part: Double) throws {
    let path = journal.directory.file("j.json")
    let store = try JSONEntryStore.open(path, mode: .create)
    try store.add(
      journal.entries.values.sorted { $0.number < $1.number }.map {
        NewEntry(text: $0.text, created: $0.created, day: $0.day, uuid: $0.uuid)
      })
    try store.setStarred(true, [1, 2, 3])
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let cut = Array(bytes.prefix(Int(Double(bytes.count) * part)))
    try Data(cut).write(to: URL(fileURLWithPath: path))
    let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
    #expect(try doctor.examine().findings.map(\.remedy) == [.salvage])
    #expect(try doctor.repair().kept == nil)
    let saved = journal.directory.file("s.json")
    let report = try doctor.salvage(to: saved)
    let lines = String(decoding: cut, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    let whole = lines.count { $0.hasPrefix("{\"uuid\"") }
    #expect(report.saved == min(whole, 40))
    let new = try JSONEntryStore.open(saved, mode: .readWrite)
    #expect(try new.check() == [])
    for number in 1...Int64(report.saved) {
      #expect(try new.entry(number).text == store.entry(number).text)
    }
  }

  @Test("A byte that is no text any more costs its character, and the entry is named")
  func jsonByte() throws {
    let path = journal.directory.file("j.json")
    let store = try JSONEntryStore.open(path, mode: .create)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    try store.add(
      ["one", "two #t", "three"].map {
        NewEntry(text: "a\n\u{FEFF}\($0)", created: moment, day: moment.localDay)
      })
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let place = try #require(bytes.firstRange(of: "two".utf8))
    bytes[place.lowerBound] = 0xFF
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
    #expect(
      try doctor.examine().findings.map(\.text) == [
        "damaged: invalid JSON (line 3: invalid UTF-8)"
      ])
    let saved = journal.directory.file("s.json")
    let report = try doctor.salvage(to: saved)
    #expect(report.saved == 3)
    #expect(report.altered == [2])
    let new = try JSONEntryStore.open(saved, mode: .readWrite)
    #expect(
      try (1...3).map { Array(try new.entry($0).text.utf8) }
        == [
          "a\n\u{FEFF}one", "a\n\u{FEFF}\u{FFFD}wo #t", "a\n\u{FEFF}three",
        ].map { Array($0.utf8) })
  }

  @Test("Damaged JSON never crashes the doctor, and whole lines are saved", arguments: 0..<40)
  func jsonFlips(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let path = journal.directory.file("j.json")
    let store = try JSONEntryStore.open(path, mode: .create)
    try store.add((0..<20).map { _ in Samples.entry(&generator) })
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for _ in 0..<5 {
      bytes[Int.random(in: bytes.indices, using: &generator)] ^= UInt8.random(
        in: 1...255, using: &generator)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    do {
      let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
      _ = try doctor.examine()
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
      let report = try doctor.salvage(to: journal.directory.file("s.json"))
      #expect(report.saved >= 10)
    } catch {
      #expect(error is StoreError)
    }
  }
}
