import Glibc
import Journal
import SectionedResults
import Testing

@testable import JournalStore

@Suite("Two connections to one file")
struct TwoProcessTests {
  enum Kind: String, CaseIterable {
    case sqlite
    case json
  }

  private let directory = TemporaryDirectory()

  private func open(_ kind: Kind) throws -> any EntryStore {
    let location = JournalLocation(path: directory.file("j.\(kind.rawValue)"), isExplicit: true)
    let store = try location.open(mode: .create)
    store.beginWatching()
    return store
  }

  private func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  /// Waits as the main loop does: for the descriptor, then for the retries.
  private func waitForChange(_ store: any EntryStore) throws -> Bool {
    let descriptor = try #require(store.changeDescriptor)
    var timeout: Int32 = 5000
    while true {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, timeout) >= 0 else { return false }
      let found = try store.refresh()
      if found.changed { return true }
      guard let retry = found.retryAfter else { return false }
      timeout = Int32(retry)
    }
  }

  @Test("The second sees what the first commits, as the same commits", arguments: Kind.allCases)
  func batches(kind: Kind) throws {
    let (first, second) = (try open(kind), try open(kind))
    var told = 0
    let token = second.observeCommits { told += 1 }
    let request = EntryRequest.entries()
    let stamp = try second.read { try $0.stamp() }
    try first.add([entry("one"), entry("two")])
    #expect(try waitForChange(second))
    #expect(told == 1)
    try first.edit(1, text: "three")
    #expect(try waitForChange(second))
    let seen = try second.read { try $0.commits(after: stamp, for: request) }
    #expect(seen == (try first.read { try $0.commits(after: stamp, for: request) }))
    #expect(seen.map(\.changes.count) == [2, 1])
    token.cancel()
  }

  @Test("A store without a watch sees what another commits when it looks", arguments: Kind.allCases)
  func unwatched(kind: Kind) throws {
    let location = JournalLocation(path: directory.file("j.\(kind.rawValue)"), isExplicit: true)
    let (first, second) = (try open(kind), try location.open(mode: .readWrite))
    var told = 0
    let token = second.observeCommits { told += 1 }
    try first.add([entry("one")])
    #expect(second.changeDescriptor == nil)
    #expect(try second.refresh().changed)
    #expect(try !second.refresh().changed)
    #expect(told == 1)
    token.cancel()
  }

  @Test("A look without a change tells nobody and comes to rest", arguments: Kind.allCases)
  func quiet(kind: Kind) throws {
    let (first, second) = (try open(kind), try open(kind))
    try first.add([entry("one")])
    #expect(try waitForChange(second))
    var told = 0
    let token = second.observeCommits { told += 1 }
    try second.edit(1, text: "own")
    #expect(told == 1)
    var looks = 0
    while try second.refresh().retryAfter != nil { looks += 1 }
    #expect(looks < 10)
    #expect(told == 1)
    token.cancel()
  }

  @Test(
    "Undo takes back the last change, whichever process made it, also after a restart",
    arguments: Kind.allCases)
  func undo(kind: Kind) throws {
    try open(kind).add([entry("one")])
    try open(kind).edit(1, text: "two")
    let third = try open(kind)
    #expect(try third.undo().kind == .edit)
    #expect(try open(kind).redo().kind == .edit)
    #expect(try third.entry(1).text == "two")
    #expect(try third.undo().kind == .edit)
    #expect(try third.undo().kind == .add)
    #expect(try open(kind).count() == 0)
  }

  @Test("Both may write in turn, and nothing is lost", arguments: Kind.allCases)
  func turns(kind: Kind) throws {
    let stores = [try open(kind), try open(kind), try open(kind)]
    for index in 0..<30 { try stores[index % 3].add([entry("\(index)")]) }
    for store in stores { #expect(try store.count() == 30) }
    #expect(try stores[0].numbers(matching: nil) == Array(1...30))
  }

  @Test("An edit from a stale text is refused across processes", arguments: Kind.allCases)
  func stale(kind: Kind) throws {
    let (first, second) = (try open(kind), try open(kind))
    let base = try first.add([entry("base")])[0].checksum
    try second.edit(1, text: "theirs", expecting: base)
    #expect(throws: StoreError.self) { try first.edit(1, text: "ours", expecting: base) }
    #expect(try first.entry(1).text == "theirs")
  }

  @Test("A writer that finds the journal locked says busy and changes nothing")
  func busy() throws {
    let (first, second) = (try open(.sqlite), try open(.sqlite))
    try first.add([entry("one")])
    let store = try #require(second as? SQLiteEntryStore)
    try store.queue.inDatabase { try $0.execute(sql: "PRAGMA busy_timeout=1") }
    try first.change(.edit) { _ in
      let error = #expect(throws: StoreError.self) { try second.setStarred(true, [1]) }
      #expect(error?.category == .busy)
    }
    try second.setStarred(true, [1])
    #expect(try first.entry(1).starred)
  }
}
