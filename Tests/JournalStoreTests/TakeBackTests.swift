import Journal
import TestSupport
import Testing

@testable import JournalStore

/// The list of change sets, and taking back any of them.
@Suite("Taking back any change set", .serialized)
struct TakeBackTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private let state = SyncState(remote: "r", journal: "j", device: "d")

  private func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  @Test(
    "The latest change sets come first, in pages, with their state", arguments: StoreKind.allCases)
  func latest(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    #expect(try store.changeSets(latest: 5) == [])
    try store.add([entry("one"), entry("two")])
    try store.setStarred(true, [2])
    try store.undo()
    try store.edit(2, text: "zwei")
    try store.delete([1])
    try store.applySync(expecting: store.lastSequence(), newState: state) {
      try $0.insert(entry("new").entry)
    }
    try store.purge()
    let sets = try store.changeSets(latest: 10)
    #expect(sets.map(\.kind) == [.purge, .sync, .delete, .edit, .undo, .star, .add])
    #expect(sets.map(\.isUndone) == [false, false, false, false, false, true, false])
    // The trash is gone, and with it the deletion.
    #expect(sets.map(\.canTakeBack) == [false, true, false, true, true, false, true])
    #expect(
      sets.map(\.source) == [.command, .sync, .command, .command, .command, .command, .command])
    #expect(sets.map(\.actor).filter { $0 == "sync" }.count == 1)
    #expect(sets.map(\.count) == [1, 1, 1, 1, 1, 1, 2])
    #expect(sets[3].title == "zwei")
    let first = try store.changeSets(latest: 3)
    let second = try store.changeSets(latest: 9, before: first.last?.id)
    #expect(first + second == sets)
  }

  @Test(
    "Any change set is taken back, also one of sync, and that can be undone and redone",
    arguments: StoreKind.allCases)
  func takeBack(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("one two three"), entry("second")])
    let mine = try store.entry(1)
    try store.applySync(expecting: store.lastSequence(), newState: state) { sync in
      var changed = mine
      changed.text = "ONE two three"
      try sync.update(changed)
      try sync.insert(entry("third").entry)
    }
    let received = try #require(try store.changeSets(latest: 1).first)
    try store.edit(1, text: "ONE two THREE")
    let undone = try store.takeBack(received.id)
    #expect(undone.kind == .sync && undone.restored == 2 && undone.kept == [])
    #expect(undone.news == "undid the synchronisation of 2 entries")
    #expect(try Oracle(store).live == [1: "one two THREE", 2: "second"])
    let error = #expect(throws: StoreError.self) { try store.takeBack(received.id) }
    #expect(error?.description == "change \(received.id) is already undone")
    // As any undo it can be redone, and taken back itself.
    #expect(try store.redo(.session).kind == .sync)
    #expect(try Oracle(store).live == [1: "ONE two THREE", 2: "second", 3: "third"])
    try store.takeBack(received.id)
    let undo = try #require(try store.changeSets(latest: 1).first)
    #expect(undo.kind == .undo && undo.reverses == received.id)
    let redone = try store.takeBack(undo.id)
    #expect(redone.news == "redid the synchronisation of 2 entries")
    #expect(try Oracle(store).live == [1: "ONE two THREE", 2: "second", 3: "third"])
    let redo = try #require(try store.changeSets(latest: 1).first)
    #expect(redo.kind == .redo && redo.canTakeBack)
    try store.takeBack(redo.id)
    #expect(try Oracle(store).live == [1: "one two THREE", 2: "second"])
    // Undo still takes back what was done last.
    #expect(try store.undo().kind == .edit)
    #expect(try store.entry(1).text == "one two three")
    #expect(try store.check() == [])
  }

  @Test("What cannot be taken back says why, and nothing changes", arguments: StoreKind.allCases)
  func refused(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("one"), entry("two")])
    try store.edit(1, text: "mine")
    try store.edit(1, text: "other")
    try store.delete([2])
    try store.purge()
    let sets = try store.changeSets(latest: 9)
    let before = try Oracle(store).entries
    #expect(sets.map(\.kind) == [.purge, .delete, .edit, .edit, .add])
    for (id, message) in [
      (sets[0].id, "change \(sets[0].id) cannot be undone"),
      (sets[1].id, "change \(sets[1].id) cannot be undone"),
      (sets[3].id, "entry 1 was changed since by another program; nothing was undone"),
      (99, "no change has the number 99"), (-1, "no change has the number -1"),
      (.max, "no change has the number \(Int64.max)"),
    ] {
      let error = #expect(throws: StoreError.self) { try store.takeBack(id) }
      #expect(error?.description == message)
      #expect(error?.category == .notDone)
    }
    #expect(try Oracle(store).entries == before)
    #expect(try store.changeSets(latest: 9) == sets)
  }

  @Test(
    "Taking back what brought a conflict settles it; redoing opens it again",
    arguments: StoreKind.allCases)
  func conflict(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("mine")])
    let uuid = try store.entry(1).uuid
    try store.applySync(expecting: store.lastSequence(), newState: state) { sync in
      var changed = try #require(try sync.entry(uuid: uuid))
      changed.text = "theirs"
      try sync.update(changed)
      try sync.setConflicts(of: uuid, ["mine"])
    }
    #expect(try store.conflicts(of: 1) == ["mine"])
    let id = try #require(try store.changeSets(latest: 1).first?.id)
    try store.takeBack(id)
    #expect(try store.entry(1).text == "mine")
    #expect(try store.conflicts(of: 1) == [])
    try store.redo()
    #expect(try store.entry(1).text == "theirs")
    #expect(try store.conflicts(of: 1) == ["mine"])
    #expect(try store.check() == [])
  }

  @Test(
    "Undo, redo and taking back in any order keep the journals of each kind equal",
    arguments: [UInt64(1), 2, 3, 4])
  func kindsAgree(seed: UInt64) throws {
    let stores = try StoreKind.allCases.map { try $0.make(in: directory, name: "walk\(seed)") }
    var results: [[String]] = []
    for store in stores {
      var walk = RandomWalk(store, seed: seed)
      var generator = SeededGenerator(seed: seed)
      var log: [String] = []
      for step in 0..<80 {
        do {
          if step % 13 == 12 { try store.purge() } else { try walk.step(withUndo: true) }
        } catch let error as StoreError {
          // A change that was taken back out of turn may leave nothing for undo.
          log.append(error.description)
        }
        let sets = try store.changeSets(latest: 6)
        if step.isMultiple(of: 3), let set = sets.randomElement(using: &generator) {
          do {
            let undone = try store.takeBack(set.id)
            log.append("\(set.id) \(undone.news) \(undone.kept)")
          } catch let error as StoreError {
            log.append("\(set.id) \(error.description)")
          }
        }
        log.append(
          "\(try store.changeSets(latest: 2).map { "\($0.kind) \($0.isUndone) \($0.canTakeBack)" })"
        )
        let entries = try Oracle(store).entries.values.sorted { $0.number < $1.number }
        log.append(
          "\(entries.map { "\($0.number) \($0.text) \($0.starred) \($0.deleted == nil)" })")
      }
      #expect(try store.check() == [])
      results.append(log)
    }
    for result in results.dropFirst() {
      #expect(result.count == results[0].count)
      for (index, line) in result.enumerated() { try #require(line == results[0][index]) }
    }
  }
}
