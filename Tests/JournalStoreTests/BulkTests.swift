import Foundation
import GRDB
import Journal
import Synchronization
import Testing

@testable import JournalStore

@Suite("Changes of many entries", .serialized)
struct BulkTests {
  private struct Enough: Error {}
  private let directory = TemporaryDirectory()

  private func journal(_ kind: StoreKind) throws -> any EntryStore {
    let store = try kind.make(in: directory)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    try store.add(
      (1...20).map { NewEntry(text: "entry \($0)", created: moment, day: moment.localDay) })
    return store
  }

  @Test("Each entry is told before it is changed, in order", arguments: StoreKind.allCases)
  func progress(kind: StoreKind) throws {
    let store = try journal(kind)
    var told: [Int] = []
    let options = BulkOptions(progress: { done, total in
      #expect(total == 20)
      told.append(done)
    })
    try store.delete(Array(1...20), options)
    #expect(told == Array(0...20))
    told = []
    try store.undo(.journal, options)
    #expect(told.first == 0 && told.last == 20 && told == told.sorted())
    #expect(try store.count() == 20)
  }

  @Test(
    "What is given up half-way leaves nothing, and no step to undo", arguments: StoreKind.allCases)
  func givenUp(kind: StoreKind) throws {
    let store = try journal(kind)
    let before = try Oracle(store).entries
    let step = try store.pendingSteps().undo?.id
    let options = BulkOptions(progress: { done, _ in if done == 10 { throw Enough() } })
    #expect(throws: Enough.self) { try store.delete(Array(1...20), options) }
    #expect(throws: Enough.self) {
      try store.retag(Array(1...20), as: .tag, options) { Tag.text(adding: "home", to: $0) }
    }
    #expect(throws: Enough.self) { try store.setStarred(true, Array(1...20), options) }
    #expect(throws: Enough.self) { try store.undo(.journal, options) }
    #expect(try Oracle(store).entries == before)
    #expect(try store.pendingSteps().undo?.id == step)
    #expect(try store.check() == [])
    try store.setStarred(true, [1])
    #expect(try store.entry(1).starred)
  }

  @Test("Numbers without an entry are passed over on request only", arguments: StoreKind.allCases)
  func missing(kind: StoreKind) throws {
    let store = try journal(kind)
    let options = BulkOptions(skipsMissing: true)
    #expect(try store.setStarred(true, [3, 99, 5], options) == [3, 5])
    #expect(throws: StoreError.self) { try store.setStarred(false, [3, 99]) }
    #expect(try store.entry(3).starred)
  }

  @Test("A version comes back as one step, out of the trash too", arguments: StoreKind.allCases)
  func versions(kind: StoreKind) throws {
    let store = try journal(kind)
    try store.edit(1, text: "second")
    try store.edit(1, text: "third")
    try store.delete([1])
    let before = try Oracle(store).entries
    let base = try store.entry(1).checksum
    #expect(throws: StoreError.self) { try store.putBack(version: 1, of: 1, expecting: base &+ 1) }
    let entry = try #require(try store.putBack(version: 1, of: 1, expecting: base))
    #expect(entry.text == "entry 1" && entry.deleted == nil)
    #expect(try store.versions(1).map(\.text) == ["entry 1", "second", "third", "entry 1"])
    #expect(try store.putBack(version: 1, of: 1) == nil)
    #expect(try store.putBack(version: 9, of: 1) == nil)
    try store.undo()
    #expect(try Oracle(store).entries == before)
  }

  /// The statements that `body` runs on a store's connection, without those of triggers.
  private func statements(of store: SQLiteEntryStore, in body: () throws -> Void) throws -> Int {
    let count = Mutex(0)
    store.queue.inDatabase {
      $0.trace { event in
        if !event.description.hasPrefix("--") { count.withLock { $0 += 1 } }
      }
    }
    defer { store.queue.inDatabase { $0.trace(options: []) } }
    try body()
    return count.withLock(\.self)
  }

  @Test("Undoing and purging many entries takes a few statements for each chunk of them")
  func chunks() throws {
    let store = try SQLiteEntryStore()
    let count = 8 * ChosenEntries.size
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    try store.add(
      (1...count).map { NewEntry(text: "entry \($0)", created: moment, day: moment.localDay) })
    let before = try Oracle(store).entries
    let numbers = before.keys.sorted()
    try store.setStarred(true, numbers)
    #expect(try statements(of: store) { try store.undo() } < count / 4)
    #expect(try Oracle(store).entries == before)
    #expect(try statements(of: store) { try store.redo() } < count / 4)
    #expect(try Oracle(store).entries.values.allSatisfy(\.starred))
    try store.delete(numbers)
    #expect(try statements(of: store) { try store.purge() } < count / 4)
    #expect(try Oracle(store).entries.isEmpty)
    #expect(try store.check() == [])
  }

  @Test("Undo in chunks restores texts, tags and words, and leaves the entries changed since")
  func mixedChunks() throws {
    let store = try SQLiteEntryStore.open(directory.file("mixed.sqlite"), mode: .create)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    let count = SearchIndex.many + 100
    try store.add(
      (1...count).map { NewEntry(text: "entry \($0) #old", created: moment, day: moment.localDay) })
    let before = try Oracle(store).entries
    try store.retag(before.keys.sorted(), as: .tag) {
      Tag.text(adding: "new", to: $0).replacingOccurrences(of: "#old", with: "long \($0)")
    }
    try store.setStarred(true, [7])
    try store.edit(9, text: "written since")
    let tagged = try store.changeSets(latest: 3, before: nil)[2].id
    let undone = try store.takeBack(tagged)
    #expect(undone.restored == count - 1 && undone.kept.map(\.number) == [9])
    var expected = before
    expected[7]?.starred = true
    let after = try Oracle(store).entries
    for (number, entry) in expected where number != 9 {
      var found = try #require(after[number])
      if number == 7 { found.modified = entry.modified }
      #expect(found == entry)
    }
    #expect(try store.tagCounts().map(\.count) == [count - 1])
    #expect(try store.check() == [])
    try store.takeBack(try store.changeSets(latest: 1, before: nil)[0].id)
    #expect(
      try store.tagCounts().contains { $0.tag.hasSuffix("new") && $0.count == count - 1 })
    #expect(try store.check() == [])
  }

  @Test("A purge that is given up removes nothing", arguments: StoreKind.allCases)
  func purgeGivenUp(kind: StoreKind) throws {
    let store = try journal(kind)
    try store.delete(Array(1...20))
    let before = try Oracle(store).entries
    for limit in [0, 9, 20] {
      let options = BulkOptions(progress: { done, _ in if done >= limit { throw Enough() } })
      #expect(throws: Enough.self) { try store.purge(options) }
      #expect(try Oracle(store).entries == before)
    }
    var told: [Int] = []
    try store.purge(BulkOptions(progress: { done, _ in told.append(done) }))
    #expect(told == told.sorted() && told.last == 20)
    #expect(try Oracle(store).entries.isEmpty)
  }
}
