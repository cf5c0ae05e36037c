import Foundation
import GRDB
import Journal
import ResultsTestSupport
import Testing

@testable import JournalStore

/// Journals whose tags an earlier build of this program found, where code and numbers had some.
@Suite("Tags of an earlier build")
struct TagVersionTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private var path: String { directory.file("j.db") }
  /// The tags of each entry as it found them.
  private static let former = [
    (text: "`#include` #c", tags: ["include", "c"]), (text: "see #290", tags: ["290"]),
    (text: "plain #home", tags: ["home"]), (text: "no tag", tags: []),
  ]

  private func open(_ mode: OpenMode = .readWrite) throws -> SQLiteEntryStore {
    try SQLiteEntryStore.open(path, mode: mode, clock: TickingClock().clock)
  }

  /// Makes the journal; entry 1 was edited since, so that its former text is in the change log.
  private func make() throws {
    let store = try open(.create)
    let moment = Moment(seconds: 1_790_000_000, offset: 0)
    for entry in Self.former {
      try store.add([NewEntry(text: entry.text, created: moment, day: moment.localDay)])
    }
    try store.edit(1, text: "#c alone")
    store.close()
    var statements = ["UPDATE search_state SET folding = \(Folding.version)"]
    for (number, entry) in zip(2..., Self.former.dropFirst()) {
      statements.append(
        "UPDATE entry SET tags = '\(entry.tags.joined(separator: " "))' WHERE number = \(number)")
      for tag in entry.tags {
        statements.append(
          """
          DELETE FROM entry_tag WHERE number = \(number);
          INSERT INTO entry_tag SELECT 1, '\(tag)', day, created, number, '\(tag)' FROM entry
            WHERE number = \(number)
          """)
      }
    }
    statements.append("UPDATE change SET tags = 'include c' WHERE text IS NOT NULL")
    try ForeignTool.run(statements.joined(separator: "; "), on: path)
  }

  private func tags(_ store: SQLiteEntryStore) throws -> [String: Int] {
    let counts = try store.tagCounts().filter { !$0.key.isEmpty }
    return Dictionary(uniqueKeysWithValues: counts.map { ($0.key, $0.count) })
  }

  @Test("a writer finds them again, once, and undoes to texts with the tags of today")
  func found() throws {
    try make()
    let store = try open()
    #expect(store.notes == [])
    #expect(try tags(store) == ["c": 1, "home": 1])
    #expect(try store.check() == [])
    _ = try store.undo()
    #expect(try store.entry(1).text == Self.former[0].text)
    #expect(try tags(store) == ["c": 1, "home": 1])
    #expect(try store.check() == [])
    let version = try store.queue.inDatabase { try DerivedVersion(db: $0).isCurrent(.tags) }
    #expect(version)
  }

  @Test("links and fields are found with them, and by a bare journal of the version before")
  func marks() throws {
    try make()
    try ForeignTool.run(
      "UPDATE entry SET text = text || ' [[plain #home]]' || char(10) || 'mood:: 4' WHERE number = 4",
      on: path)
    _ = try open().count()
    try ForeignTool.run(
      "DELETE FROM entry_link; DELETE FROM entry_field; UPDATE search_state SET folding = 2001",
      on: path)
    let store = try open()
    #expect(store.notes == [])
    #expect(try store.check() == [])
    let rows = try ForeignTool.run(
      "SELECT * FROM entry_link; SELECT number, name, value FROM entry_field", on: path)
    #expect(rows == "1|plain #home|4\n4|mood|4000000\n")
  }

  @Test("a build before links and fields reads a journal that has them, and does not write to it")
  func earlierBuild() throws {
    let store = try open(.create)
    let moment = Moment(seconds: 1_790_000_000, offset: 0)
    try store.add([
      NewEntry(text: "[[a]]\nmood:: 4 #home", created: moment, day: moment.localDay)
    ])
    store.close()
    let bytes = try Data(contentsOf: URL(filePath: path))
    for isReadOnly in [false, true] {
      var opening = DatabaseOpener(
        file: try JournalFile(existing: path), shownPath: path, isReadOnly: isReadOnly,
        fillsEmptyFile: false, observer: nil)
      opening.migrations = Array(Schema.migrations.prefix(6))
      let queue = try opening.connect()
      if isReadOnly {
        #expect(try opening.prepare(queue).count == 1)
        let entry = try queue.read { try SQLiteReader(db: $0, path: "").entry(number: 1) }
        #expect(entry?.text == "[[a]]\nmood:: 4 #home")
      } else {
        #expect(throws: StoreError.self) { try opening.prepare(queue) }
      }
      try queue.close()
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    #expect(try open().check() == [])
  }

  @Test("a reader and the doctor take them as they are, and words are found by the index")
  func read() throws {
    try make()
    let reader = try open(.readOnly)
    #expect(try tags(reader) == ["290": 1, "c": 1, "home": 1])
    #expect(try reader.numbers(matching: Lists.query("plain")) == [3])
    let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
    #expect(try doctor.examine().findings == [])
  }

  @Test("a journal that cannot be renewed opens as before")
  func damaged() throws {
    try make()
    let place = try ForeignTool.run(
      """
      SELECT (rootpage - 1) * (SELECT page_size FROM pragma_page_size) FROM sqlite_schema
      WHERE name = 'entry_tag_number'
      """, on: path)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: #require(UInt64(place.dropLast())))
    try file.write(contentsOf: Data(repeating: 0xFF, count: 512))
    try file.close()
    #expect(try open().entry(3).text == "plain #home")
    var works: [UpgradeObserver.Work] = []
    let observer = UpgradeObserver { work in
      works.append(work)
      return WorkAttendance()
    }
    _ = try SQLiteEntryStore.open(path, mode: .readWrite, observer: observer)
    #expect(works == [], "what failed is not tried again at each opening")
    let version = try open().queue.inDatabase { try DerivedVersion(db: $0).isCurrent(.tags) }
    #expect(!version)
  }
}
