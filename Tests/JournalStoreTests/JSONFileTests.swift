import Foundation
import Journal
import Testing

@testable import JournalStore

@Suite("A JSON journal's file")
struct JSONFileTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.file("j.json") }

  private func journal() throws -> JSONEntryStore {
    let store = try JSONEntryStore.open(path, mode: .create, clock: TickingClock().clock)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    try store.add(
      ["one", "two", "three"].map { NewEntry(text: $0, created: moment, day: moment.localDay) })
    return store
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func write(_ text: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  @Test("What a killed writer left behind goes with the next opening for writing, and nothing else")
  func leftovers() throws {
    _ = try journal()
    // Numbers of processes end far below the first one; process 1 always runs.
    let names = [
      "j.json.new-2000000000", "j.json.new-1", "j.json.new-x", "k.json.new-2000000000",
      "j.json.new-2000000000-journal",
    ]
    let manager = FileManager.default
    for name in names {
      try "half".write(toFile: directory.file(name), atomically: false, encoding: .utf8)
    }
    let isThere = { names.map { manager.fileExists(atPath: directory.file($0)) } }
    _ = try JSONEntryStore.open(path, mode: .readOnly)
    #expect(isThere() == [true, true, true, true, true])
    _ = try JSONEntryStore.open(path, mode: .readWrite)
    #expect(isThere() == [false, true, true, true, false])
  }

  @Test("The number of a purged entry is given to no other one, also after a restart")
  func numbers() throws {
    let store = try journal()
    try store.delete([3])
    try store.purge()
    let again = try JSONEntryStore.open(path, mode: .readWrite)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    let new = try again.add([NewEntry(text: "four", created: moment, day: moment.localDay)])
    #expect(new.map(\.number) == [4])
  }

  @Test("An edit in place of the same length, within the same second, is noticed")
  func withinASecond() throws {
    let store = try journal()
    #expect(try store.entry(1).text == "one")
    var before = stat()
    #expect(stat(path, &before) == 0)
    try text().replacingOccurrences(of: "\"text\":\"one\"", with: "\"text\":\"ONE\"")
      .write(toFile: path, atomically: false, encoding: .utf8)
    var time = before.st_mtim
    time.tv_nsec = (time.tv_nsec + 1) % 1_000_000_000
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    #expect(try store.entry(1).text == "ONE")
  }

  @Test("Entries edited, added and removed by hand are noticed, logged and undoable")
  func outside() throws {
    let store = try journal()
    let before = try Oracle(store).entries
    let stamp = try store.read { try $0.stamp() }
    var lines = try text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[1] = lines[1].replacingOccurrences(of: "\"text\":\"one\"", with: "\"text\":\"ONE #t\"")
    lines[2] = "{\"text\":\"by hand\",\"created\":\"2026-11-21T09:15:00+01:00\"},"
    try write(lines.joined(separator: "\n"))
    let after = try Oracle(store)
    #expect(after.live == [1: "ONE #t", 3: "three", 4: "by hand"])
    #expect(after.entries[4]?.day == Day("2026-11-21"))
    let commits = try store.read { try $0.commits(after: stamp, for: .entries()) }
    #expect(commits.count == 1)
    #expect(Set(commits.flatMap { $0.changes.map(\.id.number) }) == [1, 2, 4])
    #expect(try store.check() == [])
    #expect(try store.undo().kind == .outside)
    #expect(try Oracle(store).entries == before)
    let reopened = try JSONEntryStore.open(path, mode: .readWrite)
    #expect(try Oracle(reopened).entries == before)
    try reopened.redo()
    #expect(try Oracle(reopened).entries == after.entries)
  }

  @Test("A title changed by hand is the title of the text from then on, logged and undoable")
  func outsideTitle() throws {
    let store = try journal()
    try store.edit(2, text: "\n two \nlines #t")
    let before = try Oracle(store).entries
    let title = before[2]?.title ?? ""
    try write(
      try text().replacingOccurrences(of: "\"title\":\"\(title)\"", with: "\"title\":\"Zwei é\""))
    #expect(try store.entry(2).text == "\n Zwei é \nlines #t")
    #expect(try store.check() == [])
    #expect(try store.undo().kind == .outside)
    #expect(try Oracle(store).entries == before)
    // A text that was changed too says what its title is.
    try write(
      try text().replacingOccurrences(of: "\"title\":\"one\"", with: "\"title\":\"x\"")
        .replacingOccurrences(of: "\"text\":\"one\"", with: "\"text\":\"uno\""))
    #expect(try store.entry(1).text == "uno")
  }

  @Test("A text that comes back by hand while nobody looked leaves the versions before it whole")
  func comesBack() throws {
    do {
      let store = try journal()
      try store.edit(1, text: "uno")
      try store.setStarred(true, [1])
    }
    try write(try text().replacingOccurrences(of: "\"uno\"", with: "\"one\""))
    // Twice: a line that a first opening wrote must mean the same to the next one.
    for _ in 0..<2 {
      let store = try JSONEntryStore.open(path, mode: .readWrite)
      #expect(try store.versions(1).map(\.text).allSatisfy { !$0.isEmpty })
      #expect(try store.versions(1).map(\.text).contains("one"))
    }
    let store = try JSONEntryStore.open(path, mode: .readWrite)
    try store.edit(1, text: "eins")
    let again = try JSONEntryStore.open(path, mode: .readWrite)
    #expect(try again.versions(1).map(\.text).allSatisfy { ["one", "uno", "eins"].contains($0) })
    try again.undo()
    #expect(try again.entry(1).text == "one")
    #expect(try again.check() == [])
  }

  @Test("An edit made while nobody looked is kept, and no undo overwrites it")
  func whileClosed() throws {
    do {
      let store = try journal()
      try store.edit(1, text: "uno")
    }
    try write(try text().replacingOccurrences(of: "\"uno\"", with: "\"eins\""))
    let store = try JSONEntryStore.open(path, mode: .readWrite)
    #expect(try store.entry(1).text == "eins")
    let error = #expect(throws: StoreError.self) { try store.undo() }
    #expect(error?.kind == .conflict(number: 1))
    #expect(try store.entry(1).text == "eins")
  }

  @Test("Fields of other programs are kept, in entries and beside them")
  func unknownFields() throws {
    _ = try journal()
    try write(
      try text().replacingOccurrences(of: "\"text\":\"one\"", with: "\"mood\":[1],\"text\":\"one\"")
        .replacingOccurrences(of: "\"version\":1", with: "\"version\":1,\"theme\":{\"a\":null}"))
    let store = try JSONEntryStore.open(path, mode: .readWrite)
    try store.edit(1, text: "uno")
    #expect(try text().contains("\"mood\":[1]"))
    #expect(try text().contains("\"theme\":{\"a\":null}"))
    #expect(try store.entry(1).text == "uno")
  }

  @Test("Fields of other programs keep their order and the digits of their numbers")
  func unknownFieldsAsTheyAre() throws {
    _ = try journal()
    let fields = #""z":1.10,"a":{"b":12345678901234567890,"a":"\n\ufeff"},"é":[]"#
    try write(
      try text().replacingOccurrences(of: "\"text\":\"one\"", with: fields + ",\"text\":\"one\"")
        .replacingOccurrences(of: "\"version\":1", with: "\"version\":1,\"e\\u0301\":0,\(fields)"))
    let store = try JSONEntryStore.open(path, mode: .readWrite)
    try store.edit(2, text: "deux")
    let kept = fields.replacingOccurrences(of: "\\ufeff", with: "\u{FEFF}")
    let written = try text()
    #expect(written.utf8.count { $0 == UInt8(ascii: "z") } == 2)
    #expect(written.components(separatedBy: kept).count == 3)
    #expect(written.contains("\"e\u{301}\":0,"))
  }

  @Test(
    "Members may stand in any order, with a byte order mark in front, and the last of a name counts"
  )
  func order() throws {
    try write(
      "\u{FEFF}\r\n{\"changes\":[{\"number\":2,\"set\":1,\"seq\":1,\"before\":null}],\"lastNumber\":7.0,"
        + "\"sets\":[{\"state\":0,\"last\":1,\"first\":1,\"at\":\"2026-11-21T09:15:00+01:00\",\"id\":1,"
        + "\"kind\":\"add\"}],\"entries\":[],\"entries\":[{\"number\":2,\"starred\":1,\"text\":\"a\","
        + "\"created\":\"2026-11-21T09:15:00+01:00\",\"text\":\"b\"}],\"version\":1,"
        + "\"format\":\"daybook\"}")
    let reader = try JSONEntryStore.open(path, mode: .readOnly)
    #expect(try reader.entry(2).text == "b")
    #expect(try reader.entry(2).starred)
    let store = try JSONEntryStore.open(path, mode: .readWrite)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    let new = NewEntry(text: "next", created: moment, day: moment.localDay)
    #expect(try store.add([new]).map(\.number) == [8])
  }

  @Test("A log that would bring back a text no entry can hold is refused")
  func brokenLog() throws {
    do {
      let store = try journal()
      try store.edit(1, text: "uno")
    }
    let document = try text()
    let broken = document.replacingOccurrences(
      of: "\"text\":\"one\"", with: "\"text\":\"o\\u0000e\"")
    #expect(broken != document)
    try write(broken)
    let error = #expect(throws: StoreError.self) { try JSONEntryStore.open(path, mode: .create) }
    #expect(error?.description.contains("a change is incomplete") == true)
    #expect(try text() == broken)
  }

  @Test(
    "Broken JSON is refused with its line, and what no entry can hold with its entry",
    arguments: [
      ("\"a\\ud800b\"", "invalid JSON (line 2: unpaired surrogate (\\u))"),
      ("\"a\\udc00b\"", "invalid JSON (line 2: unpaired surrogate (\\u))"),
      ("\"a\tb\"", "invalid JSON (line 2: unescaped control character in a string"),
      ("'a'", "invalid JSON (line 2: expected a value, found \"'\""),
      ("\"a\\u0000b\"", "entry 1 has no text or no date"), ("7", "entry 1 has no text or no date"),
    ])
  func broken(json: String, message: String) throws {
    let document =
      "{\"format\":\"daybook\",\"version\":1,\"entries\":[\n"
      + "{\"text\":\(json),\"created\":\"2026-11-21T09:15:00+01:00\"}\n]}"
    try write(document)
    let error = #expect(throws: StoreError.self) { try JSONEntryStore.open(path, mode: .create) }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    #expect(try text() == document)
  }

  @Test("The file is the document of an export, with entries in the order of their numbers")
  func format() throws {
    let store = try journal()
    #expect(try text().hasPrefix(EntryJSON.header))
    let object = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: path)))
    let entries = (object as? [String: Any])?["entries"] as? [[String: Any]]
    #expect(entries?.compactMap { $0["text"] as? String } == ["one", "two", "three"])
    #expect(try store.count() == 3)
  }

  @Test("What is no JSON journal is refused and left as it is")
  func refused() throws {
    let cases: [(String, StoreError.Kind)] = [
      ("hello", .notAJournal), ("[1]", .notAJournal), ("{\"a\":1}", .foreignDatabase),
      ("{\"format\":\"daybook\",\"version\":2,\"entries\":[]}", .newerSchema(2)),
      ("{\"format\":\"daybook\",\"version\":1,\"entries\":[", .damaged),
      ("{\"format\":\"daybook\",\"version\":1,\"entries\":[{\"text\":\"x\"}]}", .damaged),
    ]
    for (text, kind) in cases {
      try write(text)
      let error = #expect(throws: StoreError.self) {
        try JSONEntryStore.open(path, mode: .create)
      }
      #expect(error?.kind == kind)
      #expect(try self.text() == text)
    }
  }

  @Test("A file that another program empties before it writes is waited for, not believed")
  func emptied() throws {
    let store = try journal()
    let before = try text()
    _ = FileManager.default.createFile(atPath: path, contents: Data())
    #expect(try store.count() == 3)
    _ = try? store.refresh()
    #expect(try store.count() == 3)
    #expect(throws: StoreError.self) { try store.setStarred(true, [1]) }
    #expect(try text().isEmpty)
    try before.replacingOccurrences(of: "\"two\"", with: "\"zwei\"")
      .write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try store.entries([2]).map(\.text) == ["zwei"])
    #expect(try store.count() == 3)
    try store.undo()
    #expect(try store.entries([2]).map(\.text) == ["two"])
  }

  @Test("While the file makes no sense reads give the last good state and writes are refused")
  func halfWritten() throws {
    let store = try journal()
    let good = try text()
    try write(String(good.dropLast(20)))
    #expect(try store.count() == 3)
    #expect(throws: StoreError.self) { try store.delete([1]) }
    try write(good)
    try store.delete([1])
    #expect(try store.count() == 2)
  }

  @Test("A reader follows edits without writing anything")
  func readOnly() throws {
    let store = try journal()
    let reader = try JSONEntryStore.open(path, mode: .readOnly)
    let stamp = try reader.read { try $0.stamp() }
    try store.edit(2, text: "deux")
    #expect(try reader.entry(2).text == "deux")
    try write(try text().replacingOccurrences(of: "\"three\"", with: "\"trois\""))
    let before = try text()
    #expect(try reader.entry(3).text == "trois")
    #expect(try reader.read { try $0.commits(after: stamp, for: .entries()) }.count == 2)
    #expect(try text() == before)
    #expect(throws: StoreError.self) { try reader.delete([1]) }
  }
}
