import Foundation
import Journal
import Testing

@testable import JournalStore

/// A file of 0 bytes is no journal: nobody reads an empty list out of it, and nobody writes over what another
/// program may be about to put there.
@Suite("Empty files")
struct EmptyFileTests {
  private let directory = TemporaryDirectory()
  private static let kinds = ["json", "sqlite"]

  private func location(_ kind: String, isExplicit: Bool = true) -> JournalLocation {
    JournalLocation(path: directory.file("j.\(kind)"), isExplicit: isExplicit)
  }

  private func empty(_ location: JournalLocation) throws {
    try Data().write(to: URL(filePath: location.path))
    chmod(location.path, 0o600)
  }

  private func size(_ location: JournalLocation) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: location.path)[.size] as? Int
  }

  private func error(_ location: JournalLocation, _ mode: OpenMode) -> StoreError? {
    #expect(throws: StoreError.self) { try location.open(mode: mode) }
  }

  private func entry(_ text: String) -> NewEntry {
    NewEntry(text: text, created: Moment(seconds: 1_795_000_000, offset: 0), day: Day.earliest)
  }

  @Test("readers end as they do where no file is, and write nothing", arguments: kinds)
  func readers(kind: String) throws {
    let journal = location(kind)
    try empty(journal)
    for mode in [OpenMode.readOnly, .readWrite] {
      #expect(error(journal, mode)?.category == .missing)
      #expect(try size(journal) == 0)
    }
  }

  @Test("the default journal, when its file is empty, reads as an empty journal", arguments: kinds)
  func standard(kind: String) throws {
    let journal = location(kind, isExplicit: false)
    try empty(journal)
    for mode in [OpenMode.readOnly, .readWrite] {
      #expect(try journal.open(mode: mode).count() == 0)
      #expect(try size(journal) == 0)
    }
  }

  @Test("a writer makes an SQLite journal in it and says so; whoever is second says nothing")
  func sqliteWriter() throws {
    let journal = location("sqlite")
    try empty(journal)
    let store = try SQLiteEntryStore.open(journal.path, mode: .create)
    #expect(store.notes == ["\(journal.path): the file was empty; a new journal was made in it"])
    try store.add([entry("one")])
    #expect(try SQLiteEntryStore.open(journal.path, mode: .create).notes == [])
    #expect(try SQLiteEntryStore.open(directory.file("new.sqlite"), mode: .create).notes == [])
  }

  @Test("a writer refuses an empty JSON file, which is none of ours, and leaves it alone")
  func jsonWriter() throws {
    let journal = location("json")
    try empty(journal)
    #expect(error(journal, .create)?.category == .unusable)
    #expect(try size(journal) == 0)
  }

  @Test("a new JSON journal is a whole document before anything is written to it")
  func jsonNew() throws {
    let journal = location("json")
    _ = try journal.open(mode: .create)
    #expect(try #require(try size(journal)) > 0)
    #expect(try journal.open(mode: .readOnly).count() == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        == ["j.json", "j.json.lock"])
  }

  @Test("a JSON file that another program empties or has half written meanwhile is waited for")
  func rewritten() throws {
    let journal = location("json")
    try journal.open(mode: .create).add([entry("one")])
    let whole = try Data(contentsOf: URL(filePath: journal.path))
    let half = whole.count / 2
    let start = Data(whole.prefix(half))
    for (found, pieces) in [
      (Data(), [whole]), (Data(), [start, whole.dropFirst(half)]), (start, [whole.dropFirst(half)]),
    ] {
      try empty(journal)
      try found.write(to: URL(filePath: journal.path))
      unlink(journal.path + ".lock")
      let path = journal.path
      // The lock's file says that the opening has begun.
      let writer = Thread {
        while access(path + ".lock", F_OK) != 0 { usleep(1_000) }
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        _ = try? file.seekToEnd()
        for piece in pieces {
          try? file.write(contentsOf: piece)
          usleep(20_000)
        }
      }
      writer.start()
      let store = try journal.open(mode: .create)
      try store.add([entry("two")])
      #expect(try store.numbers(matching: nil).map { try store.entry($0).text } == ["one", "two"])
      try whole.write(to: URL(filePath: journal.path))
    }
  }

  @Test(
    "the doctor says what it is and what helps, repairs nothing, and a copy takes its place",
    arguments: kinds)
  func doctor(kind: String) throws {
    let journal = location(kind)
    let copy = directory.file("copy.\(kind)")
    try journal.open(mode: .create).add([entry("one")])
    try journal.open(mode: .readWrite).backup(to: copy, replacing: false)
    try empty(journal)
    chmod(journal.path, 0o644)
    let doctor = try JournalDoctor(journal)
    #expect(try doctor.examine().findings.map(\.remedy) == [.person, .repair])
    #expect(try doctor.repair().left.findings == [Finding.empty])
    #expect(try size(journal) == 0)
    #expect(throws: StoreError.self) { try doctor.salvage(to: directory.file("saved.\(kind)")) }
    _ = try Restoration(
      of: copy, to: journal
    ).finish()
    #expect(try journal.open(mode: .readWrite).count() == 1)
  }

  @Test("an empty copy is never put in a journal's place", arguments: kinds)
  func emptyCopy(kind: String) throws {
    let journal = location(kind)
    try journal.open(mode: .create).add([entry("one")])
    let copy = directory.file("copy.\(kind)")
    try Data().write(to: URL(filePath: copy))
    let error = #expect(throws: StoreError.self) { try Restoration(of: copy, to: journal) }
    #expect(error?.category == .missing)
    #expect(error?.path == copy)
    #expect(try journal.open(mode: .readWrite).count() == 1)
  }
}
