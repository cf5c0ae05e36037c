import Journal
import JournalStore
import SectionedResults
import Testing

/// An import is one step, in every kind of journal.
struct ImportingTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = TemporaryDirectory()
  }

  private static func entry(_ index: Int, _ text: String? = nil, deleted: Bool = false) -> Entry {
    let created = Moment(seconds: Int64(index) * 100_000, offset: 3_600)
    let text = text ?? "entry \(index) #tag\(index % 3)"
    return Entry(
      uuid: EntryUUID.derived(text: text, created: created), created: created,
      modified: Moment(seconds: 7, offset: 0), day: Day(daysSinceEpoch: index), text: text,
      starred: index.isMultiple(of: 2), deleted: deleted ? created : nil)
  }

  private static func all(_ store: any EntryStore) throws -> [Entry] {
    try store.entries(store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted)))
  }

  @Test("what is imported keeps all it had, under new numbers", arguments: StoreKind.allCases)
  func adding(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let old = try store.add([
      NewEntry(text: "old", created: Moment(seconds: 0, offset: 0), day: Day.earliest)
    ])
    let entries = [Self.entry(1), Self.entry(2, deleted: true), Self.entry(3, "日本 🌸\r\n\u{2028}é")]
    let counts = try store.importing { journal in
      for entry in entries { _ = try journal.add(entry) }
      return (journal.added, journal.skipped)
    }
    #expect(counts == (3, 0))
    let expected = entries.enumerated().map { index, entry in
      var entry = entry
      entry.number = old[0].number + 1 + Int64(index)
      return entry
    }
    #expect(
      try store.entries([2, 3, 4]).map { EntryJSON.text(of: $0) }
        == expected.map { EntryJSON.text(of: $0) })
    #expect(try store.check() == [])
    #expect(
      try store.numbers(matching: .parse("tag1", now: store.clock.moment(), clock: store.clock))
        == [2])
  }

  @Test(
    "what is there already, also in the trash or twice in the import, is left alone",
    arguments: StoreKind.allCases)
  func skipping(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    _ = try store.importing { try $0.add(Self.entry(1)) }
    try store.delete([1])
    let before = try Self.all(store)
    let counts = try store.importing { journal in
      let isNew = try [1, 2, 2].map { try journal.add(Self.entry($0)) }
      return (isNew, journal.added, journal.skipped)
    }
    #expect(counts == ([false, true, false], 1, 2))
    #expect(try store.entry(1) == before[0])
    #expect(try Self.all(store).count == 2)
  }

  @Test("an import that adds nothing is no step", arguments: StoreKind.allCases)
  func nothing(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    _ = try store.importing { try $0.add(Self.entry(1)) }
    let step = try store.pendingSteps().undo
    _ = try store.importing { try $0.add(Self.entry(1)) }
    #expect(try store.pendingSteps().undo == step)
  }

  @Test("an import that fails leaves nothing, whatever it had added", arguments: StoreKind.allCases)
  func failing(kind: StoreKind) throws {
    struct Stopped: Error {}
    let store = try kind.make(in: directory)
    _ = try store.importing { try $0.add(Self.entry(0)) }
    #expect(throws: Stopped.self) {
      try store.importing { journal in
        for index in 1...50 { try journal.add(Self.entry(index)) }
        throw Stopped()
      }
    }
    #expect(try Self.all(store).map(\.number) == [1])
    #expect(try store.check() == [])
    #expect(try store.pendingSteps().undo?.count == 1)
  }

  @Test("one undo takes an import back and one redo brings it again", arguments: StoreKind.allCases)
  func undoing(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([NewEntry(text: "old", created: Moment(seconds: 0, offset: 0), day: Day.earliest)]
    )
    try store.importing { journal in for index in 1...30 { try journal.add(Self.entry(index)) } }
    let imported = try Self.all(store)
    #expect(try store.undo().phrase == "the import of 30 entries")
    #expect(try Self.all(store).map(\.text) == ["old"])
    #expect(try store.check() == [])
    #expect(try store.redo().phrase == "the import of 30 entries")
    #expect(try Self.all(store) == imported)
    #expect(try store.check() == [])
    // An undone import may be repeated.
    try store.undo()
    #expect(try store.importing { journal in try journal.add(Self.entry(1)) })
  }

  @Test("a change and an import in one transaction leave the index of words in step")
  func mixed() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    try store.change(.importing) { writer in
      var first = Self.entry(1)
      first.number = try writer.insert(first)
      #expect(try writer.insertNew(Self.entry(2)))
      var changed = first
      changed.text = "another text"
      try writer.update(changed, from: first)
      #expect(try writer.insertNew(Self.entry(3)))
      try writer.remove(changed)
    }
    #expect(try store.check() == [])
    #expect(try Self.all(store).map(\.number) == [2, 3])
  }

  @Test("observers hear of an import once", arguments: StoreKind.allCases)
  func following(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    var heard = 0
    let observation = store.observeCommits { heard += 1 }
    defer { observation.cancel() }
    try store.importing { journal in for index in 1...300 { try journal.add(Self.entry(index)) } }
    #expect(heard == 1)
    #expect(try store.count() == 300)
  }
}

/// Paged entries are those of the list, in its order.
struct PagingTests {
  @Test(
    "pages give each entry of a list once, in its order",
    arguments: ["", "is:deleted", "is:starred"])
  func pages(words: String) throws {
    let directory = TemporaryDirectory()
    let store = try StoreKind.sqlite.make(in: directory)
    try store.importing { journal in
      for index in 0..<1_300 {
        // Many of one instant, so that pages end between entries that differ by number alone.
        let created = Moment(seconds: Int64(index / 700) * 60, offset: 0)
        _ = try journal.add(
          Entry(
            uuid: EntryUUID.make(), created: created, modified: created, day: created.localDay,
            text: "entry \(index)", starred: index % 3 == 0,
            deleted: index % 2 == 0 ? created : nil))
      }
    }
    let query =
      words.isEmpty ? nil : try Query.parse(words, now: store.clock.moment(), clock: store.clock)
    let request = EntryRequest.entries(query: query, order: .oldest)
    var paged: [Int64] = []
    let walk = try store.forEachPagedEntry(of: request) { paged.append($0.number) }
    #expect(walk == .whole)
    var listed: [Int64] = []
    try store.forEachEntry(of: request) { key, _ in
      listed.append(key.id.number)
      return true
    }
    #expect(paged == listed)
    #expect(!paged.isEmpty)
  }

  @Test("a change between two pages is reported")
  func changed() throws {
    let directory = TemporaryDirectory()
    let store = try StoreKind.sqlite.make(in: directory)
    let other = try SQLiteEntryStore.open(directory.file("journal.sqlite"), mode: .readWrite)
    try store.importing { journal in
      for index in 0..<600 {
        let created = Moment(seconds: Int64(index), offset: 0)
        _ = try journal.add(
          Entry(
            uuid: EntryUUID.make(), created: created, modified: created, day: created.localDay,
            text: "entry \(index)"))
      }
    }
    var count = 0
    let walk = try store.forEachPagedEntry(of: .entries(order: .oldest)) { entry in
      if count == 0 { try other.setStarred(true, [600]) }
      count += 1
    }
    #expect(walk == .changed)
    #expect(count == 600)
  }
}
