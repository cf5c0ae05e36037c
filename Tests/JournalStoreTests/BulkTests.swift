import Journal
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
}
