import Foundation
import Journal
import TestSupport
import Testing

@testable import JournalStore

/// The journal as it was, from the change log.
@Suite("The journal of then")
struct PastJournalTests {
  private static let kinds = StoreKind.allCases.filter { $0 != .oracle }
  private let directory = TemporaryDirectory(isInMemory: true)

  /// What a journal was when it was the present.
  private struct Snapshot {
    let moment: Moment
    let entries: [Int64: Entry]
    let versions: [Int64: [String]]
    let tags: [TagCount]
    let logLength: Int64

    init(_ store: any EntryStore) throws {
      entries = try Oracle(store).entries
      versions = try Dictionary(
        uniqueKeysWithValues: entries.keys.map { ($0, try store.versions($0).map(\.text)) })
      tags = try store.tagCounts()
      logLength = try store.inspect { try $0.lastSequence() }
      moment = store.clock.moment()
    }
  }

  @Test(
    "After any history each moment has the entries, versions and tags that it had", arguments: kinds
  )
  func randomHistories(kind: StoreKind) throws {
    let seed = SeededGenerator.runSeed
    var generator = SeededGenerator(seed: seed)
    for round in 0..<(kind == .json ? 2 : 4) {
      let store = try kind.make(in: directory, name: "\(kind)-\(round)")
      var walk = RandomWalk(store, seed: seed &+ UInt64(round))
      var snapshots: [Snapshot] = []
      var purged: Set<String> = []
      for step in 0..<(kind == .json ? 60 : 140) {
        try walk.step()
        if step % 40 == 39 {
          let before = try Oracle(store).entries.values.map(\.uuid)
          try store.purge()
          purged.formUnion(Set(before).subtracting(try Oracle(store).entries.values.map(\.uuid)))
        }
        guard try store.inspect({ try $0.lastSequence() }) > 0 else { continue }
        if Int.random(in: 0..<4, using: &generator) == 0 { snapshots.append(try Snapshot(store)) }
      }
      for snapshot in snapshots {
        try compare(
          try store.past(at: snapshot.moment, BulkOptions()), snapshot, purged,
          "seed \(seed), round \(round), \(kind), \(snapshot.moment)")
      }
    }
  }

  @Test("The moment of a change has that change", arguments: kinds)
  func momentOfChange(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let moment = store.clock.moment()
    try store.add([NewEntry(text: "one", created: moment, day: moment.localDay)])
    for text in ["two", "three"] { try store.edit(1, text: text) }
    let changes = try store.inspect { try $0.changeSets(latest: 3, before: nil) }
    for (change, text) in zip(changes, ["three", "two", "one"]) {
      let past = try store.past(at: change.at, BulkOptions())
      #expect(try past.store.entry(1).text == text)
    }
  }

  private func compare(
    _ past: PastJournal, _ snapshot: Snapshot, _ purged: Set<String>, _ place: Comment
  ) throws {
    let known = snapshot.entries.filter { !purged.contains($0.value.uuid) }
    let lost = snapshot.entries.values.count { purged.contains($0.uuid) && $0.deleted == nil }
    try #require(try Oracle(past.store).entries == known, place)
    #expect(past.purged == lost, place)
    #expect(past.unknown == 0, place)
    for number in known.keys {
      #expect(try past.store.versions(number).map(\.text) == snapshot.versions[number], place)
    }
    if lost == 0 { #expect(try past.store.tagCounts() == snapshot.tags, place) }
    #expect(try past.store.inspect { try $0.lastSequence() } == snapshot.logLength, place)
    #expect(throws: StoreError.self) { try past.store.delete(Array(known.keys)) }
  }

  private func add(_ text: String, to store: any EntryStore, _ created: Moment? = nil) throws {
    let created = created ?? store.clock.moment()
    try store.add([NewEntry(text: text, created: created, day: created.localDay)])
  }

  @Test("An entry restored from then is one step, also if it is gone", arguments: kinds)
  func restoring(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try add("one", to: store)
    try store.setStarred(true, [1])
    try add("two", to: store)
    let then = try Snapshot(store)
    try store.edit(1, text: "other")
    try store.setStarred(false, [1])
    try store.delete([1])
    let beforeUndo = try Oracle(store).entries
    // Undo of the addition removes the second entry.
    let added = try #require(
      try store.changeSets(latest: 9).first { $0.kind == .add && $0.title == "two" })
    try store.takeBack(added.id)
    let before = try Oracle(store).entries
    #expect(before.count == beforeUndo.count - 1)
    let past = try store.past(at: then.moment, BulkOptions())
    let entries = try past.store.entries([1, 2])
    #expect(entries.map(\.text) == ["one", "two"])
    #expect(try store.restore(ofPast: entries) == [1, 2])
    let after = try Oracle(store).entries
    #expect(after.values.map(\.uuid).sorted() == then.entries.values.map(\.uuid).sorted())
    for (number, entry) in after {
      let old = try #require(then.entries[number])
      #expect(entry.text == old.text && entry.starred == old.starred && entry.deleted == nil)
      #expect(entry.created == old.created && entry.day == old.day)
    }
    #expect(try store.restore(ofPast: entries) == [])
    try store.undo()
    #expect(try Oracle(store).entries == before)
    #expect(try store.check(WorkAttendance()) == [])
  }

  @Test("An entry with an old date is not in the journal before it was written", arguments: kinds)
  func importedToday(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try add("first", to: store)
    let then = store.clock.moment()
    try add("old", to: store, Moment(seconds: 0, offset: 0))
    #expect(try Oracle(store.past(at: then, BulkOptions()).store).entries.count == 1)
    #expect(
      try Oracle(store.past(at: store.clock.moment(), BulkOptions()).store).entries.count == 2)
  }

  @Test("Before the log begins there is an error with its first moment", arguments: kinds)
  func beforeTheLog(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let empty = #expect(throws: StoreError.self) {
      try store.past(at: store.clock.moment(), BulkOptions())
    }
    #expect(empty?.kind == .beforeHistory)
    let then = store.clock.moment()
    try add("first", to: store)
    let error = #expect(throws: StoreError.self) { try store.past(at: then, BulkOptions()) }
    #expect(error?.kind == .beforeHistory)
    #expect(error?.description.contains("\(then.localDay)") == true)
  }

  @Test("A sealed journal of then has its key, is not written to any file and cannot be copied")
  func sealed() throws {
    let store = try StoreKind.sealed.make(in: directory)
    try add("secret", to: store)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    let past = try store.past(at: store.clock.moment(), BulkOptions())
    #expect(past.store.key?.id == store.key?.id && store.key != nil)
    #expect(try past.store.wrappedKey() != nil)
    #expect(try past.store.entry(1).text == "secret")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == files)
    #expect(throws: StoreError.self) { try past.store.backup(to: directory.file("copy.sqlite")) }
  }

  @Test("A text that another program replaced in a JSON file is unknown before, not wrong")
  func unknownText() throws {
    let (path, clock) = (directory.file("j.json"), TickingClock().clock)
    var store: any EntryStore = try JSONEntryStore.open(path, mode: .create, clock: clock)
    try add("first text", to: store)
    try add("second", to: store)
    let then = clock.moment()
    try store.setStarred(true, [1])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("first text", with: "other text").write(
      toFile: path, atomically: false, encoding: .utf8)
    store = try JSONEntryStore.open(path, mode: .create, clock: clock)
    let past = try store.past(at: then, BulkOptions())
    #expect(try Oracle(past.store).entries.values.map(\.text) == ["second"])
    #expect((past.purged, past.unknown) == (0, 1))
    #expect(past.loss == "1 entry of that time is unknown: another program changed the file")
  }

  @Test("Reading the past can be cancelled, and changes nothing")
  func cancelled() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    try add("one", to: store)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.past(at: store.clock.moment(), BulkOptions { _, _ in throw Stop() })
    }
    #expect(try store.entry(1).text == "one")
    #expect(try store.check(WorkAttendance()) == [])
  }

  @Test("A commit of another process during the visit is in no journal of then")
  func otherProcess() throws {
    let path = directory.file("two.sqlite")
    let store = try SQLiteEntryStore.open(path, mode: .create, clock: TickingClock().clock)
    try add("one", to: store)
    let then = store.clock.moment()
    let past = try store.past(at: then, BulkOptions())
    let other = try SQLiteEntryStore.open(path, mode: .readWrite)
    try other.edit(1, text: "changed")
    try add("two", to: other)
    #expect(try Oracle(past.store).entries.values.map(\.text) == ["one"])
    #expect(try store.restore(ofPast: [try past.store.entry(1)]) == [1])
    #expect(try other.entry(1).text == "one")
  }
}
