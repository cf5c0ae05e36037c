import GRDB
import Glibc
import Journal
import Testing

@testable import JournalStore

/// Deleting on a full disk.
@Suite("Head-room", .serialized)
struct HeadRoomTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private static let moment = Moment(seconds: 1_794_000_000, offset: 3600)

  private func journal() throws -> SQLiteEntryStore {
    let store = try SQLiteEntryStore.open(directory.file("j.sqlite"), mode: .create)
    try store.add(
      (1...300).map {
        NewEntry(text: "entry \($0)", created: Self.moment, day: Self.moment.localDay)
      })
    return store
  }

  private func status(_ store: SQLiteEntryStore) throws -> stat? {
    var status = stat()
    return lstat(try #require(store.headRoom).path, &status) == 0 ? status : nil
  }

  /// Limits the file to its present size, as a full disk does.
  private func fill(_ store: SQLiteEntryStore) throws {
    try store.queue.inDatabase { db in
      // Pages that the file has free need no space on the disk.
      try db.execute(sql: "VACUUM")
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count=\(pages)")
    }
  }

  @Test("The file is there while space is scarce only, private, and small beside the free space")
  func making() throws {
    let store = try journal()
    store.headRoom?.freeSpace = { _ in HeadRoom.scarcity - 1 }
    try store.setStarred(true, [1])
    let made = try #require(try status(store))
    #expect(made.st_size == off_t(HeadRoom.sizes.lowerBound) && made.st_mode & 0o777 == 0o600)
    #expect(made.st_blocks * 512 >= made.st_size)
    store.headRoom?.freeSpace = { _ in HeadRoom.scarcity + 1 }
    try store.setStarred(false, [1])
    #expect(try status(store) != nil)
    store.headRoom?.freeSpace = { _ in 3 * HeadRoom.scarcity }
    try store.setStarred(true, [1])
    #expect(try status(store) == nil)
    store.headRoom?.freeSpace = { _ in HeadRoom.sizes.lowerBound * HeadRoom.part - 1 }
    try store.setStarred(false, [1])
    #expect(try status(store) == nil)
    #expect(HeadRoom.size(forJournalOf: 20 << 20) == 5 << 20)
    #expect(HeadRoom.size(forJournalOf: 1 << 40) == HeadRoom.sizes.upperBound)
  }

  @Test("On a full disk deleting, undo and purging use the space; other changes name the way out")
  func full() throws {
    let store = try journal()
    let all = Array(Int64(1)...300)
    let queue = store.queue
    store.headRoom?.remove = { path in
      queue.inDatabase { try? $0.execute(sql: "PRAGMA max_page_count=1000000") }
      return unlink(path) == 0
    }
    let changes: [(() throws -> Void, isEmpty: Bool)] = [
      ({ try store.delete(all) }, true),
      ({ try store.takeBack(store.changeSets(latest: 2, before: nil)[1].id) }, false),
      ({ try store.delete(all) }, true),
    ]
    for (change, isEmpty) in changes {
      store.headRoom?.freeSpace = { _ in HeadRoom.scarcity - 1 }
      try store.edit(1, text: "edited \(try store.lastSequenceForTest())")
      store.headRoom?.freeSpace = { _ in 0 }
      #expect(try status(store) != nil)
      try fill(store)
      let long = String(repeating: "long ", count: 40_000)
      let error = #expect(throws: StoreError.self) { try store.edit(2, text: long) }
      #expect(error?.kind == .diskFull)
      #expect(error?.description.contains("daybook delete and daybook purge still work") == true)
      #expect(try status(store) != nil)
      try change()
      #expect(try status(store) == nil)
      #expect(try (store.count() == 0) == isEmpty)
    }
    #expect(try store.purge() == 300)
    #expect(try store.check() == [])
  }

  @Test("Without the space a full disk stops deleting, and nothing is deleted")
  func withoutSpace() throws {
    let store = try journal()
    try fill(store)
    let error = #expect(throws: StoreError.self) { try store.delete(Array(1...300)) }
    #expect(error?.kind == .diskFull)
    #expect(error?.explanation == "the disk is full; make room and try again")
    #expect(try store.count() == 300)
    #expect(try store.check() == [])
  }

  @Test("A deletion that needs more than the space says so, and nothing is deleted")
  func exhausted() throws {
    let store = try journal()
    store.headRoom?.remove = { _ in true }
    try fill(store)
    let error = #expect(throws: StoreError.self) { try store.delete(Array(1...300)) }
    #expect(error?.kind == .diskFull)
    #expect(error?.description.contains("fewer entries at once") == true)
    #expect(try store.count() == 300)
    #expect(try store.check() == [])
  }
}

extension SQLiteEntryStore {
  fileprivate func lastSequenceForTest() throws -> Int64 { try inspect { try $0.lastSequence() } }
}
