import Journal
import JournalStore
import Testing

/// A bulk import writes the same data as the triggers for single entries.
struct NewEntriesTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = TemporaryDirectory()
  }

  /// More than are counted at a time, with days, tags and trash in turn.
  private static let entries = (0..<5_000).map { index in
    let created = Moment(seconds: Int64(index / 3) * 30_000, offset: 3_600)
    let tags = ["", " #one", " #One @two", " #日本 #one/more", " #café"][index % 5]
    let marks = [
      "", " [[entry 7]]", "\nmood:: \(index)", "\n![a](file:3f2a9c1b7d5e6f70.jpg)", "",
    ][index % 5]
    let text = "entry \(index)\(tags)\(marks)"
    return Entry(
      uuid: EntryUUID.derived(text: text, created: created), created: created,
      modified: Moment(seconds: 7, offset: 0), day: Day(daysSinceEpoch: index * 7 % 900),
      text: text, starred: index.isMultiple(of: 2),
      deleted: index.isMultiple(of: 11) ? created : nil)
  }

  /// A journal with an entry of another tool and a note left by an upsert.
  private func journal(_ name: String) throws -> (store: any EntryStore, file: String) {
    let store = try StoreKind.sqlite.make(in: directory, name: name)
    let file = directory.file("\(name).sqlite")
    try ForeignTool.run(
      """
      INSERT INTO entry (uuid, created, created_offset, modified, modified_offset, day, text)
      VALUES ('00000000-0000-4000-a000-000000000000', 1, 0, 1, 0, '1970-01-01', 'old #one');
      INSERT OR IGNORE INTO entry (uuid, text) VALUES ('00000000-0000-4000-a000-000000000000', 'x');
      """, on: file)
    return (store, file)
  }

  /// All tables but those of the index, which `check` compares with the texts, and without the random
  /// numbers of sessions.
  private func tables(of file: String) throws -> [Substring] {
    try ForeignTool.run(".dump", on: file).split(separator: "\n")
      .filter { !$0.contains("entry_word") }
      .map { $0.replacing(/,[0-9]+,'command'\);$/, with: ",'command');")[...] }
  }

  @Test("all tables are as if each entry had been inserted by itself")
  func same() throws {
    let (many, manyFile) = try journal("many")
    try many.importing { journal in for entry in Self.entries { try journal.add(entry) } }
    let (single, singleFile) = try journal("single")
    try single.change(.importing) { writer in
      for entry in Self.entries { _ = try writer.insert(entry) }
    }
    let (made, expected) = (try tables(of: manyFile), try tables(of: singleFile))
    #expect(made.count > 15_000)
    #expect(made == expected)
    #expect(try many.check() == [])
  }

  @Test("counts and log are right in the middle of an import")
  func middle() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    try store.change(.importing) { writer in
      for (index, entry) in Self.entries.prefix(12).enumerated() {
        let isNew = try writer.insertNew(entry)
        let live = Self.entries.prefix(index + 1).filter { $0.deleted == nil }
        let tagged = live.count { $0.tags.contains { Tag.key(of: $0) == "one" } }
        let (count, tags) = (try writer.count(), try writer.tagCounts())
        #expect(isNew)
        #expect(count == live.count)
        #expect(tags.first { $0.key == "one" }?.count ?? 0 == tagged)
      }
    }
    #expect(try store.check() == [])
  }

  @Test("after an import that failed, changes are logged and counted again")
  func failing() throws {
    struct Stopped: Error {}
    let store = try StoreKind.sqlite.make(in: directory)
    #expect(throws: Stopped.self) {
      try store.importing { journal in
        for entry in Self.entries.prefix(20) { try journal.add(entry) }
        throw Stopped()
      }
    }
    try store.add([
      NewEntry(text: "new #one", created: Moment(seconds: 0, offset: 0), day: Day.earliest)
    ])
    #expect(try store.count() == 1)
    #expect(try store.pendingSteps().undo?.count == 1)
    #expect(try store.check() == [])
  }
}
