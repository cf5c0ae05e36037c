import Journal
import JournalStore
import TestSupport
import Testing

@testable import Screen
@testable import daybook

/// The sign of entries with files, in lists.
@Suite("Files in the list", .readline)
struct FilesInListTests {
  private func store() throws -> SQLiteEntryStore {
    try SampleFiles.store([
      ("Nothing here", []),
      ("In code: `![Harbour](file:0123456789abcdef.png)`", []),
      (
        "A contract\n\n" + String(repeating: "and more of it ", count: 200), [SampleFiles.agreement]
      ),
      ("", [SampleFiles.harbour]),
      (
        "A title that is so long that no list of eighty columns has room for all of its words",
        [SampleFiles.harbour, SampleFiles.agreement]
      ),
    ])
  }

  /// The rows of the list, from their titles on.
  private func rows(_ screen: ScriptedScreen) -> [String] {
    screen.text.split(separator: "\n").compactMap { line in
      line.firstRange(of: #/\d\d:\d\d  ?/#).map { String(line[$0.upperBound...]).trimmed }
    }
  }

  @Test("entries with files have a plus after their titles, also cut ones; those in code have none")
  func sign() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, store: store())
    #expect(
      rows(screen) == [
        "A title that is so long that no list of eighty columns has room for… +",
        "Harbour at six +", "A contract +",
        "In code: ![Harbour](file:0123456789abcdef.png)", "Nothing here",
      ])
    screen.resize(columns: 40, lines: 10)
    try screen.runner.show()
    #expect(rows(screen).prefix(3).allSatisfy { $0.hasSuffix(" +") }, "\(screen.text)")
    #expect(screen.text.split(separator: "\n").allSatisfy { $0.count <= 40 })
  }

  @Test(
    "the sign follows edits, undo, the trash and filters",
    arguments: ScriptedScreen.Arrival.allCases)
  func changes(arrival: ScriptedScreen.Arrival) throws {
    let screen = try ScriptedScreen(keysAreTyped: true, store: store())
    // The second row has the picture alone.
    try screen.press("je<C-u>Harbour without it<Enter>", arrival)
    #expect(rows(screen)[1] == "Harbour without it")
    try screen.press("u", arrival)
    #expect(rows(screen)[1] == "Harbour at six +")
    try screen.press("s", arrival)
    #expect(rows(screen)[1] == "Harbour at six +")
    try screen.press("f has:file -long<Enter>", arrival)
    #expect(rows(screen) == ["Harbour at six +", "A contract +"])
    try screen.press("dT", arrival)
    #expect(rows(screen) == ["Harbour at six +"])
  }

  @Test("a row counts what its text names, however it was read")
  func counted() throws {
    let store = try store()
    let screen = try ScriptedScreen(keysAreTyped: true, store: store)
    let listing = try #require(screen.runner.journal?.listing)
    for number in Int64(1)...5 {
      let entry = try store.entry(number)
      let path = try #require(try listing.results.path(of: number))
      let row = try #require(listing.row(at: path))
      #expect(row.files == FileCount(in: entry.text))
      #expect(row.files == entry.row().files)
      // A row of the change log has none, and is the same row.
      var logged = row
      logged.files = FileCount()
      #expect(logged == row && logged.hashValue == row.hashValue)
    }
    #expect(try FileCount(in: store.entry(5).text) == FileCount(all: 2, pictures: 1))
  }

  @Test("a screen that is read out says what the entry has")
  func spoken() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, store: store(), isLinear: true)
    try screen.press("jj", .oneByOne)
    let said = screen.said.joined(separator: "\n")
    #expect(said.contains("with 2 files: A title that is so long"), "\(said)")
    #expect(said.contains("with a picture: Harbour at six"))
    #expect(said.contains("with a file: A contract"))
  }

  @Test("a number of files in words")
  func words() {
    #expect(FileCount().words == "")
    #expect(FileCount(all: 1).words == "with a file")
    #expect(FileCount(all: 1, pictures: 1).words == "with a picture")
    #expect(FileCount(all: 3, pictures: 3).words == "with 3 pictures")
    #expect(FileCount(all: 3, pictures: 2).words == "with 3 files")
  }
}
