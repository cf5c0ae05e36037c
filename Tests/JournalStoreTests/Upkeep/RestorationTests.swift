import Foundation
import Journal
import Testing

@testable import JournalStore

/// Copies of a journal, and their way back.
struct RestorationTests {
  private let directory = TemporaryDirectory()

  private func location(_ name: String) -> JournalLocation {
    JournalLocation(path: directory.file(name), isExplicit: true)
  }

  private func entry(_ text: String) -> NewEntry {
    NewEntry(text: text, created: Moment(seconds: 1_795_000_000, offset: 0), day: Day.earliest)
  }

  private func texts(_ name: String) throws -> [String] {
    let store = try location(name).open(mode: .readWrite)
    return try store.numbers(matching: nil).map { try store.entry($0).text }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      .filter { !$0.hasSuffix("-journal") && !$0.hasSuffix(".lock") }
  }

  @Test(
    "A copy put back is the journal, and the one before is kept", arguments: ["sqlite", "json"])
  func restore(kind: String) throws {
    let (journal, copy) = ("j.\(kind)", "copy.\(kind)")
    let store = try location(journal).open(mode: .create)
    try store.add([entry("one")])
    try store.backup(to: directory.file(copy))
    try store.add([entry("two")])
    let restoration = try Restoration(of: directory.file(copy), to: location(journal))
    #expect(restoration.entries == 1)
    #expect(restoration.problems == [])
    let kept = try #require(try restoration.finish())
    #expect(try texts(journal) == ["one"])
    #expect(try texts(JournalFile.name(of: kept)) == ["one", "two"])
    #expect(try names() == [copy, JournalFile.name(of: kept), journal].sorted())
    #expect(
      try FileManager.default.attributesOfItem(atPath: directory.file(journal))[.posixPermissions]
        as? Int == 0o600)
  }

  @Test("An open store notices that its file was replaced, and writes nothing to the old one")
  func openStore() throws {
    let store = try location("j.sqlite").open(mode: .create)
    try store.add([entry("one")])
    try store.backup(to: directory.file("copy.sqlite"))
    let restoration = try Restoration(of: directory.file("copy.sqlite"), to: location("j.sqlite"))
    _ = try restoration.finish()
    #expect(try store.refresh().place == .replaced)
    let error = #expect(throws: StoreError.self) { try store.add([entry("two")]) }
    #expect(error?.kind == .replaced)
    #expect(try texts("j.sqlite") == ["one"])
  }

  @Test("A restoration that is given up leaves the journal and no other file")
  func givenUp() throws {
    let store = try location("j.sqlite").open(mode: .create)
    try store.add((1...500).map { entry("one \($0)") })
    try store.backup(to: directory.file("copy.sqlite"))
    let before = try names()
    for limit in 1...3 {
      var asked = 0
      #expect(throws: GivenUp.self) {
        let attendance = WorkAttendance(isGivenUp: {
          asked += 1
          return asked >= limit
        })
        return try Restoration(
          of: directory.file("copy.sqlite"), to: location("j.sqlite"), attendance: attendance)
      }
      #expect(try names() == before)
      #expect(asked == limit)
    }
    #expect(try store.count() == 500)
  }

  @Test("An open JSON store goes on with the entries that were put back")
  func openJSON() throws {
    let store = try location("j.json").open(mode: .create)
    try store.add([entry("one")])
    try store.backup(to: directory.file("copy.json"))
    try store.add([entry("two")])
    _ = try Restoration(of: directory.file("copy.json"), to: location("j.json")).finish()
    #expect(try store.count() == 1)
    try store.add([entry("three")])
    #expect(try texts("j.json") == ["one", "three"])
  }

  @Test(
    "A copy that is no journal, damaged, or missing changes nothing", arguments: ["sqlite", "json"])
  func refused(kind: String) throws {
    let store = try location("j.\(kind)").open(mode: .create)
    try store.add([entry("one")])
    try store.backup(to: directory.file("copy.\(kind)"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file("copy.\(kind)")))
    for damaged in [Data("hello".utf8), bytes.prefix(bytes.count / 2), bytes.prefix(90)] {
      try damaged.write(to: URL(fileURLWithPath: directory.file("copy.\(kind)")))
      let before = try names()
      let error = #expect(throws: StoreError.self) {
        try Restoration(of: directory.file("copy.\(kind)"), to: location("j.\(kind)"))
      }
      #expect(error?.category == .unusable)
      #expect(try names() == before)
      #expect(try texts("j.\(kind)") == ["one"])
    }
    #expect(
      #expect(throws: StoreError.self) {
        try Restoration(of: directory.file("none.\(kind)"), to: location("j.\(kind)"))
      }?.category == .missing)
  }

  @Test("A damaged journal is replaced too, its rollback journal stays with it")
  func damaged() throws {
    let store = try location("j.sqlite").open(mode: .create)
    try store.add([entry("one")])
    try store.backup(to: directory.file("copy.sqlite"))
    let garbage = Data(repeating: 7, count: 9000)
    try garbage.write(to: URL(fileURLWithPath: directory.file("j.sqlite")))
    try garbage.write(to: URL(fileURLWithPath: directory.file("j.sqlite-journal")))
    let kept = try #require(
      try Restoration(of: directory.file("copy.sqlite"), to: location("j.sqlite")).finish())
    #expect(try texts("j.sqlite") == ["one"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == garbage)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kept + "-journal")) == garbage)
  }

  @Test("While another process writes, nothing is put back")
  func busy() throws {
    let store = try location("j.sqlite").open(mode: .create)
    try store.add([entry("one")])
    try store.backup(to: directory.file("copy.sqlite"))
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: ForeignTool.path)
    writer.arguments = [directory.file("j.sqlite")]
    let (input, output) = (Pipe(), Pipe())
    (writer.standardInput, writer.standardOutput) = (input, output)
    try writer.run()
    input.fileHandleForWriting.write(
      Data("BEGIN IMMEDIATE; INSERT INTO entry(text) VALUES ('two'); SELECT 'held';\n".utf8))
    #expect(output.fileHandleForReading.readData(ofLength: 4) == Data("held".utf8))
    let restoration = try Restoration(of: directory.file("copy.sqlite"), to: location("j.sqlite"))
    let error = #expect(throws: StoreError.self) { try restoration.finish() }
    #expect(error?.category == .busy)
    input.fileHandleForWriting.write(Data("COMMIT;\n".utf8))
    input.fileHandleForWriting.closeFile()
    writer.waitUntilExit()
    #expect(try texts("j.sqlite") == ["one", "two"])
  }

  @Test("A full disk leaves nothing of a copy", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try SmallDisk(bytes: 64 << 10)
    for kind in ["sqlite", "json"] {
      let store = try location("j.\(kind)").open(mode: .create)
      try store.add([entry(String(repeating: "many words ", count: 20_000))])
      let error = #expect(throws: StoreError.self) {
        try store.backup(to: disk.file("copy.\(kind)"))
      }
      #expect(error?.category == .io)
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    }
  }

  @Test("A copy appears whole or not at all, and replaces another only when told")
  func replacing() throws {
    let store = try location("j.sqlite").open(mode: .create)
    try store.add([entry("one")])
    try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.file("copy.sqlite")))
    let error = #expect(throws: StoreError.self) {
      try store.backup(to: directory.file("copy.sqlite"))
    }
    #expect(error?.category == .cannotCreate)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: directory.file("copy.sqlite"))) == Data("mine".utf8)
    )
    try store.backup(to: directory.file("copy.sqlite"), replacing: true)
    #expect(try texts("copy.sqlite") == ["one"])
  }

  @Test(
    "What killed programs left is removed by the next one at the same work, and nothing else is")
  func leftovers() throws {
    let dead = 2_000_000_000
    let names = [
      "copy.sqlite.new-\(dead)", "copy.sqlite.new-\(dead)-journal", "copy.sqlite.new-1",
      "other.sqlite.new-\(dead)", "copy.sqlite.new-\(dead)x",
      "j-2026-11-21T174000.sqlite.new-\(dead)",
      "j-notes.sqlite.new-\(dead)",
    ]
    for name in names { try Data("x".utf8).write(to: URL(fileURLWithPath: directory.file(name))) }
    let isThere = { names.map { access(self.directory.file($0), F_OK) == 0 } }
    let store = try location("j.sqlite").open(mode: .create)
    try store.backup(to: directory.file("copy.sqlite"))
    #expect(isThere() == [false, false, true, true, true, true, true])
    Leftovers.remove(in: directory.path) {
      DatedCopyName.isName($0, of: directory.file("j.sqlite"))
    }
    #expect(isThere() == [false, false, true, true, true, false, true])
    let directories = [
      "daybook-doctor-\(dead)-abcdef", "daybook-doctor-1-abcdef", "daybook-doctor-x",
    ]
    for name in directories { mkdir(directory.file(name), 0o700) }
    #expect(
      Leftovers.directories("daybook-doctor", in: directory.path) == [
        directory.file(directories[0])
      ])
  }

  @Test("Dated names keep the ending, and never take a name that is there")
  func names_() throws {
    let moment = Moment(seconds: 1_795_282_800, offset: 0)
    #expect(
      DatedCopyName.name(of: "/a/journal.sqlite", at: moment) == "journal-2026-11-21T174000.sqlite")
    #expect(DatedCopyName.name(of: "journal", at: moment) == "journal-2026-11-21T174000")
    try Data().write(to: URL(fileURLWithPath: directory.file("journal-2026-11-21T174000.db")))
    #expect(
      DatedCopyName.free(beside: directory.file("journal.db"), at: moment)
        == directory.file("journal-2026-11-21T174000-2.db"))
  }
}
